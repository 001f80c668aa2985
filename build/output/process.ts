// Which processes a process can see. A number means another process on another host, in another container, and after the
// next start of the machine.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { hasCode } from "../machine-error.ts";

export const startedAt = Math.round(performance.timeOrigin);

/** The same for processes that see one another under the same numbers, as part of a folder's name. */
export const thisPlace = createHash("sha256").update(placeName()).digest("hex").slice(0, 16);

function placeName(): string {
  if (process.platform !== "linux") return hostname();
  try {
    const start = readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
    return [hostname(), start, readlinkSync("/proc/self/ns/pid")].join("\n");
  } catch {
    // Without /proc nobody can tell; so it is the place of this process alone.
    return randomUUID();
  }
}

/** Whether a process of this place runs that has this number, and if it is this one, started then. */
export function isAlive(pid: number, start: number): boolean {
  if (pid === process.pid) return start === startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
