// What a build knows of its out folder from the manifest of an earlier one. Files are looked at, not read, each when it
// is asked for at the latest.
import { lstatSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { OutputEntry } from "../file.ts";
import { type Manifest, manifestFile } from "./manifest.ts";
import { isSame, type Stamp, stampOf, unknown } from "./stamp.ts";
import { isUntouched } from "./untouched.mjs";
import type { Tree } from "./walk.ts";

/** To be closed. */
export interface KnownOutput {
  readonly manifest: Manifest;
  /** The index of a file in the manifest, −1 for none. Quickest for files in the manifest's order. */
  indexOf(file: string): number;
  /** Whether the file at an index is as the earlier build left it and has this entry. */
  isKept(index: number, entry: OutputEntry): boolean;
  stampAt(index: number): Stamp;
  /** What is in the out folder. Undefined where only a walk can tell. */
  tree(): Tree | undefined;
  close(): Promise<void>;
}

/** What the second thread is given. */
export interface Inspection {
  readonly manifestFile: string;
  /** A manifest of another time is not the one. */
  readonly time: number;
  readonly root: string;
  /** Of each file: 0 not known yet, 1 untouched, 2 touched. */
  readonly states: Uint8Array;
  /** The last file that the build has looked at itself. */
  readonly position: Int32Array;
}

/** From this many files on a second thread that looks at them is worth its start. */
const many = 10_000;

/** For a manifest that another process may have kept. */
export function inspect(manifest: Manifest, cache: string, root: string): KnownOutput {
  const { entries, inodes, ctimes, time } = manifest;
  const states = new Uint8Array(new SharedArrayBuffer(entries.length));
  const position = new Int32Array(new SharedArrayBuffer(4));
  position[0] = -1;
  const inspection = { manifestFile: manifestFile(cache, root), root, time, states, position };
  const thread = entries.length < many ? undefined : startThread(inspection);
  const isUntouchedAt = (index: number, { file, length }: OutputEntry): boolean => {
    const known = Atomics.load(states, index);
    if (known !== 0) return known === 1;
    Atomics.store(position, 0, index);
    return isUntouched(`${root}/${file}`, length, inodes[index] ?? Number.NaN, ctimes[index] ?? Number.NaN);
  };
  const close = async () => {
    await thread?.terminate();
  };
  return { ...knownBy(manifest, root, isUntouchedAt), close };
}

/**
 * For the manifest of a build that this process has just made. Only folders are looked at, which shows whatever was
 * made, removed, moved or replaced; a file that someone has written into is not noticed. Undefined where folders changed.
 */
export function recall(manifest: Manifest, root: string): KnownOutput | undefined {
  const known = knownBy(manifest, root, () => true);
  return known.tree() === undefined ? undefined : { ...known, close: async () => undefined };
}

function knownBy(
  manifest: Manifest,
  root: string,
  isUntouchedAt: (index: number, entry: OutputEntry) => boolean,
): Omit<KnownOutput, "close"> {
  const { entries, inodes, ctimes } = manifest;
  const indexOf = indexIn(entries);
  let tree: { readonly found: Tree | undefined } | undefined;
  return {
    manifest,
    indexOf,
    stampAt(index) {
      const [inode, ctime] = [inodes[index], ctimes[index]];
      return inode === undefined || ctime === undefined ? unknown : { inode, ctime };
    },
    isKept(index, entry) {
      const known = entries[index];
      if (known === undefined) return false;
      const isSame = known === entry || (known.length === entry.length && known.digest === entry.digest);
      return isSame && isUntouchedAt(index, known);
    },
    tree() {
      tree ??= { found: treeOf(manifest, root, indexOf) };
      return tree.found;
    },
  };
}

/**
 * A build asks for most of its files in the order of the last one, some twice. Only where it leaves that order is a map
 * made, which for many files takes as long as looking at a tenth of them; a few files are searched for.
 */
function indexIn(entries: readonly OutputEntry[]): (file: string) => number {
  let next = 0;
  let searches = 0;
  let indices: ReadonlyMap<string, number> | undefined;
  return (file) => {
    if (entries[next]?.file === file) return next++;
    if (entries[next - 1]?.file === file) return next - 1;
    if (++searches > 20) indices ??= new Map(entries.map((entry, index) => [entry.file, index]));
    const index = indices === undefined ? entries.findIndex((entry) => entry.file === file) : (indices.get(file) ?? -1);
    if (index !== -1) next = index + 1;
    return index;
  };
}

function treeOf(manifest: Manifest, root: string, indexOf: KnownOutput["indexOf"]): Tree | undefined {
  const { entries, folders, device } = manifest;
  if (folders === undefined || lstatSync(root, { throwIfNoEntry: false })?.dev !== device) return undefined;
  for (const [folder, inode, ctime] of folders) {
    const state = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    if (state?.isDirectory() !== true || !isSame(stampOf(state), { inode, ctime })) return undefined;
  }
  return {
    files: {
      size: entries.length,
      has: (file) => indexOf(file) !== -1,
      *[Symbol.iterator]() {
        for (const { file } of entries) yield file;
      },
    },
    folders: new Set(folders.map(([folder]) => folder).filter((folder) => folder !== "")),
    others: new Set(),
  };
}

/** Looking at the files takes as long as everything else in a build that changes little. */
function startThread(inspection: Inspection): Worker {
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const url = new URL("output/inspector-thread.mjs", modulesFolder);
  const thread = new Worker(url, { workerData: inspection, execArgv: [] });
  // The build looks itself at what the thread has not looked at.
  thread.on("error", () => undefined);
  thread.unref();
  return thread;
}
