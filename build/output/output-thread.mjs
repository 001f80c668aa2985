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

/** How many indexed files are looked up at a time. */
export const step = 256;

/**
 * Returns a function that looks up the next indexed files which no thread has claimed, and returns false if there are none.
 * The numbers of a file that differs are replaced in place, those of a missing file by NaN. A file below a link is missing.
 * The first number of `progress` counts the claimed steps; the others are 1 for each step that is done.
 * @param {WalkJob} job
 */
export function openLookUp({ root, time, paths, numbers, progress }) {
  /** @type {Map<string, boolean>} */
  const folders = new Map();
  /** @type {(folder: string) => boolean} */
  const isFolder = (folder) => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const state = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    const is = state?.isDirectory() === true && (folder === "" || isFolder(folderOf(folder)));
    folders.set(folder, is);
    return is;
  };
  return () => {
    const claimed = Atomics.add(progress, 0, 1);
    const [start, end] = [claimed * step, Math.min(claimed * step + step, paths.length)];
    if (start >= end) return false;
    for (let position = start; position < end; position++) {
      const file = paths[position] ?? "";
      const state = isFolder(folderOf(file)) ? lstatSync(`${root}/${file}`, { throwIfNoEntry: false }) : undefined;
      const at = 4 * position;
      if (!state?.isFile()) numbers.fill(Number.NaN, at, at + 4);
      else if (state.size !== numbers[at] || state.ino !== numbers[at + 2] || state.ctimeMs !== numbers[at + 3]) {
        const ctime = state.ctimeMs < time ? state.ctimeMs : Number.NaN;
        numbers.set([state.size, Number.NaN, state.ino, ctime], at);
      }
    }
    Atomics.store(progress, claimed + 1, 1);
    Atomics.notify(progress, claimed + 1);
    return true;
  };
}

/**
 * Looks up the indexed files together with other threads. Returns the entries that are not indexed files, as far as they are
 * not below a link. `folders` has outer folders before inner ones.
 * @param {WalkJob} job
 */
export function walk(job) {
  const { root, time, paths, numbers, progress } = job;
  const lookUp = openLookUp(job);
  while (lookUp());
  for (let each = 1; each < progress.length; each++) Atomics.wait(progress, each, 0);
  const [folders, empty] = [foldersIn(root), new Set()];
  /** @type {Map<string, IndexEntry>} */
  const files = new Map();
  /** Links and special files. @type {Set<string>} */
  const others = new Set();
  /** @type {(position: number) => boolean} */
  const isThere = (position) => !Number.isNaN(numbers[4 * position]);
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const [position, file] of paths.entries()) {
    const folder = folderOf(file);
    if (isThere(position)) found.set(folder, (found.get(folder) ?? 0) + 1);
  }
  let indexed;
  for (const [folder, { count, isEmpty }] of folders) {
    if (isEmpty) empty.add(folder);
    // If nobody has added an entry, the count suffices. A set of all names takes longer.
    if (count === (found.get(folder) ?? 0)) continue;
    indexed ??= new Set(paths.filter((_, position) => isThere(position)));
    for (const name of readdirSync(`${root}/${folder}`)) {
      const file = join(folder, name);
      if (isStaging(file)) continue;
      const state = indexed.has(file) ? undefined : lstatSync(`${root}/${file}`, { throwIfNoEntry: false });
      if (state?.isFile()) {
        const ctime = state.ctimeMs < time ? state.ctimeMs : Number.NaN;
        files.set(file, { length: state.size, digest: Number.NaN, inode: state.ino, ctime });
      } else if (state && !state.isDirectory()) others.add(file);
    }
  }
  folders.delete("");
  return { files, folders: new Set(folders.keys()), empty, others };
}

/** @param {string} entry */
export const folderOf = (entry) => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));

/** @param {string} folder @param {string} name */
const join = (folder, name) => (folder === "" ? name : `${folder}/${name}`);

/**
 * The folders that are no links, with the number of their entries that are not folders.
 * @param {string} root
 */
function foldersIn(root) {
  /** @type {Map<string, {count: number, isEmpty: boolean}>} */
  const folders = new Map();
  const pending = existsSync(root) ? [""] : [];
  for (const folder of pending) {
    const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
    let count = 0;
    for (const entry of entries) {
      const name = join(folder, entry.name);
      if (isStaging(name)) continue;
      if (entry.isDirectory()) pending.push(name);
      else count++;
    }
    folders.set(folder, { count, isEmpty: entries.length === 0 });
  }
  return folders;
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
 * @param {{progress: Int32Array}} job
 */
function writeBatches({ progress }) {
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

if (workerData?.outputJob === "write") writeBatches(workerData);
if (workerData?.outputJob === "walk") {
  parentPort?.postMessage(walk({ ...workerData, paths: workerData.text.split("\n") }));
}
