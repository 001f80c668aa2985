// The 64-bit FNV-1a hash (Fowler, Noll, Vo; IETF draft-eastlake-fnv), in four 16-bit limbs because JavaScript's
// integers end at 53 bits. Implemented here because the contract also runs outside of Node.

/** A hash that more text can be added to: four 16-bit limbs, the least significant first. */
export type Fnv = readonly [number, number, number, number];

/** The offset basis 0xcbf29ce484222325. */
export const fnvStart: Fnv = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

const encoder = new TextEncoder();

/** Adds the UTF-8 bytes of a text. Adding "a" and then "b" equals adding "ab". */
export function fnvAdd(hash: Fnv, text: string): Fnv {
  const bytes = encoder.encode(text);
  return fnvAddBytes(hash, bytes, 0, bytes.length);
}

/** Adds the bytes from `start` up to but without `end`. */
export function fnvAddBytes(hash: Fnv, bytes: Uint8Array, start: number, end: number): Fnv {
  let [a, b, c, d] = hash;
  for (let index = start; index < end; index++) {
    a ^= bytes[index] ?? 0;
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
