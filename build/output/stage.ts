// What is new or changed is written beside the out folder first. Until all of it is, the out folder is as it was, so a
// full disk, a fault or a kill leaves nothing behind in it.
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import type { Change } from "./change.ts";
import { entryOf } from "./ledger.ts";
import type { Lock } from "./lock.ts";
import { refuseObstacle, type Target } from "./refuse.ts";
import { openWriter } from "./writer.ts";

export interface Staged {
  /** Holds the new and changed files, at the paths that they will have in the out folder. */
  readonly folder: string;
  /** The paths of all files of the build. */
  readonly planned: ReadonlySet<string>;
  /** Those of them that are new or changed. */
  readonly changed: ReadonlySet<string>;
  /** How many of the rest had to be read to know that they are not. */
  readonly compared: number;
  /** All files of the build, as the ledger has them. */
  readonly entries: readonly string[];
}

/** Calls `onChange` for each file. */
export async function stage(
  target: Target,
  files: Iterable<OutputFile>,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<Staged> {
  const { root, tree, isOurs, ledger, clean } = target;
  const folder = path.join(lock.folder, "files");
  mkdirSync(folder);
  const planned = new Set<string>();
  const folders = new Set<string>(["."]);
  const writer = openWriter(folder);
  const entries: string[] = [];
  const changed = new Set<string>();
  let compared = 0;
  try {
    for (const each of files) {
      const { file, parts, print } = each;
      lock.beat();
      if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
      if (!isOurs(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
      planned.add(file);
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      entries.push(entryOf(file, length, print));
      if (ledger?.isKept(file, length, print)) {
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      const there = tree.files.has(file) ? readFileSync(path.join(root, file)) : undefined;
      if (!clean && there?.length === length && consistsOf(there, parts)) {
        compared++;
        onChange({ file, kind: "kept", before: length, after: length });
        continue;
      }
      if (there === undefined) refuseObstacle(target, file);
      makeFolder(path.posix.dirname(file));
      writer.write(each, length);
      changed.add(file);
      onChange({ file, kind: "written", before: there?.length, after: length });
    }
    await writer.done();
  } catch (error) {
    await writer.stop();
    throw error;
  }
  return { folder, planned, changed, compared, entries };

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
