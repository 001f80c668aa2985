// The files of a folder with a built API. Builds may replace, add and remove them at any time.
import { realpathSync, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, inWords } from "../files/machine-error.ts";
import { longerThan, Unreadable } from "./unreadable.ts";

const absent = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/** Whether a file of exactly this name exists, even if the file system ignores case. `root` is a real path. */
export function hasFile(root: string, file: string): boolean {
  const full = path.join(root, file);
  try {
    return statSync(full).isFile() && realpathSync.native(full) === full;
  } catch (error) {
    if (hasCode(error, ...absent)) return false;
    throw error;
  }
}

/** The bytes of one version of a file, never of two. Undefined if there is none (any more). Throws Unreadable. */
export async function readWhole(folder: string, file: string, maxBytes = Infinity): Promise<Buffer | undefined> {
  const full = path.join(folder, file);
  try {
    const stats = await stat(full);
    if (!stats.isFile()) throw new Unreadable(`${full} is not a file`);
    if (stats.size > maxBytes) throw new Unreadable(longerThan(maxBytes), full);
    return await readFile(full);
  } catch (error) {
    if (hasCode(error, ...absent)) return undefined;
    const reason = inWords(error);
    if (reason === undefined) throw error;
    throw new Unreadable(reason.replace(/\.$/, ""));
  }
}
