import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** What a folder holds: paths relative to it, with slashes, outer entries before inner ones. */
export interface Tree {
  readonly files: Pick<ReadonlySet<string>, "has" | "size"> & Iterable<string>;
  readonly folders: ReadonlySet<string>;
  /** Links, which are not followed, and special files such as pipes. */
  readonly others: ReadonlySet<string>;
}

/** Leaves out the entries that `skip` names, and everything below them. A missing folder holds nothing. */
export function walk(root: string, skip: (entry: string) => boolean = () => false): Tree {
  const tree = { files: new Set<string>(), folders: new Set<string>(), others: new Set<string>() };
  const pending = existsSync(root) ? [""] : [];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (skip(name)) continue;
      if (entry.isDirectory()) {
        tree.folders.add(name);
        pending.push(name);
      } else {
        (entry.isFile() ? tree.files : tree.others).add(name);
      }
    }
  }
  return tree;
}
