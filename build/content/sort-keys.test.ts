import fc from "fast-check";
import { expect, it } from "vitest";
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
  const text = fc.oneof(
    fc.string({ unit: units, maxLength: 12 }),
    fc.string({ unit: "binary" }).filter((some) => !some.includes("\0")),
  );
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

it("keys of several lists are numbered one list after the other", () => {
  const keys = joinKeys([["b", "é"], [], ["a"], ["c", ""]].map(keysOf));
  expect([...sortKeys(keys)]).toEqual([4, 2, 0, 3, 1]);
  expect([...sortKeys(joinKeys([]))]).toEqual([]);
});

it("keys of several parts are in the order of the first part, then of the second, whatever characters they have", () => {
  const texts = fc.string({ unit: fc.constantFrom("\0", "\t", " ", "!", '"', "A", "a", "é"), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts)), (parts) => {
      const keys = collectKeys();
      for (const each of parts) keys.add(each, [0, 1]);
      const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
      const expected = parts.toSorted(([a, b], [c, d]) => compare(a, c) || compare(b, d));
      expect([...sortKeys(keys.done())].map((index) => parts[index])).toEqual(expected);
    }),
  );
});

it("the parts of a key are joined by spaces", () => {
  const keys = collectKeys();
  keys.add(["b", "x", "a"], [2, 0]);
  expect(new TextDecoder().decode(keys.done().bytes.subarray(0, 3))).toBe("a b");
});
