// The files of a publish root that a build may replace at any time.
import { realpathSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "../../machine-error.ts";

/** Whether a file of exactly this name exists, even if the file system ignores case. `root` is a real path. */
export function isFile(root: string, file: string): boolean {
  const full = path.join(root, file);
  try {
    return statSync(full, { throwIfNoEntry: false })?.isFile() === true && realpathSync.native(full) === full;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

/** The bytes of one version of a file, never of two. Undefined if the file does not exist (any more). */
export async function readWhole(root: string, file: string): Promise<Buffer | undefined> {
  if (!isFile(root, file)) return undefined;
  try {
    const opened = await open(path.join(root, file));
    try {
      return await opened.readFile();
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined;
    throw error;
  }
}
