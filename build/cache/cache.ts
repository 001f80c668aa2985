// Caches results of expensive computations on bytes for the next build: one file for each, named by the hash of the
// bytes. A result that is missing, incomplete or of another version is computed again.
import { createHash } from "node:crypto";
import { utimesSync } from "node:fs";
import path from "node:path";
import { readStored, store } from "./store.ts";

export interface Cache {
  /** The cached result for these bytes. */
  recall(bytes: Uint8Array): Uint8Array | undefined;
  /** Ignores failures to write. */
  keep(bytes: Uint8Array, found: Uint8Array): void;
}

/** The most results that are kept; the least recently used are discarded first. */
const most = 1_000;

/** `version` identifies the computation. Results of another version are ignored. */
export function openCache(folder: string, version: string): Cache {
  const fileFor = (bytes: Uint8Array) => path.join(folder, hashOf(Buffer.from(version), bytes));
  return {
    recall(bytes) {
      const file = fileFor(bytes);
      const kept = readStored(file);
      if (kept === undefined) return undefined;
      const found = kept.subarray(hashLength);
      if (kept.toString("latin1", 0, hashLength) !== hashOf(found)) return undefined;
      touch(file);
      return found;
    },
    keep(bytes, found) {
      try {
        store(fileFor(bytes), Buffer.concat([Buffer.from(hashOf(found)), found]), most);
      } catch {
        // A folder that is not writable, or a full disk: the next build computes the result again.
      }
    },
  };
}

const hashOf = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

const hashLength = 64;

function touch(file: string): void {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // The folder is not writable, or has been deleted: the result keeps its age.
  }
}
