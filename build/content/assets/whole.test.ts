import { expect, it } from "vitest";
import { pictures } from "../../../test/content/pictures.ts";
import { isCutOff, lastIn } from "./whole.ts";

const cutOff = (type: string, picture: Uint8Array): boolean =>
  isCutOff(type, picture.length, picture, (bytes) => lastIn([picture], bytes));

const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** A photo with another one as the preview among its descriptions. */
const withPreview = joined(
  Buffer.from([0xff, 0xd8, 0xff, 0xe1, (2 + pictures.jpeg.length) >> 8, (2 + pictures.jpeg.length) & 0xff]),
  pictures.jpeg,
  pictures.jpeg.slice(2),
);

/** The last box has its size behind its name. */
const longSized = joined(
  pictures.avif.slice(0, -36),
  Buffer.from([0, 0, 0, 1]),
  Buffer.from("mdat"),
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 44]),
  pictures.avif.slice(-28),
);

it.each([
  ["image/png", pictures.png],
  ["image/jpeg", pictures.jpeg],
  ["image/jpeg", pictures.turned],
  ["image/jpeg", withPreview],
  ["image/webp", pictures.webp],
  ["image/avif", pictures.avif],
  ["image/avif", longSized],
])("knows a whole picture of the type %s in case %#, also with something behind it", (type, picture) => {
  expect(cutOff(type, picture)).toBe(false);
  expect(cutOff(type, joined(picture, Buffer.from([0xff, 0xda, 1, 2, 3])))).toBe(false);
  expect(cutOff(type, picture.slice(0, -9))).toBe(true);
});

it("says nothing of types whose end it does not know", () => {
  expect(cutOff("image/gif", pictures.gif.slice(0, -3))).toBe(false);
});

it("finds bytes that are divided among parts", () => {
  const parts = ["ab", "", "c", "xab", "cx"].map((part) => Buffer.from(part));
  expect(lastIn(parts, Buffer.from("abc"))).toBe(4);
  expect(lastIn(parts, Buffer.from("xa"))).toBe(3);
  expect(lastIn(parts, Buffer.from("y"))).toBe(-1);
});
