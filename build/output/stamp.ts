// A stamp tells a file or folder, without reading it, from every other one and from itself before or after a change.
// Copying, unpacking and checking out make new inodes; writing, moving and linking set the ctime, which nobody can
// choose; and what another volume has in the same place has another ctime, although inodes may be the same there.
//
// A clock moves in ticks, of a few milliseconds in most file systems. Two changes in one tick leave the same ctime. So a
// stamp counts only where its tick was over before anybody else could make the next change.
import { type Stats, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface Stamp {
  readonly inode: number;
  /** In milliseconds. */
  readonly ctime: number;
}

/** Equals no stamp, not even itself: the file is read next time. */
export const unknown: Stamp = { inode: Number.NaN, ctime: Number.NaN };

export const stampOf = ({ ino, ctimeMs }: Stats): Stamp => ({ inode: ino, ctime: ctimeMs });

/** From a column of inodes and ctimes in turn. */
export const stampIn = (column: ArrayLike<number>, index: number): Stamp => ({
  inode: column[2 * index] ?? Number.NaN,
  ctime: column[2 * index + 1] ?? Number.NaN,
});

export const isSame = (a: Stamp, b: Stamp): boolean => a.inode === b.inode && a.ctime === b.ctime;

/** The clock of a file system. NaN, which no time is older than, where it cannot be told. */
export interface Clock {
  now(): number;
  /** Once the present tick is over. */
  next(): Promise<number>;
}

/** `probe` is the path of a file that may be written on the file system. */
export function clockOf(probe: string): Clock {
  const now = (): number => {
    try {
      writeFileSync(probe, "");
      return statSync(probe).ctimeMs;
    } catch {
      // A full disk, for one. Without the time the next build takes longer and does the same.
      return Number.NaN;
    }
  };
  return {
    now,
    async next() {
      const first = now();
      for (let tries = 0; ; tries++) {
        const time = now();
        if (!(time <= first) || tries === 25) return time;
        await sleep(1);
      }
    },
  };
}

/** Where nobody asks for stamps. */
export const noClock: Clock = { now: () => Number.NaN, next: async () => Number.NaN };
