// The next manifest, as the files of a build come in.
import path from "node:path";
import type { OutputEntry } from "../file.ts";
import type { KnownOutput } from "./inspection.ts";
import { type Stamp, unknown } from "./stamp.ts";
import type { Tree } from "./walk.ts";

export interface Draft {
  /** The columns of a manifest. */
  readonly files: readonly string[];
  readonly lengths: readonly number[];
  readonly digests: readonly number[];
  readonly stamps: readonly number[];
  /** Until then the file at a position in `files` has the stamp of the last manifest. */
  setStamp(position: number, stamp: Stamp): void;
  /** Returns the index of the file in the last manifest, −1 for none. Throws where the path was added before. */
  add(entry: OutputEntry): number;
  has(file: string): boolean;
  /** Whether its files are those of the last manifest in the same order. */
  isSame(): boolean;
  /** The files of a tree that were not added. */
  missing(tree: Tree): readonly string[];
  /** The folders that the files are in, at any depth. */
  folders(): ReadonlySet<string>;
}

/** Files that the last manifest has in the same order need no sets and maps of their own. */
export function openDraft(known: KnownOutput | undefined): Draft {
  const last = known?.manifest.files ?? [];
  const files: string[] = [];
  const lengths: number[] = [];
  const digests: number[] = [];
  const stamps: number[] = [];
  /** Of each file of the last manifest, whether it was added. */
  const seen = new Uint8Array(last.length);
  let seenCount = 0;
  const others = new Set<string>();
  const indexOf = (file: string): number => known?.indexOf(file) ?? -1;
  const has = (file: string): boolean => {
    const index = indexOf(file);
    return index === -1 ? others.has(file) : seen[index] === 1;
  };
  let inOrder = true;
  return {
    files,
    lengths,
    digests,
    stamps,
    setStamp(position, { inode, ctime }) {
      stamps[2 * position] = inode;
      stamps[2 * position + 1] = ctime;
    },
    has,
    add({ file, length, digest }) {
      const index = indexOf(file);
      if (index === -1) others.add(file);
      else if (seen[index] === 0) {
        seen[index] = 1;
        seenCount++;
      }
      if (others.size + seenCount === files.length) throw new Error(`Two files of one build have the path ${file}.`);
      inOrder &&= index === files.length;
      // The same text, which stays in memory anyway.
      files.push(last[index] ?? file);
      lengths.push(length);
      digests.push(digest);
      stamps.push(
        known?.manifest.stamps[2 * index] ?? unknown.inode,
        known?.manifest.stamps[2 * index + 1] ?? unknown.ctime,
      );
      return index;
    },
    isSame: () => inOrder && files.length === last.length,
    missing(tree) {
      if (tree !== known?.tree()) return [...tree.files].filter((file) => !has(file));
      return seenCount === last.length ? [] : last.filter((_, index) => seen[index] === 0);
    },
    folders() {
      const tree = known?.tree();
      if (tree === undefined || seenCount < last.length) return foldersOf(files);
      return new Set([...tree.folders, ...foldersOf(others)]);
    },
  };
}

/** The folders that the files are in, at any depth. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>(["."]);
  for (const file of files) {
    for (let name = path.posix.dirname(file); !folders.has(name); name = path.posix.dirname(name)) folders.add(name);
  }
  return folders;
}
