// The 64-bit FNV-1a hash (Fowler, Noll, Vo; IETF draft-eastlake-fnv), in four 16-bit limbs because JavaScript's
// integers end at 53 bits. Written out here because the contract has to run where no Node is.

/** A hash that more text can be added to: four 16-bit limbs, the least significant first. */
export type Fnv = readonly [number, number, number, number];

/** The offset basis 0xcbf29ce484222325. */
export const fnvStart: Fnv = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

const encoder = new TextEncoder();

/** Adds the UTF-8 bytes of a text. Adding "a" and then "b" is adding "ab". */
export function fnvAdd(hash: Fnv, text: string): Fnv {
  let [a, b, c, d] = hash;
  for (const byte of encoder.encode(text)) {
    a ^= byte;
    // times the prime 2^40 + 0x1b3: 0x1b3 reaches every limb, 2^40 moves the lowest 24 bits up by two limbs and a half
    const low = a * 0x1b3;
    const next = b * 0x1b3 + (low >>> 16);
    const third = c * 0x1b3 + (a << 8) + (next >>> 16);
    const last = d * 0x1b3 + (b << 8) + (third >>> 16);
    a = low & 0xffff;
    b = next & 0xffff;
    c = third & 0xffff;
    d = last & 0xffff;
  }
  return [a, b, c, d];
}

/** The hash as an unsigned 64-bit integer. */
export const fnvValue = ([a, b, c, d]: Fnv): bigint =>
  (BigInt(d) << 48n) | (BigInt(c) << 32n) | (BigInt(b) << 16n) | BigInt(a);
