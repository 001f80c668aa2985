// Files that a build keeps for the next one, in a folder of their own. They are a cache, never authoritative: a missing
// one costs time and nothing else, so the oldest are discarded where there are many.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Undefined where it was never kept, has been discarded, or cannot be read. */
export function readStored(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Whatever the reason, the build does without it.
    return undefined;
  }
}

/** In one step. `most` is how many files its folder may hold. Throws the system's error. */
export function store(file: string, bytes: string | Uint8Array, most: number): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  discardOldest(folder, most);
  const draft = `${file}-${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

/** A quarter at a time: to tell their ages takes a look at each file. */
function discardOldest(folder: string, most: number): void {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  if (files.length < most) return;
  const ages = files.map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of ages.sort((a, b) => a.time - b.time).slice(0, Math.ceil(most / 4))) {
    rmSync(file, { force: true });
  }
}
