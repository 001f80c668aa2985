import { expect, it } from "vitest";
import * as z from "zod";
import { orNull, time } from "../../../src/declare/forms.ts";
import { schemaOf } from "./schema.ts";

const notes = { meaningOf: () => undefined, choiceOf: () => undefined };

it("has the meaning of the field in each shape that a value may have, because editors show one of them", () => {
  const meaningOf = (path: string) => (path === "ended" ? "When it ended." : undefined);
  const { properties } = schemaOf(z.strictObject({ ended: orNull(time) }), { ...notes, meaningOf });
  const { anyOf = [], description } = properties?.["ended"] ?? {};
  expect(description).toMatch(/^When it ended\. A UTC time .*, or null\.$/);
  for (const schema of anyOf) expect(schema.description).toContain("When it ended.");
});

it("has no pattern that editors compile to another one, or cannot compile", () => {
  const schema = z.strictObject({
    code: z.string().regex(/^[a-z]+$/i),
    pair: z.string().regex(/^[\w-.]+$/),
    word: z.string().regex(/^[a-z]+$/),
  });
  const { properties = {} } = schemaOf(schema, notes);
  expect(Object.entries(properties).map(([name, { pattern }]) => [name, pattern])).toEqual([
    ["code", undefined],
    ["pair", undefined],
    ["word", "^[a-z]+$"],
  ]);
});
