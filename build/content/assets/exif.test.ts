import { expect, it } from "vitest";
import { pictures } from "../../../test/content/pictures.ts";
import { hasPosition } from "./exif.ts";

it("finds a latitude in the EXIF data of a photo", () => {
  expect(hasPosition(pictures.placed)).toBe(true);
  expect(hasPosition(pictures.turned)).toBe(false);
  expect(hasPosition(pictures.jpeg)).toBe(false);
});

it("reads no further than the bytes that there are", () => {
  const head = Uint8Array.from(pictures.placed);
  for (let length = 0; length < head.length; length++) expect(hasPosition(head.slice(0, length))).toBeTypeOf("boolean");
});
