// What the last build left in an out folder, so that the next one need not read it all: of each file its length and
// print, and a time after which nothing of it was touched. Every change of a file or folder, its moving and replacing
// included, sets its ctime, which nobody can choose. So what has an older ctime than that time is what it was then.
//
// It is kept outside of the out folder, which is to hold the same bytes whoever has built it. It is a help and not a
// truth: where it is missing, of another form, or of another folder, files are read and compared.
import { createHash } from "node:crypto";
import { lstatSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { modulesFolder } from "../checkout.ts";
import { keep, readKept } from "./kept.ts";
import type { Lock } from "./lock.ts";
import { isUntouched } from "./untouched.mjs";
import type { Tree } from "./walk.ts";

export interface Ledger {
  /** Whether a file is as the last build left it, and was of this length and print. */
  isKept(file: string, length: number, print: number): boolean;
  /** What is in the out folder; undefined where only a walk can tell. */
  tree(): Tree | undefined;
  /** Ends what still goes on. */
  close(): Promise<void>;
}

/** What the second thread is given. */
export interface Lookout {
  /** The ledger's own path. */
  readonly ledger: string;
  readonly root: string;
  readonly time: number;
  /** Of each line: 0 not known yet, 1 untouched, 2 touched. */
  readonly states: Uint8Array;
  /** The line at which the build is. */
  readonly position: Int32Array;
}

/** Below this, reading the files is as quick. */
const worthwhile = 1_000;

/** From so many files on a second thread that looks at them is worth its start. */
const many = 10_000;

/** Ledgers of more out folders than this are not kept. */
const maxLedgers = 20;

const form = "edge-api ledger 1";

/** The line of a file. */
export const entryOf = (file: string, length: number, print: number): string => `${print} ${length} ${file}`;

export function openLedger(store: string, root: string): Ledger | undefined {
  const own = fileFor(store, root);
  const [head = "", ...lines] = (readKept(own)?.toString() ?? "").split("\n");
  const [ownForm, count, inode, time, folders] = parseHead(head);
  const there = lstatSync(root, { throwIfNoEntry: false });
  if (ownForm !== form || count !== lines.length || inode !== there?.ino || typeof time !== "number") return undefined;
  if (time > Date.now()) return undefined;
  const entries = new Map(lines.map((line, index) => [line, index]));
  const states = new Uint8Array(new SharedArrayBuffer(lines.length));
  const position = new Int32Array(new SharedArrayBuffer(4));
  const thread = lines.length < many ? undefined : startThread({ ledger: own, root, time, states, position });
  return {
    close: async () => {
      await thread?.terminate();
    },
    isKept(file, length, print) {
      const index = entries.get(entryOf(file, length, print));
      if (index === undefined) return false;
      Atomics.store(position, 0, index);
      const known = Atomics.load(states, index);
      if (known !== 0) return known === 1;
      return isUntouched(`${root}/${file}`, length, time);
    },
    tree() {
      if (!Array.isArray(folders)) return undefined;
      for (const folder of ["", ...folders]) {
        const state = lstatSync(`${root}/${folder}`, { throwIfNoEntry: false });
        if (state?.isDirectory() !== true || state.ctimeMs >= time) return undefined;
      }
      const files = lines.map((line) => line.slice(line.indexOf(" ", line.indexOf(" ") + 1) + 1));
      return { files: new Set(files), folders: new Set(folders), others: new Set() };
    },
  };
}

/** Most of the time of a build that changes little is spent in the system, looking at files; two look in half of it. */
function startThread(lookout: Lookout): Worker {
  // It needs nothing that this process has been started with, such as a loader for TypeScript.
  const thread = new Worker(new URL("output/stat-thread.mjs", modulesFolder), { workerData: lookout, execArgv: [] });
  // What it has not looked at, the build looks at itself.
  thread.on("error", () => undefined);
  thread.unref();
  return thread;
}

/**
 * Keeps what there is in the out folder now: the entries of all files of the build. `folders` are all that the out
 * folder holds, undefined where there is more in it than the build. It does not matter if it cannot be kept.
 */
export async function keepLedger(
  store: string,
  root: string,
  lock: Lock,
  entries: readonly string[],
  folders: readonly string[] | undefined,
): Promise<void> {
  const file = fileFor(store, root);
  try {
    if (entries.length < worthwhile) return rmSync(file, { force: true });
    const time = await timeAfter(root, path.join(lock.folder, "time"));
    const head = JSON.stringify([form, entries.length, lstatSync(root).ino, time, folders]);
    keep(file, [head, ...entries].join("\n"), maxLedgers);
  } catch {
    // Without it, or with an older one, the next build does the same and takes longer.
  }
}

/** The file system's time, once the folder's last change is past. */
async function timeAfter(root: string, probe: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    writeFileSync(probe, String(tries));
    const { ctimeMs } = statSync(probe);
    if (ctimeMs > lstatSync(root).ctimeMs || tries === 5) return ctimeMs;
    await sleep(5);
  }
}

const fileFor = (store: string, root: string): string =>
  path.join(store, createHash("sha256").update(root).digest("hex").slice(0, 32));

function parseHead(head: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(head);
    return Array.isArray(values) ? values : [];
  } catch {
    // Not a ledger.
    return [];
  }
}
