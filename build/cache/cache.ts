// Results that took long to compute from some bytes, for the next build: a file for each, named by the hash of the bytes.
// It is a cache, never authoritative: what is missing, torn or of another version is computed again.
import { createHash } from "node:crypto";
import { utimesSync } from "node:fs";
import path from "node:path";
import { readStored, store } from "./store.ts";

export interface Cache {
  /** What was kept for these bytes. */
  recall(bytes: Uint8Array): Uint8Array | undefined;
  /** It does not matter if it cannot be kept. */
  keep(bytes: Uint8Array, found: Uint8Array): void;
}

/** More than this are not kept; those that were not asked for the longest time go first. */
const most = 1_000;

/** `version` is that of the way in which it is found out: what another one has found is not recalled. */
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
        // A folder that cannot be written, or a full disk: the next build finds it out again.
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
    // Someone else's folder, or it has gone: then it is not remembered for longer.
  }
}
