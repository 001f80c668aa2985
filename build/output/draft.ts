// The next manifest, as the files of a build come in.
import path from "node:path";
import type { OutputEntry } from "../file.ts";
import type { KnownOutput } from "./inspection.ts";
import type { Stamp } from "./stamp.ts";
import type { Tree } from "./walk.ts";

export interface Draft {
  readonly entries: readonly OutputEntry[];
  /** Of the files at their positions in `entries`; undefined for those that have the stamp of the last manifest. */
  readonly stamps: (Stamp | undefined)[];
  /** The index in the last manifest of the file at a position in `entries`, −1 for none. */
  readonly indices: readonly number[];
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
  const last = known?.manifest.entries ?? [];
  const entries: OutputEntry[] = [];
  const stamps: (Stamp | undefined)[] = [];
  const indices: number[] = [];
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
    entries,
    stamps,
    indices,
    has,
    add(entry) {
      const index = indexOf(entry.file);
      const count = others.size + seenCount;
      if (index === -1) others.add(entry.file);
      else if (seen[index] === 0) {
        seen[index] = 1;
        seenCount++;
      }
      if (others.size + seenCount === count) throw new Error(`Two files of one build have the path ${entry.file}.`);
      inOrder &&= index === entries.length;
      entries.push(entry);
      stamps.push(undefined);
      indices.push(index);
      return index;
    },
    isSame: () => inOrder && entries.length === last.length,
    missing(tree) {
      if (tree !== known?.tree()) return [...tree.files].filter((file) => !has(file));
      return seenCount === last.length ? [] : last.flatMap(({ file }, index) => (seen[index] === 0 ? [file] : []));
    },
    folders() {
      const tree = known?.tree();
      if (tree === undefined || seenCount < last.length) return foldersOf(entries.map(({ file }) => file));
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
