import fc from "fast-check";
import { expect, it } from "vitest";
import type { Item } from "../../../src/model/key.ts";
import { orderKey } from "../../../src/model/order.ts";
import { itemsOf } from "../../../test/content/items-of.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { rounds } from "../../../test/seed.ts";
import { MachineError } from "../../files/machine-error.ts";
import { jsonBuffer } from "./buffers.ts";
import { allItems, keyAt, valuesAt } from "./items.ts";
import { sortedOrder } from "./sort.ts";

const nodes = edgeNetwork.lists.find(({ name }) => name === "nodes");
if (nodes === undefined) throw new Error("There are no nodes.");

const keysOf = (texts: readonly string[]) => {
  const all = texts.map((text) => Buffer.from(text, "latin1"));
  const ends = Uint32Array.from(all, (_, index) =>
    all.slice(0, index + 1).reduce((sum, { length }) => sum + length, 0),
  );
  return { bytes: Buffer.concat(all), starts: ends.map((end, index) => end - (all[index]?.length ?? 0)), ends };
};

it("sorts keys by their bytes, and leaves equal ones as they are", () => {
  const text = fc.string({ unit: fc.constantFrom("\x01", " ", "a", "b", "\xff"), maxLength: 12 });
  const long = text.map((each) => `${"shared ".repeat(3)}${each}`);
  fc.assert(
    fc.property(fc.array(fc.oneof(text, long), { maxLength: 80 }), (texts) => {
      const expected = [...texts.keys()].sort((a, b) => Buffer.compare(Buffer.from(texts[a] ?? "", "latin1"), Buffer.from(texts[b] ?? "", "latin1")) || a - b); // biome-ignore format: a comparator
      expect([...sortedOrder(keysOf(texts))]).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});

it("has items in the order of their order keys, with the values of their filters", () => {
  const item = fc.record({
    id: fc.string(),
    created_at: fc.string({ unit: "binary" }),
    pop: fc.constantFrom("a1", "b2", null),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (added) => {
      const expected = [...added].sort((a, b) => (orderKey(nodes.order, a) < orderKey(nodes.order, b) ? -1 : orderKey(nodes.order, a) === orderKey(nodes.order, b) ? 0 : 1)); // biome-ignore format: a comparator
      const items = itemsOf(nodes, added);
      expect(allItems(items)).toEqual(expected);
      expect(expected.map((_, index) => keyAt(items.orderKeys, index))).toEqual(
        expected.map((each) => orderKey(nodes.order, each)),
      );
      const region = items.filters.get("region");
      expect(expected.map((_, index) => region && valuesAt(region, index))).toEqual(
        expected.map(({ pop }: Item) => (pop === null ? [] : [pop])),
      );
    }),
    { numRuns: 25 * rounds },
  );
});

it("refuses more bytes than offsets of 32 bits can tell apart", () => {
  const json = JSON.stringify("é".repeat(10));
  const buffer = jsonBuffer(0, 200_000);
  const fill = () => {
    for (let count = 0; count < 11_000; count++) buffer.add(json);
  };
  expect(fill).toThrow(MachineError);
  const { bytes, offsets } = buffer.done();
  expect(bytes.length).toBe(offsets.at(-1));
  expect(bytes.length).toBeLessThanOrEqual(200_000);
  expect(Buffer.from(bytes.subarray(offsets[7], offsets[8])).toString()).toBe(`${json},`);
});
