// Filters whose values functions of the declaration derive from items.
import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createClient } from "../../../src/answers/client.ts";
import { type ApiDeclaration, defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { extend } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { slugify } from "../../../src/index.ts";
import { Failure } from "../../../src/model/failure.ts";
import { derivedLabel, derivedTexts } from "../../../src/model/filter.ts";
import { discovered } from "../../../test/content/folder.ts";
import { compiledWithErrors } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { filterValues } from "../catalog.ts";
import { allItems } from "../table/items.ts";

const icons = defineCollection({
  purpose: "Icons.",
  noun: { one: "icon", many: "icons" },
  schema: z.strictObject({
    slug,
    title: z.string(),
    license: z.strictObject({ type: z.string() }).optional(),
    tags: z.array(z.string()).default([]),
    year: z.int().optional(),
  }),
  key: "slug",
  filters: {
    letter: (icon) => icon.title[0]?.toLowerCase(),
    license: (icon) => icon.license?.type ?? "none",
    tag: (icon) => icon.tags.map(slugify),
    old: { of: ({ year }) => year !== undefined && year < 2000, values: [true, false] },
    decade: ({ year }) => (year === undefined ? null : year - (year % 10)),
  },
  together: [["letter", "license"]],
});

const api = completeApi(defineApi({ collections: { icons } }));
const [operation] = api.lists;

function compile(...items: readonly object[]) {
  const { content, errors } = compiledWithErrors(discovered({ "icons.json": JSON.stringify(items, null, 1) }), api);
  const values = operation?.filters.map((filter) => [filter.param, filterValues(content, operation, filter)]);
  return {
    values: Object.fromEntries(values ?? []),
    items: allItems(content.items.get("icons")),
    errors: errors.map(({ place: { file, line, column }, code, text }) => `${file}:${line}:${column} ${code} ${text}`),
  };
}

it("lists items by what functions return, which answers do not have", () => {
  const given = [
    { slug: "cursor", title: "Cursor", license: { type: "MIT" }, tags: ["Text editor", "text editor"], year: 2023 },
    { slug: "limit", title: "eBay", tags: [], year: 1995 },
  ];
  const { values, items, errors } = compile(...given);
  expect(errors).toEqual([]);
  expect(items).toEqual(given);
  expect(values).toEqual({
    letter: ["c", "e"],
    license: ["MIT", "none"],
    tag: ["text-editor"],
    old: ["true", "false"],
    decade: ["1990", "2020"],
  });
});

it("has the types of what functions return as parameters", () => {
  type Params = NonNullable<(typeof icons)["types"]>["params"];
  expectTypeOf<Params>().toEqualTypeOf<{
    readonly letter: string;
    readonly license: string;
    readonly tag: string;
    readonly old: boolean;
    readonly decade: number;
  }>();
});

it("has these types if all filters are functions", () => {
  const schema = z.strictObject({ slug, title: z.string(), tags: z.array(z.string()), year: z.int().optional() });
  const described = { purpose: "Icons.", schema, key: "slug" } as const;
  const all = defineCollection({
    ...described,
    filters: {
      letter: ({ title }) => title[0],
      decade: ({ year }) => year ?? null,
      tag: (icon) => icon.tags,
      old: { of: ({ year }) => year !== undefined && year < 2000 },
    },
  });
  const extended = extend(defineCollection(described), { filters: { letter: ({ title }) => title[0] } });
  expectTypeOf<NonNullable<(typeof all)["types"]>["params"]>().toEqualTypeOf<{
    readonly letter: string;
    readonly decade: number;
    readonly tag: string;
    readonly old: boolean;
  }>();
  expectTypeOf<NonNullable<(typeof extended)["types"]>["params"]>().toEqualTypeOf<{ readonly letter: string }>();
  const client = createClient<ApiDeclaration<{ icons: typeof all }>>("https://example.com");
  type Sent = Parameters<typeof client.icons.get>[0];
  expectTypeOf<{ readonly decade: number }>().toExtend<Sent>();
  expectTypeOf<{ readonly decade: string }>().not.toExtend<Sent>();
});

it("reports values that are no part of a path, or differ in case only, at their items", () => {
  expect(
    compile(
      { slug: "a", title: "Émile" },
      { slug: "b", title: "b", license: { type: "mit" } },
      { slug: "c", title: "c", license: { type: "MIT" } },
      { slug: "d", title: "d", license: { type: "x.json" } },
    ).errors,
  ).toEqual([
    'icons.json:2:2 wrong-value The value of the filter letter must be a part of paths: at most 100 of the characters A-Z a-z 0-9 . _ -, and no dot at the start, but is "é".',
    'icons.json:13:2 not-unique The values "MIT" and "mit" of license, the latter at icons.json:6:2, are the same in paths, which may ignore case.',
    'icons.json:20:2 wrong-value The value of the filter license must be a part of paths without the ending .json, .json.br or .json.gz, but is "x.json".',
  ]);
});

it("does not ask about items that have errors", () => {
  expect(compile({ slug: "a", title: 1 }).errors).toEqual([
    "icons.json:4:12 wrong-type title must be a string, but is the number 1.",
  ]);
});

it("reports functions that fail, or return what is no value of a parameter", () => {
  const place = { file: "api.config.ts", line: 9, column: 3, endLine: 9, endColumn: 4 };
  const failing = () => new Failure(place, "No.");
  const [list] = api.lists;
  if (list === undefined) throw new Error("There is no list.");
  const filters = list.filters.map((filter) => ({
    ...filter,
    ...(filter.param === "tag" && { of: failing }),
    ...(filter.param === "letter" && { label: failing }),
  }));
  const { errors } = compiledWithErrors(discovered({ "icons.json": '{"slug":"a","title":"A"}' }), {
    ...api,
    collections: [{ ...list, filters }],
  });
  expect(errors.map(({ code, text }) => `${code} ${text}`)).toEqual([
    "not-made The label of the filter letter fails: No (api.config.ts:9:3).",
    "not-made The function of the filter tag fails: No (api.config.ts:9:3).",
  ]);
  for (const odd of [{}, 1.5, Number.NaN, Promise.resolve("a"), [["a"]], () => "a"])
    expect(() => derivedTexts(odd)).toThrow(TypeError);
  for (const odd of [1, true, {}, ["a"], Promise.resolve("a")]) expect(() => derivedLabel(odd)).toThrow(TypeError);
});
