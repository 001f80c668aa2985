import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Item } from "../../src/model/key.ts";
import { itemsOf } from "../../test/content/items-of.ts";
import { productsApi, someProducts, writeProducts } from "../../test/content/products.ts";
import { planOf, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { itemChanges, itemLines, none } from "./changes.ts";
import { linesIn } from "./published.ts";

describe("items of two lists", () => {
  // Any operation with an order of more than its key.
  const operation = edgeNetwork.lists.find(({ order }) => order.length > 1) ?? expect.fail();
  const { key, example } = operation;
  const first = operation.order[0]?.field ?? key;
  const other = Object.keys(example).find((field) => !operation.order.some((rule) => rule.field === field)) ?? "";
  const item = (name: string, order: string, value: string): Item => ({
    ...example,
    [first]: order,
    [other]: value,
    [key]: name,
  });
  const itemsWith = (items: readonly Item[]) => itemLines(itemsOf(operation, items));

  it("have all their fields but the key if they were added or removed", () => {
    const some = itemsWith([item("a", "1", "é")]);
    const rest = Object.entries(item("a", "1", "é")).filter(([field]) => field !== key);
    const added = itemChanges(none, some, operation);
    const removed = itemChanges(some, none, operation);
    expect(added).toEqual([{ kind: "added", key: "a", fields: rest.map(([field, after]) => ({ field, after })) }]);
    expect(removed).toEqual([
      { kind: "removed", key: "a", fields: rest.map(([field, before]) => ({ field, before })) },
    ]);
  });

  it("differ exactly where a comparison of all of them by key finds it, also if they have moved", () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.stringMatching(/^[a-h]$/), fc.stringMatching(/^[0-3é]$/), fc.constantFrom("x", "y")),
      { selector: ([name]) => name },
    );
    fc.assert(
      fc.property(list, list, (before, after) => {
        const byKey = (pairs: typeof before) => new Map(pairs.map((pair) => [pair[0], item(...pair)]));
        const itemsBefore = byKey(before);
        const itemsAfter = byKey(after);
        const expected = [...new Set([...itemsBefore.keys(), ...itemsAfter.keys()])].sort().flatMap((name) => {
          const itemBefore = itemsBefore.get(name);
          const itemAfter = itemsAfter.get(name);
          if (JSON.stringify(itemBefore) === JSON.stringify(itemAfter)) return [];
          if (itemBefore === undefined) return [[name, "added"]];
          return [[name, itemAfter === undefined ? "removed" : "changed"]];
        });
        const one = itemsWith([...itemsBefore.values()]);
        const two = itemsWith([...itemsAfter.values()]);
        expect(itemChanges(one, two, operation).map(({ key, kind }) => [key, kind])).toEqual(expected);
      }),
    );
  });
});

it("sees changes of fields that lists leave out, and tells items apart by all fields of their keys", async () => {
  const folder = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeProducts(folder);
  const before = await planOf(folder, productsApi);
  const [lts, ...others] = someProducts.releases;
  writeProducts(folder, { ...someProducts, releases: [{ ...lts, note: "Ends in 2026." }, ...others] });
  const after = await planOf(folder, productsApi);
  const changes = productsApi.lists.flatMap((list) =>
    itemChanges(itemLines(before.catalog.items.get(list.name)), itemLines(after.catalog.items.get(list.name)), list),
  );
  const fields = [{ field: "note", before: "Long-term support.", after: "Ends in 2026." }];
  expect(changes).toEqual([{ kind: "changed", key: "nodejs/20", fields }]);
});

const byId = { scope: [], key: "id", keyForm: "" };

it.each([
  ["no newline at its end", '{"id":"a"}\n{"id":"b"}', ["a", "b"]],
  ["nothing", "", []],
  ["lines in another order, and one twice", '{"id":"b"}\n{"id":"a"}\n{"id":"a"}\n', ["a", "b"]],
])("reads a dump with %s", (_, text, keys) => {
  expect(itemChanges(none, linesIn(Buffer.from(text), "things"), byId).map((change) => change.key)).toEqual(keys);
});

it.each(["1\n", '{"id":"a"}\n\n', '{"id":"a"\n', "null\n"])(
  "refuses a dump with a line that is no item: %j",
  (text) => {
    expect(() => linesIn(Buffer.from(text), "things")).toThrow("The dump of things is damaged: a line is not an item.");
  },
);
