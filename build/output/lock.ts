// One build writes an out folder at a time. The lock is the staging folder. A build that wants it makes an entry there, a
// folder with a unique name, and then lists the others. It holds the lock if all of them belong to dead builds, and removes
// them; otherwise it removes its entry and waits. Of two builds that do this at once, at least one lists the other's entry.
//
// A build on this machine is dead if its process has ended, however long it has been busy. A build elsewhere is dead if its
// heartbeat stopped a minute ago. If it is alive after all, its entry is gone and it can move nothing more into the out
// folder. Packages for locks only use a heartbeat, which a busy or suspended build does not send.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimes } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addFolders } from "../files/folders.ts";
import { hasCode, MachineError } from "../files/machine-error.ts";

export interface Lock {
  /** An empty folder on the out folder's file system. It vanishes with the lock. */
  readonly folder: string;
  isHeld(): boolean;
  release(): void;
}

const beatEvery = 1_000;
const deadAfter = 60_000;
const patience = 10 * 60_000;

/** A process, the time of its start if the system tells it, and a machine. */
const entryForm = /^(?<pid>\d+)(?:\.(?<start>\d*))?-[0-9a-f]{8}-(?<host>.*)$/;

/** Waits for other builds into the same folder. `onWait` is called once if there is one. */
export async function acquire(staging: string, onWait: () => void): Promise<Lock> {
  const entry = `${process.pid}.${startOf(process.pid)}-${randomUUID().slice(0, 8)}-${hostname()}`;
  const giveUpAt = Date.now() + patience;
  for (let waited = false; !take(staging, entry); waited = true) {
    if (!waited) onWait();
    if (Date.now() > giveUpAt) {
      throw new MachineError(
        "Another build has been writing this folder for ten minutes.",
        `If no build is running, remove ${staging}.`,
      );
    }
    // Two builds that have met wait for different times.
    await sleep(50 + 100 * Math.random());
  }
  const folder = path.join(staging, entry);
  // If the lock was lost, the next move fails.
  const timer = setInterval(() => utimes(folder, new Date(), new Date(), () => undefined), beatEvery).unref();
  return {
    folder,
    isHeld: () => existsSync(folder),
    release() {
      clearInterval(timer);
      remove(staging, entry);
    },
  };
}

function take(staging: string, entry: string): boolean {
  addFolders(path.join(staging, entry));
  let isTaken = false;
  try {
    const others = readdirSync(staging).filter((other) => other !== entry);
    if (!others.every((other) => isDead(other, path.join(staging, other)))) return false;
    for (const dead of others) remove(staging, dead);
    isTaken = true;
    return true;
  } finally {
    if (!isTaken) remove(staging, entry);
  }
}

/** Removes an entry with its content. A build that is taken for dead by mistake may add files meanwhile. */
function remove(staging: string, entry: string): void {
  rmSync(path.join(staging, entry), { recursive: true, force: true, maxRetries: 5 });
  removeIfEmpty(staging);
}

/** A folder that holds something stays, and so does a link. */
export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR")) throw error;
  }
}

function isDead(entry: string, folder: string): boolean {
  const { pid, start = "", host } = entryForm.exec(entry)?.groups ?? {};
  if (host === undefined) throw new MachineError(`stillapi did not create ${folder}.`, "Remove it.");
  if (host === hostname()) return !isAlive(Number(pid)) || isAnother(start, startOf(Number(pid)));
  const seen = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  // If the time is in the future, the clock was set back since.
  return seen === undefined || Math.abs(Date.now() - seen) > deadAfter;
}

const isAnother = (start: string, other: string): boolean => start !== "" && other !== "" && start !== other;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that was killed is a zombie until its parent reads its exit code, and answers signals.
    return !/^[ZXx]/.test(statusOf(pid));
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** Distinguishes a process from an earlier one with the same id. Empty if unknown. */
const startOf = (pid: number): string => statusOf(pid).split(" ")[19] ?? "";

/** The fields of a process from its state, the third one, on: proc_pid_stat(5). Empty if unknown. */
function statusOf(pid: number): string {
  try {
    // The second field, a name in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
  } catch {
    return "";
  }
}
