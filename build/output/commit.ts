// Staged files become the out folder's: each by one rename, so that every file is whole at every moment, old or new.
// Stale ones leave it when all new ones are there. Every rename is from or to the lock's folder and so fails once the
// lock is lost.
//
// A sidecar that is there is that of the page beside it, at every moment: it leaves before its page is replaced or
// removed, and the new one comes after the new page.
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
import { isSidecar, sidecarsOf } from "../../src/sidecar.ts";
import type { Change } from "./change.ts";
import type { Lock } from "./lock.ts";
import { isInApi, type Target } from "./refuse.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";
import type { Staged } from "./stage.ts";

/**
 * Calls `onChange` for each file that it removes: those that are ours and not planned. Says how many these are, and
 * which folders the build's files are in.
 */
export function commit(
  { root, tree, isOurs, marker }: Target,
  { folder, planned, changed }: Staged,
  lock: Lock,
  onChange: (change: Change) => void,
): { removed: number; folders: ReadonlySet<string> } {
  const stale = [...tree.files].filter((file) => isOurs(file) && !planned.has(file));
  const outdated = [...changed].flatMap((page) =>
    sidecarsOf(page).filter(
      (file) => tree.files.has(file) && isOurs(file) && (changed.has(file) || !planned.has(file)),
    ),
  );
  const bin = path.join(lock.folder, "stale");
  mkdirSync(bin);
  proveSpace(path.join(lock.folder, "reserve"), changed.size + outdated.length + stale.length);
  const removed = new Set<string>();
  const remove = (file: string) => {
    if (removed.has(file)) return;
    lock.beat();
    const full = path.join(root, file);
    const before = statSync(full).size;
    renameSync(full, path.join(bin, String(removed.size)));
    removed.add(file);
    if (!planned.has(file)) onChange({ file, kind: "removed", before, after: undefined });
  };
  for (const file of outdated) remove(file);
  // A folder that is not marked yet is marked first, so that what comes after is known as ours.
  const first = tree.files.has(marker.file) ? undefined : marker.file;
  if (existsSync(root)) moveIn(folder, root, lock.beat, first);
  else renameSync(folder, root);
  for (const file of stale.filter(isSidecar)) remove(file);
  for (const file of stale) remove(file);
  const [used, left] = [foldersOf(planned), foldersOf(stale)];
  for (const folder of [...tree.folders].reverse()) {
    if (!used.has(folder) && (left.has(folder) || isInApi(folder))) removeIfEmpty(path.join(root, folder));
  }
  return { removed: stale.length, folders: used };
}

/** Moving takes space too, for the entries of folders. Where there is not enough this fails, before anything is moved. */
function proveSpace(file: string, moves: number): void {
  if (moves === 0) return;
  writeFileSync(file, Buffer.alloc(65_536 + 100 * moves));
  unlinkSync(file);
}

/**
 * Moves the entries of one folder into another. Folders go before files, so that a page is there before the shorter
 * paths whose next_cursor leads to it, and sidecars after their pages; `first` goes before all.
 */
function moveIn(from: string, to: string, beat: () => void, first?: string): void {
  const rank = (entry: Dirent) => (entry.name === first ? 0 : entry.isDirectory() ? 1 : isSidecar(entry.name) ? 3 : 2);
  const entries = readdirSync(from, { withFileTypes: true }).sort((a, b) => rank(a) - rank(b));
  for (const entry of entries) {
    beat();
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory() && existsSync(target)) moveIn(source, target, beat);
    else renameSync(source, target);
  }
}

/** The folders that the files are in, at any depth. */
function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>(["."]);
  for (const file of files) {
    for (let name = path.posix.dirname(file); !folders.has(name); name = path.posix.dirname(name)) folders.add(name);
  }
  return folders;
}
