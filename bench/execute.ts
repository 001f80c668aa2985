// Shared by both benchmarks: commands, options, medians, and a folder that is removed however the benchmark ends.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { InvalidArgumentError, Option } from "commander";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Contender {
  readonly name: string;
  /** The command of a round; `round` makes the names of folders unique, because nothing is removed before the end. */
  readonly run: (round: number) => Command;
  /** Throws if the output is wrong. Not timed. */
  readonly verify: (round: number) => unknown;
}

/** Resolves with what the command prints. Rejects with its errors unless it exits with 0. */
export async function execute({ file, args, cwd, env }: Command): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(file, args, options);
  return stdout;
}

/**
 * The process group and the CPU times in milliseconds of a process: its own, and those of its ended child
 * processes. Needs /proc. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function processStat(pid: string) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program, in parentheses, may contain blanks.
  const fields = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  // 100 ticks per second on every architecture that Node supports.
  const cpu = (user: number): number => 10 * ((fields[user] ?? 0) + (fields[user + 1] ?? 0));
  return { group: fields[2], cpu: cpu(11), cpuOfChildren: cpu(13) };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-bench-"));
  // A command that is interrupted with the benchmark may still write.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(2));
  return folder;
}

/** An option whose value is an integer from 1 to 99,999. */
export const countOption = (flags: string, what: string, value: number): Option =>
  new Option(flags, what).argParser(positive).default(value);

function positive(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It is an integer from 1.");
  return Number(text);
}

/** The middle value, or the mean of the two middle values. NaN if there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(upper) : (at(upper - 1) + at(upper)) / 2;
}
