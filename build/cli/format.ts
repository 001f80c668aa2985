export type ReportFormat = "text" | "json";

/** The format for the report of an error, even if the arguments cannot be parsed. */
export const formatAskedFor = (args: readonly string[]): ReportFormat =>
  args.some((arg, index) => arg === "--format=json" || (arg === "json" && args[index - 1] === "--format"))
    ? "json"
    : "text";
