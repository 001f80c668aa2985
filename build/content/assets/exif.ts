// Whether a photo says where it was taken: EXIF data of a JPEG with a latitude.
// https://www.cipa.jp/std/documents/e/DC-008-2012_E.pdf

const tags = { gps: 0x8825, latitude: 2 } as const;

/** `head` are the first bytes of a JPEG, which has its EXIF data at the start. */
export function hasPosition(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const exif = bytes.indexOf("Exif\0\0", 0, "latin1");
  // The data is in the first segments, and no longer than 64 kB.
  if (exif === -1 || exif > 1 << 16) return false;
  const tiff = bytes.subarray(exif + 6);
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return false;
  const isLittle = order === "II";
  const read = (at: number, length: 2 | 4): number | undefined => {
    if (at + length > tiff.length) return undefined;
    return isLittle ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length);
  };
  const gps = valueOfTag(tags.gps, read(4, 4), read);
  return gps !== undefined && valueOfTag(tags.latitude, gps, read) !== undefined;
}

/** The value or the offset of a tag in the directory at an offset. */
function valueOfTag(
  tag: number,
  directory: number | undefined,
  read: (at: number, length: 2 | 4) => number | undefined,
): number | undefined {
  if (directory === undefined) return undefined;
  const count = read(directory, 2) ?? 0;
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (read(entry, 2) === tag) return read(entry + 8, 4);
  }
  return undefined;
}
