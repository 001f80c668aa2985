// How a command reports an error if it ends before it can report anything else. The starter of the program reports internal
// errors with it, and must stay small, so this file imports only types.
import type { FailedOutput } from "./report/json-output.ts";

const { stdout } = process;

export type ReportFormat = "text" | "json";

/** The format for the report of an error, even if the arguments cannot be parsed. */
export const formatAskedFor = (args: readonly string[]): ReportFormat =>
  args.some((arg, index) => arg === "--format=json" || (arg === "json" && args[index - 1] === "--format"))
    ? "json"
    : "text";

/** Prints the error that ends a command, after the empty lists with which the output of every command starts. */
export function printErrorAsJson(error: NonNullable<FailedOutput["error"]>) {
  const output: FailedOutput = { messages: [], omitted: [], error };
  stdout.write(`${JSON.stringify(output)}\n`);
}
