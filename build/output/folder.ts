// Files to dist: only what differs, never half.
//
// What is there is read and compared. Everything that differs is written beside the folder first; nothing in the folder
// changes before the last of it is written, so that a full disk, an error or a kill until then leaves nothing behind. The
// rest is renames: a new or stale folder moves as a whole, any other file by itself. A kill in between leaves every file
// whole, old or new, and the next build completes the work. Every rename is from or to the lock's folder, so it fails once
// the lock is lost.
import { existsSync, lstatSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import { isLinked, publicationStep } from "../routing/paths.ts";
import { locate } from "./location.ts";
import { acquire, type Lock, removeIfEmpty } from "./lock.ts";
import { folderOf, foldersOf, type Owned, owns, readMarker, readTree, type Tree } from "./tree.ts";
import { type Planned, writeDifferent } from "./writer.ts";

export interface OutputOptions {
  /** The name of the file that marks a folder as the program's. */
  readonly marker: string;
  /** What the build with a marker of this text may have written; undefined if the text is not the program's. */
  readonly ownedBy: (text: string) => Owned | undefined;
  /** The prefix of the API's paths. */
  readonly base: string;
  /** Called while another build has the folder. */
  readonly onWait: () => void;
}

export interface OutputPlan {
  /** The file that marks the folder. */
  readonly marker: OutputFile;
  /** All other files. Each path once, and owned by the marker. */
  readonly files: Iterable<OutputFile>;
}

/** A file that a build has written, kept or removed. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Its size in bytes before the build, undefined if there was no such file. */
  readonly before: number | undefined;
  /** Its size in bytes after it, undefined if there is none any more. */
  readonly after: number | undefined;
}

export type OnChange = (change: Change) => void;

/** The caller must close it. */
export interface OutputFolder {
  /**
   * Once. Writes beside the folder what differs; the function that it resolves to moves it into the folder. Both throw
   * MachineError or the system's error. What can be refused is refused before anything in the folder changes.
   */
  stage(plan: OutputPlan, onChange: OnChange): Promise<() => Promise<void>>;
  /** Releases the lock. */
  close(): void;
}

/** Takes the folder's lock. Throws MachineError if the folder is not one that builds may write. */
export async function openOutput(out: string, options: OutputOptions): Promise<OutputFolder> {
  const { marker, ownedBy, base, onWait } = options;
  const { root, staging, inner, made } = locate(out);
  let held: Lock | undefined;
  const close = () => {
    held?.release();
    for (const parent of made) removeIfEmpty(parent);
  };
  try {
    const lock = await acquire(staging, onWait);
    held = lock;
    if (inner !== staging && existsSync(inner)) (await acquire(inner, onWait)).release();
    const { text, owned: before } = readMarker(out, root, marker, ownedBy);
    return {
      async stage(plan, onChange) {
        const owned = ownedBy(Buffer.concat(plan.marker.parts()).toString());
        if (owned === undefined) throw new Error(`The next build would not recognise its ${marker}.`);
        const after = [...new Set([marker, ...owned])];
        const build: Build = { root, base, marker, text, before, after, staging: lock.folder, onChange };
        const moves = await whileHeld(lock, () => prepare(build, readTree(out, root, before, after), plan));
        return () => whileHeld(lock, () => commit(build, moves));
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** If the lock was lost, that is the error, not one of its effects. */
async function whileHeld<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (lock.isHeld()) throw error;
    const message = "This build stalled for a minute, and another one took over its output folder.";
    throw new MachineError(message, "Start it again.", { cause: error });
  }
}

interface Build {
  readonly root: string;
  readonly base: string;
  /** The name of the file. */
  readonly marker: string;
  /** The text of the marker that is there. */
  readonly text: string | undefined;
  /** What is the program's before this build, and after it. */
  readonly before: Owned;
  readonly after: Owned;
  /** The lock's folder. */
  readonly staging: string;
  readonly onChange: OnChange;
}

/** From one path to another. */
type Move = readonly [from: string, to: string];

interface Moves {
  /** In their order. */
  readonly moves: readonly Move[];
  /** The folders outside of what the next build owns that may hold nothing any more, inner ones first. */
  readonly empty: readonly string[];
  /** After all else: the marker, if it owns other entries than the one before. */
  readonly last: readonly Move[];
  readonly removed: readonly Change[];
}

/** Changes nothing in the out folder. Throws the system's error if there is not enough space for the moves. */
async function prepare(build: Build, tree: Tree, plan: OutputPlan): Promise<Moves> {
  const { root, marker, text, before, after, staging } = build;
  const inStaging = (name: string): string => path.join(staging, name);
  const [written, bin, claim, reserve] = [
    inStaging("files"),
    inStaging("stale"),
    inStaging("claim"),
    inStaging("space"),
  ];
  const { planned, added, changed } = await stage(build, tree, plan, written);
  const own = foldersOf(planned);
  const { stale, removed } = staleOf(build, tree, planned, own);
  const all = [...new Set([...before, ...after])];
  const isClaimed = text !== undefined && (all.length > before.length || all.length > after.length);
  if (isClaimed) {
    const owned = all.filter((entry) => entry !== marker);
    writeFileSync(claim, JSON.stringify({ ...JSON.parse(text), owns: owned }));
  }
  mkdirSync(bin);
  const fresh = inOrder(build, added, changed);
  // Moving takes space too, for the entries of folders.
  if (fresh.length + stale.length > 0) {
    writeFileSync(reserve, Buffer.alloc(65_536 + 100 * (fresh.length + stale.length)));
    unlinkSync(reserve);
  }
  const isInTheWay = (entry: string): boolean => own.has(entry) || planned.has(entry);
  const place = (entry: string): Move => [path.join(written, entry), path.join(root, entry)];
  const remove = (entry: string, index: number): Move => [path.join(root, entry), path.join(bin, String(index))];
  const removals = stale.map((entry, index) => ({ isFirst: isInTheWay(entry), move: remove(entry, index) }));
  return {
    moves: [
      ...(isClaimed ? [[claim, path.join(root, marker)] as const] : []),
      ...removals.filter(({ isFirst }) => isFirst).map(({ move }) => move),
      ...fresh.filter((entry) => entry !== marker || !isClaimed).map(place),
      ...removals.filter(({ isFirst }) => !isFirst).map(({ move }) => move),
    ],
    empty: [...foldersOf(before)]
      .filter((each) => !own.has(each))
      .sort()
      .reverse(),
    last: isClaimed ? [place(marker)] : [],
    removed,
  };
}

/** Writes what differs into the folder `written`. */
async function stage({ root, after, onChange }: Build, tree: Tree, plan: OutputPlan, written: string) {
  const planned = new Set<string>();
  const [added, changed]: [string[], string[]] = [[], []];
  function* files(): Iterable<Planned> {
    for (const list of [[plan.marker], plan.files]) {
      for (const each of list) {
        const { file, length } = each;
        if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
        if (!owns(after, file)) throw new Error(`The next build would not know the path ${file} as ours.`);
        planned.add(file);
        yield { file, length, isThere: tree.get(file) === "file", parts: () => each.parts() };
      }
    }
  }
  await writeDifferent(root, written, files(), ({ file, length, isThere }, before) => {
    if (before === undefined) return onChange({ file, kind: "kept", before: length, after: length });
    (isThere ? changed : added).push(file);
    onChange({ file, kind: "written", before: isThere ? before : undefined, after: length });
  });
  return { planned, added, changed };
}

/** The entries to move for the new and changed files: the outermost folder that is new, or the file. */
function inOrder({ root, base, marker }: Build, added: readonly string[], changed: readonly string[]) {
  const missing = new Map<string, string | undefined>();
  /** The outermost folder of a folder's path that is not there. */
  const missingIn = (folder: string): string | undefined => {
    if (missing.has(folder)) return missing.get(folder);
    const above = folder === "" ? undefined : missingIn(folderOf(folder));
    const isThere = lstatSync(path.join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
    const found = above ?? (isThere ? undefined : folder);
    missing.set(folder, found);
    return found;
  };
  const moved = new Map<string, { readonly rank: number; readonly depth: number }>();
  const add = (file: string, entry: string, isThere: boolean) => {
    const step = file === marker ? (isThere ? 4 : -1) : publicationStep(base, file, isThere);
    // A folder has the rank of its last file. It comes before the file of its name, which leads to its pages.
    const rank = Math.max(step, moved.get(entry)?.rank ?? -1);
    moved.set(entry, { rank, depth: file.split("/").length });
  };
  for (const file of added) add(file, missingIn(folderOf(file)) ?? file, false);
  for (const file of changed) add(file, file, true);
  return [...moved].sort(([, a], [, b]) => a.rank - b.rank || b.depth - a.depth).map(([entry]) => entry);
}

/**
 * The entries to remove: the outermost folder that the build does not have, or the file. First files that readers request
 * by themselves, then folders with them, and last what readers reach through a page.
 */
function staleOf({ root, base }: Build, tree: Tree, planned: ReadonlySet<string>, own: ReadonlySet<string>) {
  const outermost = new Map<string, string>();
  const ranks = new Map<string, number>();
  const removed: Change[] = [];
  for (const [name, kind] of tree) {
    if (kind === "folder" ? own.has(name) : planned.has(name)) continue;
    const entry = outermost.get(folderOf(name)) ?? name;
    outermost.set(name, entry);
    const rank = kind === "folder" || isLinked(base, name) ? 2 : entry === name ? 0 : 1;
    ranks.set(entry, Math.min(rank, ranks.get(entry) ?? rank));
    if (kind === "folder") continue;
    const length = lstatSync(path.join(root, name), { throwIfNoEntry: false })?.size;
    removed.push({ file: name, kind: "removed", before: length, after: undefined });
  }
  const stale = [...ranks].sort(([, a], [, b]) => a - b).map(([entry]) => entry);
  return { stale, removed };
}

const movesPerTurn = 200;

async function commit({ root, onChange }: Build, { moves, empty, last, removed }: Moves): Promise<void> {
  for (const [index, [from, to]] of moves.entries()) {
    renameSync(from, to);
    // For the heartbeat of the lock.
    if (index % movesPerTurn === 0) await nextTurn();
  }
  for (const folder of empty) removeIfEmpty(path.join(root, folder));
  for (const [from, to] of last) renameSync(from, to);
  for (const change of removed) onChange(change);
}
