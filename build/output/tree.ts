// The out folder as a build finds it. Every entry is looked up, in a second thread if there are many, while this one reads
// the content and compares the pages: of a build of 10,000 records with every page size in which nothing changed, the walk
// is half of the work.
import { lstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { Index, IndexEntry } from "./index-file.ts";
import { walk } from "./output-thread.mjs";

/** Entries are paths relative to the out folder, with slashes. */
export interface Tree {
  /** Undefined if there is no plain file. The digest is NaN unless the file is as the index has it. */
  get(file: string): IndexEntry | undefined;
  /** The plain files. */
  files(): Iterable<string>;
  /** Outer folders before inner ones. */
  readonly folders: ReadonlySet<string>;
  /** The folders that hold nothing. */
  readonly empty: ReadonlySet<string>;
  /** Links, which are not followed, and special files such as pipes. */
  readonly others: ReadonlySet<string>;
}

/** A tree that may still be walked. */
export interface Walk {
  /** Entries that have been looked up are up to date. The numbers of a missing file are NaN. */
  readonly index: Index;
  /** The position of a file in the index, −1 if it is not there. Quickest in the order of the index. */
  positionOf(file: string): number;
  /** Resolves once this position of the index has been looked up, with the number of positions that have. */
  reach(position: number): Promise<number>;
  tree(): Promise<Tree>;
  stop(): unknown;
}

export interface WalkJob extends Pick<Index, "paths" | "numbers"> {
  readonly root: string;
  /** The time of the file system. */
  readonly time: number;
  readonly progress: Int32Array;
}

type Rest = Omit<Tree, "get" | "files"> & { readonly files: ReadonlyMap<string, IndexEntry> };

/** From this many files on, a thread is worth its start. */
export const many = 2_000;

/** `beat` is called while this thread waits for the other one. A missing folder holds nothing. */
export function startWalk(root: string, index: Index, time: number, beat: () => void): Walk {
  const { paths, numbers } = index;
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const job = { root, time, numbers, progress };
  if (paths.length < many) return walkOf(index, progress, Promise.resolve(walk({ ...job, paths })), beat);
  // A thread copies one text sooner than many.
  const { result, stop } = startThread<Rest>("walk", { ...job, text: paths.join("\n") });
  return walkOf(index, progress, result, beat, stop);
}

function walkOf(
  index: Index,
  progress: Int32Array,
  rest: Promise<Rest>,
  beat: () => void,
  stop: Walk["stop"] = () => undefined,
): Walk {
  const { paths, numbers } = index;
  let next = 0;
  let positions: ReadonlyMap<string, number> | undefined;
  const positionOf = (file: string): number => {
    let position = next;
    if (paths[next] !== file) {
      positions ??= new Map(paths.map((each, index) => [each, index]));
      position = positions.get(file) ?? -1;
    }
    if (position >= 0) next = (position + 1) % paths.length;
    return position;
  };
  const reach = async (position: number): Promise<number> => {
    for (;;) {
      const count = Atomics.load(progress, 0);
      if (position < count) return count;
      beat();
      await Promise.race([sleep(1), rest]);
    }
  };
  return {
    index,
    positionOf,
    reach,
    async tree() {
      await reach(paths.length - 1);
      const { files, ...others } = await rest;
      const isThere = (position: number) => !Number.isNaN(numbers[4 * position]);
      return {
        ...others,
        get: (file) => entryAt(index, positionOf(file)) ?? files.get(file),
        *files() {
          for (const [position, file] of paths.entries()) if (isThere(position)) yield file;
          yield* files.keys();
        },
      };
    },
    stop,
  };
}

/** Undefined if the file is missing, or the position is −1. */
export function entryAt({ numbers }: Index, position: number): IndexEntry | undefined {
  const [length = Number.NaN, digest = Number.NaN, inode = Number.NaN, ctime = Number.NaN] =
    position < 0 ? [] : numbers.subarray(4 * position, 4 * position + 4);
  return Number.isNaN(length) ? undefined : { length, digest, inode, ctime };
}

/** Runs a job of output-thread.mjs. `data` is copied, apart from shared memory. */
export function startThread<Result>(outputJob: "walk" | "write", data: object) {
  // It needs nothing that this process was started with, such as a loader for TypeScript.
  const file = new URL("output/output-thread.mjs", modulesFolder);
  const worker = new Worker(file, { workerData: { ...data, outputJob }, execArgv: [] });
  const result = new Promise<Result>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  // A failure counts once somebody awaits the result. Until then it is not an unhandled rejection.
  result.catch(() => undefined);
  return { worker, result, stop: () => worker.terminate() };
}

/** The state that a build leaves, for the next build of the same process. */
export interface Left extends Index {
  /** Device, inode and ctime of each folder by its path, which is empty for the out folder. */
  readonly folders: ReadonlyMap<string, string>;
}

/** The index has all entries of the folder that are not folders. */
export const leftIn = (root: string, { key, paths, numbers }: Index): Left => ({
  key,
  paths,
  numbers,
  folders: new Map([...foldersOf(paths)].map((folder) => [folder, stampOf(`${root}/${folder}`)])),
});

/**
 * The walk's result if no entry was added, removed or replaced since; undefined if one was. It saves a build under dev the
 * walk, which takes most of its time. A file that was modified in place goes unnoticed until the next process builds.
 */
export function walkOfLeft(root: string, { folders, ...index }: Left): Walk | undefined {
  for (const [folder, stamp] of folders) if (stampOf(`${root}/${folder}`) !== stamp) return undefined;
  const names = new Set([...folders.keys()].filter((each) => each !== "").sort());
  const rest = { files: new Map(), folders: names, empty: new Set<string>(), others: new Set<string>() };
  return walkOf(index, Int32Array.of(index.paths.length), Promise.resolve(rest), () => undefined);
}

/** Of a path that holds no folder the empty text. */
function stampOf(folder: string): string {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return state?.isDirectory() === true ? `${state.dev} ${state.ino} ${state.ctimeMs}` : "";
}

/** The folders of files, outer ones included. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const file of files) {
    for (let name = folderOf(file); !folders.has(name); name = folderOf(name)) folders.add(name);
  }
  return folders;
}

const folderOf = (entry: string): string => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
