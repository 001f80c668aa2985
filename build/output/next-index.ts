// The index of a build's files, while it grows. Most files are as the old index has them: as long as all files have the
// positions of the old index, nothing is copied.
import type { Index, IndexEntry } from "./index-file.ts";
import type { Tree } from "./tree.ts";

/** `add` and `keep` take each file once, in the order of the plan. */
export function openNextIndex({ key, paths: oldPaths, numbers: old }: Index) {
  const groups = new Map<number, number>();
  let count = 0;
  /** Undefined as long as the files are the first ones of the old index, in its order. */
  let paths: string[] | undefined;
  let numbers = old.slice();
  /** For each position of the old index, 1 if the file is planned. */
  const planned = new Uint8Array(oldPaths.length);
  const added = new Set<string>();

  function plan(first: number, end: number): void {
    const repeated = planned.subarray(first, end).indexOf(1);
    if (repeated >= 0) throw repeatedPath(oldPaths[first + repeated] ?? "");
    planned.fill(1, first, end);
  }

  /** `first` is the position of the first one in the old index, −1 if it is not there. */
  function addPaths(more: readonly string[], first: number): void {
    if (first !== count) paths ??= oldPaths.slice(0, count);
    if (paths !== undefined) for (const file of more) paths.push(file);
    count += more.length;
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
    /** `before` is the position in the old index, −1 if it is not there. Returns the new position. */
    add(file: string, before: number, { length, digest, inode, ctime }: IndexEntry): number {
      if (before >= 0) plan(before, before + 1);
      else if (added.has(file)) throw repeatedPath(file);
      else added.add(file);
      addNumbers([length, digest, inode, ctime], 4 * count);
      addPaths([file], before);
      return count - 1;
    },
    /** The next files are a group with this digest. */
    startGroup: (digest: number) => groups.set(digest, count),
    /** Adds consecutive files of the old index. Returns their length. */
    keep(first: number, files: number): number {
      const end = first + files;
      plan(first, end);
      if (first !== count || paths !== undefined) addNumbers(old.subarray(4 * first, 4 * end), 4 * count);
      addPaths(oldPaths.slice(first, end), first);
      let length = 0;
      for (let position = first; position < end; position++) length += old[4 * position] ?? 0;
      return length;
    },
    /** The plain files that are not among those added. */
    unplanned: ({ files }: Tree): readonly string[] => [
      ...oldPaths.filter((_, position) => planned[position] === 0 && !Number.isNaN(old[4 * position])),
      ...[...files.keys()].filter((file) => !added.has(file)),
    ],
    /** The number of files of the old index that are not planned. */
    countOthers: () => oldPaths.length + added.size - count,
    done: (): Index => ({
      key,
      paths: paths ?? oldPaths.slice(0, count),
      numbers: numbers.subarray(0, 4 * count),
      groups,
    }),
  };
}

const repeatedPath = (file: string): Error => new Error(`Two files of one build have the path ${file}.`);
