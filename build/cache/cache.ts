// Caches results of expensive computations on bytes for the next build: one file for each, named by the hash of the
// bytes. A result that is missing, incomplete or of another version is computed again.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../sha256.ts";

export interface Cache {
  /** The cached result for these bytes. */
  get(bytes: Uint8Array): Uint8Array | undefined;
  /** Ignores failures to write. */
  set(bytes: Uint8Array, found: Uint8Array): void;
}

/** The most results that are kept; the least recently used are discarded first. */
const most = 1_000;

/** `version` identifies the computation. Results of another version are ignored. */
export function openCache(folder: string, version: string): Cache {
  const fileFor = (bytes: Uint8Array) => path.join(folder, sha256(Buffer.from(version), bytes));
  return {
    get(bytes) {
      const file = fileFor(bytes);
      const kept = readStored(file);
      if (kept === undefined) return undefined;
      const found = kept.subarray(hashLength);
      if (kept.toString("latin1", 0, hashLength) !== sha256(found)) return undefined;
      touch(file);
      return found;
    },
    set(bytes, found) {
      try {
        store(fileFor(bytes), Buffer.concat([Buffer.from(sha256(found)), found]), most);
      } catch {
        // A folder that is not writable, or a full disk: the next build computes the result again.
      }
    },
  };
}

const hashLength = 64;

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder is not writable, or has been deleted: the result keeps its age.
  }
}

/** Undefined if the file does not exist or cannot be read. */
export function readStored(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    // The build works without the cache.
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
