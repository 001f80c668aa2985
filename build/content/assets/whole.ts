// Whether a picture goes on to its end. Uploads that break off leave files that have a size, and pictures that have none of
// their lower rows.

/** The chunk IEND, which is empty: https://www.w3.org/TR/png-3/#11IEND */
const endOfPng = Buffer.from("\0\0\0\0IEND");
const endOfJpeg = Buffer.from([0xff, 0xd9]);

/**
 * Whether a file ends before the picture does, as far as its type shows it. `head`: the first bytes of the file; `lastOf`
 * returns the offset of the last occurrence of some bytes in the file, -1 if there is none.
 */
export function isCutOff(type: string, size: number, head: Uint8Array, lastOf: (bytes: Buffer) => number): boolean {
  switch (type) {
    case "image/png":
      return lastOf(endOfPng) === -1;
    case "image/jpeg": {
      // A preview among the descriptions has an end of its own. Some cameras write a film behind the photo.
      const scan = scanIn(head);
      return scan !== undefined && lastOf(endOfJpeg) < scan;
    }
    case "image/webp":
      return size < 8 + Buffer.from(head.subarray(4, 8)).readUInt32LE();
    case "image/avif":
      return size < endOfBoxes(Buffer.from(head.buffer, head.byteOffset, head.length));
    default:
      return false;
  }
}

/** The offset of the first scan, behind the descriptions: ITU-T T.81, annex B. Undefined if it is not in the head. */
function scanIn(head: Uint8Array): number | undefined {
  let at = 2;
  while (head[at] === 0xff) {
    const marker = head[at + 1] ?? 0;
    if (marker === 0xda) return at;
    // Any number of 0xff may fill the space before a marker.
    at += marker === 0xff ? 1 : 2 + 256 * (head[at + 2] ?? 0) + (head[at + 3] ?? 0);
  }
  return undefined;
}

/** The end of the last box that starts in the head: ISO/IEC 14496-12, section 4.2. Other bytes may follow it. */
function endOfBoxes(head: Buffer): number {
  let at = 0;
  while (at + 8 <= head.length && /^[a-zA-Z0-9 ]{4}$/.test(head.toString("latin1", at + 4, at + 8))) {
    const size = head.readUInt32BE(at);
    // A box of the size 0 goes on to the end of the file, and 1 says that the size follows the name.
    if (size === 0 || (size === 1 && at + 16 > head.length)) break;
    at += size === 1 ? Number(head.readBigUInt64BE(at + 8)) : Math.max(size, 8);
  }
  return at;
}

/** The offset of the last occurrence of some bytes in the parts of a file, -1 if there is none. */
export function lastIn(parts: Iterable<Uint8Array>, bytes: Buffer): number {
  const shared = bytes.length - 1;
  let last = -1;
  let start = 0;
  /** The end of the parts before, in which an occurrence may begin. */
  let before = Buffer.alloc(0);
  for (const part of parts) {
    const between = Buffer.concat([before, part.subarray(0, shared)]).lastIndexOf(bytes);
    const within = Buffer.from(part.buffer, part.byteOffset, part.length).lastIndexOf(bytes);
    if (within !== -1) last = start + within;
    else if (between !== -1) last = start - before.length + between;
    const end = Buffer.concat([before, part.subarray(-shared)]);
    before = end.subarray(Math.max(0, end.length - shared));
    start += part.length;
  }
  return last;
}
