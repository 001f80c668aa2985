import { CommanderError } from "commander";
import { inWords, MachineError } from "../files/machine-error.ts";
import { err, widthOf, wrapped } from "./terminal.ts";

const { stdout, stderr } = process;

export type ReportFormat = "text" | "json";

/** 0: done. 1: the content has faults, nothing was written. 2: wrong usage, or an error of the machine. */
export type ExitCode = 0 | 1 | 2;

/** The format for the report of an error, even if the arguments cannot be parsed. */
export const formatAskedFor = (args: readonly string[]): ReportFormat =>
  args.some((arg, index) => arg === "--format=json" || (arg === "json" && args[index - 1] === "--format"))
    ? "json"
    : "text";

/** Reports an error that the user can do something about. Any other error is a bug of the program, and is thrown. */
export function explain(error: unknown, format: ReportFormat = "text"): ExitCode {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const message = isUsage || error instanceof MachineError ? error.message.replace(/^error: /, "") : inWords(error);
  if (message === undefined) throw error;
  const hint = error instanceof MachineError ? error.hint : undefined;
  if (format === "json") printErrorAsJson({ message, hint });
  // Commander has already written its message.
  else if (!isUsage) {
    const repair = hint === undefined ? "" : ` ${err.cyan(hint)}`;
    stderr.write(`${wrapped(`${err.red("✗")} ${message}${repair}`, widthOf(stderr))}\n`);
  }
  return 2;
}

/** Prints the error that ends a command, after the empty lists with which the output of every command starts. */
export function printErrorAsJson(error: {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly stack?: string;
}) {
  stdout.write(`${JSON.stringify({ messages: [], omitted: [], error })}\n`);
}
