import { CommanderError } from "commander";
import { inWords, MachineError } from "../files/machine-error.ts";
import { printErrorAsJson, type ReportFormat } from "./report-format.ts";
import { err, widthOf, wrapped } from "./terminal.ts";

const { stderr } = process;

/** 0: done. 1: the content has faults, nothing was built. 2: wrong usage, or an error of the machine. */
export type ExitCode = 0 | 1 | 2;

interface Explanation {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Explains an error that the user can do something about. Undefined: it is a bug of the program. */
export function explanationOf(error: unknown): Explanation | undefined {
  const isInWords = error instanceof CommanderError || error instanceof MachineError;
  const message = isInWords ? error.message.replace(/^error: /, "") : inWords(error);
  return message === undefined ? undefined : { message, hint: error instanceof MachineError ? error.hint : undefined };
}

/** Reports an error that the user can do something about. Any other error is thrown. */
export function reportError(error: unknown, format: ReportFormat = "text"): ExitCode {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const explanation = explanationOf(error);
  if (explanation === undefined) throw error;
  const { message, hint } = explanation;
  if (format === "json") printErrorAsJson({ message, hint });
  // Commander has already written its message.
  else if (!isUsage) {
    const repair = hint === undefined ? "" : ` ${err.cyan(hint)}`;
    stderr.write(`${wrapped(`${err.red("✗")} ${message}${repair}`, widthOf(stderr))}\n`);
  }
  return 2;
}
