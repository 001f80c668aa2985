// What is refused is never published, and what is published is what was written, wherever an item comes from.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../src/declare/declare.ts";
import { count, decimal, flag, label, orNull, slug, time } from "../../src/declare/forms.ts";
import type { Api } from "../../src/model/api.ts";
import { fieldOf } from "../../src/model/fields.ts";
import { discovered, type Tree } from "../../test/content/folder.ts";
import { compiledWithErrors, loadedWithErrors } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";
import { reader } from "./make/cells.ts";
import { allItems } from "./table/items.ts";

const notBad = (value: unknown) => value !== "bad" && value !== 13;

const scalars: Readonly<Record<string, z.ZodType>> = {
  string: z.string(),
  refined: z.string().refine(notBad),
  "refined nullable": z.string().nullable().refine(notBad),
  "nullable refined": z.string().refine(notBad).nullable(),
  "refined optional": z.string().optional().refine(notBad),
  "refined default": z.string().default("d").refine(notBad),
  "refined readonly": z.string().readonly().refine(notBad),
  "refined nullish": z.string().nullish().refine(notBad),
  "refined literal": z.literal(["bad", "good"]).refine(notBad),
  "refined enum": z.enum(["bad", "a"]).refine(notBad),
  "refined union": z.union([z.string(), z.number()]).refine(notBad),
  "refined number": z.number().refine(notBad),
  "refined int": z.int().nullable().refine(notBad),
  "refined boolean": z.boolean().refine((value) => value),
  min: z.string().min(2),
  max: z.string().max(2),
  regex: z.string().regex(/^[a-z]+$/),
  "starts with": z.string().startsWith("a"),
  email: z.email(),
  url: z.url(),
  uuid: z.uuid(),
  date: z.iso.date(),
  datetime: z.iso.datetime(),
  "template literal": z.templateLiteral(["a", z.int()]),
  number: z.number(),
  int: z.int(),
  int32: z.int32(),
  positive: z.number().positive(),
  multiple: z.number().multipleOf(0.5),
  boolean: z.boolean(),
  null: z.null(),
  literal: z.literal(1),
  literals: z.literal([1, "1", null, true]),
  enum: z.enum(["a", "b", "true"]),
  "nullable number": z.number().nullable(),
  "text or number": z.union([z.string(), z.number()]),
  "null or number": z.union([z.literal(null), z.number()]),
  "number or boolean": z.union([z.number(), z.boolean()]),
  optional: z.string().optional(),
  default: z.int().default(3),
  slug,
  label,
  count,
  time,
  flag,
  decimal: decimal(0, 1, "a number from 0 to 1"),
  "time or null": orNull(time),
  never: z.never().optional(),
};

const schemas: Readonly<Record<string, z.ZodType>> = {
  ...scalars,
  unknown: z.unknown(),
  any: z.any(),
  list: z.array(z.string()),
  "refined list": z.array(z.string().refine(notBad)).refine((list) => list.length < 3),
  "empty list": z.array(z.never()),
  "list of nullable": z.array(z.int().nullable()),
  tuple: z.tuple([z.int(), z.string()]),
  "tuple with rest": z.tuple([z.int()], z.string().refine(notBad)),
  object: z.object({ a: z.string() }),
  "refined object": z.object({ a: z.string() }).refine(({ a }) => notBad(a)),
  "strict object": z.strictObject({ a: z.int().optional() }),
  "loose object": z.looseObject({ a: z.string() }),
  "nested default": z.object({ a: z.string().default("x") }),
  record: z.record(z.string(), z.number()),
  "record of keys": z.partialRecord(z.enum(["a", "b"]), z.unknown()),
  "discriminated union": z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), a: z.int() }),
    z.object({ kind: z.literal("b") }),
  ]),
  "union of objects": z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
  "nullable object": z.object({ a: z.string() }).nullable(),
  "list of objects": z.array(z.object({ a: z.string().refine(notBad) })),
};

const values: readonly unknown[] = [
  "",
  "a",
  "b",
  "bad",
  "lhr1",
  "ab",
  "abc",
  "a1",
  "A",
  "x y",
  "é",
  "😀",
  "null",
  "true",
  "false",
  "1",
  "0",
  "-1",
  "1.5",
  "1e3",
  "007",
  "NO",
  "~",
  "yes",
  "3.10",
  "#x",
  "- a",
  "a: b",
  "[x]",
  "{}",
  "'",
  '"',
  "\\",
  "a,b",
  "d",
  "good",
  "a@b.c",
  "http://a",
  " http://a ",
  "HTTP://A",
  "http://a/é",
  "2026-11-20",
  "2026-02-30",
  "2026-11-20T09:00:00Z",
  "9b2f8a1e-5c7d-4e3f-a6b0-1c2d3e4f5a6b",
  "__proto__",
  "constructor",
  " ",
  "x".repeat(300),
  0,
  1,
  -1,
  2,
  3,
  13,
  0.5,
  1.5,
  -0.25,
  1e3,
  1e21,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 31),
  true,
  false,
  null,
  [],
  [1],
  ["a"],
  ["bad"],
  ["a", "b"],
  ["a", "b", "c"],
  [null],
  [1, "a"],
  [1, "bad"],
  [1, null],
  [[]],
  [{}],
  [{ a: "x" }],
  [{ a: "bad" }],
  {},
  { a: "x" },
  { a: "bad" },
  { a: 1 },
  { b: 1 },
  { a: 1, b: 1 },
  { kind: "a" },
  { kind: "a", a: 1 },
  { kind: "b" },
  { kind: "c" },
  { kind: "b", a: 1 },
  { a: null },
  { a: { b: [] } },
  { "": 0 },
  { constructor: 1 },
  JSON.parse('{"__proto__":1}'),
  JSON.parse('{"a":"x","__proto__":{}}'),
  { a: "x", b: [1, {}] },
];

type Rows = readonly { readonly id: string; readonly v?: unknown }[];

const sources: Readonly<Record<string, (rows: Rows) => Tree>> = {
  NDJSON: (rows) =>
    rows.length === 0 ? {} : { "things.ndjson": rows.map((row) => `${JSON.stringify(row)}\n`).join("") },
  JSON: (rows) => ({ "things.json": `[${rows.map((row) => JSON.stringify(row)).join(",\n")}]` }),
  YAML: (rows) => ({
    "things.yaml": rows.length === 0 ? "[]" : rows.map((row) => `- ${JSON.stringify(row)}\n`).join(""),
  }),
};

const apiOf = (schema: z.ZodType, more: Partial<CollectionDeclaration> = {}) =>
  completeApi(
    defineApi({
      collections: {
        things: defineCollection({
          purpose: "Things.",
          schema: z.strictObject({ id: slug, v: schema }),
          key: "id",
          order: [],
          ...(more as object),
        }),
      },
    }),
  );

const apis = new Map<z.ZodType, Api>();

/** The API with a schema is declared once. */
function apiWith(schema: z.ZodType): Api {
  const api = apis.get(schema) ?? apiOf(schema);
  apis.set(schema, api);
  return api;
}

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** The rows that are published, after all rows with faults have been taken out. */
async function published(schema: z.ZodType, rows: Rows, source: string) {
  const read = (some: Rows) => {
    if (source === "load") return loadedWithErrors(discovered({}), apiOf(schema, { load: () => some }));
    if (source === "CSV") {
      const lines = some.map(({ id, v }) => `${id},${cell(String(v))}\n`);
      return compiledWithErrors(discovered({ "things.csv": `id,v\n${lines.join("")}` }), apiWith(schema));
    }
    return compiledWithErrors(discovered(sources[source]?.(some) ?? {}), apiWith(schema));
  };
  // Each row is a line; in CSV the header is the first.
  const faulty = new Set((await read(rows)).errors.map(({ place }) => place.line - (source === "CSV" ? 2 : 1)));
  const right = rows.filter((_, index) => !faulty.has(index));
  const results = [await read(right), await read(right)].map(({ content, errors }) => ({
    errors,
    items: allItems(content.items.get("things")),
  }));
  expect(results[1]).toEqual(results[0]);
  expect(results[0]?.errors).toEqual([]);
  return new Map((results[0]?.items ?? []).map((item) => [item["id"], item]));
}

const rows: Rows = values.map((v, index) => ({ id: `i${index}`, v }));

/** What the schema alone says: the item if it accepts it as it is. */
function expected(schema: z.ZodType, some: Rows) {
  const whole = apiWith(schema).lists[0]?.schema({});
  return new Map(
    some.flatMap((row) => {
      const { success, data } = whole?.safeParse(row) ?? {};
      const own = fieldOf(data, "v");
      const isSame = !("v" in row) || JSON.stringify(own) === JSON.stringify(withDefaults(row.v, own));
      return success && isSame ? [[row.id, data] as const] : [];
    }),
  );
}

/** The value with the fields that a schema adds, in the order of the schema. */
function withDefaults(value: unknown, parsed: unknown): unknown {
  if (Array.isArray(value)) return value.map((each, index) => withDefaults(each, fieldOf(parsed, index)));
  if (typeof value !== "object" || value === null || typeof parsed !== "object" || parsed === null) return value;
  const own = Object.entries(parsed).map(([key, each]) => [
    key,
    Object.hasOwn(value, key) ? withDefaults(value[key as never], each) : each,
  ]);
  const lost = Object.entries(value).filter(([key]) => !Object.hasOwn(parsed, key));
  return Object.fromEntries([...own, ...lost]);
}

describe.each(Object.entries(schemas))("%s: a value is published if its schema accepts it", (_, schema) => {
  it.each(["NDJSON", "JSON", "YAML", "load"])("from %s", async (source) => {
    expect(await published(schema, rows, source)).toEqual(expected(schema, rows));
  });
});

describe.each(Object.entries(scalars))("%s: the text of a cell is published as its schema reads it", (_, schema) => {
  it("from CSV", async () => {
    const texts = rows.filter(({ v }) => typeof v === "string");
    const read = reader(schema);
    const asRead = texts.map(({ id, v }) => {
      const value = read(String(v));
      return value === undefined ? { id } : { id, v: value };
    });
    expect(await published(schema, texts, "CSV")).toEqual(expected(schema, asRead));
  });
});
