// JSON of hundreds of megabytes.
import { constants } from "node:buffer";
import { expect, it } from "vitest";
import { jsonParts } from "./json.ts";

it("is written in parts if it is longer than the longest text", () => {
  const long = "x".repeat(1e6);
  const items = Array.from({ length: 600 }, () => ({ long }));
  let length = 0;
  for (const part of jsonParts({ items })) length += part.length;
  expect(length).toBeGreaterThan(constants.MAX_STRING_LENGTH);
});
