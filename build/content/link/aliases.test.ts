// Aliases by slugs, and aliases that several items claim.
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { discovered } from "../../../test/content/folder.ts";
import { itemsOf } from "../../../test/content/items-of.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { type Items, valuesAt } from "../table/items.ts";

const schema = z.strictObject({ id: z.string(), names: z.array(z.string()) });
const options = { purpose: "Cities.", noun: { one: "city", many: "cities" }, schema, key: "id" } as const;
const bySlug = defineCollection({ ...options, item: { aliases: { field: "names", slug: true } } });
const byName = defineCollection({ ...options, item: { aliases: "names" } });
const byRepeatedSlug = defineCollection({
  ...options,
  item: { aliases: { field: "names", slug: true, repeated: "warn" } },
});
const byRepeatedName = defineCollection({ ...options, item: { aliases: { field: "names", repeated: "warn" } } });

type Lines = readonly (readonly [id: string, ...names: readonly string[]])[];

function compile(cities: typeof bySlug | typeof byRepeatedName | typeof byName, lines: Lines) {
  const api = completeApi(defineApi({ collections: { cities } }));
  const log = openLog();
  const text = lines.map(([id, ...names]) => JSON.stringify({ id, names })).join("\n");
  const content = compileContent(discovered({ "cities.ndjson": text }), api, log);
  const items = content.items.get("cities");
  return {
    aliases: items && aliasesOf(items),
    known: items?.aliases?.known,
    messages: log.messages().shown.map(lineOf),
  };
}

const aliasesOf = ({ keys, aliases }: Items) =>
  Object.fromEntries(keys.map((key, index) => [key, aliases === undefined ? [] : valuesAt(aliases, index)]));

describe("an alias by slug", () => {
  it("is the value in lowercase ASCII with hyphens", () => {
    const { aliases, messages } = compile(bySlug, [
      ["zrh", "Zürich", "Zurich", "…"],
      ["Bern", "Bern", "BERNE"],
    ]);
    expect(messages).toEqual([]);
    expect(aliases).toEqual({ Bern: ["berne"], zrh: ["zurich"] });
  });

  it("belongs to one item", () => {
    expect(
      compile(bySlug, [
        ["a", "Zürich"],
        ["b", "ZURICH"],
        ["c", "B"],
      ]).messages,
    ).toEqual([
      'cities.ndjson:2:20 not-unique The alias "zurich" is taken by another city, at cities.ndjson:1:20. Change one of them; case makes no difference.',
      'cities.ndjson:3:20 not-unique The alias "b" is taken by another city, at cities.ndjson:2:7. Change one of them; case makes no difference.',
    ]);
  });

  it("is a text in types", () => {
    type Key = NonNullable<(typeof bySlug)["types"]>["key"];
    expectTypeOf<Key>().toEqualTypeOf<readonly [value: string]>();
  });
});

it("reports the first text without a slug, which gives no alias", () => {
  const { aliases, messages } = compile(bySlug, [
    ["a", "Москва", "Moscow"],
    ["b", "Київ", "…"],
  ]);
  expect(messages).toEqual([
    'cities.ndjson:1:20 no-slug There is no alias for "Москва", because slugs have Latin letters and digits only. Write it with Latin letters, or leave it out.',
  ]);
  expect(aliases).toEqual({ a: ["moscow"], b: [] });
});

it.each([
  ["may be repeated", byRepeatedName],
  ["belongs to one item", byName],
])("an alias that %s is no fault if it is the key of its item in another case", (_, collection) => {
  const { aliases, known, messages } = compile(collection, [["at", "AT", "Austria"]]);
  expect(messages).toEqual([]);
  expect(aliases).toEqual({ at: ["Austria"] });
  expect(known).toEqual(["Austria"]);
});

describe("an alias that may be repeated", () => {
  it("belongs to none of the items that claim it, and is reported", () => {
    const lines: Lines = [
      ["a", "Springfield", "One"],
      ["b", "SPRINGFIELD", "Two"],
      ["c", "Springfield"],
    ];
    const { aliases, known, messages } = compile(byRepeatedSlug, lines);
    const left = (at: string, value: string) =>
      `cities.ndjson:${at} repeated-alias The alias "${value}" is left out, because another city has or claims this name, at cities.ndjson:1:20.`;
    expect(messages).toEqual([left("2:20", "springfield"), left("3:20", "springfield")]);
    expect(aliases).toEqual({ a: ["one"], b: ["two"], c: [] });
    expect(known).toEqual(["one", "two"]);
    expect(compile(byRepeatedName, lines).messages).toEqual([left("2:20", "SPRINGFIELD"), left("3:20", "Springfield")]);
  });

  it.each([
    [
      "after",
      [
        ["a", "B", "x"],
        ["b", "y"],
      ],
      "cities.ndjson:2:7",
    ],
    [
      "before",
      [
        ["b", "y"],
        ["a", "B", "x"],
      ],
      "cities.ndjson:1:7",
    ],
  ] satisfies [string, Lines, string][])("gives way to a key that comes %s it", (_, lines, key) => {
    const { aliases, messages } = compile(byRepeatedName, lines);
    const at = lines.findIndex(([id]) => id === "a") + 1;
    expect(messages).toEqual([
      `cities.ndjson:${at}:20 repeated-alias The alias "B" is left out, because another city has or claims this name, at ${key}.`,
    ]);
    expect(aliases).toEqual({ a: ["x"], b: ["y"] });
  });
});

it.each<readonly [typeof byRepeatedSlug | typeof byRepeatedName | typeof byName, Lines]>([
  [
    byRepeatedSlug,
    [
      ["a", "Springfield", "One"],
      ["b", "SPRINGFIELD", "Two"],
      ["c", "Zürich"],
    ],
  ],
  [
    byRepeatedName,
    [
      ["a", "B", "x"],
      ["b", "y", "X"],
      ["c", "C", "c", "z"],
    ],
  ],
  [
    byRepeatedName,
    [
      ["b", "y"],
      ["a", "B", "x"],
      ["d", "B"],
    ],
  ],
  [
    byName,
    [
      ["at", "AT", "Austria"],
      ["ch", "Swiss"],
    ],
  ],
])("aliases of a published dump are those of the content: %#", (collection, lines) => {
  const [list] = completeApi(defineApi({ collections: { cities: collection } })).lists;
  const published =
    list &&
    itemsOf(
      list,
      lines.map(([id, ...names]) => ({ id, names })),
    );
  expect(published && aliasesOf(published)).toEqual(compile(collection, lines).aliases);
});
