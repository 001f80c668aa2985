// What a build knows of its out folder from the manifest of an earlier one. Files are looked at, not read, each when it
// is asked for at the latest.
import { lstatSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { OutputEntry } from "../file.ts";
import { type Manifest, manifestFile } from "./manifest.ts";
import { isSame, stampOf } from "./stamp.ts";
import { isUntouched } from "./untouched.mjs";
import type { Tree } from "./walk.ts";

/** To be closed. */
export interface KnownOutput {
  readonly manifest: Manifest;
  /** The index of a file in the manifest, −1 for none. Quickest for files in the manifest's order. */
  indexOf(file: string): number;
  /** Whether the file at an index is as the earlier build left it. */
  isUntouched(index: number): boolean;
  /** The same of one that must have this entry. */
  isKept(index: number, entry: OutputEntry): boolean;
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
  const { files, stamps, time } = manifest;
  const states = new Uint8Array(new SharedArrayBuffer(files.length));
  const position = new Int32Array(new SharedArrayBuffer(4));
  position[0] = -1;
  const inspection = { manifestFile: manifestFile(cache, root), root, time, states, position };
  const thread = files.length < many ? undefined : startThread(inspection);
  const isUntouchedAt = (index: number, length: number | undefined): boolean => {
    const known = Atomics.load(states, index);
    if (known !== 0) return known === 1;
    Atomics.store(position, 0, index);
    return isUntouched(`${root}/${files[index]}`, length, stamps[2 * index], stamps[2 * index + 1]);
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
  isUntouchedAt: (index: number, length: number | undefined) => boolean,
): Omit<KnownOutput, "close"> {
  const { lengths, digests } = manifest;
  const indexOf = indexIn(manifest.files);
  let tree: { readonly found: Tree | undefined } | undefined;
  return {
    manifest,
    indexOf,
    isUntouched: (index) => isUntouchedAt(index, lengths[index]),
    isKept: (index, { length, digest }) =>
      lengths[index] === length && digests[index] === digest && isUntouchedAt(index, length),
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
function indexIn(files: readonly string[]): (file: string) => number {
  let next = 0;
  let searches = 0;
  let indices: ReadonlyMap<string, number> | undefined;
  return (file) => {
    if (files[next] === file) return next++;
    if (files[next - 1] === file) return next - 1;
    if (++searches > 20) indices ??= new Map(files.map((each, index) => [each, index]));
    const index = indices === undefined ? files.indexOf(file) : (indices.get(file) ?? -1);
    if (index !== -1) next = index + 1;
    return index;
  };
}

function treeOf(manifest: Manifest, root: string, indexOf: KnownOutput["indexOf"]): Tree | undefined {
  const { files, folders, device } = manifest;
  if (folders === undefined || lstatSync(root, { throwIfNoEntry: false })?.dev !== device) return undefined;
  for (const [folder, inode, ctime] of folders) {
    const state = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    if (state?.isDirectory() !== true || !isSame(stampOf(state), { inode, ctime })) return undefined;
  }
  return {
    files: { size: files.length, has: (file) => indexOf(file) !== -1, [Symbol.iterator]: () => files.values() },
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
