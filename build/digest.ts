// Digests show whether a file has changed since the last build, without reading it: 53 bits of HalfSipHash-1-3, as many as
// a number holds. HalfSipHash needs 32-bit operations only. https://github.com/veorq/SipHash
//
// A digest depends on a random key, which the index of the out folder keeps. Anyone may propose content, and nobody who
// does not know the key can choose two versions of it with the same digest. The key must not affect a published file; a
// published digest is one of sha256.ts.

/** 64 random bits. */
export type Key = readonly [low: number, high: number];

export function newKey(): Key {
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [low, high];
}

/** Writes the hash of the bytes of a range into two 32-bit lanes. */
export function hashInto(lanes: Uint32Array, at: number, view: DataView, start: number, end: number, key: Key): void {
  const words = (end - start) >>> 2;
  let last = (end - start) << 24;
  for (let byte = 0; byte < ((end - start) & 3); byte++) last |= view.getUint8(start + 4 * words + byte) << (8 * byte);
  let v0 = key[0];
  let v1 = key[1] ^ 0xee;
  let v2 = key[0] ^ 0x6c796765;
  let v3 = key[1] ^ 0x74656462;
  // One round for each word, three for each lane.
  for (let index = 0; index < words + 7; index++) {
    const word = index < words ? view.getUint32(start + 4 * index, true) : index === words ? last : 0;
    if (index === words + 1) v2 ^= 0xee;
    if (index === words + 4) {
      lanes[at] = v1 ^ v3;
      v1 ^= 0xdd;
    }
    v3 ^= word;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= word;
  }
  lanes[at + 1] = v1 ^ v3;
}

const viewOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The digest of a file that is always generated in the same parts. */
export function digestOf(parts: readonly Uint8Array[], key: Key): number {
  const lanes = new Uint32Array(2 * parts.length);
  for (const [index, part] of parts.entries()) hashInto(lanes, 2 * index, viewOf(part), 0, part.length, key);
  return digestOfWords(viewOf(lanes), key);
}

const pair = new Uint32Array(2);

function digestOfWords(words: DataView, key: Key): number {
  hashInto(pair, 0, words, 0, words.byteLength, key);
  return (pair[0] ?? 0) + ((pair[1] ?? 0) & 0x1fffff) * 2 ** 32;
}

/**
 * Digests the items from `start` to `end`, excluding `end`, and the order key of the item at `before`; −1: of none. `rest`,
 * an integer up to 2^53, identifies everything else in the file.
 */
export type DigestOfRange = (before: number, start: number, end: number, rest: number, key: Key) => number;

/** Texts in one buffer. */
interface Texts {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/**
 * Returns a function that digests a page of consecutive items in constant time. The items determine their order, so the
 * sum of their hashes identifies a range, and a difference of prefix sums gives that sum. Without the key, the hashes are
 * unknown, and so nobody can choose items with the same sum.
 */
export function digestsOfRanges(items: Texts, orderKeys: Texts): DigestOfRange {
  const [view, keysView] = [viewOf(items.bytes), viewOf(orderKeys.bytes)];
  const words = new Uint32Array(6);
  const wordsView = viewOf(words);
  let [sums, sumsKey]: [Uint32Array?, Key?] = [];
  return (before, start, end, rest, key) => {
    if (sums === undefined || sumsKey !== key) {
      sums = sumsOfHashes(view, items, key);
      sumsKey = key;
    }
    words[0] = (sums[2 * end] ?? 0) - (sums[2 * start] ?? 0);
    words[1] = (sums[2 * end + 1] ?? 0) - (sums[2 * start + 1] ?? 0);
    words[2] = rest;
    words[3] = rest / 2 ** 32;
    if (before < 0) words.fill(0, 4);
    else hashInto(words, 4, keysView, orderKeys.starts[before] ?? 0, orderKeys.ends[before] ?? 0, key);
    return digestOfWords(wordsView, key);
  };
}

/** The sum of the hashes of all items before each one, in two lanes. */
function sumsOfHashes(view: DataView, { starts, ends }: Texts, key: Key): Uint32Array {
  const sums = new Uint32Array(2 * (starts.length + 1));
  for (let index = 1; index <= starts.length; index++) {
    hashInto(sums, 2 * index, view, starts[index - 1] ?? 0, ends[index - 1] ?? 0, key);
    sums[2 * index] = (sums[2 * index] ?? 0) + (sums[2 * index - 2] ?? 0);
    sums[2 * index + 1] = (sums[2 * index + 1] ?? 0) + (sums[2 * index - 1] ?? 0);
  }
  return sums;
}
