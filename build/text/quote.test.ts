import fc from "fast-check";
import { expect, it } from "vitest";
import { describe, escaped, quote, shown } from "./quote.ts";

it.each([
  ["\u001b[2J", "\\u001b[2J"],
  ["\u202etxt", "\\u202etxt"],
  ["a\u2028b", "a\\u2028b"],
  ["zero\u200bwidth", "zero\\u200bwidth"],
  ["\ud800", "\\ud800"],
  ["e\u0301", "e\\u0301"],
  ["\u00e9 x\u0301 \u05e9\u05c1", "\u00e9 x\u0301 \u05e9\u05c1"],
  ["München 😀", "München 😀"],
])("escapes what a terminal would obey or not print, and what looks like another character: %j", (text, expected) => {
  expect(escaped(text)).toBe(expected);
});

it.each([
  ["a\u00a0", '"a\\u00a0"'],
  [" \u3000 a b \u2800", '" \\u3000 a b \\u2800"'],
  ["東京\u3000都", '"東京\u3000都"'],
  ["\u3164", '"\\u3164"'],
  [" a ", '" a "'],
])("escapes what looks like a space at the ends of %j", (text, expected) => {
  expect(quote(text)).toBe(expected);
});

it("shows no more of a text than fits, and cuts no character in two", () => {
  expect(shown("a".repeat(60))).toBe("a".repeat(60));
  expect(shown("a".repeat(61))).toBe(`${"a".repeat(59)}…`);
  expect(shown(`${"a".repeat(58)}😀b`, 60)).toBe(`${"a".repeat(58)}…`);
});

it("prints any text on one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(quote(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

it.each([
  [null, "", "empty (null)"],
  ["x", "x", '"x"'],
  [3.1, "3.10", "the number 3.10"],
  [3.1, "", "the number 3.1"],
  [3.1, '"3,10"', 'the number "3,10"'],
  [31, "0x1F", "the number 0x1F"],
  [Number.POSITIVE_INFINITY, "1e400", "the number 1e400"],
  [8, "{ size: 1 }", "the number 8"],
  [8, "1", "the number 8"],
  [true, "yes", "the boolean yes"],
  [[], "[]", "an empty list"],
  [[1], "[1]", "a list"],
  [{}, "{}", "an object"],
])("describes %j, written %j, as %s", (value, written, expected) => {
  expect(describe(value, written)).toBe(expected);
});
