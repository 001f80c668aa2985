// New and changed files are written beside the out folder first. Until all of them are, the out folder is as it was, so a
// full disk, an error or a kill leaves nothing behind in it.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Key } from "../digest.ts";
import type { OutputEntry, OutputFile } from "../file.ts";
import { nextTickIn } from "./clock.ts";
import type { IndexEntry } from "./index-file.ts";
import type { Lock } from "./lock.ts";
import { type Owns, refuseObstacle } from "./ownership.ts";
import type { Tree } from "./walk.ts";
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
  /** Its real path. Nothing need be there yet. */
  readonly root: string;
  readonly tree: Tree;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean: boolean;
  /** The key of the digests in `tree`. */
  readonly key: Key;
}

export interface Staged {
  /** Holds the new and changed files at their paths in the out folder, except those in `single`. */
  readonly folder: string;
  /** The places of those whose folder is in the out folder already. By path in the out folder. */
  readonly single: ReadonlyMap<string, string>;
  /** The changed files that are in the out folder already. */
  readonly replaced: ReadonlySet<string>;
  /** All files of the build. Those in `single` get another ctime when they are moved. */
  readonly files: Map<string, IndexEntry>;
  /** How many files are new or changed. */
  readonly changes: number;
  /** Whether every file was in the index and is unchanged. */
  readonly isKnown: boolean;
}

/** A file that is kept takes far less time than one that is read or written. */
const keptPerBeat = 100;

/** `owns` tells which paths the next build knows as the program's. Calls `onChange` for each file. */
export async function stage(
  { out, root, tree, clean, key }: Found,
  planned: Iterable<OutputFile>,
  owns: Owns,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const files = new Map<string, IndexEntry>();
  const places = openPlaces(lock.folder, tree, existsSync(root));
  const writer = openWriter(lock.folder);
  const changed: (OutputEntry & Pick<IndexEntry, "digest">)[] = [];
  const replaced = new Set<string>();
  let count = 0;
  let isKnown = true;
  const add = (file: string, entry: IndexEntry) => {
    files.set(file, entry);
    if (files.size !== ++count) throw new Error(`Two files of one build have the path ${file}.`);
  };
  try {
    for (const each of planned) {
      const { file, length } = each.entry;
      const digest = each.digest(key);
      const there = tree.files.get(file);
      if (there?.digest === digest && there.length === length) {
        if (count % keptPerBeat === 0) lock.beat();
        add(file, there);
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      lock.beat();
      isKnown = false;
      if (!owns(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
      if (!clean && there?.length === length && consistsOf(readFileSync(path.join(root, file)), each.parts(), length)) {
        add(file, { ...there, digest });
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      add(file, unwritten);
      if (there === undefined) refuseObstacle(out, tree, file);
      else replaced.add(file);
      writer.write(places.add(file), each);
      changed.push({ file, length, digest });
      onChange({ file, kind: "written", before: there?.length, after: length });
    }
    const written = await writer.done();
    // Nobody else knows of the files until they are moved, so whatever is done to them later is done in a later tick.
    const now = changed.length === 0 ? Number.NaN : await nextTickIn(lock.folder);
    for (const [position, { file, length, digest }] of changed.entries()) {
      const [inode = Number.NaN, ctime = Number.NaN] = [written[2 * position], written[2 * position + 1]];
      files.set(file, { length, digest, inode, ctime: ctime < now ? ctime : Number.NaN });
    }
    return { folder: places.folder, single: places.single, replaced, files, changes: changed.length, isKnown };
  } catch (error) {
    await writer.stop();
    throw error;
  }
}

const unwritten: IndexEntry = { length: Number.NaN, digest: Number.NaN, inode: Number.NaN, ctime: Number.NaN };

/** Chooses where each changed file waits: files whose folder is missing make one. `add` returns a path in `parent`. */
function openPlaces(parent: string, tree: Tree, isThere: boolean) {
  const [folder, waiting] = [path.join(parent, "files"), path.join(parent, "single")];
  mkdirSync(folder);
  mkdirSync(waiting);
  const made = new Set<string>(["."]);
  const single = new Map<string, string>();

  // Not { recursive: true }, which would make again what vanished with the lock.
  function makeFolder(name: string): void {
    if (made.has(name)) return;
    makeFolder(path.posix.dirname(name));
    mkdirSync(path.join(folder, name));
    made.add(name);
  }

  function add(file: string): string {
    const parentFolder = path.posix.dirname(file);
    if (parentFolder === "." ? isThere : tree.folders.has(parentFolder)) {
      const place = `single/${single.size}`;
      single.set(file, path.join(parent, place));
      return place;
    }
    makeFolder(parentFolder);
    return `files/${file}`;
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
