// The index of an out folder, kept as git keeps the index of a work tree: for each file that a build wrote or compared, its
// length, inode, ctime and digest. A file that still has the same length, inode and ctime has the same bytes, because
// nobody can choose a ctime; it is not read again.
//
// A clock moves in ticks of a few milliseconds, and two changes in one tick leave the same ctime. So a ctime only counts if
// its tick was over when the file was looked up; see clock.ts. Otherwise it is NaN, which equals nothing.
//
// The index is a cache in a folder of its own: without one, files are read and compared.
import { statSync } from "node:fs";
import { endianness } from "node:os";
import path from "node:path";
import { readStored, store } from "../cache/cache.ts";
import { type Key, newKey } from "../digest.ts";
import { sha256 } from "../sha256.ts";

export interface IndexEntry {
  /** In bytes. */
  readonly length: number;
  /** With the key of the index; see digest.ts. NaN if the bytes are not known. */
  readonly digest: number;
  readonly inode: number;
  /** In milliseconds. NaN if the file has to be read. */
  readonly ctime: number;
}

export interface Index {
  readonly key: Key;
  /** By path in the out folder. */
  readonly files: ReadonlyMap<string, IndexEntry>;
}

export const emptyIndex = (): Index => ({ key: newKey(), files: new Map() });

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
const form = `stillapi index 2 ${endianness()}`;

/** For each file: length, digest, inode and ctime. */
const width = 4;

/** A line of JSON, the numbers of all files as 64-bit floats, and their paths, one per line. */
function encode({ key, files }: Index, device: number | undefined): Buffer {
  const numbers = new Float64Array(width * files.size);
  let at = 0;
  for (const { length, digest, inode, ctime } of files.values()) {
    numbers[at++] = length;
    numbers[at++] = digest;
    numbers[at++] = inode;
    numbers[at++] = ctime;
  }
  const paths = Buffer.from([...files.keys()].join("\n"));
  const head = JSON.stringify([form, device, ...key, files.size, paths.length]);
  return Buffer.concat([Buffer.from(`${head}\n`), Buffer.from(numbers.buffer), paths]);
}

/** Undefined if the bytes are torn, of another form or of another device. */
function decode(bytes: Buffer, device: number | undefined): Index | undefined {
  const start = bytes.indexOf("\n") + 1;
  const head = bytes.toString("latin1", 0, Math.max(0, start - 1));
  const [low = 0, high = 0, count = 0, length = 0] =
    /,(\d+),(\d+),(\d+),(\d+)\]$/.exec(head)?.slice(1).map(Number) ?? [];
  const end = start + width * 8 * count;
  if (head !== JSON.stringify([form, device, low, high, count, length]) || bytes.length !== end + length)
    return undefined;
  const numbers = new Float64Array(new Uint8Array(bytes.subarray(start, end)).buffer);
  const paths = count === 0 ? [] : bytes.toString("utf8", end).split("\n");
  const numberAt = (at: number) => numbers[at] ?? Number.NaN;
  const files = new Map<string, IndexEntry>();
  for (const [position, file] of paths.entries()) {
    const at = width * position;
    files.set(file, {
      length: numberAt(at),
      digest: numberAt(at + 1),
      inode: numberAt(at + 2),
      ctime: numberAt(at + 3),
    });
  }
  return { key: [low, high], files };
}
