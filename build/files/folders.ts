import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode } from "./machine-error.ts";

/** A path with slashes on every system. */
export const slashed = (file: string): string => file.split(path.sep).join("/");

/** The files in a folder and below it, by their paths in the folder, with slashes. */
export const pathsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => slashed(path.relative(folder, path.join(parentPath, name))));

/** Writes a file as a whole, so that another process never reads half of it. */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}

/** Another process may remove a parent, such as the staging folder, between two calls of the system. */
const maxAttempts = 100;

/**
 * Creates a folder and the missing ones above it. Returns those that it has created, inner ones first. The option
 * `recursive` of Node never ends where nothing can be created, as in /proc.
 */
export function addFolders(folder: string): readonly string[] {
  for (let attempt = 1; ; attempt++) {
    const created = existsSync(path.dirname(folder)) ? [] : addFolders(path.dirname(folder));
    try {
      mkdirSync(folder);
      return [folder, ...created];
    } catch (error) {
      if (hasCode(error, "EEXIST")) return created;
      if (!hasCode(error, "ENOENT") || attempt === maxAttempts) throw error;
    }
  }
}
