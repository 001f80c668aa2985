import { expect, it } from "vitest";
import { orderKey } from "./order.ts";
import type { TextOrder } from "./text-order.ts";

const sorted = (rules: TextOrder, texts: readonly string[], descending = false) => {
  const order = [{ field: "name", type: "text", descending, ...rules }] as const;
  const keyOf = (name: string) => orderKey(order, { name });
  return texts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
};

it("compares case and accents between equals only, if an order folds", () => {
  const names = ["Zulip", "eBay", "Élan", "elan", "Elan", "ebay", "Ångström", "angle", "eBay 2", "İzmir", "izmir"];
  const folded = ["angle", "Ångström", "eBay", "ebay", "eBay 2", "Elan", "elan", "Élan", "izmir", "İzmir", "Zulip"];
  expect(sorted({ fold: true }, names)).toEqual(folded);
  expect(sorted({ fold: true }, names, true)).toEqual(folded.toReversed());
  expect(sorted({}, ["b", "B", "a"])).toEqual(["B", "a", "b"]);
});

it("compares digits by the value of their number, if an order is natural", () => {
  const names = ["v10", "v9", "v09", "v", "v1.10", "v1.9", "10", "9", "a", "1e3", "v1", `v${"9".repeat(400)}`];
  const natural = ["1e3", "9", "10", "a", "v", "v1", "v1.9", "v1.10", "v09", "v9", "v10", `v${"9".repeat(400)}`];
  expect(sorted({ natural: true }, names)).toEqual(natural);
  expect(sorted({ natural: true }, names, true)).toEqual(natural.toReversed());
  expect(sorted({ natural: true, fold: true }, ["B10", "b9", "a1"])).toEqual(["a1", "b9", "B10"]);
});
