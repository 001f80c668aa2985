// The loops over all files of the out folder: the walk, and the writes. Both run in this thread or in a second one, which
// loads this file. Plain JavaScript, because a second thread has no loader for TypeScript.
import { closeSync, existsSync, fstatSync, lstatSync, openSync, readdirSync, writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/** @typedef {import("./index-file.ts").IndexEntry} IndexEntry */
/** @typedef {import("./tree.ts").WalkJob} WalkJob */
/** @typedef {import("./writer.ts").Batch} Batch */

/** The end of the staging folder's name, and the whole name if the folder has to be in the out folder. */
export const staging = ".staging";

/** The name of a build, in the lock and at the end of the name of a folder that it puts aside. */
export const ownerForm = /^(?<pid>\d+)-[0-9a-f]{8}-(?<host>.*)$/;

/**
 * Whether an entry of the out folder is a staging folder, current or left behind.
 * @param {string} entry
 */
export const isStaging = (entry) =>
  entry === staging || (entry.startsWith(`${staging}-`) && ownerForm.test(entry.slice(staging.length + 1)));

/**
 * Looks up every entry of the out folder. Corrects the numbers of indexed files: a file that may differ has no digest, and
 * a missing file no number at all. `folders` has outer folders before inner ones. A missing out folder holds nothing.
 * @param {WalkJob} job
 */
export function walk({ root, time, paths, numbers }) {
  const positions = new Map(paths.map((file, position) => [file, position]));
  const isThere = new Uint8Array(paths.length);
  /** @type {Map<string, IndexEntry>} */
  const files = new Map();
  /** @type {[Set<string>, Set<string>, Set<string>]} */
  const [folders, empty, others] = [new Set(), new Set(), new Set()];
  const pending = existsSync(root) ? [""] : [];
  for (const folder of pending) {
    const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
    if (entries.length === 0) empty.add(folder);
    for (const entry of entries) {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isStaging(file)) continue;
      if (entry.isDirectory()) {
        folders.add(file);
        pending.push(file);
        continue;
      }
      const state = lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
      if (state === undefined) continue;
      if (!state.isFile()) {
        others.add(file);
        continue;
      }
      const { size: length, ino: inode } = state;
      const ctime = state.ctimeMs < time ? state.ctimeMs : Number.NaN;
      const position = positions.get(file);
      if (position === undefined) {
        files.set(file, { length, digest: Number.NaN, inode, ctime });
        continue;
      }
      isThere[position] = 1;
      const at = 4 * position;
      if (length !== numbers[at] || inode !== numbers[at + 2] || state.ctimeMs !== numbers[at + 3]) {
        numbers.set([length, Number.NaN, inode, ctime], at);
      }
    }
  }
  for (const position of paths.keys()) {
    if (isThere[position] === 0) numbers.fill(Number.NaN, 4 * position, 4 * position + 4);
  }
  return { files, folders, empty, others };
}

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

/**
 * Writes batches until it receives undefined, then sends the inode and the ctime of each file in turn. `progress` is the
 * number of batches done.
 * @param {Int32Array} progress
 */
function writeBatches(progress) {
  /** @type {number[]} */
  const stamps = [];
  parentPort?.on("message", (/** @type {Batch | undefined} */ batch) => {
    if (batch === undefined) {
      parentPort?.postMessage(Float64Array.from(stamps));
      parentPort?.close();
      return;
    }
    const { folder, names, lengths, bytes } = batch;
    let start = 0;
    for (const [index, name] of names.entries()) {
      const end = start + (lengths[index] ?? 0);
      stamps.push(...writeFile(`${folder}/${name}`, [bytes.subarray(start, end)]));
      start = end;
    }
    Atomics.add(progress, 0, 1);
  });
}

if (workerData?.outputJob === "write") writeBatches(workerData.progress);
if (workerData?.outputJob === "walk") {
  parentPort?.postMessage(walk({ ...workerData, paths: workerData.text.split("\n") }));
}
