// The index of a build's files, while it grows. Most files are as the old index has them, and are copied in groups.
import type { Index, IndexEntry } from "./index-file.ts";
import type { Tree } from "./tree.ts";

/** `add` and `keep` take each file once, in the order of the plan. */
export function openNextIndex({ key, paths: oldPaths, numbers: old }: Index) {
  const paths: string[] = [];
  const groups = new Map<number, number>();
  let numbers = new Float64Array(old.length);
  /** For each position of the old index, 1 if the file is planned. */
  const planned = new Uint8Array(oldPaths.length);
  const added = new Set<string>();

  /** `before` is the position in the old index, −1 if it is not there. */
  function addPath(file: string, before: number): void {
    if (before < 0 ? added.has(file) : planned[before] === 1) {
      throw new Error(`Two files of one build have the path ${file}.`);
    }
    if (before < 0) added.add(file);
    else planned[before] = 1;
    paths.push(file);
  }

  function addNumbers(more: ArrayLike<number>, at: number): void {
    if (at + more.length > numbers.length) {
      const larger = new Float64Array(2 * (at + more.length));
      larger.set(numbers);
      numbers = larger;
    }
    numbers.set(more, at);
  }

  return {
    /** Returns the position of the file. */
    add(file: string, before: number, { length, digest, inode, ctime }: IndexEntry): number {
      addNumbers([length, digest, inode, ctime], 4 * paths.length);
      addPath(file, before);
      return paths.length - 1;
    },
    /** The next files are a group with this digest. */
    startGroup: (digest: number) => groups.set(digest, paths.length),
    /** Adds consecutive files of the old index. Returns their length. */
    keep(first: number, count: number): number {
      addNumbers(old.subarray(4 * first, 4 * (first + count)), 4 * paths.length);
      let length = 0;
      for (let position = first; position < first + count; position++) {
        addPath(oldPaths[position] ?? "", position);
        length += old[4 * position] ?? 0;
      }
      return length;
    },
    /** The plain files that are not among those added. */
    unplanned: ({ files }: Tree): readonly string[] => [
      ...oldPaths.filter((_, position) => planned[position] === 0 && !Number.isNaN(old[4 * position])),
      ...[...files.keys()].filter((file) => !added.has(file)),
    ],
    /** The number of files of the old index that are not planned. */
    countOthers: () => oldPaths.length + added.size - paths.length,
    done: (): Index => ({ key, paths, numbers: numbers.subarray(0, 4 * paths.length), groups }),
  };
}
