export type Format = "text" | "json";

/** The format in which to report whatever ends the command, also where its arguments cannot be parsed. */
export const formatAskedFor = (args: readonly string[]): Format =>
  args.some((arg, index) => arg === "--format=json" || (arg === "json" && args[index - 1] === "--format"))
    ? "json"
    : "text";
