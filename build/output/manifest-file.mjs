// A ledger's file, as plain JavaScript for the second thread's sake: a line of JSON, and behind it, in the order of the
// build, the prints of all files as 64-bit floats, their lengths as 32-bit integers, and their paths, a line each.
import { endianness } from "node:os";

/** A ledger of a machine that lays numbers out another way is not understood. */
const form = `edge-api ledger 2 ${endianness()}`;

/** @param {import("./manifest.ts").Remains} remains */
export function encodeLedger({ inode, time, folders, files, lengths, prints }) {
  const paths = Buffer.from(files.join("\n"));
  const line = JSON.stringify([form, files.length, paths.length, inode, time, folders]);
  return Buffer.concat([
    Buffer.from(`${line}\n`),
    Buffer.from(Float64Array.from(prints).buffer),
    Buffer.from(Uint32Array.from(lengths).buffer),
    paths,
  ]);
}

/**
 * Undefined where it is torn, of another form, or something else.
 * @param {Buffer} bytes
 * @returns {import("./manifest.ts").Remains | undefined}
 */
export function decodeLedger(bytes) {
  const start = bytes.indexOf("\n") + 1;
  const [ownForm, count, length, inode, time, folders] = parse(bytes.toString("utf8", 0, start));
  if (ownForm !== form || bytes.length !== start + count * 12 + length) return undefined;
  const numbers = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + count * 12);
  return {
    inode,
    time,
    folders: folders ?? undefined,
    prints: new Float64Array(numbers, 0, count),
    lengths: new Uint32Array(numbers, count * 8, count),
    files: bytes.toString("utf8", start + count * 12).split("\n"),
  };
}

/** @param {string} line */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    // Not a ledger.
    return [];
  }
}
