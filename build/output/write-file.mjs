// How both threads of writer.ts write a file. Plain JavaScript, because the second one has no loader for TypeScript.
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";

/**
 * Returns the inode and the ctime in milliseconds. Throws the system's error.
 * @param {string} file
 * @param {readonly Uint8Array[]} parts
 * @returns {[inode: number, ctime: number]}
 */
export function writeFile(file, parts) {
  const descriptor = openSync(file, "w");
  try {
    for (const part of parts) {
      for (let done = 0; done < part.length; ) done += writeSync(descriptor, part, done);
    }
    const { ino, ctimeMs } = fstatSync(descriptor);
    return [ino, ctimeMs];
  } finally {
    closeSync(descriptor);
  }
}
