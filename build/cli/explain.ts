import { CommanderError } from "commander";
import { inWords, MachineError } from "../machine-error.ts";
import type { ReportFormat } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err, widthOf, wrapped } from "./terminal.ts";

const { stdout, stderr } = process;

/** Reports an error that the user can do something about. Any other error is a bug of the program, and is thrown. */
export function explain(error: unknown, format: ReportFormat = "text"): ExitCode {
  const isUsage = error instanceof CommanderError;
  if (isUsage && error.exitCode === 0) return 0;
  const message = isUsage || error instanceof MachineError ? error.message.replace(/^error: /, "") : inWords(error);
  if (message === undefined) throw error;
  const hint = error instanceof MachineError ? error.hint : undefined;
  if (format === "json") stdout.write(`${JSON.stringify({ faults: [], error: { message, hint } })}\n`);
  // Commander has already written its message.
  else if (!isUsage) {
    const repair = hint === undefined ? "" : ` ${err.cyan(hint)}`;
    stderr.write(`${wrapped(`${err.red("✗")} ${message}${repair}`, widthOf(stderr))}\n`);
  }
  return 2;
}
