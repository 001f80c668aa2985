import { CommanderError } from "commander";
import { inWords, MachineError } from "../machine-error.ts";
import type { ReportFormat } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err, widthOf, wrapped } from "./terminal.ts";

/** Reports an error that the user can do something about. Any other error is a bug of the program, and is thrown. */
export function explain(error: unknown, format: ReportFormat = "text"): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const failure = error instanceof CommanderError ? usage(error) : fault(error);
  if (format === "json") process.stdout.write(`${JSON.stringify({ faults: [], error: failure })}\n`);
  else if (!(error instanceof CommanderError)) {
    const hint = failure.hint === undefined ? "" : ` ${err.cyan(failure.hint)}`;
    process.stderr.write(`${wrapped(`${err.red("✗")} ${failure.message}${hint}`, widthOf(process.stderr))}\n`);
  }
  return 2;
}

interface Failure {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Commander has already written the message to standard error, unless the format is JSON. */
const usage = ({ message }: CommanderError): Failure => ({ message: message.replace(/^error: /, "") });

function fault(error: unknown): Failure {
  if (error instanceof MachineError) return { message: error.message, hint: error.hint };
  const message = inWords(error);
  if (message === undefined) throw error;
  return { message };
}
