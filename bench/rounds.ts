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
export async function takeTurns(contenders: readonly Contender[], rounds: number): Promise<readonly Timing[]> {
  const measured = contenders.map((contender) => ({ contender, times: [] as number[], cpus: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { contender, times, cpus } of measured) {
      const command = contender.run(round);
      // Flushes pending writes of earlier runs before the clock starts.
      await execute({ file: "sync", args: [] });
      const before = cpuOfChildren();
      const started = performance.now();
      await execute(command);
      if (round > 0) {
        times.push(performance.now() - started);
        cpus.push(cpuOfChildren() - before);
      }
      await contender.verify(round);
    }
  }
  return measured.map(({ contender: { name }, times, cpus }) => {
    const cpu = median(cpus);
    return { name, times, median: median(times), cpu: Number.isNaN(cpu) ? undefined : cpu };
  });
}

/** The milliseconds of a tick in /proc: 100 ticks per second on every architecture that Node supports. */
const tick = 10;

/**
 * The CPU time in milliseconds of all processes that this process has started and waited for, and of their children.
 * NaN without /proc. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function cpuOfChildren(): number {
  if (process.platform !== "linux") return Number.NaN;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15);
  return tick * (Number(user) + Number(system));
}

/** The middle value, or the mean of the two middle values. NaN if there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(upper) : (at(upper - 1) + at(upper)) / 2;
}

export interface Report {
  readonly name: string;
  readonly files: number;
  readonly peakKiB: number;
  /** The first row is a fresh build. */
  readonly rows: readonly Timing[];
}

export function reportText({ name, files, peakKiB, rows }: Report): string {
  const width = Math.max(...rows.map((row) => row.name.length));
  const lines = rows.map((row) => {
    const spread = `${Math.round(Math.min(...row.times))}–${Math.round(Math.max(...row.times))}`;
    const middle = `${String(Math.round(row.median)).padStart(7)} ms  ${spread.padEnd(14)}`;
    const cpu = row.cpu === undefined ? "" : `cpu ${String(Math.round(row.cpu)).padStart(6)} ms`;
    return `  ${row.name.padEnd(width)}${middle}${cpu.padEnd(15)}${ratioText(row, rows[0])}`.trimEnd();
  });
  return `\n${name}: ${files} files, ${Math.round(peakKiB / 1024)} MiB at most\n${lines.join("\n")}\n`;
}

function ratioText({ name, median: own }: Timing, fresh: Timing | undefined): string {
  if (fresh === undefined || fresh.name === name) return "";
  if (name.startsWith("again")) return `${(own / fresh.median).toFixed(2)} × fresh`;
  return name.startsWith("dev") ? "until it is served" : `fresh is ${(fresh.median / own).toFixed(2)} × this`;
}
