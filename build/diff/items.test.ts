import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Item } from "../../src/resource.ts";
import { productsApi, someProducts, writeProducts } from "../../test/content/products.ts";
import { planOf, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { itemsOf } from "../content/store.ts";
import { itemChanges } from "./items.ts";

// Any operation with an order of more than its key.
const operation = edgeNetwork.lists.find(({ order }) => order.length > 1);
if (operation === undefined) throw new Error("No operation has an order of several fields.");
const { key, example } = operation;
const first = operation.order[0]?.field ?? key;
const other = Object.keys(example).find((field) => !operation.order.some((each) => each.field === field)) ?? "";

const itemsWith = (items: readonly Item[]) => itemsOf(operation, items);

const item = (name: string, order: string, value: string): Item => ({
  ...example,
  [first]: order,
  [other]: value,
  [key]: name,
});

describe("items of two lists", () => {
  it("are matched by key, also if their places in the order have changed", () => {
    const before = itemsWith([item("a", "1", "x"), item("b", "2", "x"), item("c", "3", "x"), item("d", "4", "x")]);
    const after = itemsWith([item("a", "1", "x"), item("b", "9", "x"), item("c", "3", "y"), item("e", "0", "é")]);
    const rest = (name: string, order: string, value: string) =>
      Object.entries(item(name, order, value)).filter(([field]) => field !== key);
    expect(itemChanges(before, after, operation)).toEqual([
      { kind: "changed", key: "b", fields: [{ field: first, before: "2", after: "9" }] },
      { kind: "changed", key: "c", fields: [{ field: other, before: "x", after: "y" }] },
      { kind: "removed", key: "d", fields: rest("d", "4", "x").map(([field, before]) => ({ field, before })) },
      { kind: "added", key: "e", fields: rest("e", "0", "é").map(([field, after]) => ({ field, after })) },
    ]);
    expect(itemChanges(before, before, operation)).toEqual([]);
  });

  it("are compared with none", () => {
    const [some, none] = [itemsWith([item("a", "1", "x")]), undefined];
    expect(itemChanges(none, some, operation).map(({ kind }) => kind)).toEqual(["added"]);
    expect(itemChanges(some, none, operation).map(({ kind }) => kind)).toEqual(["removed"]);
    expect(itemChanges(none, none, operation)).toEqual([]);
  });

  it("are sought up to a bound", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => item(`k${index}`, String(index), "x"));
    const all = many.map((each) => ({ ...each, [other]: "y" }));
    expect(itemChanges(itemsWith(many), itemsWith(all), operation, 100)).toHaveLength(100);
  });

  it("differ exactly where a comparison of all of them by key finds it", () => {
    const list = fc.uniqueArray(
      fc.tuple(fc.stringMatching(/^[a-h]$/), fc.stringMatching(/^[0-3é]$/), fc.constantFrom("x", "y")),
      { selector: ([name]) => name },
    );
    fc.assert(
      fc.property(list, list, (before, after) => {
        const [olds, news] = [before, after].map((own) => new Map(own.map((each) => [each[0], item(...each)])));
        const names = [...new Set([...(olds?.keys() ?? []), ...(news?.keys() ?? [])])].sort();
        const expected = names.flatMap((name) => {
          const [old, own] = [olds?.get(name), news?.get(name)];
          if (JSON.stringify(old) === JSON.stringify(own)) return [];
          return [[name, old === undefined ? "added" : own === undefined ? "removed" : "changed"]];
        });
        const lists = [olds, news].map((own) => itemsWith([...(own?.values() ?? [])]));
        const [one = itemsWith([]), two = itemsWith([])] = lists;
        expect(itemChanges(one, two, operation).map((change) => [change.key, change.kind])).toEqual(expected);
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
    itemChanges(before.catalog.items.get(list.name), after.catalog.items.get(list.name), list),
  );
  const fields = [{ field: "note", before: "Long-term support.", after: "Ends in 2026." }];
  expect(changes).toEqual([{ kind: "changed", key: "nodejs/20", fields }]);
});
