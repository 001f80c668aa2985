// Compares planned files with those that are there, and writes those that differ into the staging folder. Runs in the main
// thread and in a second one, which loads this file: plain JavaScript, because a thread has no loader for TypeScript.
import { closeSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";

/** @typedef {import("./writer.ts").Batch} Batch */

const chunk = 1 << 20;

/**
 * Returns a function that compares a file and writes it if it differs. It returns the length that the file had before, -1 if
 * there was none, and undefined if the file is there with the same bytes.
 * @param {string} root
 * @param {string} staging
 */
export function settler(root, staging) {
  const folders = new Set([".", ""]);
  const scratch = Buffer.allocUnsafeSlow(chunk + 1);

  /**
   * Not { recursive: true }, which would create again the folders that vanished with the lock. The other thread may create
   * the same folder.
   * @param {string} folder
   */
  function addFolder(folder) {
    if (folders.has(folder)) return;
    addFolder(path.posix.dirname(folder));
    try {
      mkdirSync(`${staging}/${folder}`);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    folders.add(folder);
  }

  /**
   * @param {Batch["files"][number]} file
   * @param {() => Iterable<Uint8Array>} parts
   * @returns {number | undefined}
   */
  return ({ file, length, isThere }, parts) => {
    let before = -1;
    if (isThere) {
      const descriptor = openSync(`${root}/${file}`, "r");
      try {
        if (isSame(descriptor, parts(), length, scratch)) return undefined;
        before = fstatSync(descriptor).size;
      } finally {
        closeSync(descriptor);
      }
    }
    addFolder(path.posix.dirname(file));
    const descriptor = openSync(`${staging}/${file}`, "w");
    try {
      for (const part of parts()) {
        for (let done = 0; done < part.length; ) done += writeSync(descriptor, part, done);
      }
    } finally {
      closeSync(descriptor);
    }
    return before;
  };
}

/**
 * Whether an open file has the bytes of the parts, of this length together.
 * @param {number} descriptor
 * @param {Iterable<Uint8Array>} parts
 * @param {number} length
 * @param {Buffer} scratch
 */
function isSame(descriptor, parts, length, scratch) {
  let left = length;
  for (const part of parts) {
    for (let at = 0; at < part.length; at += chunk) {
      const size = Math.min(chunk, part.length - at);
      // At the end, reads one byte more than expected.
      const read = readSync(descriptor, scratch, 0, left === size ? size + 1 : size, null);
      if (read !== size || scratch.compare(part, at, at + size, 0, size) !== 0) return false;
      left -= size;
    }
  }
  return length > 0 || readSync(descriptor, scratch, 0, 1, null) === 0;
}

/**
 * Settles the files of a batch. Returns what the function of `settler` returns for each.
 * @param {ReturnType<typeof settler>} settle
 * @param {Batch} batch
 */
export function settleAll(settle, { files, bytes }) {
  let start = 0;
  return files.map((file) => {
    const end = start + file.length;
    const before = settle(file, () => [bytes.subarray(start, end)]);
    start = end;
    return before;
  });
}

if (workerData?.isOutputThread === true) {
  const settle = settler(workerData.root, workerData.staging);
  parentPort?.on("message", (/** @type {Batch} */ batch) => {
    const lengths = settleAll(settle, batch);
    // The memory goes back, because this thread seldom collects its garbage.
    parentPort?.postMessage({ lengths, bytes: batch.bytes }, [batch.bytes.buffer]);
  });
}
