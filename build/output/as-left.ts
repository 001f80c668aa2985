// Whether everything is still as a build has left it, without a lock: what has a build's stamp when it is looked at had
// it all the while, so at the moment when the look began all of it was so.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import { hasCode } from "../machine-error.ts";
import { inspect } from "./inspection.ts";
import { isStaging, resolveLocation } from "./location.ts";
import { readManifest } from "./manifest.ts";
import { walk } from "./walk.ts";

/** `time` is that of the manifest that the build left. Where another build is at work, or was killed, the answer is no. */
export async function isAsLeft(out: string, cache: string, time: number): Promise<boolean> {
  if (lstatSync(out, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const { root, staging, visibleStaging } = resolveLocation(out);
  if (isUsed(staging) || isUsed(visibleStaging)) return false;
  const manifest = readManifest(cache, root);
  if (manifest?.time !== time) return false;
  const known = inspect(manifest, cache, root);
  try {
    return known.tree() !== undefined && manifest.files.every((_, index) => known.isUntouched(index));
  } finally {
    await known.close();
  }
}

/** Whether a staging folder, or one that was put aside, is there. */
const isUsed = (staging: string): boolean =>
  readdirSync(path.dirname(staging)).some((name) => name.startsWith(path.basename(staging)));

/** The files of a folder, by their paths in it, each with a hash of its bytes. */
export type Hashes = Readonly<Record<string, string>>;

export const hashesOf = (files: Iterable<OutputFile>): Hashes =>
  Object.fromEntries([...files].map(({ entry, parts }) => [entry.file, hashOf(...parts())]));

/** Whether a folder holds these files and no others, or, without hashes, is not there. */
export function holdsJust(folder: string, hashes: Hashes | undefined): boolean {
  if (hashes === undefined) return !existsSync(folder);
  const { files, others } = walk(folder, isStaging);
  return others.size === 0 && files.size === Object.keys(hashes).length && holds(folder, hashes);
}

/** Whether a folder holds these files. */
export function holds(folder: string, hashes: Hashes): boolean {
  try {
    return Object.entries(hashes).every(([file, hash]) => hashOf(readFileSync(path.join(folder, file))) === hash);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR", "EACCES")) return false;
    throw error;
  }
}

function hashOf(...parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
