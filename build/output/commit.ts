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
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { isBehindCursor, publicationStep } from "../routing/paths.ts";
import { isSidecar, pageOf, sidecarsOf } from "../routing/sidecar.ts";
import type { Change } from "./change.ts";
import { foldersOf } from "./draft.ts";
import type { Lock } from "./lock.ts";
import { isInApi, type Owns } from "./ownership.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";
import type { Found, Staged } from "./stage.ts";

export interface Committed {
  /** How many stale files were removed. */
  readonly removed: number;
  /** The files that the program did not write. */
  readonly foreign: readonly string[];
  /** The folders that the build's files are in. */
  readonly folders: ReadonlySet<string>;
}

/** Which files are the program's, before this build and after it. */
export interface Owners {
  readonly before: Owns;
  readonly after: Owns;
  /** Files that were the program's and are somebody else's now. */
  readonly foreign: ReadonlySet<string>;
  /** The file from which the next build learns what this one owns. */
  readonly marker: string;
}

/** What is to be done to the out folder, and where. */
export interface Moves {
  readonly isOurs: Owns;
  /** The files of the out folder that are none of the build. */
  readonly missing: readonly string[];
  /** Those of them that are removed. */
  readonly stale: readonly string[];
  /** Sidecars that leave before their pages change. */
  readonly outdated: readonly string[];
  /** The folder for what is removed. */
  readonly bin: string;
}

/** Changes nothing in the out folder. Throws the system's error where there is not enough space for the moves. */
export function prepare({ tree, known }: Found, staged: Staged, owners: Owners, lock: Lock): Moves {
  const isOurs: Owns = (file) =>
    !owners.foreign.has(file) && (owners.before(file) || owners.after(file) || (known?.indexOf(file) ?? -1) !== -1);
  const missing = staged.draft.missing(tree);
  const stale = missing.filter(isOurs);
  const outdated = outdatedSidecars(staged, missing).filter(isOurs);
  const bin = path.join(lock.folder, "stale");
  mkdirSync(bin);
  proveSpace(path.join(lock.folder, "reserve"), staged.changed.length + outdated.length + stale.length);
  return { isOurs, missing, stale, outdated, bin };
}

/** Those of changed pages that are replaced or removed. `missing` are the files that no build has any more. */
function outdatedSidecars({ draft, changed, replaced }: Staged, missing: readonly string[]): readonly string[] {
  const outdated = new Set([...replaced, ...missing].filter(isSidecar));
  if (outdated.size === 0) return [];
  const { files } = draft;
  return changed.flatMap((position) => sidecarsOf(files[position] ?? "").filter((sidecar) => outdated.has(sidecar)));
}

/** Calls `onChange` for each file that it removes. */
export function commit(
  { root, tree }: Found,
  { folder, single, replaced, draft }: Staged,
  { isOurs, missing, stale, outdated, bin }: Moves,
  owners: Owners,
  lock: Lock,
  onChange: (change: Change) => void,
): Committed {
  const removed = new Set<string>();
  const remove = (file: string) => {
    if (removed.has(file)) return;
    lock.beat();
    const full = path.join(root, file);
    const before = statSync(full).size;
    renameSync(full, path.join(bin, String(removed.size)));
    removed.add(file);
    if (!draft.has(file)) onChange({ file, kind: "removed", before, after: undefined });
  };
  for (const file of outdated) remove(file);
  const moveMarker = () => {
    const from = single.get(owners.marker);
    if (from !== undefined) renameSync(from, path.join(root, owners.marker));
  };
  // A folder that has no marker yet gets it first, so that what follows is known as the program's.
  const isFirst = !tree.files.has(owners.marker);
  // Stale files that the new marker does not cover are removed before it replaces the old one.
  const isLast = !isFirst && !stale.every(owners.after);
  if (isFirst) moveMarker();
  const [beforeFolders, afterFolders] = inOrder(single, (page) =>
    single.has(page) ? replaced.has(page) : tree.files.has(page),
  );
  const moveSingle = ([file, from]: readonly [string, string]) => {
    lock.beat();
    if (file !== owners.marker) renameSync(from, path.join(root, file));
    else if (!isFirst && !isLast) moveMarker();
  };
  for (const each of beforeFolders) moveSingle(each);
  if (existsSync(root)) moveIn(folder, root, lock.beat);
  else renameSync(folder, root);
  for (const each of afterFolders) moveSingle(each);
  for (const file of stale.filter(isSidecar)) remove(file);
  for (const file of stale.filter((each) => !isBehindCursor(each))) remove(file);
  for (const file of stale) remove(file);
  if (isLast) moveMarker();
  const [used, left] = [draft.folders(), foldersOf(stale)];
  for (const folder of [...tree.folders].reverse()) {
    if (!used.has(folder) && (left.has(folder) || isInApi(folder))) removeIfEmpty(path.join(root, folder));
  }
  return { removed: stale.length, foreign: missing.filter((file) => !isOurs(file)), folders: used };
}

/** Moving takes space too, for the entries of folders. Where there is not enough, this fails before anything is moved. */
function proveSpace(file: string, moves: number): void {
  if (moves === 0) return;
  writeFileSync(file, Buffer.alloc(65_536 + 100 * moves));
  unlinkSync(file);
}

type Single = readonly [file: string, from: string];

/** Those that are moved before new folders are, and those after. A sidecar follows its page, inner files outer ones. */
function inOrder(
  files: Iterable<Single>,
  isThere: (page: string) => boolean,
): readonly [readonly Single[], readonly Single[]] {
  const ranked = [...files].map((entry) => {
    const [file] = entry;
    const page = pageOf(file);
    return {
      entry,
      rank: publicationStep(page, isThere(page)),
      depth: file.split("/").length,
      last: isSidecar(file) ? 1 : 0,
    };
  });
  ranked.sort((a, b) => a.rank - b.rank || b.depth - a.depth || a.last - b.last);
  const first = ranked.findIndex(({ rank }) => rank > 1);
  const ordered = ranked.map(({ entry }) => entry);
  return first === -1 ? [ordered, []] : [ordered.slice(0, first), ordered.slice(first)];
}

/** Moves the entries of one folder into another: folders, those of pages behind cursors first, then pages, then sidecars. */
function moveIn(from: string, to: string, beat: () => void): void {
  const rank = (entry: Dirent) => {
    if (entry.isDirectory()) return entry.name === "cursor" ? 0 : 1;
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
