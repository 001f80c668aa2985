// Finds and reads the files of a content folder, and those of collections in folders outside of it: the only stage of content/
// that accesses the file system.
import { isUtf8 } from "node:buffer";
import {
  type BigIntStats,
  closeSync,
  type Dirent,
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
import type { SourceFolder } from "../../src/model/files.ts";
import { slashed } from "../files/folders.ts";
import { hasCode, MachineError } from "../files/machine-error.ts";
import type { Sentences } from "../messages.ts";
import { parseMarker, tableFile } from "../routing/table.ts";
import { type FileBytes, maxFileSize, type StoredFile } from "./formats/source.ts";
import type { OutsideFolder, PathsOutside } from "./globs.ts";

export interface FoundFile extends FileBytes {
  /** Relative to the content folder, with slashes, in Unicode's form NFC. */
  readonly file: string;
  /** Undefined if the file is in the content folder. */
  readonly outside?: PathsOutside;
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
  /** The folders outside of the content folder, by their paths. */
  readonly folders?: ReadonlyMap<string, OpenFolder>;
}

/** A folder outside of the content folder. */
export interface OpenFolder {
  readonly folder: SourceFolder;
  /** Why nothing is read there. */
  readonly problem?: Sentences;
  /** The file at a path there, whatever is in it, or why it cannot be read. Undefined if there is none. */
  readonly find: (file: string) => FoundFile | UnreadableReason | undefined;
}

/**
 * Finds the files in a folder, and those that match in the folders outside of it. Those for which `isContent` is false are not
 * read. Throws MachineError if the folder does not exist. `isDotName`: see `entriesBelow`.
 */
export function discover(
  folder: string,
  isContent: (file: string) => boolean,
  isDotName?: (name: string) => boolean,
  outside: readonly OutsideFolder[] = [],
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
  const folders = outside.map((one) => openOutside(folder, one, files, unreadable));
  return {
    files: [...files.values()],
    unreadable,
    folders: new Map(folders.map((one) => [one.folder.path, one])),
  };
}

/** Adds the files that match in a folder outside of the content folder. */
function openOutside(
  content: string,
  outside: OutsideFolder,
  files: Map<string, FoundFile>,
  unreadable: Map<string, UnreadableReason>,
): OpenFolder {
  const { folder } = outside;
  const problem = problemOf(folder, content);
  if (problem !== undefined) return { folder, problem, find: () => undefined };
  const root = realpathSync(folder.path);
  for (const [name, code] of entriesOutside(content, outside)) {
    const inner = name.normalize("NFC");
    const file = fileOutside(content, folder, inner);
    const known = files.get(file);
    const isSame = known?.outside?.has(folder.path);
    const found = isSame ? "same-name" : (code ?? known ?? foundFile(path.join(root, name), file, () => true));
    if (typeof found === "string") unreadable.set(file, found);
    else files.set(file, { ...found, outside: new Map(found.outside).set(folder.path, inner) });
  }
  return { folder, find: finderIn(root, folder, (inner) => mayHaveData(path.join(root, inner), content)) };
}

/** The path of a file outside of the content folder, relative to that. */
export const fileOutside = (content: string, folder: SourceFolder, inner: string): string =>
  slashed(path.join(path.relative(content, folder.path), inner));

/** Whether a path relative to the content folder leads out of it. */
export const isOutside = (file: string): boolean => file.startsWith("../");

/** The files in a folder outside of the content folder that match. A link to a folder is not followed. */
export function* entriesOutside(content: string, outside: OutsideFolder): ReturnType<typeof entriesBelow> {
  const { matches, isDotName } = outside;
  const root = realpathSync(outside.folder.path);
  for (const [name, code] of entriesBelow(root, isDotName, (inner) => entersOutside(content, outside, inner))) {
    const isFolder = code === "link" && statSync(path.join(root, name), { throwIfNoEntry: false })?.isDirectory();
    if (!isFolder && matches(name.normalize("NFC"))) yield code === undefined ? [name] : [name, code];
  }
}

/** Whether files that match may be in a folder within the one outside of the content folder. */
export const entersOutside = (content: string, { folder, mayHold }: OutsideFolder, inner: string): boolean =>
  mayHold(inner.normalize("NFC")) && mayHaveData(path.join(folder.path, inner), content);

/** Whether a folder may have data of a collection that is not in the content folder: it is neither hidden, nor that, nor a build. */
function mayHaveData(folder: string, content: string): boolean {
  const name = path.basename(folder);
  if (name === "node_modules" || name.startsWith(".") || realpathSync(folder) === realpathSync(content)) return false;
  const marker = path.join(folder, tableFile);
  const isFile = statSync(marker, { throwIfNoEntry: false })?.isFile() === true;
  return !isFile || parseMarker(readFileSync(marker, "utf8")) === undefined;
}

/** Why nothing is read in a folder outside of the content folder. */
function problemOf(folder: SourceFolder, content: string): Sentences | undefined {
  const { name } = folder;
  const stats = statSync(folder.path, { throwIfNoEntry: false });
  if (stats === undefined) return { text: `There is no folder ${name}.`, hint: "It is relative to the declaration." };
  if (!stats.isDirectory()) return { text: `${name} is not a folder.`, hint: "Name the folder that has the file." };
  const isInside = `${realpathSync(folder.path)}${path.sep}`.startsWith(`${realpathSync(content)}${path.sep}`);
  if (!isInside) return undefined;
  return { text: `${name} is in the content folder.`, hint: "Remove folder, and start match with the path there." };
}

/** Finds files by paths in NFC. No link leads to them. */
function finderIn(root: string, { name }: SourceFolder, enters: (inner: string) => boolean): OpenFolder["find"] {
  const listings = new Map<string, ReadonlyMap<string, Dirent>>();
  const listingOf = (folder: string): ReadonlyMap<string, Dirent> => {
    const known = listings.get(folder);
    if (known !== undefined) return known;
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
    const listing = new Map(entries.map((entry) => [entry.name.normalize("NFC"), entry]));
    listings.set(folder, listing);
    return listing;
  };
  return (file) => {
    let place = "";
    for (const [index, part] of file.split("/").entries()) {
      if (index > 0 && !enters(place)) return undefined;
      const entry = listingOf(place).get(part);
      if (entry === undefined) return undefined;
      if (entry.isSymbolicLink()) return "link";
      place = path.join(place, entry.name);
      if (entry.isFile() !== (file.split("/").length === index + 1)) return undefined;
    }
    return foundFile(path.join(root, place), `${name}/${file}`, () => false);
  };
}

/**
 * Readable files have no code. Names are listed as bytes, because some may not be UTF-8. Names that start with a dot are left
 * out unless `isDotName` is true, and folders unless `enters` is.
 */
export function* entriesBelow(
  root: string,
  isDotName: (name: string) => boolean = () => false,
  enters: (folder: string) => boolean = () => true,
  folder = "",
): Generator<readonly [file: string, code?: UnreadableReason]> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, encoding: "buffer" })) {
    const name = entry.name.toString();
    const file = folder + name;
    if (name.startsWith(".") && !isDotName(name)) continue;
    if (!isUtf8(entry.name) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) yield [file, "bad-name"];
    else if (entry.isDirectory()) {
      if (enters(file)) yield* entriesBelow(root, isDotName, enters, `${file}/`);
    } else if (entry.isSymbolicLink()) yield [file, "link"];
    else yield entry.isFile() ? [file] : [file, "special"];
  }
}

function foundFile(name: string, file: string, isContent: (file: string) => boolean): FoundFile | UnreadableReason {
  const stored = () => storedFile(name, file);
  if (!isContent(file)) return { file, size: 0, stored, ...kept(new Uint8Array()) };
  let handle: number | undefined;
  try {
    handle = openSync(name, "r");
    const length = fill(start, handle);
    if (length <= maxKept) return { file, size: length, stored, ...kept(Buffer.from(start.subarray(0, length))) };
    const stats = fstatSync(handle, { bigint: true });
    const size = Number(stats.size);
    return size > maxFileSize ? "too-large" : { file, size, stored, ...large(name, file, stateOfFile(stats)) };
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM")) return "unreadable";
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** In bytes. Opening many small files once more would cost more than their bytes do. */
const maxKept = 1 << 20;

/** The first bytes of the file that is read. Small files are copied from it into shared memory. */
const start = Buffer.allocUnsafeSlow(maxKept + 1);

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
        const head = Buffer.allocUnsafeSlow(Math.min(length, size));
        const filled = fill(head, handle);
        if (stateOfFile(fstatSync(handle, { bigint: true })) !== state) throw changed(file);
        return head.subarray(0, filled);
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

/** Fills a buffer with the first bytes of a file. Returns how many they are: fewer if the file has fewer. */
function fill(buffer: Buffer, handle: number): number {
  let filled = 0;
  for (let read = -1; read !== 0 && filled < buffer.length; filled += read)
    read = readSync(handle, buffer, filled, buffer.length - filled, null);
  return filled;
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
