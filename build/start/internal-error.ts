import { formatAskedFor } from "../cli/format.ts";

const message = "Internal error, please report it";

/** Reports a mistake in the table of operations, and ends the process. */
export function endWithTableError({ message: mistake }: Error): never {
  const isJson = formatAskedFor(process.argv) === "json";
  if (isJson) process.stdout.write(`${JSON.stringify({ faults: [], error: { message: mistake } })}\n`);
  else process.stderr.write(`✗ ${mistake}\n`);
  process.exit(2);
}

/** Reports an uncaught error, which is a bug of stillapi, and ends the process. */
export function endWithInternalError(stack: string): never {
  const isJson = formatAskedFor(process.argv) === "json";
  if (isJson) process.stdout.write(`${JSON.stringify({ faults: [], error: { message: `${message}.`, stack } })}\n`);
  else process.stderr.write(`${message}:\n${stack}\n`);
  process.exit(2);
}

export const stackOf = (error: unknown): string =>
  error instanceof Error && error.stack !== undefined ? error.stack : String(error);
