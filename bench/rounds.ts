// How times are taken on a machine that is shared: contenders take turns within each round, so that what else goes on
// hits all of them, and only the ratios of medians are compared.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Contender {
  readonly name: string;
  /** What one round runs; `round` is for the names of folders, because nothing is removed before the end. */
  readonly run: (round: number) => Command;
  /** Throws if the output is not what it has to be. Not timed. */
  readonly verify: (round: number) => void;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Besides the variables that there are. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Timing {
  readonly name: string;
  /** In milliseconds, a round each. */
  readonly times: readonly number[];
  readonly median: number;
  /** The median of the processor's time, in milliseconds. Undefined where the system does not tell. */
  readonly cpu?: number | undefined;
}

/** One round more than asked for is run first and not counted. */
export function takeTurns(contenders: readonly Contender[], rounds: number): readonly Timing[] {
  const times = contenders.map((): number[] => []);
  const cpus = contenders.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { run, verify }] of contenders.entries()) {
      const command = run(round);
      // What earlier runs have left to be written to the disk is written before the clock starts.
      spawnSync("sync");
      const before = cpuOfChildren();
      const time = timeOf(command);
      const cpu = cpuOfChildren() - before;
      if (round > 0) times[index]?.push(time);
      if (round > 0 && !Number.isNaN(cpu)) cpus[index]?.push(cpu);
      verify(round);
    }
  }
  return contenders.map(({ name }, index) => {
    const [own = [], cpu = []] = [times[index], cpus[index]];
    return { name, times: own, median: median(own), cpu: cpu.length === 0 ? undefined : median(cpu) };
  });
}

/** How many milliseconds a tick of /proc has: 100 a second on every architecture that Node runs on. */
const tick = 10;

/**
 * The processor's time of all processes that this one has started and waited for, and of theirs, in milliseconds. NaN
 * where there is no /proc. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
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
    // Not Linux.
    return Number.NaN;
  }
}

/** Throws unless the command ends with 0. */
function timeOf({ file, args, cwd, env }: Command): number {
  const started = performance.now();
  const { status, stderr, error } = spawnSync(file, args, {
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    cwd,
    env: { ...process.env, ...env },
  });
  const time = performance.now() - started;
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${status}: ${error?.message ?? stderr}`);
  return time;
}

/** The times may be in any order. */
export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0, lower = upper] = [sorted[middle], sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)]];
  return (upper + lower) / 2;
}
