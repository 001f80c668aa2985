// The clock of a file system, which need not be that of this machine.
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** In milliseconds. `folder` may be written. */
export function timeIn(folder: string): number {
  const probe = path.join(folder, "time");
  writeFileSync(probe, "");
  return statSync(probe).ctimeMs;
}

/** The time once the present tick is over: whatever is changed from now on gets this ctime or a later one. */
export async function nextTickIn(folder: string): Promise<number> {
  const first = timeIn(folder);
  for (let tries = 0; ; tries++) {
    const time = timeIn(folder);
    if (time > first || tries === 25) return time;
    await sleep(1);
  }
}
