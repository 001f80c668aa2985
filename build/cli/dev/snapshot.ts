// The files of the content folder, without their bytes. Two snapshots show which files were saved between them.
import { statSync } from "node:fs";
import path from "node:path";
import type { Api } from "../../../src/model/api.ts";
import { entriesBelow, entriesOutside, fileOutside, stateOfFile } from "../../content/files.ts";
import { outsideFolders } from "../../content/globs.ts";
import { hasCode } from "../../files/machine-error.ts";

/** The state of each file, by its path relative to the folder, with slashes. */
export type Snapshot = ReadonlyMap<string, string>;

/** `isDotName`: see `entriesBelow`. */
export const snapshotOf = (folder: string, isDotName?: (name: string) => boolean): Snapshot =>
  statesOf(folder, () => entriesBelow(folder, isDotName));

/** The same of the files of collections in folders outside of a content folder, by their paths relative to that. */
export function snapshotOutside(content: string, apis: readonly Api[]): Snapshot {
  const folders = outsideFolders(apis.flatMap(({ collections }) => collections));
  const states = folders.flatMap((outside) =>
    [...statesOf(outside.folder.path, () => entriesOutside(content, outside))].map(
      ([file, state]) => [fileOutside(content, outside.folder, file), state] as const,
    ),
  );
  return new Map(states);
}

/** A folder that cannot be listed counts as empty. Reading it reports the reason. */
function statesOf(folder: string, entries: () => ReturnType<typeof entriesBelow>): Snapshot {
  const files = new Map<string, string>();
  try {
    for (const [file] of entries()) files.set(file, stateOf(path.join(folder, file)));
  } catch (error) {
    if (!hasCode(error, ...unlistable)) throw error;
    return new Map();
  }
  return files;
}

/** The error codes of a folder that is gone or cannot be listed. */
export const unlistable = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENAMETOOLONG", "ELOOP"];

/** The files that were added, changed or removed, in order of code units. */
export function changedFiles(before: Snapshot, after: Snapshot): readonly string[] {
  const removed = [...before.keys()].filter((file) => !after.has(file));
  const others = [...after].filter(([file, state]) => before.get(file) !== state).map(([file]) => file);
  return [...removed, ...others].sort();
}

/** Empty if the path does not exist. The state of a folder changes only if another folder takes its place. */
export function stateOf(file: string): string {
  const stats = statOf(file);
  if (stats === undefined) return "";
  const { dev, ino, birthtimeNs } = stats;
  // A new folder may reuse the inode number of a removed one, but not its birth time.
  return stats.isDirectory() ? `${dev} ${ino} ${birthtimeNs}` : stateOfFile(stats);
}

function statOf(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A parent folder has become a file or is not accessible, which may be temporary.
    return undefined;
  }
}
