// The out folder as a build finds it. Every entry is looked up, in a second thread if there are many, while this one reads
// the content. Then this one helps: of a build of 10,000 records with every page size in which nothing changed, the walk is
// half of the work.
import { lstatSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import type { OutputFile } from "../file.ts";
import type { Index, IndexEntry } from "./index-file.ts";
import { folderOf, openLookUp, step, walk } from "./output-thread.mjs";

/** Entries are paths relative to the out folder, with slashes. */
export interface Tree {
  /** Undefined if there is no plain file. The digest is NaN unless the file is as the index has it. */
  get(file: string): IndexEntry | undefined;
  /** The plain files that are not in the index. */
  readonly files: ReadonlyMap<string, IndexEntry>;
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
  /**
   * The position of a file in the index, −1 if it is not there. Quickest in the order of the index, in which a file with the
   * digest of the index needs no path.
   */
  positionOf(file: OutputFile, digest: number): number;
  /** The next file is at this position, unless it is somewhere else. */
  skipTo(position: number): void;
  /** Resolves once this position of the index has been looked up, with the number of positions that have. */
  reach(position: number): Promise<number>;
  tree(): Promise<Tree>;
  stop(): unknown;
}

export interface WalkJob extends Pick<Index, "paths" | "numbers"> {
  readonly root: string;
  /** The time of the file system. */
  readonly time: number;
  /** Shared by the threads; see `openLookUp`. */
  readonly progress: Int32Array;
}

type Rest = Omit<Tree, "get">;

/** From this many files on, a thread is worth its start. */
export const many = 2_000;

/** `beat` is called while this thread waits for the other one. A missing folder holds nothing. */
export function startWalk(root: string, index: Index, time: number, beat: () => void): Walk {
  const { paths, numbers } = index;
  const progress = new Int32Array(new SharedArrayBuffer(4 + 4 * Math.ceil(paths.length / step)));
  const job = { root, time, paths, numbers, progress };
  if (paths.length < many) return walkOf(job, index, Promise.resolve(walk(job)), beat);
  // A thread copies one text sooner than many.
  const { result, stop } = startThread<Rest>("walk", { ...job, paths: [], text: paths.join("\n") });
  return walkOf(job, index, result, beat, stop);
}

function walkOf(
  job: WalkJob,
  index: Index,
  rest: Promise<Rest>,
  beat: () => void,
  stop: Walk["stop"] = () => undefined,
): Walk {
  const { paths, numbers, progress } = job;
  const helpOut = openLookUp(job);
  let done = 0;
  let next = 0;
  let positions: ReadonlyMap<string, number> | undefined;
  const skipTo = (position: number) => {
    next = position % paths.length;
  };
  const lookUp = (file: string): number => {
    if (paths[next] === file) return next;
    positions ??= new Map(paths.map((each, index) => [each, index]));
    return positions.get(file) ?? -1;
  };
  const reach = async (position: number): Promise<number> => {
    for (;;) {
      while (done < progress.length - 1 && Atomics.load(progress, done + 1) === 1) done++;
      const count = Math.min(done * step, paths.length);
      if (position < count) return count;
      beat();
      if (!helpOut()) await Promise.race([sleep(1), rest]);
    }
  };
  return {
    index,
    positionOf(file, digest) {
      const position = numbers[4 * next + 1] === digest ? next : lookUp(file.entry.file);
      if (position >= 0) skipTo(position + 1);
      return position;
    },
    skipTo,
    reach,
    async tree() {
      await reach(paths.length - 1);
      const others = await rest;
      return { ...others, get: (file) => entryAt(index, lookUp(file)) ?? others.files.get(file) };
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

/** The state that a build leaves, for the next build of the same process. The index has all entries that are no folders. */
export interface Left extends Index {
  /** Device, inode and ctime of each folder by its path, which is empty for the out folder. */
  readonly folders: ReadonlyMap<string, string>;
  /** The number of files that the kept index does not have as they are. */
  readonly behind: number;
}

/** The folders of these files as they are now, and the others as they were. */
export function stampFolders(root: string, files: Iterable<string>, others: Left["folders"] = new Map()) {
  const folders = new Map(others);
  for (const folder of foldersOf(files)) {
    const stamp = stampOf(`${root}/${folder}`);
    if (stamp === "") folders.delete(folder);
    else folders.set(folder, stamp);
  }
  return folders;
}

/**
 * The walk's result if no entry was added, removed or replaced since; undefined if one was. It saves a build under dev the
 * walk, which takes most of its time. A file that was modified in place goes unnoticed until the next process builds.
 */
export function walkOfLeft(root: string, { folders, ...index }: Left): Walk | undefined {
  for (const [folder, stamp] of folders) if (stampOf(`${root}/${folder}`) !== stamp) return undefined;
  const names = new Set([...folders.keys()].filter((each) => each !== "").sort());
  const rest = { files: new Map(), folders: names, empty: new Set<string>(), others: new Set<string>() };
  const progress = new Int32Array(1 + Math.ceil(index.paths.length / step)).fill(1);
  return walkOf({ ...index, root, time: 0, progress }, index, Promise.resolve(rest), () => undefined);
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
