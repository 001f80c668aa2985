// The index of an out folder, kept as git keeps the index of a work tree: for each file that a build wrote or compared, its
// length, inode, ctime and digest. A file that still has the same length, inode and ctime has the same bytes, because
// nobody can choose a ctime; it is not read again.
//
// A clock moves in ticks of a few milliseconds, and two changes in one tick leave the same ctime. So a ctime only counts if
// its tick was over when the file was looked up; see clock.ts. Otherwise it is NaN, which equals nothing.
//
// The index is a cache in a folder of its own: without one, files are read and compared.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { endianness } from "node:os";
import path from "node:path";
import { readStored, store } from "../cache/cache.ts";

export interface IndexEntry {
  /** In bytes. */
  readonly length: number;
  /** See digest.ts. NaN if the bytes are not known. */
  readonly digest: number;
  readonly inode: number;
  /** In milliseconds. NaN if the file has to be read. */
  readonly ctime: number;
}

/** By path in the out folder. */
export type Index = ReadonlyMap<string, IndexEntry>;

/** The index that the last build into `root` kept; empty if there is none for this folder. */
export function readIndex(cache: string, root: string): Index {
  const bytes = readStored(fileOf(cache, root));
  return (bytes && decode(bytes, deviceOf(root))) ?? new Map();
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

const fileOf = (cache: string, root: string): string =>
  path.join(cache, createHash("sha256").update(root).digest("hex").slice(0, 32));

/** Files on another device may have the same inodes. */
const deviceOf = (root: string): number | undefined => statSync(root, { throwIfNoEntry: false })?.dev;

/** A machine with the other byte order reads no index of this one. */
const form = `stillapi index 1 ${endianness()}`;

/** For each file: length, digest, inode and ctime. */
const width = 4;

/** A line of JSON, the numbers of all files as 64-bit floats, and their paths, one per line. */
function encode(index: Index, device: number | undefined): Buffer {
  const numbers = new Float64Array(width * index.size);
  let at = 0;
  for (const { length, digest, inode, ctime } of index.values()) {
    numbers[at++] = length;
    numbers[at++] = digest;
    numbers[at++] = inode;
    numbers[at++] = ctime;
  }
  const paths = Buffer.from([...index.keys()].join("\n"));
  const head = JSON.stringify([form, device, index.size, paths.length]);
  return Buffer.concat([Buffer.from(`${head}\n`), Buffer.from(numbers.buffer), paths]);
}

/** Undefined if the bytes are torn, of another form or of another device. */
function decode(bytes: Buffer, device: number | undefined): Index | undefined {
  const start = bytes.indexOf("\n") + 1;
  const head = bytes.toString("latin1", 0, Math.max(0, start - 1));
  const [count = 0, length = 0] = /,(\d+),(\d+)\]$/.exec(head)?.slice(1).map(Number) ?? [];
  const end = start + width * 8 * count;
  if (head !== JSON.stringify([form, device, count, length]) || bytes.length !== end + length) return undefined;
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(start, end)).buffer);
  const files = count === 0 ? [] : bytes.toString("utf8", end).split("\n");
  const numberAt = (at: number) => numbers[at] ?? Number.NaN;
  const index = new Map<string, IndexEntry>();
  for (const [position, file] of files.entries()) {
    const at = width * position;
    index.set(file, {
      length: numberAt(at),
      digest: numberAt(at + 1),
      inode: numberAt(at + 2),
      ctime: numberAt(at + 3),
    });
  }
  return index;
}
