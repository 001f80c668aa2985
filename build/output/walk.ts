import { existsSync, lstatSync, readdirSync } from "node:fs";
import type { Index, IndexEntry } from "./index-file.ts";

/** The entries of a folder: paths relative to it, with slashes, outer entries before inner ones. */
export interface Tree {
  /** Those that are as the index has them have the index's entry, all others a digest of NaN. */
  readonly files: Index;
  readonly folders: ReadonlySet<string>;
  /** The folders that hold nothing. */
  readonly empty: ReadonlySet<string>;
  /** Links, which are not followed, and special files such as pipes. */
  readonly others: ReadonlySet<string>;
}

/**
 * `time` is the time of the file system. Leaves out the entries that `skip` names, and everything below them. A missing
 * folder holds nothing.
 */
export function walk(root: string, index: Index, time: number, skip: (entry: string) => boolean): Tree {
  const files = new Map<string, IndexEntry>();
  const [folders, empty, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const pending = existsSync(root) ? [""] : [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const prefix = folder === "" ? "" : `${folder}/`;
    const names = readdirSync(`${root}/${folder}`);
    if (names.length === 0) empty.add(folder);
    for (const name of names) {
      const entry = prefix + name;
      const state = skip(entry) ? undefined : lstatSync(`${root}/${entry}`, { throwIfNoEntry: false });
      if (state === undefined) continue;
      if (state.isFile()) {
        const known = index.get(entry);
        const { size: length, ino: inode, ctimeMs } = state;
        const isKnown = known?.ctime === ctimeMs && known.inode === inode && known.length === length;
        const ctime = ctimeMs < time ? ctimeMs : Number.NaN;
        files.set(entry, isKnown ? known : { length, digest: Number.NaN, inode, ctime });
      } else if (state.isDirectory()) {
        folders.add(entry);
        pending.push(entry);
      } else others.add(entry);
    }
  }
  return { files, folders, empty, others };
}
