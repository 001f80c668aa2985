import { expect, it } from "vitest";
import * as z from "zod";
import { fieldsOf, lossesBetween } from "./schema.ts";

const lossesOf = (before: z.ZodRawShape, after: z.ZodRawShape) =>
  Object.entries(lossesBetween(fieldsOf(published(before)), fieldsOf(published(after)))).flatMap(([kind, paths]) =>
    paths.map((path: string) => `${kind} ${path}`),
  );

const published = (fields: z.ZodRawShape) => z.toJSONSchema(z.strictObject(fields), { unrepresentable: "any" });

const a = z.string().regex(/^[a-z]+$/);
const b = z.strictObject({ c: z.string(), d: z.int().min(1) });

it.each<[string, z.ZodRawShape, z.ZodRawShape, ...string[]]>([
  ["nothing", { a, b }, { b, a }],
  ["an added field", { a }, { a, b }],
  ["a field that is not optional any more", { a: a.optional() }, { a }],
  ["a field without null", { a: a.nullable() }, { a }],
  ["other words for people", { a }, { a: a.describe("Another meaning.") }],
  ["narrower bounds", { a: z.int().min(1).max(9) }, { a: z.int().min(2).max(8) }],
  ["an integer in place of a number", { a: z.number() }, { a: z.int() }],
  ["fewer words", { a: z.enum(["x", "y"]) }, { a: z.enum(["y"]) }],
  ["words in place of any text", { a }, { a: z.enum(["x"]) }],
  ["a literal among words", { a: z.enum(["x", "y"]) }, { a: z.literal("y") }],
  ["a form in place of any value", { a: z.unknown() }, { a: b }],
  ["a removed field", { a, b }, { b }, "removed a"],
  ["a removed field of an object", { a, b }, { a, b: b.omit({ c: true }) }, "removed b.c"],
  ["a removed field in a list", { b: z.array(b) }, { b: z.array(b.omit({ d: true })) }, "removed b[].d"],
  ["an optional field", { a }, { a: a.optional() }, "optional a"],
  [
    "an optional field of a nullable object",
    { b: b.nullable() },
    { b: b.partial().nullable() },
    "optional b.c",
    "optional b.d",
  ],
  ["null", { a }, { a: a.nullable() }, "widened a"],
  ["a nullable list of objects", { b: z.array(b) }, { b: z.array(b).nullable() }, "widened b"],
  ["another type", { a }, { a: z.int() }, "widened a"],
  ["one of the integers", { a: z.int() }, { a: z.literal(1) }],
  ["a fraction in place of integers", { a: z.int() }, { a: z.literal(1.5) }, "widened a"],
  ["an object in place of a string", { a }, { a: b }, "widened a"],
  ["another form", { a }, { a: z.string().regex(/^[a-z0-9]+$/) }, "widened a"],
  // Validators compile patterns with the flag u, with which this one is invalid.
  [
    "words of a form that no validator reads",
    { a: z.string().regex(/^[\w-.]+$/) },
    { a: z.enum(["a-b"]) },
    "widened a",
  ],
  ["any text in place of words", { a: z.enum(["x"]) }, { a: z.string() }, "widened a"],
  ["another word", { a: z.enum(["x"]) }, { a: z.enum(["x", "y"]) }, "widened a"],
  ["wider bounds", { a: z.int().min(1) }, { a: z.int().min(0) }, "widened a"],
  ["any number", { a: z.int() }, { a: z.number() }, "widened a"],
  ["a wider field in a list", { a: z.array(z.boolean()) }, { a: z.array(z.boolean().nullable()) }, "widened a[]"],
  ["a wider record", { a: z.record(z.string(), z.int()) }, { a: z.record(z.string(), a) }, "widened a.*"],
  ["a further field in a record", { a: z.record(z.string(), b) }, { a: z.record(z.string(), b.extend({ e: a })) }],
  ["unknown fields", { b }, { b: z.looseObject(b.shape) }],
  [
    "a further field in one of several objects",
    { a: z.union([b, z.null()]) },
    { a: z.union([b.extend({ e: a }), z.null()]) },
  ],
  ["another object beside one", { a: b }, { a: z.union([b, z.strictObject({ c: a })]) }, "optional a.d"],
  ["any value", { a }, { a: z.unknown() }, "widened a"],
])("finds what consumers lose by %s", (_, before, after, ...losses) => {
  expect(lossesOf(before, after)).toEqual(losses);
});
