import { expect, it } from "vitest";
import * as z from "zod";
import { clauseOf, clauseOrNull, eitherOf, formClause, isSentence, yamlChoice } from "./wording.ts";

it.each<[z.ZodType, string]>([
  [z.string(), "a string"],
  [z.string().min(1).max(20), "a string of 1 to 20 characters"],
  [z.string().length(2), "a string of 2 characters"],
  [z.string().regex(/^x/), "a string that matches /^x/"],
  [z.email().max(9), "an email address of at most 9 characters"],
  [z.iso.datetime({ precision: 0, offset: true }), "a real date and time, such as 2026-11-20T09:00:00+01:00"],
  [z.iso.time({ precision: -1 }), "a time, such as 09:00"],
  [z.int(), "an integer"],
  [z.int().min(1).max(9), "an integer from 1 to 9"],
  [z.number().gt(0).max(1), "a number greater than 0 and of at most 1"],
  [z.array(z.string()).min(1), "a list of at least 1 item"],
  [z.tuple([z.number(), z.string()]), "a list of 2 values: a number and a string"],
  [z.strictObject({ a: z.string(), b: z.string().optional() }), "an object with a"],
  [z.enum(["a", "b", "c"]), "one of a, b or c"],
  [z.literal(["yes", "true"]), 'yes or "true"'],
  [z.union([z.string(), z.null()]), "a string, or null"],
  [z.string().nullable().optional(), "a string, or null"],
  [
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    "an object whose kind is a or b",
  ],
  [z.string().meta({ description: "a name" }), "a name"],
])("says what a schema accepts, case %#: %j", (schema, expected) => {
  expect(clauseOf(schema)).toBe(expected);
});

it("has no form for what says no more than its type", () => {
  expect([z.string(), z.int(), z.int().min(1)].map(formClause)).toEqual([
    undefined,
    undefined,
    "an integer of at least 1",
  ]);
});

it("joins alternatives so that each can be told from the next", () => {
  expect(eitherOf(["a string", "null", "a string"])).toBe("a string, or null");
  expect(eitherOf(["null", "null"])).toBe("null");
  expect(eitherOf(["one of a, b or c", "a number"])).toBe("one of a, b or c; or a number");
  expect(clauseOrNull("a string, or null")).toBe("a string, or null");
});

it("quotes words that would read as another value", () => {
  expect(yamlChoice(["a", "null", "two words", 5])).toBe('one of a, "null", "two words" or 5');
});

it.each([
  ["Use another name.", true],
  ["HTTP URLs only", false],
  ["an integer", false],
  ["X-Y", false],
])("knows whether a message is a sentence: %s", (message, expected) => {
  expect(isSentence(message)).toBe(expected);
});
