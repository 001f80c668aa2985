// As plain JavaScript, because the program starts with it; see kept.mjs.
import { formatAskedFor } from "../commands/format.mjs";

const message = "Internal error, please report it";

/**
 * An error that nothing catches is our own bug. Ends the process.
 * @param {string} stack
 * @returns {never}
 */
export function endWithInternalError(stack) {
  const isJson = formatAskedFor(process.argv) === "json";
  if (isJson) process.stdout.write(`${JSON.stringify({ faults: [], error: { message: `${message}.`, stack } })}\n`);
  else process.stderr.write(`${message}:\n${stack}\n`);
  process.exit(2);
}

/** @param {unknown} error */
export const stackOf = (error) => (error instanceof Error && error.stack !== undefined ? error.stack : String(error));
