// Moves the staged files into the out folder, each by one rename, so that every file is whole at every moment, old or new;
// a new out folder by one rename. Then the stale files are removed. Every rename is from or to the lock's folder, so it
// fails once the lock is lost.
//
// At every moment each cursor on a page leads to a page, by the order of `publicationStep`.
import { mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isLinked, publicationStep } from "../routing/paths.ts";
import { type Lock, removeIfEmpty } from "./lock.ts";
import { isInApi, type Ownership, type Owns } from "./ownership.ts";
import type { Change, Staged } from "./stage.ts";
import { foldersOf, type Tree } from "./tree.ts";

/** The files that are the program's, before this build and after it. */
export interface Owners extends Pick<Ownership, "base" | "marker"> {
  readonly before: Owns;
  readonly after: Owns;
}

/** The changes to the out folder, besides the files that are moved in. */
export interface Moves {
  /** The files of the out folder that are the program's and no longer planned. */
  readonly stale: readonly string[];
  /** The files of the out folder that the program did not write. */
  readonly foreign: readonly string[];
  /** The folder for removed files. */
  readonly bin: string;
}

/** Changes nothing in the out folder. Throws the system's error if there is not enough space for the moves. */
export function prepare(staged: Staged, owners: Owners, lock: Lock): Moves {
  const isOurs: Owns = (file) => owners.before(file) || owners.after(file);
  const { unplanned } = staged;
  const [stale, foreign] = [unplanned.filter(isOurs), unplanned.filter((file) => !isOurs(file))];
  const bin = path.join(lock.folder, "stale");
  mkdirSync(bin);
  const { written, folders } = staged;
  proveSpace(path.join(lock.folder, "reserve"), written.length + folders.size + stale.length);
  return { stale, foreign, bin };
}

/** Calls `onChange` for each file that it removes. */
export function commit(
  root: string,
  tree: Tree,
  { whole, folders, single }: Staged,
  { stale, bin }: Moves,
  owners: Owners,
  lock: Lock,
  onChange: (change: Change) => void,
): void {
  const [removed, gone] = [new Set<string>(), new Set(stale)];
  const remove = (file: string) => {
    if (removed.has(file)) return;
    lock.beat();
    renameSync(path.join(root, file), path.join(bin, String(removed.size)));
    removed.add(file);
    if (gone.has(file)) {
      onChange({ file, files: 1, kind: "removed", before: tree.get(file)?.length, after: undefined });
    }
  };
  const move = (file: string) => {
    const from = single.get(file);
    if (from === undefined) return;
    lock.beat();
    renameSync(from, path.join(root, file));
  };
  // A folder that has no marker yet gets it first, so that what follows is known as the program's. Stale files that the
  // new marker does not cover are removed before it replaces the old one.
  const isLast = tree.get(owners.marker) !== undefined && !stale.every(owners.after);
  if (whole !== undefined) renameSync(whole, root);
  for (const [name, from] of folders) renameSync(from, path.join(root, name));
  for (const file of inOrder(owners, single.keys(), (page) => tree.get(page) !== undefined)) {
    if (!isLast || file !== owners.marker) move(file);
  }
  for (const file of stale.filter((each) => !isLinked(each))) remove(file);
  for (const file of stale) remove(file);
  if (isLast) move(owners.marker);
  const left = foldersOf([
    ...stale,
    ...[...tree.empty].filter((each) => isInApi(owners.base, each)).map((each) => `${each}/`),
  ]);
  for (const each of [...tree.folders].reverse()) if (left.has(each)) removeIfEmpty(path.join(root, each));
}

/** Moving takes space too, for the entries of folders. If there is not enough, this fails before anything is moved. */
function proveSpace(file: string, moves: number): void {
  if (moves === 0) return;
  writeFileSync(file, Buffer.alloc(65_536 + 100 * moves));
  unlinkSync(file);
}

/** In the order of publication, inner files before outer ones. */
function inOrder(
  { base, marker }: Owners,
  files: Iterable<string>,
  isThere: (page: string) => boolean,
): readonly string[] {
  const ranked = [...files].map((file) => {
    const isFirst = file === marker && !isThere(marker);
    return {
      file,
      rank: isFirst ? -1 : publicationStep(base, file, isThere(file)),
      depth: file.split("/").length,
    };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.depth - a.depth);
  return ranked.map(({ file }) => file);
}
