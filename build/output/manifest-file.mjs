// The file that holds a manifest, as plain JavaScript because a thread without a TypeScript loader reads it: a line of
// JSON, then in the order of the build the digests, inodes and ctimes of all files as 64-bit floats, their lengths as
// 32-bit integers, and their paths, one per line.
import { endianness } from "node:os";

/** A machine with the other byte order does not understand it. */
const form = `edge-api manifest 4 ${endianness()}`;

/** The bytes of each file's numbers. */
const width = 3 * 8 + 4;

/** @param {import("./manifest.ts").Manifest} manifest */
export function encodeManifest({ device, inode, time, folders, entries, inodes, ctimes }) {
  const paths = Buffer.from(entries.map(({ file }) => file).join("\n"));
  const line = JSON.stringify([form, entries.length, paths.length, device, inode, time, folders]);
  return Buffer.concat([
    Buffer.from(`${line}\n`),
    Buffer.from(Float64Array.from(entries, ({ digest }) => digest).buffer),
    Buffer.from(inodes.buffer),
    Buffer.from(ctimes.buffer),
    Buffer.from(Uint32Array.from(entries, ({ length }) => length).buffer),
    paths,
  ]);
}

/**
 * Undefined where it is torn, of another form, or something else.
 * @param {Buffer} bytes
 * @returns {import("./manifest.ts").Manifest | undefined}
 */
export function decodeManifest(bytes) {
  const start = bytes.indexOf("\n") + 1;
  const [ownForm, count, pathsLength, device, inode, time, folders] = parse(bytes.toString("utf8", 0, start));
  if (ownForm !== form || bytes.length !== start + count * width + pathsLength) return undefined;
  const numbers = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + count * width);
  const [digests, inodes, ctimes] = [0, 1, 2].map((column) => new Float64Array(numbers, column * count * 8, count));
  const lengths = new Uint32Array(numbers, 3 * count * 8, count);
  const files = bytes.toString("utf8", start + count * width).split("\n");
  const entries = Array.from({ length: count }, (_, index) => ({
    file: files[index] ?? "",
    length: lengths[index] ?? 0,
    digest: digests[index] ?? 0,
  }));
  return { device, inode, time, folders: folders ?? undefined, entries, inodes, ctimes };
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    // Not a manifest.
    return [];
  }
}
