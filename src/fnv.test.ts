import fc from "fast-check";
import { expect, it } from "vitest";
import { fnvAdd, fnvStart } from "./fnv.ts";

const limbs = (hash: bigint) => [0n, 16n, 32n, 48n].map((shift) => Number((hash >> shift) & 0xffffn));

it("agrees with the definition in big integers, and with a vector of draft-eastlake-fnv, appendix C", () => {
  expect(fnvAdd(fnvStart, "foobar")).toEqual(limbs(0x85944171f73967e8n));
  const define = (bytes: Uint8Array) =>
    bytes.reduce((hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n), 0xcbf29ce484222325n);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(fnvAdd(fnvStart, text)).toEqual(limbs(define(new TextEncoder().encode(text))));
    }),
  );
});

it("adds two texts as it adds both in one", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
      expect(fnvAdd(fnvAdd(fnvStart, a), b)).toEqual(fnvAdd(fnvStart, a + b));
    }),
  );
});
