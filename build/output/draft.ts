// The next manifest, as the files of a build come in.
import path from "node:path";
import type { OutputEntry } from "../file.ts";
import type { KnownOutput } from "./inspection.ts";
import type { Manifest } from "./manifest.ts";
import { type Stamp, stampIn, unknown } from "./stamp.ts";
import type { Tree } from "./walk.ts";

export interface Draft {
  /** How many files were added. */
  readonly count: number;
  /** The paths of the files, in their order. */
  readonly files: readonly string[];
  /** In bytes. */
  lengthAt(position: number): number;
  stampAt(position: number): Stamp;
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
  columns(): Pick<Manifest, "files" | "lengths" | "digests" | "stamps">;
}

/** Files that the last manifest has in the same order need no sets, maps and lists of their own. */
export function openDraft(known: KnownOutput | undefined): Draft {
  const last = known?.manifest ?? { files: [], stamps: [] };
  const columns = openColumns(known?.manifest);
  let count = 0;
  /** Undefined while they are those of the last manifest. */
  let files: string[] | undefined;
  /** Of each file of the last manifest, whether it was added. */
  const seen = new Uint8Array(last.files.length);
  let seenCount = 0;
  const others = new Set<string>();
  const indexOf = (file: string): number => known?.indexOf(file) ?? -1;
  const has = (file: string): boolean => {
    const index = indexOf(file);
    return index === -1 ? others.has(file) : seen[index] === 1;
  };
  const filesSoFar = (): readonly string[] =>
    files ?? (count === last.files.length ? last.files : last.files.slice(0, count));
  return {
    get count() {
      return count;
    },
    get files() {
      return filesSoFar();
    },
    lengthAt: (position) => columns.lengthAt(position),
    stampAt: (position) => columns.stampAt(position),
    setStamp: (position, stamp) => columns.setStamp(position, stamp),
    has,
    add({ file, length, digest }) {
      const index = indexOf(file);
      if (index === -1) others.add(file);
      else if (seen[index] === 0) {
        seen[index] = 1;
        seenCount++;
      }
      if (others.size + seenCount === count) throw new Error(`Two files of one build have the path ${file}.`);
      if (index !== count) files ??= last.files.slice(0, count);
      // The same text, which stays in memory anyway.
      files?.push(last.files[index] ?? file);
      columns.set(count, length, digest);
      if (index !== count) {
        const [inode = unknown.inode, ctime = unknown.ctime] = [last.stamps[2 * index], last.stamps[2 * index + 1]];
        columns.setStamp(count, { inode, ctime });
      }
      count++;
      return index;
    },
    isSame: () => files === undefined && count === last.files.length,
    missing(tree) {
      if (tree !== known?.tree()) return [...tree.files].filter((file) => !has(file));
      return seenCount === last.files.length ? [] : last.files.filter((_, index) => seen[index] === 0);
    },
    folders() {
      const tree = known?.tree();
      if (tree === undefined || seenCount < last.files.length) return foldersOf(filesSoFar());
      return new Set([...tree.folders, ...foldersOf(others)]);
    },
    columns: () => ({ files: filesSoFar(), ...columns.done(count) }),
  };
}

/** Numbers of files, which grow as files are added. They start as those of the last manifest. */
function openColumns(last: Manifest | undefined) {
  let capacity = Math.max(1_024, last?.files.length ?? 0);
  let lengths = new Uint32Array(capacity);
  let digests = new Float64Array(capacity);
  let stamps = new Float64Array(2 * capacity);
  if (last !== undefined) stamps.set(last.stamps);
  return {
    set(position: number, length: number, digest: number): void {
      if (position === capacity) {
        capacity *= 2;
        lengths = larger(lengths, new Uint32Array(capacity));
        digests = larger(digests, new Float64Array(capacity));
        stamps = larger(stamps, new Float64Array(2 * capacity));
      }
      lengths[position] = length;
      digests[position] = digest;
    },
    lengthAt: (position: number) => lengths[position] ?? Number.NaN,
    stampAt: (position: number) => stampIn(stamps, position),
    setStamp(position: number, { inode, ctime }: Stamp): void {
      stamps[2 * position] = inode;
      stamps[2 * position + 1] = ctime;
    },
    done: (count: number) => ({
      lengths: lengths.slice(0, count),
      digests: digests.slice(0, count),
      stamps: stamps.slice(0, 2 * count),
    }),
  };
}

function larger<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The folders that the files are in, at any depth. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>(["."]);
  for (const file of files) {
    for (let name = path.posix.dirname(file); !folders.has(name); name = path.posix.dirname(name)) folders.add(name);
  }
  return folders;
}
