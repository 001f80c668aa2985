// What is new or changed is written beside the out folder first. Until all of it is, the out folder is as it was, so a
// full disk, a fault or a kill leaves nothing behind in it.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import type { Change } from "./change.ts";
import type { Lock } from "./lock.ts";
import { refuseObstacle, type Target } from "./refuse.ts";
import { openRoster, type Roster } from "./roster.ts";
import { openWriter } from "./writer.ts";

export interface Staged {
  /** Holds the new and changed files, at the paths that they will have in the out folder, less `single`. */
  readonly folder: string;
  /** Where those wait that go into folders which are there: they need none of their own meanwhile. */
  readonly single: ReadonlyMap<string, string>;
  /** All files of the build. */
  readonly planned: Roster;
  /** Those of them that are new or changed. */
  readonly changed: ReadonlySet<string>;
  /** How many of the rest had to be read to know that they are not. */
  readonly compared: number;
}

/** Calls `onChange` for each file. */
export async function stage(
  target: Target,
  files: Iterable<OutputFile>,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const { root, tree, isOurs, ledger, clean } = target;
  const [folder, waiting] = [path.join(lock.folder, "files"), path.join(lock.folder, "single")];
  mkdirSync(folder);
  mkdirSync(waiting);
  const isThere = existsSync(root);
  const planned = openRoster(ledger);
  const folders = new Set<string>(["."]);
  const writer = openWriter(lock.folder);
  const single = new Map<string, string>();
  const changed = new Set<string>();
  let compared = 0;
  const keep = (file: string, length: number) => onChange({ file, kind: "kept", before: length, after: length });
  const last = ledger?.isRecent ? ledger.remains : undefined;
  try {
    for (const each of files) {
      lock.beat();
      if (last !== undefined && each.same !== undefined) {
        planned.addSame(each.same);
        keep(last.files[each.same] ?? "", last.lengths[each.same] ?? 0);
        continue;
      }
      const { file, length, print } = each;
      const index = planned.add(file, length, print);
      if (index === -1 && !isOurs(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
      if (index !== -1 && ledger?.isKept(index, length, print)) {
        keep(file, length);
        continue;
      }
      const there = tree.files.has(file) ? readFileSync(path.join(root, file)) : undefined;
      if (!clean && there?.length === length && consistsOf(there, each.parts)) {
        compared++;
        keep(file, length);
        continue;
      }
      if (there === undefined) refuseObstacle(target, file);
      writer.write(placeFor(file), each);
      changed.add(file);
      onChange({ file, kind: "written", before: there?.length, after: length });
    }
    await writer.done();
  } catch (error) {
    await writer.stop();
    throw error;
  }
  return { folder, single, planned, changed, compared };

  /** Where a file waits, relative to the lock's folder. */
  function placeFor(file: string): string {
    const parent = path.posix.dirname(file);
    if (parent === "." ? isThere : tree.folders.has(parent)) {
      const place = `single/${single.size}`;
      single.set(file, path.join(lock.folder, place));
      return place;
    }
    makeFolder(parent);
    return `files/${file}`;
  }

  // Not { recursive: true }, which would make anew what went away with the lock.
  function makeFolder(name: string): void {
    if (folders.has(name)) return;
    makeFolder(path.posix.dirname(name));
    mkdirSync(path.join(folder, name));
    folders.add(name);
  }
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
