import { readdirSync } from "node:fs";
import path from "node:path";

/** What a folder holds: paths relative to it, with slashes, outer entries before inner ones. */
export interface Tree {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly links: readonly string[];
}

/** Links are not followed. Entries that `skip` names are left out with all below them. */
export function walk(root: string, skip: (entry: string) => boolean = () => false): Tree {
  const files: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skip(name)) continue;
      if (entry.isDirectory()) {
        folders.push(name);
        pending.push(name);
      } else {
        (entry.isSymbolicLink() ? links : files).push(name);
      }
    }
  }
  return { files, folders, links };
}
