// Finds and reads the files of a content folder: the only stage of content/ that accesses the file system.
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../files/machine-error.ts";
import { type FileBytes, maxFileSize, type StoredFile } from "./formats/source.ts";

export interface FoundFile extends FileBytes {
  /** Relative to the content folder, with slashes, in Unicode's form NFC. */
  readonly file: string;
  /** In bytes; 0 if the file is not read as content. */
  readonly size: number;
  /** The file as it lies, whatever is in it. Throws MachineError if it cannot be read. */
  readonly stored: () => StoredFile;
}

/** Why an entry of the folder is not readable as a file of content. `special`: a pipe, a socket or a device. */
export type UnreadableReason = "link" | "special" | "bad-name" | "same-name" | "too-large" | "unreadable";

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly unreadable: ReadonlyMap<string, UnreadableReason>;
}

/**
 * Finds the files in a folder. Those for which `isContent` is false are not read. Throws MachineError if the folder does not
 * exist. `isDotName`: see `entriesBelow`.
 */
export function discover(
  folder: string,
  isContent: (file: string) => boolean,
  isDotName?: (name: string) => boolean,
): Discovery {
  if (!existsSync(folder)) throw new MachineError(`There is no folder ${folder}.`, "Name the folder with --content.");
  if (!statSync(folder).isDirectory()) throw new MachineError(`${folder} is not a folder.`);
  const root = realpathSync(folder);
  const files = new Map<string, FoundFile>();
  const unreadable = new Map<string, UnreadableReason>();
  for (const [name, code] of entriesBelow(root, isDotName)) {
    // Systems differ in how they store accents, and nobody sees it.
    const file = name.normalize("NFC");
    const found = code ?? (files.has(file) ? "same-name" : foundFile(path.join(root, name), file, isContent));
    if (typeof found === "string") unreadable.set(file, found);
    else files.set(file, found);
  }
  return { files: [...files.values()], unreadable };
}

/**
 * Readable files have no code. Names are listed as bytes, because some may not be UTF-8. Names that start with a dot are left
 * out unless `isDotName` is true.
 */
export function* entriesBelow(
  root: string,
  isDotName: (name: string) => boolean = () => false,
  folder = "",
): Generator<readonly [file: string, code?: UnreadableReason]> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, encoding: "buffer" })) {
    const name = entry.name.toString();
    const file = folder + name;
    if (name.startsWith(".") && !isDotName(name)) continue;
    if (!isUtf8(entry.name) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) yield [file, "bad-name"];
    else if (entry.isDirectory()) yield* entriesBelow(root, isDotName, `${file}/`);
    else if (entry.isSymbolicLink()) yield [file, "link"];
    else yield entry.isFile() ? [file] : [file, "special"];
  }
}

function foundFile(name: string, file: string, isContent: (file: string) => boolean): FoundFile | UnreadableReason {
  const stored = () => storedFile(name, file);
  if (!isContent(file)) return { file, size: 0, stored, ...kept(new Uint8Array()) };
  let handle: number | undefined;
  try {
    handle = openSync(name, "r");
    const stats = fstatSync(handle, { bigint: true });
    const size = Number(stats.size);
    if (size > maxFileSize) return "too-large";
    const bytes = size > maxKept ? large(name, file, stateOfFile(stats)) : kept(readFileSync(handle));
    return { file, size, stored, ...bytes };
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM")) return "unreadable";
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** In bytes. Opening many small files once more would cost more than their bytes do. */
const maxKept = 1 << 20;

export const kept = (bytes: Uint8Array): FileBytes => ({ read: () => bytes, lines: () => [bytes] });

const changed = (file: string): MachineError =>
  new MachineError(`${file} has changed while it was read.`, "Run the command again.");

/** Differs after each change of a file, also one of its metadata. `dev` plans again if, and only if, it differs. */
export const stateOfFile = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string =>
  `${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** The statistics of a file take 1.5 kB, so they are not kept. */
function sizeAndState(name: string): Pick<StoredFile, "size" | "state"> {
  const stats = statSync(name, { bigint: true });
  return { size: Number(stats.size), state: stateOfFile(stats) };
}

function storedFile(name: string, file: string): StoredFile {
  const { size, state } = unlessGone(file, () => sizeAndState(name));
  return {
    size,
    state: `${name} ${state}`,
    head(length) {
      const handle = unlessGone(file, () => openSync(name, "r"));
      try {
        const head = readHead(handle, Math.min(length, size));
        if (stateOfFile(fstatSync(handle, { bigint: true })) !== state) throw changed(file);
        return head;
      } finally {
        closeSync(handle);
      }
    },
    *parts() {
      const handle = unlessGone(file, () => openSync(name, "r"));
      try {
        const partLength = Math.min(usualPart, size + 1);
        for (;;) {
          const part = Buffer.allocUnsafeSlow(partLength);
          const length = readSync(handle, part);
          if (length === 0) break;
          yield part.subarray(0, length);
        }
        if (stateOfFile(fstatSync(handle, { bigint: true })) !== state) throw changed(file);
      } finally {
        closeSync(handle);
      }
    },
  };
}

/** Returns the first bytes of a file, or all if it has fewer. */
function readHead(handle: number, length: number): Buffer {
  const head = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < length; filled += read)
    read = readSync(handle, head, filled, length - filled, null);
  return head.subarray(0, filled);
}

/** Throws MachineError if the file was removed after it was found. */
function unlessGone<Result>(file: string, access: () => Result): Result {
  try {
    return access();
  } catch (error) {
    throw hasCode(error, "ENOENT") ? changed(file) : error;
  }
}

function large(name: string, file: string, state: string): FileBytes {
  const check = (): void => {
    if (unlessGone(file, () => sizeAndState(name)).state !== state) throw changed(file);
  };
  return {
    read() {
      check();
      return readFileSync(name);
    },
    *lines() {
      check();
      yield* partsOfLines(name);
      check();
    },
  };
}

/** In bytes. Longer if a line is. */
const usualPart = 1 << 20;

const lineFeed = 0x0a;

/** The bytes of a file in parts of whole lines. */
export function* partsOfLines(name: string, partLength = usualPart): Generator<Uint8Array> {
  const handle = openSync(name, "r");
  try {
    let rest = new Uint8Array();
    for (;;) {
      // As much again as a long line has already, so that it is not copied for each part.
      const part = Buffer.allocUnsafeSlow(rest.length + Math.max(partLength, rest.length));
      part.set(rest);
      const length = readSync(handle, part, rest.length, part.length - rest.length, null);
      const filled = part.subarray(0, rest.length + length);
      const end = length === 0 ? filled.length : filled.lastIndexOf(lineFeed) + 1;
      if (end > 0) yield filled.subarray(0, end);
      if (length === 0) return;
      rest = filled.subarray(end);
    }
  } finally {
    closeSync(handle);
  }
}
