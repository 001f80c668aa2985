// Timing on a shared machine: contenders take turns within each round, so that other load slows all of them, and only
// the ratios of medians are compared.
import { readFileSync } from "node:fs";
import { type Command, execute } from "./execute.ts";

export interface Contender {
  readonly name: string;
  /** The command of a round; `round` makes the names of folders unique, because nothing is removed before the end. */
  readonly run: (round: number) => Command;
  /** Throws if the output is wrong. Not timed. */
  readonly verify: (round: number) => void | Promise<void>;
}

export interface Timing {
  readonly name: string;
  /** In milliseconds, one per round. */
  readonly times: readonly number[];
  readonly median: number;
  /** The median of the CPU time, in milliseconds. Undefined if the system does not report it. */
  readonly cpu?: number | undefined;
}

/** Runs one additional round first, which is not counted. */
export async function takeTurns(
  contenders: readonly Contender[],
  rounds: number,
  signal: AbortSignal,
): Promise<readonly Timing[]> {
  const times = contenders.map((): number[] => []);
  const cpus = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { run, verify }] of contenders.entries()) {
      const command = run(round);
      // Flushes pending writes of earlier runs before the clock starts.
      await execute({ file: "sync", args: [] }, signal);
      const before = cpuOfChildren();
      const started = performance.now();
      await execute(command, signal);
      const time = performance.now() - started;
      const cpu = cpuOfChildren() - before;
      if (round > 0) times[index]?.push(time);
      if (round > 0 && !Number.isNaN(cpu)) cpus[index]?.push(cpu);
      await verify(round);
    }
  }
  return contenders.map(({ name }, index) => {
    const [own = [], cpu = []] = [times[index], cpus[index]];
    return { name, times: own, median: median(own), cpu: cpu.length === 0 ? undefined : median(cpu) };
  });
}

/** The milliseconds of a tick in /proc: 100 ticks per second on every architecture that Node supports. */
const tick = 10;

/**
 * The CPU time in milliseconds of all processes that this process has started and waited for, and of their children.
 * NaN without /proc. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function cpuOfChildren(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(13, 15);
    return tick * (Number(user) + Number(system));
  } catch {
    // The system is not Linux.
    return Number.NaN;
  }
}

/** The times may be unsorted. */
export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = upper] = [sorted[middle], sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)]];
  return (upper + lower) / 2;
}
