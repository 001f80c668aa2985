// One build writes an out folder at a time. The lock is the staging folder. An owner holds it by having a folder in it,
// which comes and goes by a single rename:
//
//   .dist.staging-OWNER      → .dist.staging         taking the lock; fails if there is a lock that is not empty
//   .dist.staging/OWNER      → .dist.staging-OWNER   releasing the lock, or succeeding an owner that is gone
//
// Each OWNER exists once, so nobody succeeds the wrong one. An owner that stalled and was succeeded finds its files gone
// and can move nothing more into the out folder. So it is safe, if unkind, to take a live owner for one that is gone.
//
// An owner is gone if its process has ended, which only the same host can tell, or if it has not touched its folder for
// 30 seconds.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, MachineError } from "../machine-error.ts";
import { ownerForm } from "./output-thread.mjs";

export interface Lock {
  /** An empty folder on the out folder's file system. It vanishes with the lock. */
  readonly folder: string;
  /** To be called every few seconds. Throws once another build has taken over the lock. */
  beat(): void;
  isHeld(): boolean;
  release(): void;
}

const beatEvery = 1_000;
const deadAfter = 30_000;
const patience = 10 * 60_000;

/** Waits for other builds into the same folder. `onWait` is called once if there is one. */
export async function acquire(staging: string, onWait: () => void): Promise<Lock> {
  const owner = `${process.pid}-${randomUUID().slice(0, 8)}-${hostname()}`;
  const giveUpAt = Date.now() + patience;
  for (let waited = false; !take(staging, owner); waited = true) {
    if (!waited) onWait();
    if (Date.now() > giveUpAt) {
      throw new MachineError(
        "Another build has been writing this folder for ten minutes.",
        `If none is, remove ${staging}.`,
      );
    }
    await sleep(100);
  }
  const folder = path.join(staging, owner);
  let last = Date.now();
  return {
    folder,
    beat() {
      const now = Date.now();
      if (Math.abs(now - last) < beatEvery) return;
      last = now;
      utimesSync(folder, new Date(now), new Date(now));
    },
    isHeld: () => existsSync(folder),
    release() {
      // A process that sleeps here for long finds that another one has swept it away.
      if (putAside(staging, owner)) rmSync(asideOf(staging, owner), { recursive: true, force: true });
    },
  };
}

/** Removes what killed builds left beside the lock. Requires the lock. */
export function sweep(staging: string, beat: () => void): void {
  const [parent, prefix] = [path.dirname(staging), `${path.basename(staging)}-`];
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const owner = name.slice(prefix.length);
    const aside = asideOf(staging, owner);
    if (!name.startsWith(prefix) || !ownerForm.test(owner) || !isGone(owner, aside)) continue;
    rmSync(aside, { recursive: true, force: true });
    beat();
  }
}

/** The same of a lock in another place, as from before the out folder was copied or unmounted. */
export function sweepAbandoned(staging: string, beat: () => void): void {
  for (const owner of holders(staging)) {
    if (ownerForm.test(owner) && isGone(owner, path.join(staging, owner))) putAside(staging, owner);
  }
  sweep(staging, beat);
}

/** Whether the folder is gone now, or was before. A folder that holds something stays. */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST")) return false;
    if (!hasCode(error, "ENOENT")) throw error;
  }
  return true;
}

/** The system's error if another build has taken the lock first. */
const quickerOther = process.platform === "win32" ? ["EPERM", "EEXIST"] : ["ENOTEMPTY", "EEXIST"];

/** Whether `owner` has the lock now: it was free, or its owner is gone. */
function take(staging: string, owner: string): boolean {
  for (const holder of holders(staging)) {
    if (!isGone(holder, path.join(staging, holder))) return false;
    putAside(staging, holder);
  }
  const aside = asideOf(staging, owner);
  try {
    mkdirSync(path.join(aside, owner), { recursive: true });
    renameSync(aside, staging);
    return true;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (hasCode(error, ...quickerOther)) return false;
    throw error;
  }
}

/** One or none, apart from what somebody else put there. Removes a folder that holds nothing. */
function holders(staging: string): readonly string[] {
  try {
    // Some systems do not rename a folder to an empty one.
    removeIfEmpty(staging);
    return readdirSync(staging);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

/** Takes an owner's files out of the lock, which frees it. False if they are gone. */
function putAside(staging: string, owner: string): boolean {
  try {
    renameSync(path.join(staging, owner), asideOf(staging, owner));
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
  removeIfEmpty(staging);
  return true;
}

const asideOf = (staging: string, owner: string): string => `${staging}-${owner}`;

function isGone(owner: string, folder: string): boolean {
  const { pid, host } = ownerForm.exec(owner)?.groups ?? {};
  if (host === undefined) throw new MachineError(`${folder} is not of this program.`, "Remove it.");
  const seen = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  // If the time is in the future, the clock was set back since.
  if (seen === undefined || Math.abs(Date.now() - seen) > deadAfter) return true;
  return host === hostname() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
