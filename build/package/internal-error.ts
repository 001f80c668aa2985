import { formatAskedFor, printErrorAsJson } from "../cli/report-format.ts";

/** Reports an uncaught error, which is a bug of stillapi or of code that a declaration left running, and ends the process. */
export function endWithInternalError(stack: string): never {
  const isOfDeclaration = /\.[cm]?[jt]s\.cjs:\d/.test(stack);
  const message = isOfDeclaration ? "The declaration failed after it was loaded" : "Internal error, please report it";
  const isJson = formatAskedFor(process.argv) === "json";
  if (isJson) printErrorAsJson({ message: `${message}.`, stack });
  else process.stderr.write(`${message}:\n${stack}\n`);
  process.exit(2);
}

export const stackOf = (error: unknown): string =>
  error instanceof Error && error.stack !== undefined ? error.stack : String(error);
