// Files that a build keeps for the next one, in a separate folder. They are only a cache: a missing file costs time and
// nothing else, so the oldest are discarded if there are too many.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Undefined if the file does not exist or cannot be read. */
export function readStored(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // Whatever the reason, the build works without the cache.
    return undefined;
  }
}

/** Writes atomically. `most` is the number of files that the folder may hold. Throws the system's error. */
export function store(file: string, bytes: string | Uint8Array, most: number): void {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  discardOldest(folder, most);
  const draft = `${file}-${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
}

/** Discards a quarter at a time, because every file has to be statted to find its age. */
function discardOldest(folder: string, most: number): void {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  if (files.length < most) return;
  const ages = files.map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of ages.sort((a, b) => a.time - b.time).slice(0, Math.ceil(most / 4))) {
    rmSync(file, { force: true });
  }
}
