// What a build left in an out folder, so that the next one need not read it all: the entries of all files, and a time
// after which none of them was touched. Every change of a file or folder, moving and replacing included, sets its
// ctime, which nobody can choose. Whatever has an older ctime than that time is as the build left it.
//
// It is kept outside of the out folder, which holds the same bytes whoever builds it. It is a cache, never
// authoritative: where it is missing, of another form, or of another folder, files are read and compared.
import { createHash } from "node:crypto";
import { lstatSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readStored, store } from "../cache/store.ts";
import type { OutputEntry } from "../file.ts";
import { decodeManifest, encodeManifest } from "./manifest-file.mjs";

export interface Manifest {
  /** The out folder's. */
  readonly inode: number;
  /** What has an older ctime, in milliseconds, is as the build left it. */
  readonly time: number;
  /** All folders in the out folder; undefined where it holds more than the build's files. */
  readonly folders: readonly string[] | undefined;
  /** The files of the build, in its order. */
  readonly entries: readonly OutputEntry[];
}

/** Below this many files, reading them is as quick. */
const worthwhile = 1_000;

/** Manifests of more out folders than this are not kept. */
const mostManifests = 20;

/** The file in the cache folder that holds the manifest of an out folder. */
export const manifestFile = (cache: string, root: string): string =>
  path.join(cache, createHash("sha256").update(root).digest("hex").slice(0, 32));

/** Undefined where there is none that fits the folder. */
export function readManifest(cache: string, root: string): Manifest | undefined {
  const bytes = readStored(manifestFile(cache, root));
  const manifest = bytes && decodeManifest(bytes);
  return manifest !== undefined && fits(manifest, root) ? manifest : undefined;
}

/** Whether it may be the manifest of the folder that is there now. */
export const fits = ({ inode, time }: Manifest, root: string): boolean =>
  lstatSync(root, { throwIfNoEntry: false })?.ino === inode && time <= Date.now();

/** Where it cannot be kept, the next build reads and compares instead. */
export function keepManifest(cache: string, root: string, manifest: Manifest): void {
  const file = manifestFile(cache, root);
  try {
    if (manifest.entries.length < worthwhile) rmSync(file, { force: true });
    else store(file, encodeManifest(manifest), mostManifests);
  } catch {
    // A full disk, or a folder that cannot be written.
  }
}

/**
 * The manifest of what is in the out folder now. `probe` is the path of a file that may be written on the same file
 * system. Undefined where the system does not tell.
 */
export async function takeStock(
  root: string,
  probe: string,
  entries: readonly OutputEntry[],
  folders: readonly string[] | undefined,
): Promise<Manifest | undefined> {
  try {
    const time = await timeAfter(probe);
    return { inode: lstatSync(root).ino, time, folders, entries };
  } catch {
    // Without it the next build takes longer and does the same.
    return undefined;
  }
}

/** The file system's time, once the present moment is past: what was done until now has an older ctime. */
async function timeAfter(probe: string): Promise<number> {
  const now = () => {
    writeFileSync(probe, "");
    return statSync(probe).ctimeMs;
  };
  const first = now();
  for (let tries = 0; ; tries++) {
    const time = now();
    if (time > first || tries === 5) return time;
    await sleep(5);
  }
}
