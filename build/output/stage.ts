// New and changed files are written beside the out folder first. Nothing in the out folder changes before the last one is
// written, so a full disk, an error or a kill leaves nothing behind.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eachFile, type FileGroup, type PlannedFiles } from "../file.ts";
import { type Index, nextTickIn } from "./index-file.ts";
import type { Lock } from "./lock.ts";
import { openNextIndex } from "./next-index.ts";
import { type Owns, refuseForeignKinds, refuseObstacle } from "./ownership.ts";
import { entryAt, type Tree } from "./tree.ts";
import { openWriter } from "./writer.ts";

/** A file that a build has written, kept or removed, or consecutive files of a listing that it has kept. */
export interface Change {
  /** The first of the files. */
  readonly file: string;
  readonly files: number;
  readonly kind: "written" | "kept" | "removed";
  /** Their size in bytes before the build, undefined if there was no such file. */
  readonly before: number | undefined;
  /** Their size in bytes after it, undefined if there is none any more. */
  readonly after: number | undefined;
}

/** The out folder as a build finds it. */
export interface FoundFolder {
  /** As the user names it. */
  readonly out: string;
  /** Its real path. It may not exist yet. */
  readonly root: string;
  readonly base: string;
  readonly tree: Tree;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean: boolean;
}

export interface Staged {
  /** The folder with all files, if there is no out folder yet. */
  readonly whole: string | undefined;
  /** Otherwise, the place of each new folder by its path in the out folder, outer ones first. */
  readonly folders: ReadonlyMap<string, string>;
  /** And the place of each new or changed file. */
  readonly single: ReadonlyMap<string, string>;
  /** The changed files that are in the out folder already. */
  readonly replaced: ReadonlySet<string>;
  /** All files of the build. Moving those in `single` changes their ctime, so the next build reads them once. */
  readonly index: Index;
  /** Whether the old index differs from it. */
  readonly isNew: boolean;
  /** The plain files of the out folder that are not among them. */
  readonly unplanned: readonly string[];
  /** The new and changed files. */
  readonly written: readonly string[];
}

/** `owns` tells which paths the next build knows as the program's. Calls `onChange` for each file or group. */
export async function stage(
  { out, root, base, tree, clean }: FoundFolder,
  planned: PlannedFiles,
  owns: Owns,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  refuseForeignKinds(out, base, tree);
  const { key, paths, numbers, groups } = tree.index;
  const made = openNextIndex(tree.index);
  const places = openPlaces(lock.folder, out, existsSync(root), tree);
  const writer = openWriter(lock.folder);
  /** Positions in the new index. */
  const changed: number[] = [];
  const replaced = new Set<string>();
  let kept = 0;
  /** Most files follow one another as in the old index. */
  let next = 0;
  const keep = (first: number, count: number) => {
    lock.beat();
    kept += count;
    next = first + count;
    const length = made.keep(first, count);
    onChange({ file: paths[first] ?? "", files: count, kind: "kept", before: length, after: length });
  };
  const keepGroup = (group: FileGroup): boolean => {
    const digest = group.digest(key);
    const first = groups.get(digest);
    made.startGroup(digest);
    if (first === undefined || !isKnown(numbers, first, group.count)) return false;
    keep(first, group.count);
    return true;
  };
  try {
    for (const part of planned) {
      if ("files" in part && keepGroup(part)) continue;
      for (const each of eachFile([part])) {
        const { file, length } = each.entry;
        const digest = each.digest(key);
        const position = tree.positionOf(file, next);
        if (numbers[4 * position + 1] === digest) {
          keep(position, 1);
          continue;
        }
        lock.beat();
        if (position >= 0) next = position + 1;
        if (!owns(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
        const there = position < 0 ? tree.files.get(file) : entryAt(tree.index, position);
        const mayBeSame = !clean && there?.length === length;
        if (mayBeSame && consistsOf(readFileSync(path.join(root, file)), each.parts(), length)) {
          made.add(file, position, { ...there, digest });
          onChange({ file, files: 1, kind: "kept", before: length, after: length });
          continue;
        }
        changed.push(made.add(file, position, { length, digest, inode: Number.NaN, ctime: Number.NaN }));
        if (there !== undefined) replaced.add(file);
        writer.write(places.add(file, there !== undefined), each);
        onChange({ file, files: 1, kind: "written", before: there?.length, after: length });
      }
    }
    const stamps = await writer.done();
    const index = made.done();
    // Nobody else knows of the files until they are moved, so whatever is done to them later is done in a later tick.
    const now = changed.length > 0 ? await nextTickIn(lock.folder) : Number.NaN;
    for (const [order, position] of changed.entries()) {
      const [inode = Number.NaN, ctime = Number.NaN] = [stamps[2 * order], stamps[2 * order + 1]];
      index.numbers[4 * position + 2] = inode;
      index.numbers[4 * position + 3] = ctime < now ? ctime : Number.NaN;
    }
    return {
      whole: places.whole,
      folders: places.folders,
      single: places.single,
      replaced,
      index,
      isNew: kept < index.paths.length || kept < paths.length,
      unplanned: made.unplanned(tree),
      written: changed.map((position) => index.paths[position] ?? ""),
    };
  } catch (error) {
    await writer.stop();
    throw error;
  }
}

/** Whether the index knows the bytes of consecutive files. */
function isKnown(numbers: Float64Array, first: number, count: number): boolean {
  for (let position = first; position < first + count; position++) {
    if (Number.isNaN(numbers[4 * position + 1])) return false;
  }
  return true;
}

/** Chooses the place of each staged file. `add` returns a path in `parent`. */
function openPlaces(parent: string, out: string, isThere: boolean, tree: Tree) {
  const [folder, waiting] = [path.join(parent, "files"), path.join(parent, "single")];
  mkdirSync(isThere ? waiting : folder);
  const [single, folders] = [new Map<string, string>(), new Map<string, string>()];
  const known = new Set<string>([".", ...tree.folders]);

  // Not { recursive: true }, which would make again what vanished with the lock.
  function addFolder(name: string): void {
    if (known.has(name)) return;
    addFolder(path.posix.dirname(name));
    refuseObstacle(out, name, tree);
    const place = isThere ? path.join(waiting, `folder-${folders.size}`) : path.join(folder, name);
    mkdirSync(place);
    if (isThere) folders.set(name, place);
    known.add(name);
  }

  /** Throws MachineError if something else has the place of a new file or of one of its folders. */
  function add(file: string, isReplaced: boolean): string {
    if (!isReplaced) {
      refuseObstacle(out, file, tree);
      addFolder(path.posix.dirname(file));
    }
    if (!isThere) return `files/${file}`;
    const place = `single/${single.size}`;
    single.set(file, path.join(parent, place));
    return place;
  }

  return { whole: isThere ? undefined : folder, folders, single, add };
}

function consistsOf(bytes: Buffer, parts: readonly Uint8Array[], length: number): boolean {
  let end = 0;
  return (
    bytes.length === length &&
    parts.every((part) => {
      const start = end;
      end += part.length;
      return bytes.compare(part, 0, part.length, start, end) === 0;
    })
  );
}
