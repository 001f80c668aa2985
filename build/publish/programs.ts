// Runs the programs with which a build is published. Each gets a list of words, so that no shell reads them.
import { spawnSync } from "node:child_process";
import { hasCode, MachineError } from "../files/machine-error.ts";

export interface ProgramResult {
  readonly status: number | null;
  /** The standard output. The program's errors appear as it writes them. */
  readonly printed: string;
}

/** Waits for the end of a program. Throws MachineError if it cannot be started. */
export function runProgram(program: string, words: readonly string[]): ProgramResult {
  const { error, status, stdout } = spawnSync(program, words, {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (hasCode(error, "ENOENT")) throw new MachineError(`${program} is not installed.`, "Install it to publish.");
  if (error !== undefined) throw error;
  return { status, printed: stdout };
}

/** Returns what a program prints. Throws MachineError if it fails. */
export function outputOf(program: string, words: readonly string[]): string {
  const { status, printed } = runProgram(program, words);
  const named = [program, ...words.slice(0, 2)].filter((word) => !word.startsWith("-"));
  if (status !== 0) throw new MachineError(`${named.join(" ")} failed.`);
  return printed;
}
