// The index of an out folder is like git's index of a work tree: for each file that a build wrote or compared, it has the
// length, digest, inode and ctime. A file that still has the same length, inode and ctime has the same bytes, because
// nobody can choose a ctime; it is not read again.
//
// A clock moves in ticks of a few milliseconds, and two changes in one tick leave the same ctime. So a ctime only counts if
// its tick was over when the file was looked up. A ctime of NaN, which equals nothing, marks all other files.
//
// The index is a cache in a separate folder: without one, files are read and compared.
import { statSync, writeFileSync } from "node:fs";
import { endianness } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readStored, store } from "../cache/cache.ts";
import { type Key, newKey } from "../digest.ts";
import { sha256 } from "../sha256.ts";

export interface IndexEntry {
  /** In bytes. */
  readonly length: number;
  /** Of the path and the bytes, with the key of the index; see digest.ts. NaN if the bytes are not known. */
  readonly digest: number;
  readonly inode: number;
  /** In milliseconds. NaN if the file has to be read. */
  readonly ctime: number;
}

/** Columns, because a hundred thousand objects take longer to create than their files take to be looked up. */
export interface Index {
  readonly key: Key;
  /** In the order in which the build planned the files. */
  readonly paths: readonly string[];
  /** Length, digest, inode and ctime of each path in turn. */
  readonly numbers: Float64Array;
  /** The position of the first file of a group, by the digest of the group. */
  readonly groups: ReadonlyMap<number, number>;
}

export const emptyIndex = (): Index => ({ key: newKey(), paths: [], numbers: new Float64Array(), groups: new Map() });

/** The index that the last build into `root` kept; empty, with a new key, if there is none for this folder. */
export function readIndex(cache: string, root: string): Index {
  const bytes = readStored(fileOf(cache, root));
  return (bytes && decode(bytes, deviceOf(root))) ?? emptyIndex();
}

/** Does nothing if the index cannot be kept, as on a full disk: the next build compares bytes instead. */
export function keepIndex(cache: string, root: string, index: Index): void {
  try {
    store(fileOf(cache, root), encode(index, deviceOf(root)), mostFolders);
  } catch {
    // A full disk, or a folder that cannot be written.
  }
}

/** Indexes of more out folders than this are not kept. */
const mostFolders = 20;

const fileOf = (cache: string, root: string): string => path.join(cache, sha256(root).slice(0, 32));

/** Files on another device may have the same inodes. */
const deviceOf = (root: string): number | undefined => statSync(root, { throwIfNoEntry: false })?.dev;

/** A machine with the other byte order reads no index of this one. */
const form = `stillapi index 3 ${endianness()}`;

/** A line of JSON, the numbers of all files, the groups, and the paths of the files, one per line. */
function encode({ key, paths, numbers, groups }: Index, device: number | undefined): Buffer {
  const names = Buffer.from(paths.join("\n"));
  const head = JSON.stringify([form, device, ...key, paths.length, groups.size, names.length]);
  return Buffer.concat([
    Buffer.from(`${head}\n`),
    bytesOf(numbers),
    bytesOf(Float64Array.from([...groups].flat())),
    names,
  ]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array) => new Uint8Array(buffer, byteOffset, byteLength);

/** Undefined if the bytes are torn, of another form or of another device. A second thread can share the numbers. */
function decode(bytes: Buffer, device: number | undefined): Index | undefined {
  const start = bytes.indexOf("\n") + 1;
  const head = bytes.toString("latin1", 0, Math.max(0, start - 1));
  const [low = 0, high = 0, count = 0, size = 0, length = 0] =
    /,(\d+),(\d+),(\d+),(\d+),(\d+)\]$/.exec(head)?.slice(1).map(Number) ?? [];
  const [middle, end] = [start + 32 * count, start + 32 * count + 16 * size];
  if (head !== JSON.stringify([form, device, low, high, count, size, length]) || bytes.length !== end + length)
    return undefined;
  const shared = new SharedArrayBuffer(32 * count);
  new Uint8Array(shared).set(bytes.subarray(start, middle));
  const pairs = new Float64Array(Uint8Array.from(bytes.subarray(middle, end)).buffer);
  const groups = new Map(Array.from({ length: size }, (_, at) => [pairs[2 * at] ?? 0, pairs[2 * at + 1] ?? 0]));
  const paths = count === 0 ? [] : bytes.toString("utf8", end).split("\n");
  return { key: [low, high], paths, numbers: new Float64Array(shared), groups };
}

/** The time in milliseconds by the clock of the file system, which may be another machine's. `folder` is writable. */
export function timeIn(folder: string): number {
  const probe = path.join(folder, "time");
  writeFileSync(probe, "");
  return statSync(probe).ctimeMs;
}

/** The time once the present tick is over: whatever is changed from now on gets this ctime or a later one. */
export async function nextTickIn(folder: string): Promise<number> {
  const first = timeIn(folder);
  for (let tries = 0; ; tries++) {
    const time = timeIn(folder);
    if (time > first || tries === 25) return time;
    await sleep(1);
  }
}
