import { describe, expect, it } from "vitest";
import type { Item } from "../../../src/model/key.ts";
import { codeOfField, type Form, type GuessedField, guessFields, guessFilters, guessKey } from "./guess.ts";

const codeOf = (values: readonly unknown[]): string => {
  const items = values.map((value) => (value === undefined ? {} : { x: value }));
  return guessFields(items)
    .map(codeOfField)
    .join("\n")
    .replace(/^x: (.*),$/s, "$1");
};

describe("the narrowest form of values", () => {
  it.each<readonly [code: string, values: readonly unknown[]]>([
    ["slug", ["north-sea", "a1"]],
    ["time", ["2026-01-01T00:00:00Z", "2026-01-02T10:00:00Z"]],
    ["z.iso.date()", ["2026-01-01", "2025-12-31"]],
    ["z.string()", ["nod_1", "nod_2b"]],
    ["z.string()", ["LHR", "ZRH"]],
    ["z.string()", ["0041", "44"]],
    ["z.string()", ["2021-1-1", "2026-01-01"]],
    ['z.enum(["low", "very high"])', ["low", "very high", "low", "low"]],
    ['z.literal("Feature")', ["Feature", "Feature", "Feature", "Feature"]],
    ["z.string()", ["One line.", "a b", "c d"]],
    ["z.string()", ["", "low", "low", "low"]],
    ["z.int()", [1, -2]],
    ["z.number()", [1, 2.5]],
    ["z.boolean()", [true, false]],
    ["z.null()", [null, null]],
    ["z.int().nullable()", [1, null]],
    ["z.int().optional()", [1, undefined]],
    ["z.int().nullable().optional()", [1, null, undefined]],
    ["z.array(z.string())", [["a b"], ["c", "D e"]]],
    ["z.array(z.unknown())", [[], []]],
    ["z.union([z.string(), z.array(z.string())])", ["a b", ["c d"]]],
    ["z.strictObject({\n  a: z.int(),\n  b: z.boolean().optional(),\n})", [{ a: 1 }, { a: 2, b: true }]],
    ["z.strictObject({\n  a: z.strictObject({\n    b: z.int(),\n  }),\n}).optional()", [{ a: { b: 1 } }, undefined]],
    [
      'z.array(z.enum(["a b", "c d"]))',
      [
        ["a b", "c d"],
        ["a b", "c d"],
      ],
    ],
    ["z.union([z.int(), z.boolean()]).nullable()", [1, true, null]],
  ])("is %s for %j", (code, values) => {
    expect(codeOf(values)).toBe(code);
  });

  it("is an enum of at most twelve values, each there twice on average", () => {
    const words = Array.from({ length: 13 }, (_, index) => `word ${index}`);
    expect(codeOf([...words, ...words])).toBe("z.string()");
    expect(codeOf([...words.slice(1), ...words.slice(1)])).toContain("z.enum([");
    expect(codeOf([...words.slice(1), ...words.slice(2)])).toBe("z.string()");
  });

  it("is a record if the names differ from object to object", () => {
    const objects = Array.from({ length: 20 }, (_, index) => ({
      [`lang${index}`]: "a b",
      [`lang${index + 20}`]: "c d",
    }));
    expect(codeOf(objects)).toBe('z.record(z.string(), z.enum(["a b", "c d"]))');
  });
});

const keyIn = (items: readonly Item[]) => guessKey(guessFields(items), items);

describe("the key", () => {
  it.each<readonly [fields: readonly string[], items: readonly Item[]]>([
    [
      ["id"],
      [
        { name: "a", id: 1 },
        { name: "b", id: 2 },
      ],
    ],
    [
      ["code"],
      [
        { name: "a", code: "X" },
        { name: "b", code: "Y" },
      ],
    ],
    [
      ["index"],
      [
        { name: "a", index: "x" },
        { name: "b", index: "y" },
      ],
    ],
    [
      ["stop_id"],
      [
        { lat: 1, stop_id: "s1" },
        { lat: 2, stop_id: "s2" },
      ],
    ],
    [
      ["number"],
      [
        { title: "a b", number: 1 },
        { title: "c d", number: 2 },
      ],
    ],
    [
      ["trip_id", "sequence"],
      [
        { trip_id: "a", sequence: 1 },
        { trip_id: "a", sequence: 2 },
        { trip_id: "b", sequence: 1 },
      ],
    ],
  ])("is %j", (fields, items) => {
    expect(keyIn(items)).toEqual({ fields, isUnique: true });
  });

  it.each<readonly [why: string, items: readonly Item[]]>([
    ["is not in every item", [{ id: 1 }, {}]],
    ["is null", [{ id: 1 }, { id: null }]],
    ["is a number with decimals", [{ id: 1.5 }, { id: 2 }]],
  ])("is no field that %s", (_, items) => {
    expect(keyIn(items)).toMatchObject({ isUnique: false });
  });

  it("is doubtful, but rather a field that is unique and cannot be a part of an address than one that repeats", () => {
    const items = [
      { id: "a", number: "7" },
      { id: "a", number: "FA 0001" },
    ];
    expect(keyIn(items)).toEqual({ fields: ["number"], isUnique: false });
  });

  it.each<readonly [why: string, items: readonly Item[]]>([
    ["repeats", [{ id: "a" }, { id: "a" }]],
    ["repeats in another case", [{ id: "a" }, { id: "A" }]],
    ["cannot be in an address", [{ id: "a/b" }, { id: "a b" }]],
    ["has the name of a file", [{ id: "a.json" }, { id: "a json" }]],
  ])("is doubtful if it %s", (_, items) => {
    expect(keyIn(items)).toEqual({ fields: ["id"], isUnique: false });
  });
});

describe("filters", () => {
  const formOf = (form: Partial<Form>): Form => ({ kind: "other", code: "", uses: [], isNullable: false, ...form });
  const field = (name: string, form: Partial<Form>): GuessedField => ({ name, form: formOf(form), isOptional: false });
  const choice = (name: string, ...choices: readonly string[]) => field(name, { kind: "choice", choices });

  it("are by enums, booleans and lists of enums, and by slugs if the values cannot be in addresses", () => {
    const fields: readonly GuessedField[] = [
      choice("id", "a", "b"),
      choice("kind", "a", "b"),
      choice("Land Code", "Côte d'Ivoire", "Perú"),
      choice("same", "only"),
      field("open", { kind: "boolean", isNullable: true }),
      field("tags", { kind: "list", element: formOf({ kind: "choice", choices: ["x", "y"] }) }),
      ...["limit", "cursor", "item", "sort"].map((name) => choice(name, "a", "b")),
    ];
    expect(guessFilters(fields, ["id"])).toEqual([
      { param: "kind", field: "kind", isSlug: false },
      { param: "land-code", field: "Land Code", isSlug: true },
      { param: "open", field: "open", isSlug: false },
      { param: "tags", field: "tags", isSlug: false },
    ]);
  });

  it("are at most six", () => {
    const fields = ["a", "b", "c", "d", "e", "f", "g"].map((name) => choice(name, "x", "y"));
    expect(guessFilters(fields, [])).toHaveLength(6);
  });
});
