import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/declare/declare.ts";
import { slug } from "../../src/declare/forms.ts";
import { listNamed } from "../../src/model/api.ts";
import { itemsOf } from "../../test/content/items-of.ts";
import { completeApi } from "../declaration/complete.ts";
import { lostNames } from "./addresses.ts";
import { itemChanges, itemLines } from "./changes.ts";

type Town = { readonly id: string; readonly formerly?: readonly string[]; readonly people?: number };

const towns = defineCollection({
  purpose: "Towns.",
  schema: z.strictObject({ id: slug, formerly: z.array(z.string()).optional(), people: z.int().optional() }),
  key: "id",
  item: { aliases: { field: "formerly", repeated: "warn" } },
});
const list = listNamed(completeApi(defineApi({ collections: { towns } })), "towns");

/** The names that are lost, if both sides have aliases. */
function lost(before: readonly Town[], after: readonly Town[]) {
  const aliases = list.item?.aliases;
  const sideOf = (items: readonly Town[]) => ({ lines: itemLines(itemsOf(list, items)), aliases });
  const one = sideOf(before);
  const other = sideOf(after);
  const names = lostNames(list, itemChanges(one.lines, other.lines, list), one, other);
  return Object.fromEntries(Object.entries(names).filter(([, values]) => values.length > 0));
}

const a = { id: "a", formerly: ["x"] };

it.each<[string, readonly Town[], readonly Town[], object]>([
  ["an alias that an added item claims too", [a], [a, { id: "b", formerly: ["x"] }], { aliases: ["x"] }],
  ["an alias that a changed item claims too", [a, { id: "b" }], [a, { id: "b", formerly: ["x"] }], { aliases: ["x"] }],
  ["an alias that is claimed in another case", [a], [a, { id: "b", formerly: ["X"] }], { aliases: ["x"] }],
  ["an alias that is the key of an added item", [a], [a, { id: "x" }], { moved: ["x"] }],
  ["an alias of another item", [a, { id: "b" }], [{ id: "a" }, { id: "b", formerly: ["x"] }], { moved: ["x"] }],
  ["an alias of a removed item that another has", [a], [{ id: "b", formerly: ["x"] }], { keys: ["a"], moved: ["x"] }],
  ["an alias that is dropped", [a], [{ id: "a" }], { aliases: ["x"] }],
  ["an alias that is written in another case", [a], [{ id: "a", formerly: ["X"] }], { aliases: ["x"] }],
])("misses %s", (_, before, after, expected) => {
  expect(lost(before, after)).toEqual(expected);
});

it.each<[string, readonly Town[], readonly Town[]]>([
  ["an alias that answered before with no item", [a, { id: "b", formerly: ["x"] }], [{ id: "a" }, { id: "b" }]],
  ["an alias that several items claimed", [a, { id: "b", formerly: ["x"] }], [a, { id: "b" }]],
  ["the aliases of an item with another change", [a], [{ ...a, people: 5 }]],
  ["the order of aliases", [{ id: "a", formerly: ["x", "y"] }], [{ id: "a", formerly: ["y", "x"] }]],
  ["a renamed item", [a], [{ id: "b", formerly: ["a", "x"] }]],
  ["an alias that becomes the key of its item", [a], [{ id: "x", formerly: ["a"] }]],
])("does not miss %s", (_, before, after) => {
  expect(lost(before, after)).toEqual({});
});

it("knows the removed keys of a list without aliases", () => {
  const sideOf = (...items: readonly Town[]) => ({ lines: itemLines(itemsOf(list, items)), aliases: undefined });
  const one = sideOf(a, { id: "b" });
  const other = sideOf({ id: "b", formerly: ["a"] });
  const changes = itemChanges(one.lines, other.lines, list);
  expect(lostNames(list, changes, one, other).keys).toEqual(["a"]);
  expect(lostNames(list, changes, one, { ...other, aliases: list.item?.aliases })).toEqual({
    keys: [],
    aliases: [],
    moved: [],
  });
});
