import { CommanderError } from "commander";
import { inWords, MachineError } from "../machine-error.ts";
import type { Format } from "./format.ts";
import type { ExitCode } from "./options.ts";
import { err, wrapped } from "./terminal.ts";

/** Says what the user can do something about. Anything else is our own bug, and is thrown with its stack. */
export function explain(error: unknown, format: Format = "text"): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const told = error instanceof CommanderError ? usage(error) : fault(error);
  if (format === "json") process.stdout.write(`${JSON.stringify({ faults: [], error: told })}\n`);
  else if (!(error instanceof CommanderError)) {
    const hint = told.hint === undefined ? "" : ` ${err.cyan(told.hint)}`;
    process.stderr.write(`${wrapped(`${err.red("✗")} ${told.message}${hint}`, process.stderr)}\n`);
  }
  return 2;
}

interface Told {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Commander has written it to standard error already, unless JSON was asked for. */
const usage = ({ message }: CommanderError): Told => ({ message: message.replace(/^error: /, "") });

function fault(error: unknown): Told {
  if (error instanceof MachineError) return { message: error.message, hint: error.hint };
  const message = inWords(error);
  if (message === undefined) throw error;
  return { message };
}
