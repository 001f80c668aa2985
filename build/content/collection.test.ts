import { expect, it } from "vitest";
import * as z from "zod";
import { type CollectionDeclaration, defineApi, defineCollection } from "../../src/declare/declare.ts";
import { label, slug } from "../../src/declare/forms.ts";
import { discovered, faultsOf } from "../../test/content/folder.ts";
import { loadedWithErrors } from "../../test/plan.ts";
import { completeApi } from "../declaration/complete.ts";

const faultsOfThings = (
  items: readonly object[],
  declaration: Pick<CollectionDeclaration, "schema" | "key" | "item">,
) => {
  const things = defineCollection({ purpose: "Things.", ...(declaration as object) } as never);
  const api = completeApi(defineApi({ collections: { things } }));
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join("");
  return faultsOf({ "things.ndjson": text }, {}, undefined, api).map((line) => line.replace(/^\S+:(\d+):\d+ /, "$1 "));
};

it("has an article before a noun with a dot", () => {
  const things = defineCollection({
    purpose: "Stations.",
    noun: { one: "st. station", many: "st. stations" },
    schema: z.strictObject({ id: slug, at: slug }),
    key: "id",
  });
  const api = completeApi(defineApi({ collections: { things } }));
  expect(faultsOf({ "things.ndjson": '{"id":"a"}\n' }, {}, undefined, api)).toEqual([
    "things.ndjson:1:1 missing-field A st. station must have the field at. Its value must be lowercase letters and digits, joined by single hyphens.",
  ]);
});

const part = "must be a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start";

it.each(["[x]", "[1]", "{}"])("refuses another name that is no part of a path, such as the text %s", (alias) => {
  const schema = z.strictObject({ id: slug, alias: z.string() });
  expect(faultsOfThings([{ id: "a", alias }], { schema, key: "id", item: { aliases: "alias" } })).toEqual([
    `1 wrong-value alias ${part}, but is "${alias}".`,
  ]);
});

it.each([
  [`.${"a".repeat(99)}`, `is ".${"a".repeat(58)}…"`],
  ["a".repeat(101), `has 101 characters: "${"a".repeat(59)}…"`],
])("says the length of a key only if it is the fault: %s", (id, finding) => {
  expect(faultsOfThings([{ id }], { schema: z.strictObject({ id: z.string() }), key: "id" })).toEqual([
    `1 wrong-value id ${part}, but ${finding}.`,
  ]);
});

it.each<[place: string, item: object, name: string, filter?: string]>([
  ["a key", { id: "a~b" }, "id"],
  ["an alias", { alias: ["x", "a~b"] }, "alias[1]"],
  ["the value of a filter", { kind: "a~b" }, "kind", "kind"],
  ["an element of the list of a filter", { tags: ["x", "a~b"] }, "tags[1]", "tag"],
  ["a key of the record of a filter", { names: { "a~b": 1 } }, "Each key of names"],
  ["what a function derives for a filter", { odd: "a~b" }, "The value of the filter first"],
])("refuses a tilde in %s", (_, fields, name, filter) => {
  const text = z.string();
  const declaration = {
    schema: z.strictObject({
      id: text,
      alias: z.array(text),
      kind: text,
      tags: z.array(text),
      names: z.record(text, z.int()),
      odd: text,
    }),
    key: "id",
    item: { aliases: "alias" },
    filters: { kind: "kind", tag: "tags", name: { keysOf: "names" }, first: (item: { odd: string }) => item.odd },
  };
  const right = { id: "x", alias: [], kind: "x", tags: [], names: {}, odd: "x" };
  const hint = filter === undefined ? "" : ` With { field, slug: true }, the filter ${filter} has the value a-b.`;
  expect(faultsOfThings([{ ...right, ...fields }], declaration as never)).toEqual([
    `1 wrong-value ${name} must be a part of paths without ~, which many programs send as %7E, but is "a~b".${hint}`,
  ]);
});

it("accepts a key whose name starts with a hyphen", () => {
  expect(
    faultsOfThings([{ "-id": "b" }, { "-id": "a" }], { schema: z.strictObject({ "-id": slug }), key: "-id" }),
  ).toEqual([]);
});

it.each(["", "a".repeat(300)])("refuses a key that no file can have as its name: %j", (id) => {
  const schema = z.strictObject({ id: z.string().regex(/^[a-z]*$/) });
  expect(faultsOfThings([{ id }, { id: "a" }], { schema, key: "id" })).toEqual([
    expect.stringContaining(
      "1 wrong-value id must be a key of 1 to 200 characters, because it is the name of a file, but ",
    ),
  ]);
});

it.each<[string, z.ZodType, string]>([
  ["async", z.string().refine(async () => true), "A check of the schema fails: Encountered Promise"],
  [
    "a failing one",
    z.string().refine(() => {
      throw new Error("No service.");
    }),
    "A check of the schema fails: No service.",
  ],
])("reports a check of the declaration at the item if it is %s", (_, v, message) => {
  expect(faultsOfThings([{ id: "a", v: "x" }], { schema: z.strictObject({ id: slug, v }), key: "id" })).toEqual([
    expect.stringContaining(`1 not-made ${message}`),
  ]);
});

it.each([
  ["http://a\nb", 'as it is published: "http://ab", but is "http://a\\nb".'],
  [" http://a ", 'without spaces at its ends, but is " http://a ". Write "http://a".'],
  ["http://a\u00a0", 'without spaces at its ends, but is "http://a\\u00a0". Write "http://a".'],
])("refuses a value that its schema would change: %j", (url, expected) => {
  expect(faultsOfThings([{ id: "a", url }], { schema: z.strictObject({ id: slug, url: z.url() }), key: "id" })).toEqual(
    [`1 wrong-value url must be written ${expected}`],
  );
});

const api = completeApi(
  defineApi({
    collections: {
      tools: defineCollection({
        purpose: "Tools.",
        noun: { one: "tool", many: "tools" },
        schema: z.strictObject({ name: slug, aliases: z.array(z.string()).optional() }),
        key: "name",
        item: { aliases: "aliases" },
      }),
      releases: defineCollection({
        purpose: "Releases.",
        noun: { one: "release", many: "releases" },
        schema: z.strictObject({
          tool: z.string(),
          cycle: z.union([z.string()]),
          tags: z.array(z.string()).default([]),
          place: label.nullable().default(null),
          notes: z.record(z.string(), z.string()).default({}),
        }),
        key: ["tool", "cycle"],
        filters: { tag: "tags", place: { field: "place", slug: true }, note: { keysOf: "notes" }, tool: "tool" },
      }),
    },
  }),
);

/** `releases` are lines of JSON. */
const faultsIn = (releases: readonly object[], tools: readonly object[] = []): readonly string[] =>
  faultsOf(
    {
      ...(tools.length > 0 && { "tools.json": JSON.stringify(tools) }),
      "releases.ndjson": releases.map((each) => `${JSON.stringify(each)}\n`).join(""),
    },
    {},
    undefined,
    api,
  );

const full = (more: object) => ({ tool: "node", cycle: "1", tags: [], place: null, notes: {}, ...more });

it("accepts items that differ in one field of a composite key", () => {
  expect(faultsIn([full({}), full({ cycle: "2" }), full({ tool: "deno" })])).toEqual([]);
});

it.each<[string, readonly object[], readonly string[]]>([
  [
    "a composite key that two items have",
    [full({}), full({ tool: "NODE" }), full({ cycle: "2" })],
    [
      'releases.ndjson:2:9 not-unique The values "NODE" and "node" of tool, the latter at releases.ndjson:1:9, are the same in paths, which may ignore case. Write both alike if they mean the same, change one of them, or let a function derive the values of a filter.',
      'releases.ndjson:2:24 not-unique The key "NODE/1" is taken by another release, at releases.ndjson:1:24. Change one of them; case makes no difference.',
    ],
  ],
  [
    "a part of a key that is no part of a path",
    [full({ tool: "a/b" }), full({ cycle: "" })],
    [
      `releases.ndjson:1:9 wrong-value tool ${part}, but is "a/b".`,
      `releases.ndjson:2:24 wrong-value cycle ${part}, but is "".`,
    ],
  ],
  [
    "elements and keys that are no parts of paths, each at its place",
    [full({ tags: ["new", "two words"], notes: { fine: "", "": "" } })],
    [
      `releases.ndjson:1:42 wrong-value tags[1] ${part}, but is "two words". With { field, slug: true }, the filter tag has the value two-words.`,
      `releases.ndjson:1:87 wrong-value Each key of notes ${part}, but is "".`,
    ],
  ],
  [
    "values that differ in case only, and values with one slug",
    [full({ tags: ["new"], place: "São Tomé" }), full({ cycle: "2", tags: ["New", "new"], place: "Sao-Tome" })],
    [
      'releases.ndjson:2:36 not-unique The values "New" and "new" of tags, the latter at releases.ndjson:1:36, are the same in paths, which may ignore case. Write both alike if they mean the same, change one of them, or let a function derive the values of a filter.',
      'releases.ndjson:2:57 not-unique The values "Sao-Tome" and "São Tomé" of place, the latter at releases.ndjson:1:51, have the same slug, "sao-tome". Write both alike if they mean the same, change one of them, or let a function derive the values of a filter.',
    ],
  ],
])("reports %s", (_, releases, expected) => {
  expect(faultsIn(releases)).toEqual(expected);
});

it("reports names that two items have", () => {
  const tools = [
    { name: "node", aliases: ["nodejs", "node", "two words"] },
    { name: "deno", aliases: ["NODEJS", "docs"] },
    { name: "bun", aliases: ["Node", "Bun", "b", "B"] },
  ];
  expect(faultsIn([full({})], tools)).toEqual([
    `tools.json:1:44 wrong-value aliases[2] ${part}, but is "two words".`,
    'tools.json:1:84 not-unique The alias "NODEJS" is taken by another tool, at tools.json:1:28. Change one of them; case makes no difference.',
    'tools.json:1:127 not-unique The alias "Node" is taken by another tool, at tools.json:1:10. Change one of them; case makes no difference.',
    'tools.json:1:144 not-unique The aliases "b" and "B" of one tool are the same in paths, which may ignore case. Leave one out.',
  ]);
});

it.each([
  ["as a line has it", '{"id":"a","tags":{"x":1},"size":1}'],
  ["without the spaces of a line", '{"id": "a", "tags": {"x": 1}, "size": 1}'],
  ["without the escapes of a line", '{"id":"\\u0061","tags":{"x":1},"size":1}'],
  ["with the numbers that JSON.stringify writes", '{"id":"a","tags":{"x":1.0},"size":1e0}'],
  ["with the fields of objects in the order of the schema", '{"size":1,"tags":{"x":1},"id":"a"}'],
  ["with the fields of inner objects in the order of the schema", '{"id":"a","tags":{"y":2,"x":1},"size":1}'],
  ["with defaults", '{"id":"a","tags":{"x":1}}'],
])("publishes an item %s", async (_, line) => {
  const tags = z.strictObject({ x: z.number(), y: z.number().optional() });
  const schema = z.strictObject({ id: slug, tags, size: z.number().default(1) });
  const things = defineCollection({ purpose: "Things.", schema, key: "id" });
  const tree = { "things.ndjson": line };
  const api = completeApi(defineApi({ collections: { things } }));
  const { content, errors } = await loadedWithErrors(discovered(tree), api);
  expect(errors).toEqual([]);
  const json = Buffer.from(content.items.get("things")?.bytes ?? []).toString();
  expect(json).toBe(`${JSON.stringify(schema.parse(JSON.parse(line)))},`);
});
