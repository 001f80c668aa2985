import { formatAskedFor } from "../cli/format.ts";

const message = "Internal error, please report it";

/** Reports an uncaught error, which is a bug of stillapi, and ends the process. */
export function endWithInternalError(stack: string): never {
  const isJson = formatAskedFor(process.argv) === "json";
  if (isJson) process.stdout.write(`${JSON.stringify({ faults: [], error: { message: `${message}.`, stack } })}\n`);
  else process.stderr.write(`${message}:\n${stack}\n`);
  process.exit(2);
}

export const stackOf = (error: unknown): string =>
  error instanceof Error && error.stack !== undefined ? error.stack : String(error);
