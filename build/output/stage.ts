// What is new or changed is written beside the out folder first. Until all of it is, the out folder is as it was, so a
// full disk, an error or a kill leaves nothing behind in it.
import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import type { Change } from "./change.ts";
import { type Draft, openDraft } from "./draft.ts";
import type { KnownOutput } from "./inspection.ts";
import type { Lock } from "./lock.ts";
import { type Owns, refuseObstacle } from "./ownership.ts";
import { type Clock, type Stamp, stampIn, stampOf, unknown } from "./stamp.ts";
import type { Tree } from "./walk.ts";
import { openWriter } from "./writer.ts";

/** The out folder as a build finds it. */
export interface Found {
  /** What the user calls it. */
  readonly out: string;
  /** Its real path. Nothing need be there yet. */
  readonly root: string;
  readonly tree: Tree;
  /** What is known of it from an earlier build. */
  readonly known: KnownOutput | undefined;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean: boolean;
}

export interface Staged {
  /** Holds the new and changed files at their paths in the out folder, except those in `single`. */
  readonly folder: string;
  /** Where those wait whose folder is there already: they need none of their own meanwhile. By path in the out folder. */
  readonly single: ReadonlyMap<string, string>;
  /** The changed files that are in the out folder already. */
  readonly replaced: ReadonlySet<string>;
  /** All files of the build. */
  readonly draft: Draft;
  /** The positions in the draft of those that are new or changed. */
  readonly changed: readonly number[];
  /** The stamps of the folders in `folder`, by their paths in the out folder. */
  readonly folders: ReadonlyMap<string, Stamp>;
  /** How many of the rest had to be read to know that they are the same. */
  readonly compared: number;
}

/** To look at a file takes far less time than to read or write it. */
const looksPerBeat = 100;

/** `owns` tells which paths the next build knows as the program's. Calls `onChange` for each file. */
export async function stage(
  { out, root, tree, known, clean }: Found,
  files: Iterable<OutputFile>,
  owns: Owns,
  lock: Lock,
  clock: Clock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const draft = openDraft(known);
  const reader = openReader(root, tree, clock);
  const places = openPlaces(lock.folder, tree, existsSync(root));
  const writer = openWriter(lock.folder);
  const changed: number[] = [];
  const replaced = new Set<string>();
  let compared = 0;
  try {
    for (const each of files) {
      const { file, length } = each.entry;
      const position = draft.count;
      const index = draft.add(each.entry);
      if (index === -1 && !owns(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
      const isKept = index !== -1 && !clean && known?.isKept(index, each.entry) === true;
      if (!isKept || position % looksPerBeat === 0) lock.beat();
      const there = isKept ? undefined : reader.read(file);
      if (isKept || (!clean && there?.bytes.length === length && consistsOf(there.bytes, each.parts()))) {
        if (there !== undefined) {
          draft.setStamp(position, there.stamp);
          compared++;
        }
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      if (there === undefined) refuseObstacle(out, tree, file);
      else replaced.add(file);
      writer.write(places.add(file), each);
      changed.push(position);
      onChange({ file, kind: "written", before: there?.bytes.length, after: length });
    }
    const written = await writer.done();
    // Until they are moved nobody else knows of the files, so whatever is done to them later is done in a later tick.
    const now = changed.length === 0 ? Number.NaN : await clock.next();
    const counting = (stamp: Stamp): Stamp => (stamp.ctime < now ? stamp : unknown);
    for (const [index, position] of changed.entries()) draft.setStamp(position, counting(stampIn(written, index)));
    const folders = new Map(places.made().map(([name, stamp]) => [name, counting(stamp)]));
    return { folder: places.folder, single: places.single, replaced, draft, changed, folders, compared };
  } catch (error) {
    await writer.stop();
    throw error;
  }
}

/** Reads files of the out folder. A stamp is taken before the look, and counts if its tick was over by then. */
function openReader(root: string, { files }: Tree, clock: Clock) {
  let started: number | undefined;
  return {
    read(file: string): { readonly bytes: Buffer; readonly stamp: Stamp } | undefined {
      if (!files.has(file)) return undefined;
      started ??= clock.now();
      const full = path.join(root, file);
      const stamp = stampOf(lstatSync(full));
      return { bytes: readFileSync(full), stamp: stamp.ctime < started ? stamp : unknown };
    },
  };
}

/** Chooses where each changed file waits: files whose folder is missing make one. `add` returns a path in `parent`. */
function openPlaces(parent: string, tree: Tree, isThere: boolean) {
  const [folder, waiting] = [path.join(parent, "files"), path.join(parent, "single")];
  mkdirSync(folder);
  mkdirSync(waiting);
  const made = new Set<string>(["."]);
  const stamps = () =>
    [...made].map((name) => [name === "." ? "" : name, stampOf(lstatSync(path.join(folder, name)))] as const);
  const single = new Map<string, string>();

  // Not { recursive: true }, which would make again what vanished with the lock.
  function makeFolder(name: string): void {
    if (made.has(name)) return;
    makeFolder(path.posix.dirname(name));
    mkdirSync(path.join(folder, name));
    made.add(name);
  }

  function add(file: string): string {
    const own = path.posix.dirname(file);
    if (own === "." ? isThere : tree.folders.has(own)) {
      const place = `single/${single.size}`;
      single.set(file, path.join(parent, place));
      return place;
    }
    makeFolder(own);
    return `files/${file}`;
  }

  return { folder, single, add, made: stamps };
}

/** For parts of the same length in all. */
const consistsOf = (bytes: Buffer, parts: readonly Uint8Array[]): boolean => {
  let end = 0;
  return parts.every((part) => {
    const start = end;
    end += part.length;
    return bytes.compare(part, 0, part.length, start, end) === 0;
  });
};
