// As plain JavaScript, because the program starts with it; see start/kept.mjs.

/** @typedef {"text" | "json"} Format */

/**
 * The format in which to report whatever ends the command, also where its arguments cannot be parsed.
 * @param {readonly string[]} args
 * @returns {Format}
 */
export const formatAskedFor = (args) =>
  args.some((arg, index) => arg === "--format=json" || (arg === "json" && args[index - 1] === "--format"))
    ? "json"
    : "text";
