import { constants } from "node:buffer";
import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonParts, parseBytes, parseJson } from "./json.ts";

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
  ["a string that does not end", '"\\'],
  ["101 levels", "[".repeat(101) + "]".repeat(101)],
  ["a million levels", '{"a":'.repeat(1_000_000)],
  ["fifteen million lists", `[${"[],".repeat(15_000_000)}1]`],
])("returns undefined for %s", (_, text) => {
  expect(parseJson(text)).toBeUndefined();
});

it("returns undefined for more bytes than a text can have", () => {
  expect(parseBytes(Buffer.alloc(constants.MAX_STRING_LENGTH + 1, " "))).toBeUndefined();
  expect(parseBytes(Buffer.from('"é"'))).toBe("é");
});

it("writes in parts what JSON.stringify writes", () => {
  const lists = [
    [],
    [1],
    Array.from({ length: 25_000 }, (_, index) => index),
    Array.from({ length: 250 }, () => ({ a: [] })),
  ];
  for (const list of lists) {
    const value = { list, left: undefined, inside: { 'a"': null, list } };
    expect([...jsonParts(value)].join("")).toBe(JSON.stringify(value));
  }
});
