import { expect, it } from "vitest";
import * as z from "zod";
import {
  type Collection,
  type CollectionDeclaration,
  defineApi,
  defineCollection,
} from "../../../src/declare/declare.ts";
import { from } from "../../../src/declare/derived.ts";
import { slug } from "../../../src/declare/forms.ts";
import { discovered, type Tree } from "../../../test/content/folder.ts";
import { loadedWithErrors } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { allItems } from "../table/items.ts";

const schema = z.strictObject({ id: slug, tags: z.array(z.string()) });

async function compile(collections: Readonly<Record<string, Collection>>, tree: Tree) {
  const { content, errors } = await loadedWithErrors(discovered(tree), completeApi(defineApi({ collections })));
  return {
    items: Object.keys(collections).map((name) => allItems(content.items.get(name))),
    errors: errors.map(({ place: { line, column }, code, text }) => `${line}:${column} ${code} ${text}`),
  };
}

it("is a function's own, so that no item changes another that shares an alias of YAML", async () => {
  const things = defineCollection({
    purpose: "Things.",
    schema,
    key: "id",
    transform: (raw) => {
      (raw["tags"] as string[]).push(String(raw["id"]));
      return raw;
    },
  });
  const text = "- { id: a, tags: &tags [x] }\n- { id: b, tags: *tags }\n";
  expect(await compile({ things }, { "things.yaml": text })).toEqual({
    items: [
      [
        { id: "a", tags: ["x", "a"] },
        { id: "b", tags: ["x", "b"] },
      ],
    ],
    errors: [],
  });
});

it("is a function's own, so that items made from another do not empty it", async () => {
  const things = defineCollection({ purpose: "Things.", schema, key: "id" });
  const parts = defineCollection({
    purpose: "Parts.",
    schema: z.strictObject({ id: slug }),
    key: "id",
    ...from(things, ({ tags }) => tags.splice(0).map((id) => ({ id }))),
  });
  expect(await compile({ things, parts }, { "things.json": '[{"id":"a","tags":["x","y"]}]' })).toEqual({
    items: [[{ id: "a", tags: ["x", "y"] }], [{ id: "x" }, { id: "y" }]],
    errors: [],
  });
});

it.each<[string, unknown, string]>([
  ["a map", { id: "a", v: new Map([["a", 1]]) }, "v is of the type Map"],
  ["a set", { id: "a", v: { deep: [new Set()] } }, "v.deep.0 is of the type Set"],
  ["undefined in a list", { id: "a", v: [1, undefined] }, "v.1 is undefined"],
  ["a function", { id: "a", v: () => 1 }, "v is a function"],
  ["no number", { id: "a", v: Number.NaN }, "v is NaN"],
])("is refused at its place if it is %s from load", async (_, item, what) => {
  const load: NonNullable<CollectionDeclaration["load"]> = () => [{ id: "b", v: 1 }, item];
  const things = defineCollection({
    purpose: "Things.",
    schema: z.strictObject({ id: slug, v: z.unknown() }),
    key: "id",
    load,
  });
  expect((await compile({ things }, {})).errors).toEqual([
    `2:1 not-made The load of things returns what JSON does not have: ${what}.`,
  ]);
});
