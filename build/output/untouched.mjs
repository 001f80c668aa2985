// As plain JavaScript, because a thread without a TypeScript loader uses it, too.
import { lstatSync } from "node:fs";

/**
 * Whether a file is of this length and still has this stamp; see stamp.ts.
 * @param {string} file
 * @param {number | undefined} length
 * @param {number | undefined} inode
 * @param {number | undefined} ctime
 */
export function isUntouched(file, length, inode, ctime) {
  const state = lstatSync(file, { throwIfNoEntry: false });
  return state?.isFile() === true && state.size === length && state.ino === inode && state.ctimeMs === ctime;
}
