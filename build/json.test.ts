import fc from "fast-check";
import { expect, it } from "vitest";
import { parseJson } from "./json.ts";

it("parses what JSON.parse parses", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      expect(parseJson(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  const brackets = JSON.stringify('[{\\"'.repeat(1_000));
  expect(parseJson(brackets)).toBe(JSON.parse(brackets));
});

it.each([
  ["no JSON", "hello"],
  ["nothing", ""],
  ["a text that does not end", '"\\'],
  ["101 levels", "[".repeat(101) + "]".repeat(101)],
  ["a million levels", '{"a":'.repeat(1_000_000)],
  ["fifteen million lists", `[${"[],".repeat(15_000_000)}1]`],
])("returns undefined for %s", (_, text) => {
  expect(parseJson(text)).toBeUndefined();
});
