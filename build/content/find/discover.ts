// Finds and reads the files of a content folder: the only stage of content/ that accesses the file system.
import { isUtf8 } from "node:buffer";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import type { Code } from "../../codes.ts";
import { hasCode, MachineError } from "../../files/machine-error.ts";
import { formatOf } from "../formats/formats.ts";
import { isLogo } from "./classify.ts";

export interface FoundFile {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  /** Empty if the file has no extension of a format and is not a logo. */
  readonly bytes: Uint8Array;
}

/** Why an entry of the folder is not readable as a file of content. */
export type UnreadableCode = Extract<Code, "link" | "no-file" | "bad-name" | "too-large" | "unreadable">;

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly unreadable: ReadonlyMap<string, UnreadableCode>;
}

/**
 * Lists and reads the files in a folder, except names that start with a dot, and files and folders that are not `wanted`.
 * The paths of folders end with a slash. Throws MachineError if the folder does not exist.
 */
export function discover(folder: string, wanted: (file: string) => boolean = () => true): Discovery {
  if (!existsSync(folder)) throw new MachineError(`There is no folder ${folder}.`, "Name the folder with --content.");
  if (!statSync(folder).isDirectory()) throw new MachineError(`${folder} is not a folder.`);
  const root = realpathSync(folder);
  const files: FoundFile[] = [];
  const unreadable = new Map<string, UnreadableCode>();
  for (const [file, code] of entriesBelow(root, "", wanted)) {
    const read = code ?? bytesOf(root, file);
    if (typeof read === "string") unreadable.set(file, read);
    else files.push({ file, bytes: read });
  }
  return { files, unreadable };
}

/** Readable files have no code. Names are listed as bytes, because some may not be UTF-8. */
export function* entriesBelow(
  root: string,
  folder = "",
  wanted: (file: string) => boolean = () => true,
): Generator<readonly [file: string, code?: UnreadableCode]> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, encoding: "buffer" })) {
    const name = entry.name.toString();
    const file = folder + name;
    if (name.startsWith(".") || !wanted(entry.isDirectory() ? `${file}/` : file)) continue;
    if (!isUtf8(entry.name) || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) yield [file, "bad-name"];
    else if (entry.isDirectory()) yield* entriesBelow(root, `${file}/`, wanted);
    else if (entry.isSymbolicLink()) yield [file, "link"];
    else yield entry.isFile() ? [file] : [file, "no-file"];
  }
}

/** Files whose name marks them as not content are not read. */
function bytesOf(root: string, file: string): Uint8Array | UnreadableCode {
  if (formatOf(file) === undefined && !isLogo(file)) return new Uint8Array();
  try {
    return readFileSync(path.join(root, file));
  } catch (error) {
    if (hasCode(error, "ERR_FS_FILE_TOO_LARGE")) return "too-large";
    if (hasCode(error, "EACCES", "EPERM")) return "unreadable";
    throw error;
  }
}
