import fc from "fast-check";
import { expect, it } from "vitest";
import { compare } from "./order.ts";
import { collectKeys, sortKeys } from "./sort-keys.ts";

const sorted = (texts: readonly string[]) => {
  const keys = collectKeys();
  for (const text of texts) keys.add([text], [0]);
  return [...sortKeys(keys.done())].map((index) => texts[index]);
};

it("keys come in the order of their code units", () => {
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
      expect(sorted(texts)).toEqual([...texts].sort(compare));
    }),
    { numRuns: 2_000 },
  );
});

it("the parts of a key are joined by blanks", () => {
  const keys = collectKeys();
  keys.add(["b", "x", "a"], [2, 0]);
  expect(new TextDecoder().decode(keys.done().bytes.subarray(0, 3))).toBe("a b");
});
