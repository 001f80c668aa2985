// New and changed files are written beside the out folder first. Until all of them are, the out folder is as it was, so a
// full disk, an error or a kill leaves nothing behind in it.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { eachFile, type FileGroup, type PlannedFiles } from "../file.ts";
import { type Index, nextTickIn } from "./index-file.ts";
import type { Lock } from "./lock.ts";
import { openNextIndex } from "./next-index.ts";
import { type Owns, refuseForeignKinds, refuseObstacle } from "./ownership.ts";
import { entryAt, type Tree, type Walk } from "./tree.ts";
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
export interface Found {
  /** As the user names it. */
  readonly out: string;
  /** Its real path. It may not exist yet. */
  readonly root: string;
  readonly base: string;
  readonly walk: Walk;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean: boolean;
  /** Whether to keep an index of so many files if the old one is wrong for some of them. */
  readonly keepsIndex: (files: number, differing: number) => boolean;
}

/** A file that is moved by itself. */
export interface Single {
  readonly from: string;
  /** In the index of the new files. */
  readonly position: number;
}

export interface Staged {
  readonly tree: Tree;
  /** Holds the new and changed files at their paths in the out folder, except those in `single`. */
  readonly folder: string;
  /** Those whose folder is in the out folder already. By path in the out folder. */
  readonly single: ReadonlyMap<string, Single>;
  /** The changed files that are in the out folder already. */
  readonly replaced: ReadonlySet<string>;
  /** All files of the build. Those in `single` get another ctime when they are moved. */
  readonly index: Index;
  /** The plain files of the out folder that are not among them. */
  readonly unplanned: readonly string[];
  /** The new and changed files. */
  readonly written: readonly string[];
  /** The number of files for which the old index is wrong. */
  readonly differing: number;
  /** Whether to keep the index. If not, the index lacks inode and ctime of new files. */
  readonly keepsIndex: boolean;
}

/** `owns` tells which paths the next build knows as the program's. Calls `onChange` for each file or group. */
export async function stage(
  { out, root, base, walk, clean, keepsIndex }: Found,
  planned: PlannedFiles,
  owns: Owns,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const { key, numbers: old, groups } = walk.index;
  const made = openNextIndex(walk.index);
  const places = openPlaces(lock.folder, out, existsSync(root));
  const writer = openWriter(lock.folder);
  const changed: number[] = [];
  const replaced = new Set<string>();
  let differing = 0;
  let reached = 0;
  let tree: Tree | undefined;
  const keep = (first: number, count: number) => {
    lock.beat();
    const file = walk.index.paths[first] ?? "";
    const length = made.keep(first, count);
    onChange({ file, files: count, kind: "kept", before: length, after: length });
  };
  const keepGroup = async (group: FileGroup): Promise<boolean> => {
    const digest = group.digest(key);
    const first = groups.get(digest);
    made.startGroup(digest);
    if (first === undefined) return false;
    const last = first + group.count - 1;
    if (last >= reached) reached = await walk.reach(last);
    if (!isKnown(old, first, group.count)) return false;
    walk.skipTo(first + group.count);
    keep(first, group.count);
    return true;
  };
  try {
    for (const part of planned) {
      if ("files" in part && (await keepGroup(part))) continue;
      for (const each of eachFile([part])) {
        const digest = each.digest(key);
        const position = walk.positionOf(each, digest);
        if (position >= reached) reached = await walk.reach(position);
        if (old[4 * position + 1] === digest) {
          keep(position, 1);
          continue;
        }
        lock.beat();
        differing++;
        const { file, length } = each.entry;
        if (!owns(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
        let there = entryAt(walk.index, position);
        if (there === undefined) {
          tree ??= await walk.tree();
          there = tree.get(file);
        }
        if (
          !clean &&
          there?.length === length &&
          consistsOf(readFileSync(path.join(root, file)), each.parts(), length)
        ) {
          made.add(file, position, { ...there, digest });
          onChange({ file, files: 1, kind: "kept", before: length, after: length });
          continue;
        }
        const added = made.add(file, position, { length, digest, inode: Number.NaN, ctime: Number.NaN });
        changed.push(added);
        if (there !== undefined) replaced.add(file);
        writer.write(places.add(file, added, there === undefined ? tree : undefined), each);
        onChange({ file, files: 1, kind: "written", before: there?.length, after: length });
      }
    }
    const written = await writer.done();
    const index = made.done();
    differing += made.countOthers();
    const isKept = keepsIndex(index.paths.length, differing);
    // Nobody else knows of the files until they are moved, so whatever is done to them later is done in a later tick.
    const now = isKept && changed.length > 0 ? await nextTickIn(lock.folder) : Number.NaN;
    for (const [order, position] of changed.entries()) {
      const [inode = Number.NaN, ctime = Number.NaN] = [written[2 * order], written[2 * order + 1]];
      index.numbers[4 * position + 2] = inode;
      index.numbers[4 * position + 3] = ctime < now ? ctime : Number.NaN;
    }
    tree ??= await walk.tree();
    refuseForeignKinds(out, base, tree);
    return {
      tree,
      folder: places.folder,
      single: places.single,
      replaced,
      index,
      unplanned: made.unplanned(tree),
      written: changed.map((position) => index.paths[position] ?? ""),
      differing,
      keepsIndex: isKept,
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

/** Chooses the place of each staged file, and makes the folders that are missing. `add` returns a path in `parent`. */
function openPlaces(parent: string, out: string, isThere: boolean) {
  const [folder, waiting] = [path.join(parent, "files"), path.join(parent, "single")];
  mkdirSync(folder);
  mkdirSync(waiting);
  const made = new Set<string>(["."]);
  const single = new Map<string, Single>();

  // Not { recursive: true }, which would make again what vanished with the lock.
  function makeFolder(name: string, tree: Tree): void {
    if (made.has(name)) return;
    makeFolder(path.posix.dirname(name), tree);
    if (!tree.folders.has(name)) refuseObstacle(out, name, tree);
    mkdirSync(path.join(folder, name));
    made.add(name);
  }

  /** Without a tree, the file exists. Throws MachineError if something else has its place or that of one of its folders. */
  function add(file: string, position: number, tree: Tree | undefined): string {
    const parentFolder = path.posix.dirname(file);
    if (tree !== undefined) {
      refuseObstacle(out, file, tree);
      if (parentFolder === "." ? !isThere : !tree.folders.has(parentFolder)) {
        makeFolder(parentFolder, tree);
        return `files/${file}`;
      }
    }
    const place = `single/${single.size}`;
    single.set(file, { from: path.join(parent, place), position });
    return place;
  }

  return { folder, single, add };
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
