// What a build left in an out folder, so that the next one need not read it all: the entries of all files, and the stamps
// of files and folders. What still has its stamp is as the build left it; see stamp.ts. A stamp is of something that the
// build has written or read itself, never of what was merely there.
//
// It is kept outside of the out folder, which holds the same bytes whoever builds it. It is a cache, never
// authoritative: where it is missing, of another form, or of another folder, files are read and compared.
import { createHash } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import path from "node:path";
import { readStored, store } from "../cache/store.ts";
import { decodeManifest, encodeManifest } from "./manifest-file.mjs";

export interface Manifest {
  /** The out folder's. */
  readonly device: number;
  /** The out folder's. */
  readonly inode: number;
  /** When it was made, in milliseconds: another manifest has another time. */
  readonly time: number;
  /** The out folder and all folders in it; undefined where it holds more than the build's files, or may do so. */
  readonly folders: readonly StampedFolder[] | undefined;
  /** The paths of the build's files, in its order. What follows is in columns because there may be many. */
  readonly files: readonly string[];
  readonly lengths: Uint32Array<ArrayBuffer>;
  readonly digests: Float64Array<ArrayBuffer>;
  /** Inode and ctime of each file in turn; NaN where it has to be read. */
  readonly stamps: Float64Array<ArrayBuffer>;
}

/** Its path in the out folder, whose own is empty, and its stamp. */
export type StampedFolder = readonly [folder: string, inode: number, ctime: number];

/** Below this many files, reading them is as quick. */
const worthwhile = 100;

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
function fits({ device, inode }: Manifest, root: string): boolean {
  const state = lstatSync(root, { throwIfNoEntry: false });
  return state?.dev === device && state.ino === inode;
}

/** Where it cannot be kept, the next build reads and compares instead. */
export function keepManifest(cache: string, root: string, manifest: Manifest): void {
  const file = manifestFile(cache, root);
  try {
    if (manifest.files.length < worthwhile) rmSync(file, { force: true });
    else store(file, encodeManifest(manifest), mostManifests);
  } catch {
    // A full disk, or a folder that cannot be written.
  }
}
