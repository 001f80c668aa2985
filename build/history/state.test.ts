import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/index.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { completeApi } from "../declaration/complete.ts";
import { type Found, type History, historyOf } from "./history.ts";

const schema = z.strictObject({ id: z.string(), name: z.string() });
const words = defineCollection({ purpose: "Words.", schema, key: "id", order: ["name"] });
const names = defineCollection({ purpose: "Names.", schema, key: "id" });
const api = completeApi(defineApi({ collections: { words, names } }));

/** The history of a build that serves collections, each with the names of its items. */
function historyAfter(previous: Found, served: Readonly<Record<string, readonly string[]>>) {
  const items = new Map(
    Object.entries(served).map(([name, texts]) => [
      name,
      texts.map((text, index) => ({ id: `i${index}`, name: text })),
    ]),
  );
  const sizes = new Map(Object.keys(served).map((name) => [name, [1, 100]]));
  const catalog = {
    api,
    items: catalogItems(Object.fromEntries(items), api),
    deployments: new Map(),
    settings: { ...noSettings, cursorLifetime: 900, pageSizes: sizes },
  };
  const deployment = { name: "all", operations: Object.keys(served), documents: new Map() };
  return historyOf({ catalog, deployment, pages: 1, previous, now: 0 });
}

function stateOf({ documents }: History): Found {
  return { kind: "state", bytes: Buffer.concat(documents.flatMap(({ parts }) => [...parts()])) };
}

it.each([
  { names: ["a", "ü", "水"], keys: ["a i0", "ü i1", "水 i2"] },
  { names: ["c", "a", "b"], keys: ["a i1", "b i2", "c i0"] },
])("publishes the order keys of $names in their order, of which the next build finds each", ({ names, keys }) => {
  const first = historyAfter({ kind: "none" }, { words: names });
  const { earlier, warnings } = historyAfter(stateOf(first), { words: ["z"] });
  expect(warnings).toEqual([]);
  expect([...earlier].map((build) => build.get("words")?.keys)).toEqual([keys]);
});

it("keeps a collection without filters that the next builds do not serve", () => {
  const first = historyAfter({ kind: "none" }, { words: ["a", "b"], names: ["c"] });
  const second = historyAfter(stateOf(first), { words: ["a"] });
  const { earlier, warnings } = historyAfter(stateOf(second), { words: [] });
  expect([...second.warnings, ...warnings]).toEqual([]);
  const keys = [...earlier].map((build) => Array.from(build, ([name, collection]) => [name, collection.keys]));
  expect(keys).toEqual([
    [["words", ["a i0"]]],
    [
      ["words", ["a i0", "b i1"]],
      ["names", ["i0"]],
    ],
  ]);
});
