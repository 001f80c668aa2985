// Finds the files of a content folder and reads them: the one stage of content that touches the machine.
import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import fastGlob from "fast-glob";
import type { FaultCode } from "../diagnostics.ts";
import { compare } from "./fault.ts";

export interface FoundFile {
  /** Relative to the content folder, with slashes. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Something in the folder that cannot be read as a file of content. */
export interface Obstacle {
  readonly file: string;
  readonly code: Extract<FaultCode, "outside-link" | "dead-link" | "folder-link" | "unknown-file">;
}

export interface Discovery {
  readonly files: readonly FoundFile[];
  readonly obstacles: readonly Obstacle[];
}

/** Entries come sorted by path, by code unit. Names that start with a dot are no content. Rejects where the machine fails. */
export async function discover(folder: string): Promise<Discovery> {
  const root = await realpath(folder);
  const found = await fastGlob.glob("**", {
    cwd: root,
    onlyFiles: false,
    followSymbolicLinks: false,
    objectMode: true,
    suppressErrors: false,
  });
  const entries = found.filter(({ dirent }) => !dirent.isDirectory()).sort((a, b) => compare(a.path, b.path));
  const files: FoundFile[] = [];
  const obstacles: Obstacle[] = [];
  for (const { path: file, dirent } of entries) {
    const code = dirent.isSymbolicLink()
      ? await linkObstacle(root, file)
      : dirent.isFile()
        ? undefined
        : "unknown-file";
    if (code === undefined) files.push({ file, bytes: await readFile(path.join(root, file)) });
    else obstacles.push({ file, code });
  }
  return { files, obstacles };
}

async function linkObstacle(root: string, file: string): Promise<Obstacle["code"] | undefined> {
  const target = await realpath(path.join(root, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (target === undefined) return "dead-link";
  if (!target.startsWith(root + path.sep)) return "outside-link";
  const kind = await stat(target);
  if (kind.isDirectory()) return "folder-link";
  return kind.isFile() ? undefined : "unknown-file";
}
