import { existsSync, lstatSync, readdirSync } from "node:fs";
import type { Index, IndexEntry } from "./index-file.ts";

/** The entries of a folder: paths relative to it, with slashes, outer entries before inner ones. */
export interface Tree {
  /** Those that are as the index has them have the index's entry, all others a digest of NaN. */
  readonly files: Index["files"];
  readonly folders: ReadonlySet<string>;
  /** The folders that hold nothing. */
  readonly empty: ReadonlySet<string>;
  /** Links, which are not followed, and special files such as pipes. */
  readonly others: ReadonlySet<string>;
}

/** The state that a build leaves, for the next build of the same process. */
export interface Left extends Index {
  /** Device, inode and ctime of each folder by its path, which is empty for the out folder. */
  readonly folders: ReadonlyMap<string, string>;
}

/** `files` are all entries of the folder that are not folders. */
export const leftIn = (root: string, { key, files }: Index): Left => ({
  key,
  files,
  folders: new Map([...foldersOf(files.keys())].map((folder) => [folder, stampOf(`${root}/${folder}`)])),
});

/**
 * The tree that a build of this process left; undefined if an entry was added, removed or replaced since. It saves a save
 * under dev the look at each file, which takes most of its time. A file that was modified in place goes unnoticed until the
 * next process builds.
 */
export function treeOf(root: string, { files, folders }: Left): Tree | undefined {
  for (const [folder, stamp] of folders) if (stampOf(`${root}/${folder}`) !== stamp) return undefined;
  return {
    files,
    folders: new Set([...folders.keys()].filter((each) => each !== "").sort()),
    empty: new Set(),
    others: new Set(),
  };
}

/** Of a path that holds no folder the empty text. */
function stampOf(folder: string): string {
  const state = lstatSync(folder, { throwIfNoEntry: false });
  return state?.isDirectory() === true ? `${state.dev} ${state.ino} ${state.ctimeMs}` : "";
}

/** The folders of files, outer ones included. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const file of files) {
    for (let name = folderOf(file); !folders.has(name); name = folderOf(name)) folders.add(name);
  }
  return folders;
}

const folderOf = (entry: string): string => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));

/**
 * `time` is the time of the file system. Leaves out the entries that `skip` names, and everything below them. A missing
 * folder holds nothing.
 */
export function walk(root: string, index: Index["files"], time: number, skip: (entry: string) => boolean): Tree {
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
