// Filters by fields within objects and lists.
import { expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { slug } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/declare/marks.ts";
import { acceptedBy, listNamed } from "../../../src/model/api.ts";
import { fieldAt } from "../../../src/model/kinds.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { compileContent, lineOf } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { filterValues } from "../catalog.ts";
import { keyAt, valuesAt } from "../table/items.ts";

const people = defineCollection({ purpose: "People.", schema: z.strictObject({ id: slug }), key: "id" });

const part = z.union([
  z.strictObject({ kind: z.literal("own"), grade: z.int() }),
  z.strictObject({ kind: z.literal("bought"), grade: z.int().nullable(), shop: z.string() }),
]);

const icons = defineCollection({
  purpose: "Icons.",
  noun: { one: "icon", many: "icons" },
  schema: z.strictObject({
    id: slug,
    license: z.strictObject({ type: z.enum(["mit", "cc0"]), title: z.string() }).nullable(),
    contributors: z.array(z.strictObject({ id: reference("people"), tools: z.array(z.string()).optional() })),
    parts: z.array(part),
    sizes: z.record(z.string(), z.strictObject({ format: z.string() })),
    "a.b": z.string().optional(),
  }),
  key: "id",
  filters: {
    license: "license.type",
    title: { field: "license.title", slug: true },
    contributor: "contributors[].id",
    tool: "contributors[].tools",
    grade: "parts[].grade",
    format: "sizes.*.format",
  },
});

const open = defineCollection({
  purpose: "Open.",
  schema: z.looseObject({ id: slug, at: z.looseObject({ place: z.enum(["here"]) }) }),
  key: "id",
  filters: { place: "at.place", id: "id" },
});

const dotted = defineCollection({
  purpose: "Dotted.",
  schema: z.strictObject({ id: slug, "a.b": z.string() }),
  key: "id",
  filters: { dot: "a.b" },
});

function compile(tree: Tree) {
  const api = completeApi(defineApi({ collections: { people, icons, dotted, open } }));
  const log = openLog();
  const content = compileContent(discovered(tree), api, log);
  const valuesOf = (name: string) => {
    const list = listNamed(api, name);
    const items = content.items.get(name);
    if (items === undefined) return undefined;
    return list.filters.map((filter) => {
      const values = items.filters.get(filter.param);
      if (values === undefined) throw new Error(`There are no values of ${filter.param}.`);
      const ofItems = Array.from({ length: items.count }, (_, index) => [
        keyAt(items.orderKeys, index).replace(/\0.*/s, ""),
        ...valuesAt(values, index),
      ]);
      return { param: filter.param, known: filterValues(content, list, filter), ofItems };
    });
  };
  return { api, valuesOf, messages: log.messages().shown.map(lineOf) };
}

const icon = (id: string, more: object) =>
  JSON.stringify({ id, license: null, contributors: [], parts: [], sizes: {}, ...more });

const peopleFile = { "people.csv": "id\nann\nbo\ncy\n" };

it("compares a parameter with all values at the path of a field", () => {
  const { valuesOf, messages } = compile({
    ...peopleFile,
    "icons.ndjson": [
      icon("a", {
        license: { type: "mit", title: "MIT License" },
        contributors: [{ id: "bo", tools: ["pen", "ink"] }, { id: "ann", tools: ["pen"] }, { id: "bo" }],
        parts: [
          { kind: "own", grade: 2 },
          { kind: "bought", grade: 10, shop: "x" },
        ],
        sizes: { small: { format: "png" }, large: { format: "svg" } },
      }),
      icon("b", { parts: [{ kind: "bought", grade: null, shop: "y" }] }),
    ].join("\n"),
    "dotted.json": '[{"id":"a","a.b":"x"}]',
  });
  expect(messages).toEqual([]);
  expect(valuesOf("icons")).toEqual([
    { param: "license", known: ["mit", "cc0"], ofItems: [["a", "mit"], ["b"]] },
    { param: "title", known: ["mit-license"], ofItems: [["a", "mit-license"], ["b"]] },
    { param: "contributor", known: ["ann", "bo", "cy"], ofItems: [["a", "bo", "ann"], ["b"]] },
    { param: "tool", known: ["ink", "pen"], ofItems: [["a", "pen", "ink"], ["b"]] },
    { param: "grade", known: ["2", "10"], ofItems: [["a", "2", "10"], ["b"]] },
    { param: "format", known: ["png", "svg"], ofItems: [["a", "png", "svg"], ["b"]] },
  ]);
  // A field whose name has a dot is a field of the item.
  expect(valuesOf("dotted")).toEqual([{ param: "dot", known: ["x"], ofItems: [["a", "x"]] }]);
});

it("reports values that cannot be in a path at their places", () => {
  const { messages } = compile({
    ...peopleFile,
    "icons.ndjson": [
      icon("a", { contributors: [{ id: "ann", tools: ["pen", "a/b"] }], sizes: { small: { format: "PNG" } } }),
      icon("b", { contributors: [{ id: "dee" }], sizes: { small: { format: "png" } } }),
    ].join("\n"),
  });
  expect(messages.map((line) => line.replace(/ .*/s, ""))).toEqual([
    "icons.ndjson:1:69",
    "icons.ndjson:2:48",
    "icons.ndjson:2:94",
  ]);
});

it("has the types and the texts of the values at the path", () => {
  type Params = NonNullable<(typeof icons)["types"]>["params"];
  expectTypeOf<Params>().toEqualTypeOf<{
    readonly license: "mit" | "cc0";
    readonly title: string;
    readonly contributor: string;
    readonly tool: string;
    readonly grade: number;
    readonly format: string;
  }>();
  type OpenParams = NonNullable<(typeof open)["types"]>["params"];
  expectTypeOf<OpenParams>().toEqualTypeOf<{ readonly place: "here"; readonly id: string }>();
  const { api } = compile(peopleFile);
  const list = listNamed(api, "icons");
  const texts = list.filters.map((filter) => acceptedBy(api, list, filter).text);
  expect(texts).toEqual([
    "mit or cc0",
    "the license.title of an icon, in lowercase with hyphens",
    "the id of an item of people",
    "one of the contributors[].tools of an icon",
    "one of the parts[].grade of an icon",
    "one of the sizes.*.format of an icon",
  ]);
});

it("does not reach the further elements of a tuple, which have no path of their own", () => {
  const tuple = z.strictObject({ id: slug, parts: z.tuple([slug]).rest(slug) });
  expect(fieldAt(tuple, "parts[0]")?.steps).toEqual([".parts", "[0]"]);
  expect(fieldAt(tuple, "parts[1]")).toBeUndefined();
  expect(fieldAt(tuple, "parts")?.steps).toBeUndefined();
});
