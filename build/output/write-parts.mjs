// How both threads of writer.ts write a file. Plain JavaScript, because the second one has no loader for TypeScript.
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/** How many bytes are put together before they are written. Parts that are longer are written by themselves. */
export const scratchLength = 1 << 20;

/**
 * Returns the inode and the ctime in milliseconds. Throws the system's error.
 * @param {string} file
 * @param {readonly Uint8Array[]} parts
 * @param {Uint8Array} scratch Memory of that length, to be used again for the next file.
 * @returns {[inode: number, ctime: number]}
 */
export function writeParts(file, parts, scratch) {
  const descriptor = openSync(file, "w");
  try {
    let end = 0;
    for (const part of parts) {
      if (end + part.length > scratch.length) {
        writeAll(descriptor, scratch, end);
        end = 0;
      }
      if (part.length > scratch.length) writeAll(descriptor, part, part.length);
      else {
        scratch.set(part, end);
        end += part.length;
      }
    }
    writeAll(descriptor, scratch, end);
    const { ino, ctimeMs } = fstatSync(descriptor);
    return [ino, ctimeMs];
  } finally {
    closeSync(descriptor);
  }
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} bytes
 * @param {number} length
 */
function writeAll(descriptor, bytes, length) {
  for (let done = 0; done < length; ) done += writeSync(descriptor, bytes, done, length - done);
}
