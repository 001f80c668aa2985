// One build writes an out folder at a time. The staging folder is the lock: it comes into being by a rename, which
// succeeds for one process only, with the name of its owner inside. An owner that is gone, or has given no sign of
// life for a while, is succeeded.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MachineError } from "./machine-error.ts";

export interface Lock {
  /** An empty folder for files that wait to be moved into the out folder. */
  readonly folder: string;
  /** A sign of life, to be given at least every few seconds. */
  beat(): void;
  release(): void;
}

const beatEvery = 1_000;
const deadAfter = 30_000;
const patience = 10 * 60_000;

const ownerFile = "owner.json";

/** Waits for other builds into the same folder. `onWait` is called once if there is one. */
export async function acquire(staging: string, onWait: () => void): Promise<Lock> {
  const since = Date.now();
  for (let waited = false; !take(staging); waited = true) {
    if (isAbandoned(staging)) {
      discard(staging);
      continue;
    }
    if (!waited) onWait();
    if (Date.now() - since > patience) {
      throw new MachineError(
        "Another build has been writing this folder for ten minutes.",
        `If none is, remove ${staging}.`,
      );
    }
    await sleep(100);
  }
  sweep(staging);
  const folder = path.join(staging, "files");
  mkdirSync(folder);
  let last = Date.now();
  return {
    folder,
    beat() {
      const now = Date.now();
      if (now - last < beatEvery) return;
      last = now;
      utimesSync(path.join(staging, ownerFile), new Date(now), new Date(now));
    },
    release: () => discard(staging),
  };
}

function take(staging: string): boolean {
  if (existsSync(staging)) return false;
  const own = mkdtempSync(`${staging}-`);
  const owner: Owner = { pid: process.pid, startedAt: performance.timeOrigin, host: hostname() };
  writeFileSync(path.join(own, ownerFile), JSON.stringify(owner));
  try {
    renameSync(own, staging);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true });
    if (existsSync(staging)) return false;
    throw error;
  }
}

interface Owner {
  readonly pid: number;
  readonly startedAt: number;
  readonly host: string;
}

function isAbandoned(staging: string): boolean {
  try {
    const file = path.join(staging, ownerFile);
    const owner: Owner = JSON.parse(readFileSync(file, "utf8"));
    return Date.now() - statSync(file).mtimeMs > deadAfter || (owner.host === hostname() && !isAlive(owner));
  } catch (error) {
    // It was released a moment ago.
    if (isMissing(error)) return false;
    throw error;
  }
}

function isAlive({ pid, startedAt }: Owner): boolean {
  if (pid === process.pid) return startedAt === performance.timeOrigin;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Takes the lock away in one step, and then its files. */
function discard(staging: string): void {
  const aside = mkdtempSync(`${staging}-`);
  try {
    renameSync(staging, path.join(aside, "old"));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** Removes what killed builds left beside the lock: folders on their way to become it or to be removed. */
function sweep(staging: string): void {
  const folder = path.dirname(staging);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(staging)}-`)) continue;
    const left = path.join(folder, name);
    if (Date.now() - statSync(left).mtimeMs > deadAfter) rmSync(left, { recursive: true, force: true });
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";
