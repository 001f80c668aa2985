// Finds and reads the files of a content folder: the only stage of content/ that accesses the file system.
import { isUtf8 } from "node:buffer";
import { closeSync, type Dirent, existsSync, openSync, readdir, readFileSync, readSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import fastGlob, { type Entry } from "fast-glob";
import type { FaultCode } from "../diagnostics.ts";
import { hasCode, MachineError } from "../machine-error.ts";
import { isLogo } from "./classify.ts";
import { formatOf } from "./formats/formats.ts";
import { compare } from "./order.ts";

export interface FoundFile {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  /** Empty if the extension belongs to no format and the file is no logo. */
  readonly bytes: Uint8Array;
}

/** An entry of the folder that is not readable as a file of content. */
export interface Obstacle {
  readonly file: string;
  readonly code: Extract<
    FaultCode,
    "outside-link" | "dead-link" | "folder-link" | "no-file" | "bad-name" | "too-large"
  >;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Lists entries by path, in order of code units, without names that start with a dot. `pattern` is a glob that limits
 * them. Rejects with MachineError if the folder does not exist, and with the system's error if the machine fails.
 */
export async function discover(folder: string, pattern = "**"): Promise<Discovery> {
  if (!existsSync(folder)) throw new MachineError(`There is no folder ${folder}.`, "Name the folder with --content.");
  if (!statSync(folder).isDirectory()) throw new MachineError(`${folder} is not a folder.`);
  const root = await realpath(folder);
  const [entries, unnamed] = await entriesBelow(root, pattern);
  const files: FoundFile[] = [];
  const obstacles: Obstacle[] = unnamed.map((file) => ({ file, code: "bad-name" }));
  for (const { path: file, dirent } of entries.sort((a, b) => compare(a.path, b.path))) {
    const code = await obstacleAt(root, file, dirent);
    const bytes = code === undefined ? bytesOf(root, file) : undefined;
    if (bytes === undefined) obstacles.push({ file, code: code ?? "too-large" });
    else files.push({ file, bytes });
  }
  return { files, obstacles: obstacles.sort((a, b) => compare(a.file, b.file)) };
}

/**
 * Everything below a folder that is not a folder, and names that no report can show. Glob patterns skip some of these
 * names, and strings cannot represent all of them, so fast-glob lists folders through this function, which loses no
 * name.
 */
async function entriesBelow(
  root: string,
  pattern: string,
): Promise<readonly [entries: Entry[], unnamed: readonly string[]]> {
  const unmatched = new Set<string>();
  const list = (folder: string, listed: readonly Dirent<Buffer>[]): Entry["dirent"][] =>
    listed.flatMap((each) => {
      const name = each.name.toString();
      if (name.startsWith(".")) return [];
      const isText = isUtf8(each.name);
      const file = path.join(path.relative(root, folder), isText ? name : spelledOut(each.name));
      const isNamed = isText && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name);
      if (!isNamed || !each.isDirectory()) unmatched.add(file);
      return isNamed ? [Object.assign(Object.create(each), { name })] : [];
    });
  const entries = await fastGlob.glob(pattern, {
    cwd: root,
    followSymbolicLinks: false,
    onlyFiles: false,
    objectMode: true,
    fs: {
      readdir(folder: string, _: unknown, done?: (error: Error | null, listed: Entry["dirent"][]) => void) {
        readdir(folder, { encoding: "buffer", withFileTypes: true }, (error, listed) =>
          done?.(error, error === null ? list(folder, listed) : []),
        );
      },
    },
  });
  const files = entries.filter(({ dirent }) => !dirent.isDirectory());
  for (const { path: file } of files) unmatched.delete(file);
  return [files, [...unmatched]];
}

/** The path of a file relative to the current folder, with slashes, for reports. */
export const pathIn = (folder: string, file: string): string => path.join(folder, file).split(path.sep).join("/");

/** The path of a file of the current folder, relative to a folder. */
export const relativeTo = (folder: string, file: string): string =>
  path.relative(folder, file).split(path.sep).join("/");

/** A name that is not UTF-8, with bytes beyond ASCII as \xff. */
const spelledOut = (name: Buffer): string =>
  name.toString("latin1").replace(/[^\0-\x7f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);

/** Undefined if there are too many bytes. Files whose name marks them as not content are not read. */
function bytesOf(root: string, file: string): Uint8Array | undefined {
  const format = formatOf(file);
  if (format === undefined && !isLogo(file)) return new Uint8Array();
  try {
    return format === "ndjson" ? sharedBytes(path.join(root, file)) : readFileSync(path.join(root, file));
  } catch (error) {
    if (hasCode(error, "ERR_FS_FILE_TOO_LARGE")) return undefined;
    throw error;
  }
}

/** Reads a large file into memory that threads share. */
function sharedBytes(file: string): Uint8Array {
  const { size } = statSync(file);
  if (size < large || size > mostShared) return readFileSync(file);
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  const descriptor = openSync(file, "r");
  try {
    let end = 0;
    for (let length = -1; length !== 0; end += length) length = readSync(descriptor, bytes, end, size - end, null);
    return bytes.subarray(0, end);
  } finally {
    closeSync(descriptor);
  }
}

const large = 1 << 22;

/** Node reads no larger file at once. */
const mostShared = 2 ** 31 - 1;

async function obstacleAt(root: string, file: string, dirent: Entry["dirent"]): Promise<Obstacle["code"] | undefined> {
  if (dirent.isSymbolicLink()) return linkObstacle(root, file);
  return dirent.isFile() ? undefined : "no-file";
}

async function linkObstacle(root: string, file: string): Promise<Obstacle["code"] | undefined> {
  const target = await realpath(path.join(root, file)).catch((error: unknown) => {
    if (hasCode(error, "ENOENT", "ELOOP", "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  });
  if (target === undefined) return "dead-link";
  if (!isWithin(root, target)) return "outside-link";
  // stat follows links, whose target may have a name that strings cannot represent.
  const kind = await stat(path.join(root, file));
  if (kind.isDirectory()) return "folder-link";
  return kind.isFile() ? undefined : "no-file";
}

function isWithin(root: string, target: string): boolean {
  const [first] = path.relative(root, target).split(path.sep);
  return first !== ".." && !path.isAbsolute(path.relative(root, target));
}
