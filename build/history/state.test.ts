import { expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../src/index.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { earlierIn, historyAfter, noBuild } from "../../test/history/history-after.ts";
import { completeApi } from "../declaration/complete.ts";
import type { Found } from "./previous.ts";

const schema = z.strictObject({ id: z.string(), name: z.string() });
const words = defineCollection({ purpose: "Words.", schema, key: "id", order: ["name"] });
const names = defineCollection({
  purpose: "Names.",
  schema,
  key: "id",
  orders: { named: ["name"] },
  filters: { name: "name" },
});
const api = completeApi(defineApi({ collections: { words, names } }));

/** The history of a build that serves collections, each with the names of its items. */
function built(previous: Found, served: Readonly<Record<string, readonly string[]>>) {
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
  return historyAfter(catalog, deployment, previous, { now: 0 });
}

const textOf = ({ bytes }: { readonly bytes: Buffer }): string => bytes.toString();

it.each([
  { names: ["a", "ü", "水"], keys: ["a i0", "ü i1", "水 i2"] },
  { names: ["c", "a", "b"], keys: ["a i1", "b i2", "c i0"] },
])("publishes the order keys of $names in their order, of which the next build finds each", async ({ names, keys }) => {
  const first = await built(noBuild, { words: names });
  const { state, warnings } = await built(first.state, { words: ["z"] });
  expect(warnings).toEqual([]);
  expect(earlierIn(state.bytes, "all").map((build) => build.get("words")?.orderKeys)).toEqual([keys]);
});

it("keeps no key and no value of a collection that is not answered any more, also if it comes back", async () => {
  const first = await built(noBuild, { words: ["a", "b"], names: ["secret"] });
  const changed = await built(first.state, { words: ["a", "b"], names: ["secret", "secret too"] });
  expect(textOf(changed.state)).toContain("secret");
  const second = await built(changed.state, { words: ["a"] });
  expect(textOf(second.state)).not.toContain("secret");
  const third = await built(second.state, { words: [], names: ["secret"] });
  expect([changed, second, third].flatMap(({ warnings }) => warnings)).toEqual([]);
  const earlier = earlierIn(third.state.bytes, "all");
  const keys = earlier.map((build) => Array.from(build, ([name, collection]) => [name, collection.orderKeys]));
  expect(keys).toEqual([[["words", ["a i0"]]], [["words", ["a i0", "b i1"]]]]);
});
