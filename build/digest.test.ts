import fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf, digestsOfRanges, hashInto, type Key, newKey } from "./digest.ts";
import { encode } from "./file.ts";

const key: Key = [0x03020100, 0x07060504];

// The output of halfsiphash.c of https://github.com/veorq/SipHash with cROUNDS=1 and dROUNDS=3.
it.each([
  [0, "76a5d0212320f72a"],
  [1, "87e8748d6fd33397"],
  [5, "83e7464ecbc3bde6"],
  [11, "cd3daa72c20b76fb"],
  [63, "3c12c4201914c5c1"],
])("the hash of %i bytes is that of the reference implementation", (length, expected) => {
  const lanes = new Uint32Array(2);
  for (const start of [0, 1, 3]) {
    const bytes = Uint8Array.from({ length: 70 }, (_, index) => index - start);
    hashInto(lanes, 0, new DataView(bytes.buffer), start, start + length, key);
    const [low = 0, high = 0] = lanes;
    const hash = Buffer.alloc(8);
    hash.writeUInt32LE(low, 0);
    hash.writeUInt32LE(high, 4);
    expect(hash.toString("hex")).toBe(expected);
  }
});

it("files that differ have digests that differ", () => {
  const digests = new Map<number, string>();
  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "0", "\0", "é"), maxLength: 6 }), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(texts, (parts) => {
      const digest = digestOf(parts.map(encode), key);
      const text = JSON.stringify(parts);
      expect(digests.get(digest) ?? text).toBe(text);
      digests.set(digest, text);
    }),
    { numRuns: 20_000 },
  );
});

it("each key gives other digests", () => {
  const digests = Array.from({ length: 100 }, () => digestOf([encode("text")], newKey()));
  expect(new Set(digests).size).toBe(100);
});

it("the digest of a page of items depends on the key, these items, the order key before them and the rest, and on nothing else", () => {
  const lists = fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lists, lists, fc.nat(), fc.nat(), fc.nat(), (one, other, a, b, c) => {
      const rangeOf = (items: readonly string[]) => {
        const sorted = items.toSorted();
        const offsets = new Uint32Array(sorted.length + 1);
        for (const [index, item] of sorted.entries()) offsets[index + 1] = (offsets[index] ?? 0) + item.length;
        const start = a % sorted.length;
        const end = start + (b % (sorted.length - start + 1));
        const before = (c % (sorted.length + 1)) - 1;
        const [starts, ends] = [offsets.subarray(0, -1), offsets.subarray(1)];
        const texts = { bytes: encode(sorted.join("")), starts, ends };
        const digest = digestsOfRanges(texts, texts);
        return {
          page: [sorted[before], sorted.slice(start, end).join()].join(";"),
          digest: (rest: number, own = key) => digest(before, start, end, rest, own),
        };
      };
      const [first, second] = [rangeOf(one), rangeOf(other)];
      expect(first.digest(1) === second.digest(1)).toBe(first.page === second.page);
      for (const rest of [2, 1 + 2 ** 32, 1 + 2 ** 52]) expect(first.digest(rest)).not.toBe(first.digest(1));
      expect(first.digest(1, [1, 2])).not.toBe(first.digest(1));
      expect(first.digest(1)).toBe(rangeOf(one).digest(1));
    }),
    { numRuns: 3_000 },
  );
});
