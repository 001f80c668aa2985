// The 64-bit FNV-1a hash (Fowler, Noll, Vo; IETF draft-eastlake-fnv), in four 16-bit limbs because JavaScript's
// integers end at 53 bits. Written out here because the contract has to run where no Node is.

/** A hash that more text can be added to: four 16-bit limbs, the least significant first. */
export type Fnv = readonly [number, number, number, number];

/** The offset basis 0xcbf29ce484222325. */
export const fnvStart: Fnv = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

const encoder = new TextEncoder();

/** Adds the UTF-8 bytes of a text. Adding "a" and then "b" is adding "ab". */
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

/** The hash as an unsigned 64-bit integer in base 36, with zeros in front: always 13 digits. */
export function fnvText([a, b, c, d]: Fnv): string {
  const [high, low, last] = divided(d * 0x10000 + c, b * 0x10000 + a);
  const [, first, middle] = divided(high, low);
  // 2^64 / 36^10 is less than 36^3.
  return String.fromCharCode(
    digit(first / 1296),
    digit(first / 36),
    digit(first),
    digit(middle / 36 ** 4),
    digit(middle / 36 ** 3),
    digit(middle / 1296),
    digit(middle / 36),
    digit(middle),
    digit(last / 36 ** 4),
    digit(last / 36 ** 3),
    digit(last / 1296),
    digit(last / 36),
    digit(last),
  );
}

const fiveDigits = 36 ** 5;

/** A 64-bit integer in two halves by 36^5: the quotient, and the remainder. Every step is within 53 bits. */
function divided(high: number, low: number): readonly [high: number, low: number, remainder: number] {
  const top = Math.floor(high / fiveDigits);
  const next = (high - top * fiveDigits) * 0x10000 + (low >>> 16);
  const middle = Math.floor(next / fiveDigits);
  const rest = (next - middle * fiveDigits) * 0x10000 + (low & 0xffff);
  const bottom = Math.floor(rest / fiveDigits);
  return [top, middle * 0x10000 + bottom, rest - bottom * fiveDigits];
}

/** The code of the last digit of an integer part below 2^31. */
function digit(value: number): number {
  const last = Math.trunc(value) % 36;
  return last + (last < 10 ? 0x30 : 0x57);
}
