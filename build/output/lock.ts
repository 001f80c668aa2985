// One build writes an out folder at a time. The lock is the staging folder. An owner holds it by having a folder of its
// own in it, which comes and goes by a single rename:
//
//   .dist.staging-OWNER      → .dist.staging         taking it; fails where there is one that is not empty
//   .dist.staging/OWNER      → .dist.staging-OWNER   giving it up, or succeeding an owner that is gone
//
// Each OWNER exists once, so nobody succeeds the wrong one. An owner that stalled and was succeeded finds its files gone
// and can move nothing more into the out folder.
//
// An owner gives signs of life: the times of its folder. It is gone where its process has ended, which only processes
// that see the same processes can tell, or where there was no sign for 30 seconds, by the time of the last one or, since
// clocks differ, by how long one has waited for another.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, MachineError } from "../machine-error.ts";
import { isAlive, startedAt, thisPlace } from "./process.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";

export interface Lock {
  /** An empty folder on the out folder's file system. It vanishes with the lock. */
  readonly folder: string;
  /** A sign of life, needed every few seconds. Throws once another build has taken over the lock. */
  beat(): void;
  isHeld(): boolean;
  release(): void;
}

const beatEvery = 1_000;
const deadAfter = 30_000;
const patience = 10 * 60_000;

/** Waits for other builds into the same folder. `onWait` is called once if there is one. */
export async function acquire(staging: string, onWait: () => void): Promise<Lock> {
  const owner = newOwner();
  const isSilent = watchSigns();
  const giveUpAt = Date.now() + patience;
  for (let waited = false; !take(staging, owner, isSilent); waited = true) {
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
  const prefix = `${path.basename(staging)}-`;
  for (const name of readdirSync(path.dirname(staging))) {
    const owner = name.slice(prefix.length);
    if (!name.startsWith(prefix) || !ownerForm.test(owner) || !isGone(owner, asideOf(staging, owner), isFarOff))
      continue;
    rmSync(asideOf(staging, owner), { recursive: true, force: true });
    beat();
  }
}

/** Removes a lock in another place that killed builds have left, such as before the out folder was copied or unmounted. */
export function sweepAbandoned(staging: string, beat: () => void): void {
  if (!existsSync(path.dirname(staging))) return;
  for (const owner of holders(staging)) {
    if (ownerForm.test(owner) && isGone(owner, path.join(staging, owner), isFarOff)) putAside(staging, owner);
  }
  sweep(staging, beat);
}

/** The system's error where another build has taken the lock first. */
const quickerOther = process.platform === "win32" ? ["EPERM", "EEXIST"] : ["ENOTEMPTY", "EEXIST"];

/** Whether `owner` has the lock now: it was free, or its owner is gone. */
function take(staging: string, owner: string, isSilent: IsSilent): boolean {
  for (const holder of holders(staging)) {
    if (!isGone(holder, path.join(staging, holder), isSilent)) return false;
    putAside(staging, holder);
  }
  const own = asideOf(staging, owner);
  try {
    mkdirSync(path.join(own, owner), { recursive: true });
    renameSync(own, staging);
    return true;
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
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

/** Takes an owner's files out of the lock, which frees it. False where they are gone. */
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

const newOwner = (): string => [process.pid, startedAt, randomUUID().slice(0, 8), thisPlace].join("-");

const ownerForm = /^(?<pid>\d+)-(?<start>\d+)-[0-9a-f]{8}-(?<place>.*)$/;

/** Whether the owner of a folder has ended, or gives no sign of life any more, like a host that lost its network. */
function isGone(owner: string, folder: string, isSilent: IsSilent): boolean {
  const { pid, start, place } = ownerForm.exec(owner)?.groups ?? {};
  if (place === undefined) throw new MachineError(`${folder} is not of this program.`, "Remove it.");
  const seen = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  if (seen === undefined || isSilent(owner, seen)) return true;
  return place === thisPlace && !isAlive(Number(pid), Number(start));
}

/** `seen` is the time of the last sign of life, by the owner's clock. */
type IsSilent = (owner: string, seen: number) => boolean;

/** For one who waits: a sign that is not followed by another one is the last, whatever its time. */
function watchSigns(): IsSilent {
  const signs = new Map<string, { readonly seen: number; readonly since: number }>();
  return (owner, seen) => {
    if (Date.now() - seen > deadAfter) return true;
    const last = signs.get(owner);
    const now = performance.now();
    if (last?.seen === seen) return now - last.since > deadAfter;
    signs.set(owner, { seen, since: now });
    return false;
  };
}

/** For one who does not wait. What is looked at is left behind, or is beside the lock for a moment only. */
const isFarOff: IsSilent = (_, seen) => Math.abs(Date.now() - seen) > deadAfter;
