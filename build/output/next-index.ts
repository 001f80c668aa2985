// The index of a build's files, while it grows.
import type { Index, IndexEntry } from "./index-file.ts";
import type { Tree } from "./tree.ts";

/** `add` and `keep` take each file once, in the order of the plan. */
export function openNextIndex({ key, paths: oldPaths, numbers: old }: Index) {
  const paths: string[] = [];
  let numbers = new Float64Array(old.length);
  const groups = new Map<number, number>();
  /** For each position of the old index, 1 if the file is planned. */
  const planned = new Uint8Array(oldPaths.length);
  /** The files that are not in the old index. */
  const added = new Set<string>();

  function push(more: ArrayLike<number>): void {
    const at = 4 * paths.length;
    if (at + more.length > numbers.length) {
      const larger = new Float64Array(2 * (at + more.length));
      larger.set(numbers);
      numbers = larger;
    }
    numbers.set(more, at);
  }

  function plan(position: number): void {
    if (planned[position] === 1) throw repeatedPath(oldPaths[position] ?? "");
    planned[position] = 1;
  }

  return {
    /** `before` is the position in the old index, −1 if it is not there. Returns the new position. */
    add(file: string, before: number, { length, digest, inode, ctime }: IndexEntry): number {
      if (before >= 0) plan(before);
      else if (added.has(file)) throw repeatedPath(file);
      else added.add(file);
      push([length, digest, inode, ctime]);
      return paths.push(file) - 1;
    },
    /** The next files are a group with this digest. */
    startGroup: (digest: number) => groups.set(digest, paths.length),
    /** Adds consecutive files of the old index. Returns their length. */
    keep(first: number, files: number): number {
      const end = first + files;
      push(old.subarray(4 * first, 4 * end));
      let length = 0;
      for (let position = first; position < end; position++) {
        plan(position);
        paths.push(oldPaths[position] ?? "");
        length += old[4 * position] ?? 0;
      }
      return length;
    },
    /** The plain files that are not among those added. */
    unplanned: ({ files }: Tree): readonly string[] => [
      ...oldPaths.filter((_, position) => planned[position] === 0 && !Number.isNaN(old[4 * position])),
      ...[...files.keys()].filter((file) => !added.has(file)),
    ],
    done: (): Index => ({ key, paths, numbers: numbers.subarray(0, 4 * paths.length), groups }),
  };
}

const repeatedPath = (file: string): Error => new Error(`Two files of one build have the path ${file}.`);
