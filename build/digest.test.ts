import fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf, digestOfText, digestsOfRanges } from "./digest.ts";
import { encode } from "./file.ts";

it.each([
  ["digestOf", (text: string) => digestOf([encode(text)])],
  ["digestOfText", (text: string) => digestOfText(text, 1)],
])("texts that differ have digests that differ: %s", (_, digestFor) => {
  const digests = new Map<number, string>();
  const text = fc.string({ unit: fc.constantFrom("a", "b", "0", "\0", "é"), maxLength: 12 });
  fc.assert(
    fc.property(text, (some) => {
      const digest = digestFor(some);
      expect(digests.get(digest) ?? some).toBe(some);
      digests.set(digest, some);
    }),
    { numRuns: 20_000 },
  );
});

it("the digest of a page of items depends on these items and the rest of it, and on nothing else", () => {
  const lists = fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lists, lists, fc.nat(), fc.nat(), (one, other, a, b) => {
      const rangeOf = (items: readonly string[], rest: number) => {
        const sorted = items.toSorted();
        const offsets = new Uint32Array(sorted.length + 1);
        for (const [index, item] of sorted.entries()) offsets[index + 1] = (offsets[index] ?? 0) + item.length;
        const start = a % sorted.length;
        const end = start + (b % (sorted.length - start + 1));
        return {
          page: sorted.slice(start, end).join(),
          digest: digestsOfRanges(encode(sorted.join("")), offsets)(start, end, rest),
        };
      };
      const [first, second] = [rangeOf(one, 1), rangeOf(other, 1)];
      expect(first.digest === second.digest).toBe(first.page === second.page);
      expect(rangeOf(one, 2).digest).not.toBe(first.digest);
    }),
    { numRuns: 3_000 },
  );
});
