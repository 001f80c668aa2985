// As plain JavaScript, because a thread without a TypeScript loader uses it, too.
import { lstatSync } from "node:fs";

/**
 * Whether a file is of this length and nothing was done to it since `time`, in milliseconds.
 * @param {string} file
 * @param {number} length
 * @param {number} time
 */
export function isUntouched(file, length, time) {
  const state = lstatSync(file, { throwIfNoEntry: false });
  return state?.isFile() === true && state.size === length && state.ctimeMs < time;
}
