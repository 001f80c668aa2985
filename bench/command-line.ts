// Shared by the benchmarks' command lines.
import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { inWords, MachineError } from "../build/machine-error.ts";

/** An option whose value is an integer from 1 to 99,999. */
export const countOption = (flags: string, what: string, value: number): Option =>
  new Option(flags, what).argParser(positive).default(value);

function positive(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It is an integer from 1.");
  return Number(text);
}

/**
 * Parses the arguments and runs the program. Wrong usage and MachineErrors end it with exit code 2 and one sentence.
 */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.exitOverride().parseAsync();
  } catch (error) {
    process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommanderError) return;
    const message = error instanceof MachineError ? error.message : inWords(error);
    if (message === undefined) throw error;
    const hint = error instanceof MachineError && error.hint !== undefined ? ` ${error.hint}` : "";
    process.stderr.write(`${message}${hint}\n`);
  }
}
