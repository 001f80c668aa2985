import fc from "fast-check";
import { expect, it } from "vitest";
import { endOfString } from "./json-string.ts";

it("finds the quote that closes a string, whatever the string holds and whatever follows", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (value, after) => {
      const text = JSON.stringify(value);
      expect(endOfString(`[${text}${after}`, 1)).toBe(text.length);
    }),
  );
});

it("ends with the text if the string does not end", () => {
  expect(endOfString('"ab\\"', 0)).toBe(5);
});
