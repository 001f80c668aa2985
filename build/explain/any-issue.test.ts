// Every kind of issue that zod reports, in our words; and none of zod's words in any message.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { form } from "../../src/declare/forms.ts";
import { schemaAndValue } from "../../test/content/any-schema.ts";
import { errorsOfItem } from "../../test/plan.ts";
import { rounds } from "../../test/seed.ts";
import { resolveSchema } from "../declaration/complete-schema.ts";

/** `column code text hint` of each error of an item, after its schema has been resolved as in a declaration. */
function errorsIn(schema: z.ZodObject, text: string): readonly string[] {
  const resolved = resolveSchema(schema, {}, () => z.string()) as z.ZodType;
  return errorsOfItem(resolved, text).map(({ place: { column }, code, text, hint = "" }) =>
    `${column} ${code} ${text} ${hint}`.trim(),
  );
}

/** The errors of the field `a`. */
const errorsOf = (schema: z.ZodType, value: unknown): readonly string[] =>
  errorsIn(z.strictObject({ a: schema }), JSON.stringify({ a: value }));

const shape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("circle"), radius: z.number() }),
  z.strictObject({ kind: z.literal("square"), side: z.number() }),
]);

describe("a value of another type or out of its bounds", () => {
  it.each<readonly [z.ZodType, unknown, string]>([
    [z.string(), 7, '6 wrong-type a must be a string, but is the number 7. Put it in quotes: "7".'],
    [z.number(), "7", '6 wrong-type a must be a number, but is "7". Leave the quotes out: 7.'],
    [z.number(), "9007199254740993", '6 wrong-type a must be a number, but is "9007199254740993".'],
    [z.int(), 1.5, "6 wrong-value a must be an integer, but is the number 1.5."],
    [z.boolean(), "TRUE", '6 wrong-type a must be true or false, but is "TRUE". Leave the quotes out: true.'],
    [z.null(), 1, "6 wrong-type a must be null, but is the number 1."],
    [z.never(), 1, "6 wrong-type a must be left out, but is the number 1."],
    [z.string().nullable(), 1, '6 wrong-type a must be a string, or null, but is the number 1. Put it in quotes: "1".'],
    [z.string().optional(), null, "6 wrong-type a must be a string, but is empty (null)."],
    [z.string().min(3), "ab", '6 wrong-value a must be a string of at least 3 characters, but is "ab".'],
    [z.string().min(2).max(4), "a", '6 wrong-value a must be a string of 2 to 4 characters, but is "a".'],
    [z.number().min(1).max(9), 10, "6 wrong-value a must be a number from 1 to 9, but is the number 10."],
    [z.int().positive(), 0, "6 wrong-value a must be an integer greater than 0, but is the number 0."],
    [
      z.number().gt(0).lte(1),
      2,
      "6 wrong-value a must be a number greater than 0 and of at most 1, but is the number 2.",
    ],
    [z.int().multipleOf(5), 7, "6 wrong-value a must be an integer that is a multiple of 5, but is the number 7."],
    [z.literal("v1"), "v2", '6 wrong-value a must be v1, but is "v2".'],
    [z.literal([1, 2]), "1", '6 wrong-type a must be 1 or 2, but is "1". Leave the quotes out: 1.'],
    [z.literal(["1", 1, null, true]), 3, '6 wrong-value a must be one of "1", 1, null or true, but is the number 3.'],
    [
      z.enum(["red", "green", "dark blue"]),
      "gren",
      '6 wrong-value a must be one of red, green or "dark blue", but is "gren". Did you mean "green"?',
    ],
    [z.enum(["red", "green"]).nullable(), 1, "6 wrong-type a must be red or green, or null, but is the number 1."],
    [z.array(z.string()), "x", '6 wrong-type a must be a list, but is "x".'],
    [z.array(z.string()), [1], '7 wrong-type a[0] must be a string, but is the number 1. Put it in quotes: "1".'],
    [z.array(z.int()).max(2), [1, 2, 3], "6 wrong-value a must be a list of at most 2 items, but has 3."],
    [z.array(z.array(z.number())), [[1, "x"]], '10 wrong-type a[0][1] must be a number, but is "x".'],
    [
      z.tuple([z.number(), z.number()]),
      [1],
      "6 wrong-value a must be a list of 2 values: a number and a number, but has 1.",
    ],
    [
      z.tuple([z.number(), z.number()]),
      [1, "2"],
      '9 wrong-type a[1] must be a number, but is "2". Leave the quotes out: 2.',
    ],
    [
      z.tuple([z.string()], z.int()),
      [],
      "6 wrong-value a must be a list of 1 or more values: a string, but is an empty list.",
    ],
    [z.tuple([z.string()], z.int()), ["x", "y"], '11 wrong-type a[1] must be an integer, but is "y".'],
    [
      z.object({ b: z.string(), c: z.int().optional() }),
      1,
      "6 wrong-type a must be an object with b, but is the number 1.",
    ],
    [z.object({ b: z.string() }), { b: "x", d: 1 }, '15 unknown-field a has no field "d". Its fields are b.'],
    [
      z.object({ b: z.object({ c: z.int() }) }),
      { b: { c: "x" } },
      '16 wrong-type a.b.c must be an integer, but is "x".',
    ],
    [z.object({}).catchall(z.int()), { d: "x" }, '11 wrong-type a.d must be an integer, but is "x".'],
    [
      z.record(z.string(), z.string()),
      { "a b": 1 },
      '13 wrong-type a["a b"] must be a string, but is the number 1. Put it in quotes: "1".',
    ],
    [
      z.record(z.string().length(3), z.string()),
      { en: "x" },
      '7 wrong-value Each key of a must be a string of 3 characters, but is "en".',
    ],
    [
      z.record(z.enum(["en", "fr"]), z.string()),
      { en: "x" },
      "6 missing-field a must have the field fr. Its value must be a string.",
    ],
    [
      z.partialRecord(z.enum(["eng", "fra"]), z.string()),
      { egn: "x" },
      '7 unknown-field a has no field "egn". Did you mean "eng"?',
    ],
    [
      z.union([z.string(), z.int()]),
      true,
      '6 wrong-type a must be a string or an integer, but is the boolean true. Put it in quotes: "true".',
    ],
    [
      z.union([z.string(), z.array(z.string())]),
      [1],
      '7 wrong-type a[0] must be a string, but is the number 1. Put it in quotes: "1".',
    ],
    [
      z.union([z.strictObject({ x: z.int() }), z.strictObject({ y: z.int() })]),
      { y: "1" },
      '11 wrong-type a.y must be an integer, but is "1". Leave the quotes out: 1.',
    ],
    [
      z.xor([z.string(), z.literal("x")]),
      "x",
      '6 wrong-value a must be a string or x, and only one of these, but is "x".',
    ],
    [shape, 1, "6 wrong-type a must be an object whose kind is circle or square, but is the number 1."],
    [shape, {}, "6 missing-field a must have the field kind. Its value must be circle or square."],
    [
      shape,
      { kind: "sqare" },
      '14 wrong-value a.kind must be circle or square, but is "sqare". Did you mean "square"?',
    ],
    [shape, { kind: "square", side: "x" }, '30 wrong-type a.side must be a number, but is "x".'],
    [z.string().default("x"), 1, '6 wrong-type a must be a string, but is the number 1. Put it in quotes: "1".'],
    [z.templateLiteral(["v", z.int()]), "x", '6 wrong-value a must be a string that matches /^v-?\\d+$/, but is "x".'],
  ])("is reported in our words: case %#", (schema, value, line) => {
    expect(errorsOf(schema, value)).toEqual([line]);
  });

  it("accepts any value of z.any, z.unknown and further fields of a loose object", () => {
    const schema = z.looseObject({ a: z.any(), b: z.unknown(), c: z.object({}).catchall(z.int()) });
    expect(errorsIn(schema, '{"a":{"x":[]},"b":null,"c":{"y":1},"d":"more"}')).toEqual([]);
  });

  it("says so if a whole item is something else", () => {
    const schema = z.looseObject({ a: z.string(), b: z.int().optional() });
    expect(errorsIn(schema, "[1]")).toEqual(["2 wrong-type A thing must be an object with a, but is the number 1."]);
  });
});

describe("a text without its format", () => {
  it.each<readonly [z.ZodType, string]>([
    [z.email(), "an email address"],
    [z.url(), "a URL, such as https://example.com"],
    [z.httpUrl(), "an http or https URL, such as https://example.com"],
    [z.url({ protocol: /^ftp$/ }), "a URL with the protocol /^ftp$/ and the host of any name"],
    [z.uuid(), "a UUID"],
    [z.ipv4(), "a string in the format ipv4"],
    [z.iso.datetime(), "a real date and time, such as 2026-11-20T09:00:00Z"],
    [z.iso.datetime({ offset: true, precision: 3 }), "a real date and time, such as 2026-11-20T09:00:00.000+01:00"],
    [z.iso.date(), "a date, such as 2026-11-20"],
    [z.iso.time(), "a time, such as 09:00:00"],
    [z.string().regex(/^\d+$/), "a string that matches /^\\d+$/"],
    [z.email().max(20), "an email address of at most 20 characters"],
    [
      z.string().min(4).startsWith("x").endsWith("y"),
      "a string of at least 4 characters that matches /^x.*/ and /.*y$/",
    ],
    [form(/^x$/, "an x", "x"), "an x"],
    [form(/^x$/, "an x", "x").describe("For consumers.").optional(), "an x"],
  ])("is reported in our words: case %#", (schema, clause) => {
    const [line = "", ...others] = errorsOf(schema, "!?aA");
    expect(others).toEqual([]);
    expect(line.replace(/, but is "!\?aA"\..*$/, "")).toBe(`6 wrong-value a must be ${clause}`);
  });
});

describe("a check of the declaration", () => {
  const never = () => false;

  it.each<readonly [z.ZodType, string]>([
    [z.string().refine(never), '6 wrong-value a must be a value that passes its check in the declaration, but is "x".'],
    [z.string().refine(never, "shorter than b"), '6 wrong-value a must be shorter than b, but is "x".'],
    [z.string().refine(never, "must not contain x!"), '6 wrong-value a must not contain x, but is "x".'],
    [
      z.string().refine(never, "Only the editors use x."),
      '6 wrong-value a is not accepted: Only the editors use x. It is "x".',
    ],
    [z.string({ error: "Text, please" }).max(0, "Too long"), '6 wrong-value a is not accepted: Too long. It is "x".'],
  ])("keeps its message, and has none of zod's: case %#", (schema, line) => {
    expect(errorsOf(schema, "x")).toEqual([line]);
  });

  it("is reported at the item or at its path", () => {
    const dates = z.object({ from: z.int(), to: z.int() });
    const sentence = dates.refine(({ from, to }) => from <= to, "The end is before the start");
    expect(errorsIn(sentence, '{"from":2,"to":1}')).toEqual([
      "1 wrong-value A thing is not accepted: The end is before the start.",
    ]);
    const silent = dates.refine(({ from, to }) => from <= to, { path: ["to"] });
    expect(errorsIn(silent, '{"from":2,"to":1}')).toEqual([
      "16 wrong-value to must be a value that passes its check in the declaration, but is the number 1.",
    ]);
    const added = dates.superRefine((_, context) => context.addIssue({ code: "custom", path: ["from"] }));
    expect(errorsIn(added, '{"from":2,"to":1}').join()).not.toContain("Invalid");
  });

  it("keeps its message for a missing field", () => {
    const schema = z.object({ a: z.string("Give it a name") });
    expect(errorsIn(schema, "{}")).toEqual(["1 missing-field A thing must have the field a. Give it a name."]);
  });
});

describe("the errors of random schemas and values", () => {
  /** Every message that zod has for a value, those of the branches of unions included. */
  function messagesOf(issues: readonly z.core.$ZodIssue[]): readonly string[] {
    return issues.flatMap((issue) => [
      issue.message,
      ...(issue.code === "invalid_union" ? issue.errors.flatMap(messagesOf) : []),
      ...(issue.code === "invalid_key" ? messagesOf(issue.issues) : []),
    ]);
  }

  it("have no words of zod, and are there if zod has issues", () => {
    fc.assert(
      fc.property(schemaAndValue, ([schema, value]) => {
        const item = z.strictObject({ a: schema });
        const resolved = resolveSchema(item, {}, () => z.string()) as z.ZodType;
        const text = JSON.stringify({ a: value });
        const { error } = resolved.safeParse(JSON.parse(text));
        const lines = errorsIn(item, text);
        expect(lines.length > 0).toBe(error !== undefined);
        for (const message of messagesOf(error?.issues ?? [])) {
          for (const line of lines) expect(line).not.toContain(message);
        }
        for (const line of lines)
          expect(line).not.toMatch(/Invalid|expected|received|undefined|\bundef|NaN|\[object|too_/);
      }),
      { numRuns: 250 * rounds },
    );
  });
});
