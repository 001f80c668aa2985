import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { label, slug } from "../../src/forms.ts";
import { faultsOf } from "../../test/content/folder.ts";

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
    [],
    undefined,
    api,
  );

const full = (more: object) => ({ tool: "node", cycle: "1", tags: [], place: null, notes: {}, ...more });

it("accepts items that differ in one field of a composite key", () => {
  expect(faultsIn([full({}), full({ cycle: "2" }), full({ tool: "deno" })])).toEqual([]);
});

const mustBePart =
  "must be a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ ~ -, and no dot at the start";

it.each<[string, readonly object[], readonly string[]]>([
  [
    "a composite key that two items have",
    [full({}), full({ tool: "NODE" }), full({ cycle: "2" })],
    [
      'releases.ndjson:2:9 alike The values "NODE" and "node" of tool, the latter at releases.ndjson:1:9, differ in case only, and paths may ignore case. Write both alike, change one of them, or let a function derive the values of a filter.',
      'releases.ndjson:2:24 not-unique The key "NODE/1" is taken by another release, at releases.ndjson:1:24. Each needs its own; case makes no difference.',
    ],
  ],
  [
    "a part of a key that is no part of a path",
    [full({ tool: "a/b" }), full({ cycle: "" })],
    [
      `releases.ndjson:1:9 wrong-value tool ${mustBePart}, but is "a/b".`,
      `releases.ndjson:2:24 wrong-value cycle ${mustBePart}, but is "".`,
    ],
  ],
  [
    "elements and keys that are no parts of paths, each at its place",
    [full({ tags: ["new", "two words"], notes: { fine: "", "": "" } })],
    [
      `releases.ndjson:1:42 wrong-value tags[1] ${mustBePart}, but is "two words".`,
      `releases.ndjson:1:87 wrong-value Each key of notes ${mustBePart}, but is "".`,
    ],
  ],
  [
    "values that differ in case only, and values with one slug",
    [full({ tags: ["new"], place: "São Tomé" }), full({ cycle: "2", tags: ["New", "new"], place: "Sao-Tome" })],
    [
      'releases.ndjson:2:36 alike The values "New" and "new" of tags, the latter at releases.ndjson:1:36, differ in case only, and paths may ignore case. Write both alike, change one of them, or let a function derive the values of a filter.',
      'releases.ndjson:2:57 alike The values "Sao-Tome" and "São Tomé" of place, the latter at releases.ndjson:1:51, would both be listed by place=sao-tome. Write both alike, change one of them, or let a function derive the values of a filter.',
    ],
  ],
])("reports %s", (_, releases, expected) => {
  expect(faultsIn(releases)).toEqual(expected);
});

it("reports names that two items have", () => {
  const tools = [
    { name: "node", aliases: ["nodejs", "node", "two words"] },
    { name: "deno", aliases: ["NODEJS", "docs"] },
    { name: "bun", aliases: ["Node", "Bun"] },
  ];
  expect(faultsIn([full({})], tools)).toEqual([
    `tools.json:1:44 wrong-value aliases[2] ${mustBePart}, but is "two words".`,
    'tools.json:1:84 not-unique The name "NODEJS" is taken by another tool, at tools.json:1:28. Each needs its own; case makes no difference.',
    'tools.json:1:127 not-unique The name "Node" is taken by another tool, at tools.json:1:10. Each needs its own; case makes no difference.',
    'tools.json:1:134 alike The values "Bun" and "bun" of aliases, the latter at tools.json:1:110, differ in case only, and paths may ignore case. Write both alike, change one of them, or let a function derive the values of a filter.',
  ]);
});
