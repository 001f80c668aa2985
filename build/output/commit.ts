// Staged files become the out folder's: each by one rename, so that every file is whole at every moment, old or new.
// Stale ones leave it when all new ones are there. Every rename is from or to the lock's folder and so fails once the
// lock is lost.
//
// At every moment each cursor on a page leads to a page, by the order of `publicationStep`.
//
// At every moment a sidecar is that of the page beside it: it leaves before its page is replaced or removed, and the new
// one comes after the new page.
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isLinked, isSidecar, pageOf, publicationStep, sidecarsOf } from "../routing/paths.ts";
import { nextTickIn } from "./index-file.ts";
import { type Lock, removeIfEmpty } from "./lock.ts";
import { isInApi, type Ownership, type Owns } from "./ownership.ts";
import type { Change, Single, Staged } from "./stage.ts";
import { foldersOf } from "./tree.ts";

/** The files that are the program's, before this build and after it. */
export interface Owners extends Pick<Ownership, "base" | "marker"> {
  readonly before: Owns;
  readonly after: Owns;
}

/** The changes to the out folder, besides the files that are moved in. */
export interface Moves {
  /** The files of the out folder that are the program's and no longer planned. */
  readonly stale: readonly string[];
  /** Sidecars that leave before their pages change. */
  readonly outdated: readonly string[];
  /** The files of the out folder that the program did not write. */
  readonly foreign: readonly string[];
  /** The folder for what is removed. */
  readonly bin: string;
}

/** Changes nothing in the out folder. Throws the system's error if there is not enough space for the moves. */
export function prepare(staged: Staged, owners: Owners, lock: Lock): Moves {
  const isOurs: Owns = (file) => owners.before(file) || owners.after(file);
  const { unplanned } = staged;
  const [stale, foreign] = [unplanned.filter(isOurs), unplanned.filter((file) => !isOurs(file))];
  const outdated = outdatedSidecars(staged, stale);
  const bin = path.join(lock.folder, "stale");
  mkdirSync(bin);
  proveSpace(path.join(lock.folder, "reserve"), staged.written.length + outdated.length + stale.length);
  return { stale, outdated, foreign, bin };
}

/** The sidecars of changed pages that are replaced or removed. */
function outdatedSidecars({ single, replaced }: Staged, stale: readonly string[]): readonly string[] {
  const sidecars = new Set([...replaced, ...stale].filter(isSidecar));
  if (sidecars.size === 0) return [];
  return [...single.keys()].flatMap((page) => sidecarsOf(page).filter((sidecar) => sidecars.has(sidecar)));
}

/** Calls `onChange` for each file that it removes. */
export function commit(
  root: string,
  { tree, folder, single, replaced }: Staged,
  { stale, outdated, bin }: Moves,
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
  for (const file of outdated) remove(file);
  const moveMarker = () => {
    const staged = single.get(owners.marker);
    if (staged !== undefined) renameSync(staged.from, path.join(root, owners.marker));
  };
  // A folder that has no marker yet gets it first, so that what follows is known as the program's.
  const isFirst = tree.get(owners.marker) === undefined;
  // Stale files that the new marker does not cover are removed before it replaces the old one.
  const isLast = !isFirst && !stale.every(owners.after);
  if (isFirst) moveMarker();
  const [beforeFolders, afterFolders] = inOrder(owners.base, single, (page) =>
    single.has(page) ? replaced.has(page) : tree.get(page) !== undefined,
  );
  const moveSingle = ([file, { from }]: Entry) => {
    lock.beat();
    if (file !== owners.marker) renameSync(from, path.join(root, file));
    else if (!isFirst && !isLast) moveMarker();
  };
  for (const each of beforeFolders) moveSingle(each);
  if (existsSync(root)) moveIn(folder, root, lock.beat);
  else renameSync(folder, root);
  for (const each of afterFolders) moveSingle(each);
  for (const file of stale.filter(isSidecar)) remove(file);
  for (const file of stale.filter((each) => !isLinked(each))) remove(file);
  for (const file of stale) remove(file);
  if (isLast) moveMarker();
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

type Entry = readonly [file: string, staged: Single];

/** Those that are moved before new folders are, and those after. A sidecar follows its page, inner files outer ones. */
function inOrder(
  base: string,
  files: Iterable<Entry>,
  isThere: (page: string) => boolean,
): readonly [readonly Entry[], readonly Entry[]] {
  const ranked = [...files].map((entry) => {
    const [file] = entry;
    const page = pageOf(file);
    return {
      entry,
      rank: publicationStep(base, page, isThere(page)),
      depth: file.split("/").length,
      last: isSidecar(file) ? 1 : 0,
    };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.depth - a.depth || a.last - b.last);
  const first = ranked.findIndex(({ rank }) => rank > 1);
  const ordered = ranked.map(({ entry }) => entry);
  return first === -1 ? [ordered, []] : [ordered.slice(0, first), ordered.slice(first)];
}

/** Moves the entries of one folder into another: folders, those that pages link to first, then pages, then sidecars. */
function moveIn(from: string, to: string, beat: () => void): void {
  const rank = (entry: Dirent) => {
    if (entry.isDirectory()) return isLinked(`/${entry.name}/`) ? 0 : 1;
    return isSidecar(entry.name) ? 3 : 2;
  };
  const entries = readdirSync(from, { withFileTypes: true }).sort((a, b) => rank(a) - rank(b));
  for (const entry of entries) {
    beat();
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory() && existsSync(target)) moveIn(source, target, beat);
    else renameSync(source, target);
  }
}

/**
 * Moving a file sets its ctime. A file that has been written into since has another mtime, and one that has been replaced
 * another inode; the next build reads both.
 */
export async function restamp(root: string, { index, single }: Staged, lock: Lock): Promise<void> {
  if (single.size === 0) return;
  const { numbers } = index;
  const now = await nextTickIn(lock.folder);
  for (const [file, { position }] of single) {
    const at = 4 * position;
    const state = lstatSync(path.join(root, file), { throwIfNoEntry: false });
    if (state === undefined) continue;
    const isAsWritten =
      state.size === numbers[at] && state.ino === numbers[at + 2] && state.mtimeMs === numbers[at + 3];
    numbers[at + 3] = isAsWritten && state.ctimeMs < now ? state.ctimeMs : Number.NaN;
  }
}
