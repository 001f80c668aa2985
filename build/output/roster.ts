// The files of a build, as they come in.
import path from "node:path";
import type { Columns, Ledger } from "./manifest.ts";
import type { Tree } from "./walk.ts";

export interface Roster extends Columns {
  /** Says where the file stands in the ledger, −1 for nowhere. Throws where it was added before. */
  add(file: string, length: number, print: number): number;
  /** Adds the file that stands there in the ledger. */
  addSame(index: number): void;
  has(file: string): boolean;
  /** Whether its files are those of the ledger in the same order. */
  isSame(): boolean;
  /** The files of a tree that were not added. */
  missing(tree: Tree): readonly string[];
  /** The folders that the files are in, at any depth. */
  folders(): ReadonlySet<string>;
}

/** What the ledger of the last build has in the same order needs no sets and maps of its own. */
export function openRoster(ledger: Ledger | undefined): Roster {
  const files: string[] = [];
  const lengths: number[] = [];
  const prints: number[] = [];
  const known = ledger?.remains.files ?? [];
  /** Of each file in the ledger, whether it was added. */
  const seen = new Uint8Array(known.length);
  let seenCount = 0;
  const others = new Set<string>();
  const indexOf = (file: string): number => ledger?.indexOf(file) ?? -1;
  const isAdded = (index: number, file: string): boolean => (index === -1 ? others.has(file) : seen[index] === 1);
  const has = (file: string): boolean => isAdded(indexOf(file), file);
  let inOrder = true;
  function put(index: number, file: string, length: number, print: number): void {
    if (isAdded(index, file)) throw new Error(`Two files of one build have the path ${file}.`);
    inOrder &&= index === files.length;
    if (index === -1) others.add(file);
    else {
      seen[index] = 1;
      seenCount++;
    }
    files.push(file);
    lengths.push(length);
    prints.push(print);
  }
  return {
    files,
    lengths,
    prints,
    has,
    add(file, length, print) {
      const index = indexOf(file);
      // The same text; the one from the ledger will stay anyway.
      put(index, known[index] ?? file, length, print);
      return index;
    },
    addSame(index) {
      ledger?.seek(index + 1);
      put(index, known[index] ?? "", ledger?.remains.lengths[index] ?? 0, ledger?.remains.prints[index] ?? 0);
    },
    isSame: () => inOrder && files.length === known.length,
    missing(tree) {
      if (tree !== ledger?.tree()) return [...tree.files].filter((file) => !has(file));
      return seenCount === known.length ? [] : known.filter((_, index) => seen[index] === 0);
    },
    folders() {
      const tree = ledger?.tree();
      if (tree === undefined || seenCount < known.length) return foldersOf(files);
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
