// Digests distinguish files without reading them: 53 bits that almost certainly differ if the bytes differ. They are not
// cryptographic: an author can write two versions of an item with the same digest. A build over an older output then keeps
// the page of the first version, until --clean writes it. See SECURITY.md.

/** Hashes the bytes of a range into two 32-bit lanes (after MurmurHash3 by Austin Appleby). */
function hashInto(lanes: Uint32Array, at: number, view: DataView, start: number, end: number): void {
  let low = 0x811c9dc5 ^ (end - start);
  let high = 0x9e3779b9;
  let index = start;
  for (; index + 4 <= end; index += 4) {
    const word = view.getUint32(index, true);
    low = Math.imul(low ^ word, 0xcc9e2d51);
    low ^= low >>> 15;
    high = Math.imul(high + word, 0x1b873593);
    high ^= high >>> 13;
  }
  for (; index < end; index++) {
    const byte = view.getUint8(index);
    low = Math.imul(low ^ byte, 0xcc9e2d51);
    low ^= low >>> 15;
    high = Math.imul(high + byte, 0x1b873593);
    high ^= high >>> 13;
  }
  lanes[at] = mixed(low);
  lanes[at + 1] = mixed(high);
}

function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Joins two lanes to a number of 53 bits. */
const joined = (low: number, high: number): number => (low >>> 0) + (high & 0x1fffff) * 2 ** 32;

export function digestOf(parts: readonly Uint8Array[]): number {
  const lanes = new Uint32Array(2);
  let [low, high] = [0, 0];
  for (const part of parts) {
    hashInto(lanes, 0, viewOf(part), 0, part.length);
    low = Math.imul(low, 31) + (lanes[0] ?? 0);
    high = Math.imul(high, 37) + (lanes[1] ?? 0);
  }
  return joined(low, high);
}

/** The digest of a text combined with another digest, `beside`. It differs from the digest of the text's bytes. */
export function digestOfText(text: string, beside: number): number {
  let low = 0x811c9dc5 ^ text.length ^ beside;
  let high = 0x9e3779b9 ^ (beside / 2 ** 32);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0xcc9e2d51);
    low ^= low >>> 15;
    high = Math.imul(high + unit, 0x1b873593);
    high ^= high >>> 13;
  }
  return joined(mixed(low), mixed(high));
}

/** The digest of two integers from 0 to 2^32, combined with another digest, `beside`. */
export function digestOfNumbers(one: number, other: number, beside: number): number {
  let low = 0x811c9dc5 ^ beside;
  let high = 0x9e3779b9 ^ (beside / 2 ** 32);
  low = Math.imul(low ^ one, 0xcc9e2d51);
  low ^= low >>> 15;
  high = Math.imul(high + one, 0x1b873593);
  high ^= high >>> 13;
  low = Math.imul(low ^ other, 0xcc9e2d51);
  low ^= low >>> 15;
  high = Math.imul(high + other, 0x1b873593);
  high ^= high >>> 13;
  return joined(mixed(low), mixed(high));
}

/**
 * Returns a function that digests a page of consecutive items in constant time. `offsets` are the starts of the items.
 * The items determine their order, so the sum of their hashes identifies a range, and a difference of prefix sums gives
 * that sum. `rest` is the digest of everything else in the page.
 */
export function digestsOfRanges(
  bytes: Uint8Array,
  offsets: Uint32Array,
): (start: number, end: number, rest: number) => number {
  const sums = new Uint32Array(2 * offsets.length);
  const view = viewOf(bytes);
  for (let index = 1; index < offsets.length; index++) {
    hashInto(sums, 2 * index, view, offsets[index - 1] ?? 0, offsets[index] ?? 0);
    sums[2 * index] = (sums[2 * index] ?? 0) + (sums[2 * index - 2] ?? 0);
    sums[2 * index + 1] = (sums[2 * index + 1] ?? 0) + (sums[2 * index - 1] ?? 0);
  }
  return (start, end, rest) => {
    const low = (sums[2 * end] ?? 0) - (sums[2 * start] ?? 0);
    const high = (sums[2 * end + 1] ?? 0) - (sums[2 * start + 1] ?? 0);
    return joined(mixed(low ^ rest), mixed(high + Math.floor(rest / 2 ** 32)));
  };
}
