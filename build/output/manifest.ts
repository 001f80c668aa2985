// What the last build left in an out folder, so that the next one need not read it all: of each file its length and
// print (see print.ts), and a time after which nothing of it was touched. Every change of a file or folder, its moving and replacing
// included, sets its ctime, which nobody can choose. So what has an older ctime than that time is what it was then.
//
// It is kept outside of the out folder, which is to hold the same bytes whoever has built it. It is a help and not a
// truth: where it is missing, of another form, or of another folder, files are read and compared.
import { createHash } from "node:crypto";
import { lstatSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { keep, readKept } from "../cache/store.ts";
import { modulesFolder } from "../checkout.ts";
import type { Lock } from "./lock.ts";
import { decodeLedger, encodeLedger } from "./manifest-file.mjs";
import { isUntouched } from "./untouched.mjs";
import type { Tree } from "./walk.ts";

/** The files of a build in its order: paths, and of each its length in bytes and its print. */
export interface Columns {
  readonly files: readonly string[];
  readonly lengths: Uint32Array | readonly number[];
  readonly prints: Float64Array | readonly number[];
}

export interface Head {
  /** The out folder's. */
  readonly inode: number;
  /** What has an older ctime, in milliseconds, is as the build left it. */
  readonly time: number;
  /** All folders in the out folder; undefined where there is more in it than the build's files. */
  readonly folders: readonly string[] | undefined;
}

/** What a build has left. */
export type Remains = Head & Columns;

export interface Ledger {
  readonly remains: Remains;
  /** Whether it is that of the last build of this process, whose files are known by their places in it. */
  readonly isRecent: boolean;
  /** Where a file stands in it; −1 where it does not. Quick for files that are asked for in its order. */
  indexOf(file: string): number;
  /** Says where the file stands that is asked for next. */
  seek(index: number): void;
  /** Whether the file there is as the last build left it, and was of this length and print. */
  isKept(index: number, length: number, print: number): boolean;
  /** What is in the out folder, when it is asked for first; undefined where only a walk can tell. */
  tree(): Tree | undefined;
  /** Ends what still goes on. */
  close(): Promise<void>;
}

/** What the second thread is given. */
export interface Lookout {
  /** The ledger's own path. */
  readonly ledger: string;
  /** Its time. A ledger of another time is not the one. */
  readonly time: number;
  readonly root: string;
  /** Of each file: 0 not known yet, 1 untouched, 2 touched. */
  readonly states: Uint8Array;
  /** The last file that the build has looked at itself. */
  readonly position: Int32Array;
}

/** Below this, reading the files is as quick. */
const worthwhile = 1_000;

/** From so many files on a second thread that looks at them is worth its start. */
const many = 10_000;

/** Ledgers of more out folders than this are not kept. */
const maxLedgers = 20;

/**
 * For who holds the folder's lock. `early` is the ledger that was opened before: what was seen since still holds if no
 * folder was touched, for whatever a build does touches one.
 */
export function openLedger(store: string, root: string, early?: Ledger): Ledger | undefined {
  if (early?.tree() !== undefined) return early;
  const remains = readRemains(store, root);
  return remains && lookAt(remains, store, root);
}

/** For who will ask for the lock. Undefined where what is seen until then would be of no use. */
export function openLedgerEarly(store: string, root: string): Ledger | undefined {
  const remains = readRemains(store, root);
  return remains?.folders && lookAt(remains, store, root);
}

function readRemains(store: string, root: string): Remains | undefined {
  const bytes = readKept(fileFor(store, root));
  const remains = bytes && decodeLedger(bytes);
  return remains !== undefined && isThere(remains, root) ? remains : undefined;
}

/** Files are looked at from now on, each once it is asked for at the latest. */
function lookAt(remains: Remains, store: string, root: string): Ledger {
  const { files, time } = remains;
  const states = new Uint8Array(new SharedArrayBuffer(files.length));
  const position = new Int32Array(new SharedArrayBuffer(4));
  position[0] = -1;
  const ledger = fileFor(store, root);
  const thread = files.length < many ? undefined : startThread({ ledger, root, time, states, position });
  return {
    ...ledgerOf(remains, root, (index, length) => {
      const known = Atomics.load(states, index);
      if (known !== 0) return known === 1;
      Atomics.store(position, 0, index);
      return isUntouched(`${root}/${files[index]}`, length, time);
    }),
    isRecent: false,
    close: async () => {
      await thread?.terminate();
    },
  };
}

/**
 * For a process that has made the last build itself, a moment ago. Only folders are looked at, by which whatever was
 * made, removed, moved or replaced is noticed; a file that someone has written into is not.
 */
export function recallLedger(remains: Remains, root: string): Ledger | undefined {
  const ledger = ledgerOf(remains, root, () => true);
  return ledger.tree() === undefined ? undefined : { ...ledger, isRecent: true, close: async () => undefined };
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

const isThere = ({ inode, time }: Head, root: string): boolean =>
  lstatSync(root, { throwIfNoEntry: false })?.ino === inode && time <= Date.now();

function ledgerOf(
  remains: Remains,
  root: string,
  isUntouchedAt: (index: number, length: number) => boolean,
): Omit<Ledger, "isRecent" | "close"> {
  const { files, lengths, prints } = remains;
  const { indexOf, seek } = indexIn(files);
  return {
    remains,
    indexOf,
    seek,
    tree: once(() => treeOf(remains, root, indexOf)),
    isKept: (index, length, print) =>
      lengths[index] === length && prints[index] === print && isUntouchedAt(index, length),
  };
}

/**
 * A build asks for most of its files in the order of the last one, some twice; `seek` tells it of those that it passes
 * over. A few others are searched for; for more there is a map, which for many files takes as long as looking at a tenth of them.
 */
function indexIn(files: readonly string[]): Pick<Ledger, "indexOf" | "seek"> {
  let next = 0;
  let searched = 0;
  let indices: ReadonlyMap<string, number> | undefined;
  return {
    seek(index) {
      next = index;
    },
    indexOf(file) {
      if (files[next] === file) return next++;
      if (files[next - 1] === file) return next - 1;
      if (++searched > 20) indices ??= new Map(files.map((each, index) => [each, index]));
      const index = indices === undefined ? files.indexOf(file) : (indices.get(file) ?? -1);
      if (index !== -1) next = index + 1;
      return index;
    },
  };
}

function treeOf(remains: Remains, root: string, indexOf: Ledger["indexOf"]): Tree | undefined {
  const { files, folders, time } = remains;
  if (folders === undefined || !isThere(remains, root)) return undefined;
  for (const folder of ["", ...folders]) {
    const state = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
    if (state?.isDirectory() !== true || state.ctimeMs >= time) return undefined;
  }
  return {
    files: { size: files.length, has: (file) => indexOf(file) !== -1, [Symbol.iterator]: () => files.values() },
    folders: new Set(folders),
    others: new Set(),
  };
}

/** Looking at files takes as long as all else in a build that changes little; so a second thread does. */
function startThread(lookout: Lookout): Worker {
  // It needs nothing that this process has been started with, such as a loader for TypeScript.
  const thread = new Worker(new URL("output/stat-thread.mjs", modulesFolder), { workerData: lookout, execArgv: [] });
  // What it has not looked at, the build looks at itself.
  thread.on("error", () => undefined);
  thread.unref();
  return thread;
}

/**
 * What there is in the out folder now. `folders` are all that it holds, undefined where there is more in it than the
 * build. Undefined where the system does not tell.
 */
export async function takeStock(
  root: string,
  lock: Lock,
  { files, lengths, prints }: Columns,
  folders: readonly string[] | undefined,
): Promise<Remains | undefined> {
  try {
    const time = await timeAfter(path.join(lock.folder, "time"));
    return { inode: lstatSync(root).ino, time, folders, files, lengths, prints };
  } catch {
    // Without it the next build does the same and takes longer.
    return undefined;
  }
}

/** It does not matter if it cannot be kept. */
export function keepLedger(store: string, root: string, remains: Remains): void {
  const file = fileFor(store, root);
  try {
    if (remains.files.length < worthwhile) rmSync(file, { force: true });
    else keep(file, encodeLedger(remains), maxLedgers);
  } catch {
    // Without it, or with an older one, the next build does the same and takes longer.
  }
}

/** The file system's time, once the present moment is past: what was done until now has an older ctime. */
async function timeAfter(probe: string): Promise<number> {
  const now = () => {
    writeFileSync(probe, "");
    return statSync(probe).ctimeMs;
  };
  const first = now();
  for (let tries = 0; ; tries++) {
    const time = now();
    if (time > first || tries === 5) return time;
    await sleep(5);
  }
}

const fileFor = (store: string, root: string): string =>
  path.join(store, createHash("sha256").update(root).digest("hex").slice(0, 32));
