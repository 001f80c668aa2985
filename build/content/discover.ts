// Finds the files of a content folder and reads them: the one stage of content that touches the machine.
import { existsSync, statSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import fastGlob, { type Entry } from "fast-glob";
import type { FaultCode } from "../diagnostics.ts";
import { MachineError } from "../machine-error.ts";
import { compare } from "./order.ts";

export interface FoundFile {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Something in the folder that cannot be read as a file of content. */
export interface Obstacle {
  readonly file: string;
  readonly code: Extract<FaultCode, "outside-link" | "dead-link" | "folder-link" | "no-file" | "bad-name">;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly obstacles: readonly Obstacle[];
}

/**
 * Entries come sorted by path, by code unit. Names that start with a dot are no content. Rejects with MachineError where
 * there is no such folder, and with the system's error where the machine fails.
 */
export async function discover(folder: string): Promise<Discovery> {
  if (!existsSync(folder)) throw new MachineError(`There is no folder ${folder}.`, "Name the folder with --content.");
  if (!statSync(folder).isDirectory()) throw new MachineError(`${folder} is not a folder.`);
  const root = await realpath(folder);
  const entries = await entriesBelow(root);
  const files: FoundFile[] = [];
  const obstacles: Obstacle[] = [];
  for (const { file, dirent } of entries.sort((a, b) => compare(a.file, b.file))) {
    const code = await obstacleAt(root, file, dirent);
    if (code === undefined) files.push({ file, bytes: await readFile(path.join(root, file)) });
    else obstacles.push({ file, code });
  }
  return { files, obstacles };
}

interface FoundEntry {
  readonly file: string;
  readonly dirent: Entry["dirent"];
}

/** Everything below a folder that is no folder itself, or is one whose name cannot be told. */
async function entriesBelow(root: string): Promise<FoundEntry[]> {
  // A star alone passes over names with a line break.
  const entries = await fastGlob.glob(["**", "**/*\n*", "**/\n*"], {
    cwd: root,
    onlyFiles: false,
    followSymbolicLinks: false,
    objectMode: true,
    // A folder whose name cannot be told cannot be opened either; it is reported for its name.
    ignore: ["**/*\u{fffd}*/**"],
  });
  return entries
    .map(({ path: file, dirent }) => ({ file, dirent }))
    .filter(({ file, dirent }) => isText(path.dirname(file)) && !(dirent.isDirectory() && isText(dirent.name)));
}

/** Whether a report can name it. What is not UTF-8 in a name comes as replacement characters, and cannot be opened. */
const isText = (name: string): boolean => !/[\p{Cc}\u{fffd}]/u.test(name);

async function obstacleAt(root: string, file: string, dirent: Entry["dirent"]): Promise<Obstacle["code"] | undefined> {
  if (!isText(dirent.name)) return "bad-name";
  if (dirent.isSymbolicLink()) return linkObstacle(root, file);
  return dirent.isFile() ? undefined : "no-file";
}

async function linkObstacle(root: string, file: string): Promise<Obstacle["code"] | undefined> {
  const target = await realpath(path.join(root, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (target === undefined) return "dead-link";
  if (!isWithin(root, target)) return "outside-link";
  const kind = await stat(target);
  if (kind.isDirectory()) return "folder-link";
  return kind.isFile() ? undefined : "no-file";
}

function isWithin(root: string, target: string): boolean {
  const [first] = path.relative(root, target).split(path.sep);
  return first !== ".." && !path.isAbsolute(path.relative(root, target));
}
