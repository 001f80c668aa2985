// The file that holds a manifest, as plain JavaScript because a thread without a TypeScript loader reads it: a line of
// JSON, then in the order of the build the digests and the stamps of all files as 64-bit floats, their lengths as 32-bit
// integers, and their paths, one per line.
import { endianness } from "node:os";

/** A machine with the other byte order does not understand it. */
const form = `edge-api manifest 6 ${endianness()}`;

/** The bytes of each file's numbers. */
const width = 3 * 8 + 4;

/** @param {import("./manifest.ts").Manifest} manifest */
export function encodeManifest({ device, inode, time, folders, files, lengths, digests, stamps }) {
  const paths = Buffer.from(files.join("\n"));
  const line = JSON.stringify([form, files.length, paths.length, device, inode, time, folders]);
  return Buffer.concat([
    Buffer.from(`${line}\n`),
    Buffer.from(digests.buffer),
    Buffer.from(stamps.buffer),
    Buffer.from(lengths.buffer),
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
  const numbers = new Uint8Array(bytes.subarray(start, start + count * width)).buffer;
  return {
    device,
    inode,
    time,
    folders: folders ?? undefined,
    files: bytes.toString("utf8", start + count * width).split("\n"),
    digests: new Float64Array(numbers.slice(0, count * 8)),
    stamps: new Float64Array(numbers.slice(count * 8, count * 24)),
    lengths: new Uint32Array(numbers.slice(count * 24)),
  };
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
