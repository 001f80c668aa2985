import { expect, it } from "vitest";
import * as z from "zod";
import { orNull, time } from "../../../src/forms.ts";
import { schemaOf } from "./schema.ts";

it("says of each shape that a value may have what the field means, because editors show one of them", () => {
  const schema = z.strictObject({ ended: orNull(time) });
  const { properties } = schemaOf(schema, { meaning: (path) => (path === "ended" ? "When it ended." : undefined) });
  const { anyOf = [], description } = properties?.["ended"] ?? {};
  expect(description).toMatch(/^When it ended\. A real UTC time .*, or null\.$/);
  expect(anyOf.map((each) => each.description)).toEqual([description, description]);
});

it("has no pattern that editors compile to another one, or cannot compile", () => {
  const schema = z.strictObject({
    code: z.string().regex(/^[a-z]+$/i),
    pair: z.string().regex(/^[\w-.]+$/),
    word: z.string().regex(/^[a-z]+$/),
  });
  const { properties = {} } = schemaOf(schema, { meaning: () => undefined });
  expect(Object.entries(properties).map(([name, { pattern }]) => [name, pattern])).toEqual([
    ["code", undefined],
    ["pair", undefined],
    ["word", "^[a-z]+$"],
  ]);
});
