import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { orderKey } from "../../src/operation.ts";
import { keyAt } from "./catalog.ts";
import { compare } from "./order.ts";
import { collectKeys, joinKeys, sortKeys } from "./sort-keys.ts";

const keysOf = (texts: readonly string[]) => {
  const keys = collectKeys();
  for (const text of texts) keys.add([text], [0]);
  return keys.done();
};

it.each([
  ["as many as there are", undefined],
  ["no more than 17", 17],
])("keys come in the order of their code units, whether integers are sorted for %s at once", (_, most) => {
  const units = fc.constantFrom(..."ab -_~\u007f\u0080éÿĀ\ud83c\udf89\uff00");
  const text = fc.oneof(fc.string({ unit: units, maxLength: 12 }), fc.string({ unit: "binary" }));
  const prefixed = fc
    .tuple(fc.constantFrom("", "app 2026-", "app 2026-11-20T09:00:00Z rec_"), text)
    .map(([a, b]) => a + b);
  fc.assert(
    fc.property(fc.array(prefixed, { maxLength: 200 }), (texts) => {
      const order = sortKeys(keysOf(texts), most);
      expect([...order].sort((a, b) => a - b)).toEqual([...texts.keys()]);
      expect([...order].map((index) => texts[index])).toEqual([...texts].sort(compare));
    }),
    { numRuns: 2_000 },
  );
});

it("keys of several values come in the order of the first that differs, whatever characters it has", () => {
  const units = fc.constantFrom(...'\0\t !"#AaBb~é\ud83c\udf89');
  const text = fc.string({ unit: units, maxLength: 4 });
  const operation = completeApi(
    defineApi({
      collections: {
        things: defineCollection({
          purpose: "Things.",
          schema: z.object({ a: z.string(), b: z.string(), c: z.string() }),
          key: "c",
          order: ["a", "b"],
        }),
      },
    }),
  ).lists[0];
  if (operation === undefined) throw new Error("There is no operation.");
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 50 }), (rows) => {
      const keys = collectKeys();
      for (const row of rows) keys.add(row, [0, 1, 2]);
      const collected = keys.done();
      const sorted = [...sortKeys(collected)].map((index) => rows[index]);
      expect(sorted).toEqual(rows.toSorted(byFields));
      const order = { bytes: collected.bytes, starts: collected.starts };
      for (const [index, [a, b, c]] of rows.entries()) {
        expect(keyAt(order, index)).toBe(orderKey(operation, { a, b, c }));
      }
    }),
    { numRuns: 1_000 },
  );
});

function byFields(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  return index === -1 ? 0 : compare(one[index] ?? "", other[index] ?? "");
}

it("keys of several lists are numbered one list after the other", () => {
  const keys = joinKeys([["b", "é"], [], ["a"], ["c", ""]].map(keysOf));
  expect([...sortKeys(keys)]).toEqual([4, 2, 0, 3, 1]);
  expect([...sortKeys(joinKeys([]))]).toEqual([]);
});

it("the parts of a key are joined by spaces", () => {
  const keys = collectKeys();
  keys.add(["b", "x", "a"], [2, 0]);
  expect(new TextDecoder().decode(keys.done().bytes.subarray(0, 3))).toBe("a b");
});
