// What is in the content folder, without its bytes. Two snapshots tell which files were saved between them.
import { statSync } from "node:fs";
import path from "node:path";
import { entriesBelow } from "../../content/find/discover.ts";
import { hasCode } from "../../files/machine-error.ts";

/** The state of each file, by its path relative to the folder, with slashes. */
export type Snapshot = ReadonlyMap<string, string>;

/** A folder that cannot be listed has no files: whoever reads it says why. */
export function snapshotOf(folder: string): Snapshot {
  const files = new Map<string, string>();
  try {
    for (const [file] of entriesBelow(folder)) files.set(file, stateOf(path.join(folder, file)));
  } catch (error) {
    if (!hasCode(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP")) throw error;
    return new Map();
  }
  return files;
}

/** The files that were added, changed or removed, in order of code units. */
export function changedFiles(before: Snapshot, after: Snapshot): readonly string[] {
  const removed = [...before.keys()].filter((file) => !after.has(file));
  const others = [...after].filter(([file, state]) => before.get(file) !== state).map(([file]) => file);
  return [...removed, ...others].sort();
}

/** Empty if nothing is there. The state of a folder is the same as long as it is the same folder. */
export function stateOf(file: string): string {
  const stats = statOf(file);
  if (stats === undefined) return "";
  const { dev, ino, birthtimeNs, size, mtimeNs } = stats;
  // The next folder may get the number of one that was removed, but not its time of birth.
  return stats.isDirectory() ? `${dev} ${ino} ${birthtimeNs}` : `${ino} ${size} ${mtimeNs}`;
}

function statOf(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder above it is a file now, or cannot be entered, which may not last.
    return undefined;
  }
}
