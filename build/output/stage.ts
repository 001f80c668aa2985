// What is new or changed is written beside the out folder first. Until all of it is, the out folder is as it was, so a
// full disk, a fault or a kill leaves nothing behind in it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import type { Change } from "./change.ts";
import type { Lock } from "./lock.ts";
import { refuseObstacle, type Target } from "./refuse.ts";

export interface Staged {
  /** Holds the new and changed files, at the paths that they will have in the out folder. */
  readonly folder: string;
  /** The paths of all files of the build. */
  readonly planned: ReadonlySet<string>;
  /** Those of them that are new or changed. */
  readonly changed: ReadonlySet<string>;
}

/** Calls `onChange` for each file. */
export function stage(
  target: Target,
  files: Iterable<OutputFile>,
  lock: Lock,
  onChange: (change: Change) => void,
): Staged {
  const { root, tree, isOurs } = target;
  const folder = path.join(lock.folder, "files");
  mkdirSync(folder);
  const planned = new Set<string>();
  const folders = new Set<string>(["."]);
  const changed = new Set<string>();
  for (const { file, parts } of files) {
    lock.beat();
    if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
    if (!isOurs(file)) throw new Error(`The next build would not know the path ${file} as ours.`);
    planned.add(file);
    const bytes = Buffer.concat(parts);
    const there = tree.files.has(file) ? readFileSync(path.join(root, file)) : undefined;
    if (there?.equals(bytes)) {
      onChange({ file, kind: "kept", before: there.length, after: bytes.length });
      continue;
    }
    if (there === undefined) refuseObstacle(target, file);
    makeFolder(path.posix.dirname(file));
    writeFileSync(path.join(folder, file), bytes);
    changed.add(file);
    onChange({ file, kind: "written", before: there?.length, after: bytes.length });
  }
  return { folder, planned, changed };

  // Not { recursive: true }, which would make anew what went away with the lock.
  function makeFolder(name: string): void {
    if (folders.has(name)) return;
    makeFolder(path.posix.dirname(name));
    mkdirSync(path.join(folder, name));
    folders.add(name);
  }
}
