// New and changed files are written beside the out folder first. Until all of them are, the out folder is as it was, so a
// full disk, an error or a kill leaves nothing behind in it.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import { type Index, nextTickIn } from "./index-file.ts";
import type { Lock } from "./lock.ts";
import { type Owns, refuseForeignKinds, refuseObstacle } from "./ownership.ts";
import { entryAt, type Tree, type Walk } from "./tree.ts";
import { openWriter } from "./writer.ts";

/** A file that a build has written, kept or removed. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Size in bytes before the build, undefined if there was no such file. */
  readonly before: number | undefined;
  /** Size in bytes after it, undefined if there is none any more. */
  readonly after: number | undefined;
}

/** The out folder as a build finds it. */
export interface Found {
  /** As the user calls it. */
  readonly out: string;
  /** Its real path. It may not exist yet. */
  readonly root: string;
  readonly base: string;
  readonly walk: Walk;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean: boolean;
}

/** The index of the new files. */
interface NewIndex extends Index {
  readonly paths: string[];
  /** The position of a file. */
  positionOf(file: string): number | undefined;
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
  readonly index: NewIndex;
  /** How many files are new or changed. */
  readonly changes: number;
  /** Whether the index is that of the last build. */
  readonly isKnown: boolean;
}

/** A file that is kept takes far less time than one that is read or written. */
const keptPerBeat = 100;

/** `owns` tells which paths the next build knows as the program's. Calls `onChange` for each file. */
export async function stage(
  { out, root, base, walk, clean }: Found,
  planned: Iterable<OutputFile>,
  owns: Owns,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const { key, paths: oldPaths, numbers: old } = walk.index;
  const paths: string[] = [];
  const numbers: number[] = [];
  /** For each position of the old index, one more than the position of the file in the new one. */
  const moved = new Uint32Array(oldPaths.length);
  const added = new Map<string, number>();
  const places = openPlaces(lock.folder, out, existsSync(root));
  const writer = openWriter(lock.folder);
  const changed: number[] = [];
  const replaced = new Set<string>();
  let isKnown = true;
  let reached = 0;
  let tree: Tree | undefined;
  const add = (file: string, before: number, length: number, digest: number, inode: number, ctime: number): number => {
    const position = paths.push(file) - 1;
    numbers.push(length, digest, inode, ctime);
    if (before < 0 ? added.has(file) : moved[before] !== 0) {
      throw new Error(`Two files of one build have the path ${file}.`);
    }
    if (before < 0) added.set(file, position);
    else moved[before] = position + 1;
    return position;
  };
  try {
    for (const each of planned) {
      const { file, length } = each.entry;
      const digest = each.digest(key);
      const position = walk.positionOf(file);
      if (position >= reached) reached = await walk.reach(position);
      const at = 4 * position;
      if (old[at] === length && old[at + 1] === digest) {
        if (paths.length % keptPerBeat === 0) lock.beat();
        add(oldPaths[position] ?? file, position, length, digest, old[at + 2] ?? Number.NaN, old[at + 3] ?? Number.NaN);
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      lock.beat();
      isKnown = false;
      if (!owns(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
      let there = entryAt(walk.index, position);
      if (there === undefined) {
        tree ??= await walk.tree();
        there = tree.get(file);
      }
      if (!clean && there?.length === length && consistsOf(readFileSync(path.join(root, file)), each.parts(), length)) {
        add(file, position, length, digest, there.inode, there.ctime);
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      const added = add(file, position, length, digest, Number.NaN, Number.NaN);
      changed.push(added);
      if (there !== undefined) replaced.add(file);
      writer.write(places.add(file, added, there === undefined ? tree : undefined), each);
      onChange({ file, kind: "written", before: there?.length, after: length });
    }
    const written = await writer.done();
    // Nobody else knows of the files until they are moved, so whatever is done to them later is done in a later tick.
    const now = changed.length === 0 ? Number.NaN : await nextTickIn(lock.folder);
    for (const [order, position] of changed.entries()) {
      const [inode = Number.NaN, ctime = Number.NaN] = [written[2 * order], written[2 * order + 1]];
      numbers[4 * position + 2] = inode;
      numbers[4 * position + 3] = ctime < now ? ctime : Number.NaN;
    }
    tree ??= await walk.tree();
    refuseForeignKinds(out, base, tree);
    const positionOf = (file: string) => {
      const position = walk.positionOf(file);
      return position < 0 ? added.get(file) : moved[position] === 0 ? undefined : (moved[position] ?? 0) - 1;
    };
    return {
      tree,
      folder: places.folder,
      single: places.single,
      replaced,
      index: { key, paths, numbers: Float64Array.from(numbers), positionOf },
      changes: changed.length,
      isKnown: isKnown && paths.length === oldPaths.length,
    };
  } catch (error) {
    await writer.stop();
    throw error;
  }
}

/** Chooses where each changed file waits: files whose folder is missing make one. `add` returns a path in `parent`. */
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
