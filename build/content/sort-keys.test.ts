import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { textOf } from "../../src/filter.ts";
import { orderKey } from "../../src/order.ts";
import { sortedItems } from "../../test/check/dataset.ts";
import { keyAt } from "./catalog.ts";
import { compare } from "./order.ts";
import { collectKeys, joinKeys, mergedOrder, sortKeys } from "./sort-keys.ts";

const ascending = (index: number) => ({ index, type: "text", descending: false }) as const;

const keysOf = (texts: readonly string[]) => {
  const keys = collectKeys();
  for (const text of texts) keys.add([text], [ascending(0)]);
  return keys.done();
};

const units = fc.constantFrom(..."ab -_~\u007f\u0080éÿĀ\ud83c\udf89\uff00");
const text = fc.oneof(fc.string({ unit: units, maxLength: 12 }), fc.string({ unit: "binary" }));
const prefixed = fc
  .tuple(fc.constantFrom("", "app 2026-", "app 2026-11-20T09:00:00Z rec_"), text)
  .map(([a, b]) => a + b);

it("keys come in the order of their code units", () => {
  fc.assert(
    fc.property(fc.array(prefixed, { maxLength: 200 }), (texts) => {
      const order = sortKeys(keysOf(texts));
      expect([...order].sort((a, b) => a - b)).toEqual([...texts.keys()]);
      expect([...order].map((index) => texts[index])).toEqual([...texts].sort(compare));
    }),
    { numRuns: 2_000 },
  );
});

it("keys of several sorted lists come in the order of their code units", () => {
  fc.assert(
    fc.property(fc.array(fc.array(prefixed, { maxLength: 30 }), { maxLength: 7 }), (lists) => {
      const sorted = lists.map((texts) => [...texts].sort(compare));
      const order = mergedOrder(
        joinKeys(sorted.map(keysOf)),
        sorted.map(({ length }) => length),
      );
      expect([...order].sort((a, b) => a - b)).toEqual([...sorted.flat().keys()]);
      expect([...order].map((index) => sorted.flat()[index])).toEqual(lists.flat().sort(compare));
    }),
    { numRuns: 1_000 },
  );
});

it("items come in any declared order, from values as from their texts", () => {
  const units = fc.constantFrom(...'\0\t !"#AaBb~é\u2123\ud83c\udf89\uffff');
  const text = fc.string({ unit: units, maxLength: 4 });
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  const item = fc.record({
    a: fc.option(text),
    b: fc.option(number),
    c: fc.option(fc.boolean()),
    key: text,
  });
  const order = fc.shuffledSubarray(["a", "b", "c", "-a", "-b", "-c"] as const).map((fields) => {
    const seen = fields.map((each) => each.replace("-", ""));
    return fields.filter((_, index) => seen.indexOf(seen[index] ?? "") === index);
  });
  const schema = z.object({
    a: z.string().nullable(),
    b: z.number().nullable(),
    c: z.boolean().nullable(),
    key: z.string(),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), order, fc.boolean(), (items, fields, isDescending) => {
      const things = {
        purpose: "Things.",
        schema,
        key: "key",
        order: [...fields, isDescending ? "-key" : "key"],
      } as const;
      const [operation] = completeApi(defineApi({ collections: { things: defineCollection(things) } })).lists;
      if (operation === undefined) throw new Error("There is no operation.");
      const keys = collectKeys();
      const parts = operation.order.map(({ field: _, ...about }, index) => ({ ...about, index }));
      for (const each of items)
        keys.add(
          operation.order.map(({ field }) => textOf(Object(each)[field])),
          parts,
        );
      const collected = keys.done();
      const sorted = [...sortKeys(collected)].map((index) => items[index]);
      expect(sorted).toEqual(sortedItems(items, operation));
      const columns = { ...collected, ends: collected.starts.subarray(1) };
      for (const [index, each] of items.entries()) expect(keyAt(columns, index)).toBe(orderKey(operation, each));
    }),
    { numRuns: 2_000 },
  );
});

it("keys of several lists are numbered one list after the other", () => {
  const keys = joinKeys([["b", "é"], [], ["a"], ["c", ""]].map(keysOf));
  expect([...sortKeys(keys)]).toEqual([4, 2, 0, 3, 1]);
  expect([...sortKeys(joinKeys([]))]).toEqual([]);
});

it("the parts of a key are joined by spaces", () => {
  const keys = collectKeys();
  keys.add(["b", "x", "a"], [ascending(2), ascending(0)]);
  expect(new TextDecoder().decode(keys.done().bytes.subarray(0, 3))).toBe("a b");
});
