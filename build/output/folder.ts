// Writes files to a folder: only those that differ, and none by half.
//
// Existing files are read and compared. Everything that differs is written beside the folder first. Nothing in the folder
// changes before the last of these files is written, so that a full disk, an error or a kill until then leaves nothing
// behind. The rest is renames: a new or stale folder moves as a whole, any other file by itself. A kill in between leaves
// every file whole, old or new, and the next build completes the work. Every rename is from or to the lock's folder, so it
// fails once the lock is lost.
import { existsSync, lstatSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bytesOf, type OutputFile } from "../files/file.ts";
import { MachineError } from "../files/machine-error.ts";
import { baseOf, orderOf, stepOf, stepOfStale } from "../routing/publication.ts";
import { listed } from "../text/words.ts";
import type { NonEmpty } from "../values/non-empty.ts";
import { locate } from "./location.ts";
import { acquire, type Lock, removeIfEmpty } from "./lock.ts";
import { folderOf, foldersOf, type Owned, ownerOf, readMarker, readTree, type Tree } from "./tree.ts";
import { type PlannedFile, writeDifferent } from "./writer.ts";

export interface FolderOptions {
  /** The name of the file that marks a folder as the program's. */
  readonly marker: string;
  /** What the build with a marker of this text may have written; undefined if the text is not the program's. */
  readonly ownedBy: (text: string) => Owned | undefined;
  /** The prefixes of the APIs' paths. */
  readonly bases: NonEmpty<string>;
  /** The bases of the build with a marker of this text. */
  readonly basesIn: (text: string) => readonly string[];
  /** Whether the build may remove an API with another base. */
  readonly replaces: boolean;
  /** Called while another build has the folder. */
  readonly onWait: () => void;
}

export interface FolderPlan {
  /** The file that marks the folder. */
  readonly marker: OutputFile;
  /** All other files. Each path once, and owned by the marker. */
  readonly files: Iterable<OutputFile>;
}

/** A file that a build writes, keeps or removes. */
export interface FileChange {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Its size in bytes before the build, undefined if there was no such file. */
  readonly before: number | undefined;
  /** Its size in bytes after it, undefined if there is none any more. */
  readonly after: number | undefined;
}

export type OnChange = (change: FileChange) => void;

/** The caller must close it. */
export interface OutputFolder {
  /**
   * Once. Writes the files that differ beside the folder; the function that it resolves to moves them into the folder.
   * Both throw MachineError or the system's error. What can be refused is refused before anything in the folder changes.
   */
  stage(plan: FolderPlan, onChange: OnChange): Promise<() => Promise<void>>;
  /** Releases the lock. */
  close(): void;
}

/** Takes the folder's lock. Throws MachineError if the folder is not one that builds may write. */
export async function openFolder(out: string, options: FolderOptions): Promise<OutputFolder> {
  const { marker, ownedBy, bases, onWait } = options;
  const { root, staging, inner, created } = locate(out);
  let held: Lock | undefined;
  const close = () => {
    held?.release();
    for (const parent of created) removeIfEmpty(parent);
  };
  try {
    const lock = await acquire(staging, onWait);
    held = lock;
    if (inner !== staging && existsSync(inner)) (await acquire(inner, onWait)).release();
    const { text, owned: before } = readMarker(out, root, marker, ownedBy);
    if (text !== undefined) refuseOther(out, root, text, options);
    return {
      async stage(plan, onChange) {
        const owned = ownedBy(bytesOf(plan.marker).toString());
        if (owned === undefined) throw new Error(`The next build would not recognise its ${marker}.`);
        const build = { root, bases, marker, text, before, after: [marker, ...owned], staging: lock.folder };
        const tree = readTree(out, root, before, build.after);
        const moves = await whileHeld(lock, () => prepare(build, tree, plan, onChange));
        return () => whileHeld(lock, () => commit(moves));
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A build removes what earlier builds own, so it would remove an API with another base. */
function refuseOther(out: string, root: string, text: string, { bases, basesIn, replaces }: FolderOptions): void {
  const other = basesIn(text).find((base) => !bases.includes(base) && existsSync(path.join(root, base)));
  if (replaces || other === undefined) return;
  throw new MachineError(
    `${out} holds the API ${other}, which this build of ${listed(bases)} would remove.`,
    "Choose another folder with --out, or remove that API with --replace.",
  );
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
  readonly bases: NonEmpty<string>;
  /** The name of the marker, and the text of the one that is there. */
  readonly marker: string;
  readonly text: string | undefined;
  /** The entries that the program owns before this build, and after it. */
  readonly before: Owned;
  readonly after: Owned;
  /** The lock's folder. */
  readonly staging: string;
}

/** From one path to another, or a folder to remove if it is empty. */
type Move = readonly [from: string, to?: string];

/** Changes nothing in the out folder. Throws the system's error if there is not enough space for the moves. */
async function prepare(build: Build, tree: Tree, plan: FolderPlan, onChange: OnChange): Promise<readonly Move[]> {
  const { root, marker, text, before, staging } = build;
  const fresh = `${staging}/files`;
  const bin = `${staging}/stale`;
  const reserve = `${staging}/space`;
  const { planned, written } = await stage(build, tree, plan, fresh, onChange);
  const folders = foldersOf(planned);
  const place = (entry: string): Move => [path.join(fresh, entry), path.join(root, entry)];
  const stale = entriesToRemove(build, tree, planned, folders, onChange);
  const removals = stale.map((entry, index) => ({
    isInTheWay: folders.has(entry) || planned.has(entry),
    move: [path.join(root, entry), path.join(bin, `${index}`)] as const,
  }));
  const emptied = [...foldersOf(before)].filter((folder) => !folders.has(folder));
  const moves: readonly Move[] = [
    ...removals.filter(({ isInTheWay }) => isInTheWay).map(({ move }) => move),
    ...entriesToAdd(build, tree, written).map(place),
    ...removals.filter(({ isInTheWay }) => !isInTheWay).map(({ move }) => move),
    // Inner ones first.
    ...emptied.sort((a, b) => b.length - a.length).map((folder) => [path.join(root, folder)] as const),
  ];
  const isMarked = text !== undefined && written.includes(marker);
  mkdirSync(bin);
  const all = isMarked ? [claim(build, text), ...moves, place(marker)] : moves;
  // Moving takes space too, for the entries of folders.
  if (all.length > 0) {
    writeFileSync(reserve, Buffer.alloc(65_536 + 100 * all.length));
    unlinkSync(reserve);
  }
  return all;
}

/** Until the new marker replaces it, the marker of the earlier build has to own the files of both builds. */
function claim({ root, marker, before, after, staging }: Build, text: string): Move {
  const file = path.join(staging, "claim");
  const owned = [...new Set([...before, ...after])].filter((entry) => entry !== marker);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(text), owns: owned }));
  return [file, path.join(root, marker)];
}

/** Writes the files that differ into the folder `fresh`. */
async function stage({ root, after }: Build, tree: Tree, plan: FolderPlan, fresh: string, onChange: OnChange) {
  const planned = new Set<string>();
  const written: string[] = [];
  const isOwned = ownerOf(after);
  function* files(): Iterable<PlannedFile> {
    for (const list of [[plan.marker], plan.files]) {
      for (const output of list) {
        const { file, length } = output;
        if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
        planned.add(file);
        if (!isOwned(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
        yield { file, length, isThere: tree.get(file) === "file", parts: () => output.parts() };
      }
    }
  }
  await writeDifferent(root, fresh, files(), ({ file, length, isThere }, before) => {
    if (before !== undefined) written.push(file);
    const kind = before === undefined ? "kept" : "written";
    onChange({ file, kind, before: isThere ? (before ?? length) : undefined, after: length });
  });
  return { planned, written };
}

/**
 * The entries to move for the written files, in the order of publication: the marker of a new folder, then all others. A
 * folder has the place of its last file. It precedes the file of its name, which leads to its pages.
 */
function entriesToAdd({ root, bases, marker, text }: Build, tree: Tree, written: readonly string[]): readonly string[] {
  const isFolder = (name: string) =>
    lstatSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const entryOf = outermost(isFolder);
  const ranks = new Map<string, number>();
  for (const file of written) {
    if (file === marker && text !== undefined) continue;
    const isThere = tree.get(file) === "file";
    const entry = isThere ? file : entryOf(file);
    const order = file === marker ? -1 : orderOf(stepOf(baseOf(bases, file), file, isThere ? "present" : "missing"));
    // Of one step, deeper files come first.
    const rank = order - file.split("/").length / 1_000;
    ranks.set(entry, Math.max(rank, ranks.get(entry) ?? rank));
  }
  return inOrder(ranks);
}

/** The entries to remove, in the order of publication. A folder has the place of its first file, after single files. */
function entriesToRemove(
  { root, bases, before }: Build,
  tree: Tree,
  planned: ReadonlySet<string>,
  folders: ReadonlySet<string>,
  onChange: OnChange,
): readonly string[] {
  const above = foldersOf(before);
  const isKept = (folder: string): boolean => folders.has(folder) || above.has(folder);
  const entryOf = outermost(isKept);
  const ranks = new Map<string, number>();
  for (const [name, kind] of tree) {
    if (kind === "folder" ? isKept(name) : planned.has(name)) continue;
    const entry = entryOf(name);
    const order = orderOf(kind === "folder" ? "staleLinked" : stepOfStale(baseOf(bases, name), name));
    const rank = entry === name ? order : order + 0.5;
    ranks.set(entry, Math.min(rank, ranks.get(entry) ?? rank));
    if (kind === "folder") continue;
    const size = lstatSync(path.join(root, name), { throwIfNoEntry: false })?.size;
    onChange({ file: name, kind: "removed", before: size, after: undefined });
  }
  return inOrder(ranks);
}

const inOrder = (ranks: ReadonlyMap<string, number>): readonly string[] =>
  [...ranks].sort(([, a], [, b]) => a - b).map(([entry]) => entry);

/** Finds the outermost folder of an entry's path that is not there, or else the entry. */
function outermost(isThere: (folder: string) => boolean): (entry: string) => string {
  const found = new Map<string, string | undefined>();
  const missing = (folder: string): string | undefined => {
    if (found.has(folder)) return found.get(folder);
    const above = folder === "" ? undefined : missing(folderOf(folder));
    const entry = above ?? (isThere(folder) ? undefined : folder);
    found.set(folder, entry);
    return entry;
  };
  return (entry) => missing(folderOf(entry)) ?? entry;
}

const movesPerTurn = 200;

async function commit(moves: readonly Move[]): Promise<void> {
  for (const [index, [from, to]] of moves.entries()) {
    if (to === undefined) removeIfEmpty(from);
    else renameSync(from, to);
    // For the heartbeat of the lock.
    if (index % movesPerTurn === 0) await nextTurn();
  }
}
