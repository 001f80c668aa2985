// One build writes an out folder at a time. The lock is the staging folder. An owner holds it by having a folder in it,
// which comes and goes by a single rename:
//
//   .dist.staging-OWNER      → .dist.staging         taking the lock; fails if there is a lock that is not empty
//   .dist.staging/OWNER      → .dist.staging-OWNER   releasing the lock, or taking it over from an owner that is gone
//
// Each OWNER exists once, so nobody takes over from the wrong one. An owner on this machine is gone if its process has
// ended, however long it has been busy. An owner elsewhere is gone if its heartbeat stopped a minute ago. Should it live
// after all, it finds its files gone and can move nothing more into the out folder.
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimes,
  utimesSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, MachineError } from "../machine-error.ts";

export interface Lock {
  /** An empty folder on the out folder's file system. It vanishes with the lock. */
  readonly folder: string;
  /** The heartbeat of work that leaves no time for timers. Throws once another build has taken over the lock. */
  beat(): void;
  isHeld(): boolean;
  release(): void;
}

const beatEvery = 1_000;
const deadAfter = 60_000;
const patience = 10 * 60_000;

/** A process, the time of its start if the system tells it, and a machine. */
const ownerForm = /^(?<pid>\d+)(?:\.(?<start>\d*))?-[0-9a-f]{8}-(?<host>.*)$/;

/** Waits for other builds into the same folder. `onWait` is called once if there is one. */
export async function acquire(staging: string, onWait: () => void): Promise<Lock> {
  const owner = `${process.pid}.${startOf(process.pid)}-${randomUUID().slice(0, 8)}-${hostname()}`;
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
  sweep(staging);
  let last = Date.now();
  // The next move shows whether the lock was lost.
  const timer = setInterval(() => utimes(folder, new Date(), new Date(), () => undefined), beatEvery).unref();
  return {
    folder,
    beat() {
      const now = Date.now();
      if (Math.abs(now - last) < beatEvery) return;
      last = now;
      utimesSync(folder, new Date(now), new Date(now));
    },
    isHeld: () => statSync(folder, { throwIfNoEntry: false }) !== undefined,
    release() {
      clearInterval(timer);
      if (putAside(staging, owner)) rmSync(asideOf(staging, owner), { recursive: true, force: true });
    },
  };
}

/** Removes what killed builds left beside the lock. Requires the lock. */
function sweep(staging: string): void {
  const [parent, prefix] = [path.dirname(staging), `${path.basename(staging)}-`];
  for (const name of readdirSync(parent)) {
    const owner = name.slice(prefix.length);
    const aside = asideOf(staging, owner);
    if (!name.startsWith(prefix) || !ownerForm.test(owner) || !isGone(owner, aside)) continue;
    rmSync(aside, { recursive: true, force: true });
  }
}

/** A folder that holds something stays, and so does a link. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw error;
  }
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

/** One or none, apart from what somebody else put there. */
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
  const { pid, start, host } = ownerForm.exec(owner)?.groups ?? {};
  if (host === undefined) throw new MachineError(`${folder} is not of this program.`, "Remove it.");
  const seen = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  if (seen === undefined) return true;
  if (host === hostname()) return !isAlive(Number(pid)) || (Boolean(start) && start !== startOf(Number(pid)));
  // If the time is in the future, the clock was set back since.
  return Math.abs(Date.now() - seen) > deadAfter;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Distinguishes a process from an earlier one with the same id: proc_pid_stat(5), field 22. Empty if unknown. */
function startOf(pid: number): string {
  try {
    const [, fields = ""] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return fields.split(" ")[19] ?? "";
  } catch (error) {
    if (hasCode(error, "ENOENT", "ESRCH", "EACCES")) return "";
    throw error;
  }
}
