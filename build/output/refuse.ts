// What is not ours is never overwritten or removed. Where it is in the way, nothing is written at all.
import { readFileSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";
import { apiFolder } from "../routing/paths.ts";
import type { Ledger } from "./manifest.ts";
import type { Tree } from "./walk.ts";

/** An out folder is ours if a file marks it. In it a file is ours by the form of its path. */
export interface Ownership {
  readonly isOurs: (file: string) => boolean;
  /** The file that marks a folder as the program's, and the test of its text. */
  readonly marker: { readonly file: string; readonly isOurs: (text: string) => boolean };
}

/** The out folder as a build finds it. */
export interface Target extends Ownership {
  /** What the user calls it. */
  readonly out: string;
  /** Its real path. Nothing need be there yet. */
  readonly root: string;
  readonly tree: Tree;
  /** What is known of it from the last build. */
  readonly ledger: Ledger | undefined;
  /** Whether files are written anew that are there with the same bytes. */
  readonly clean: boolean;
}

const apiRoot = apiFolder.slice(0, apiFolder.indexOf("/"));

/** Whether an entry is in the part of the out folder whose folders are all the program's. */
export const isInApi = (entry: string): boolean => entry === apiRoot || entry.startsWith(`${apiRoot}/`);

export function refuseForeignFolder({ out, root, tree, isOurs, marker }: Target): void {
  if (tree.files.size + tree.others.size === 0) return;
  if (!tree.files.has(marker.file) || !marker.isOurs(readFileSync(path.join(root, marker.file), "utf8"))) {
    const [entry] = [...tree.files, ...tree.others].sort();
    throw new MachineError(
      `${out} holds files that this program has not written, such as ${entry}.`,
      "Choose another folder with --out, or empty this one.",
    );
  }
  for (const other of tree.others) {
    if (isOurs(other) || isInApi(other)) {
      throw new MachineError(
        `${path.join(out, other)} is a link or a special file, and no build makes such there.`,
        "Remove it.",
      );
    }
  }
}

/** For a file that is not there yet: a folder may be in its place, or a file in the place of one of its folders. */
export function refuseObstacle({ out, tree }: Target, file: string): void {
  if (tree.folders.has(file)) {
    throw new MachineError(`${path.join(out, file)} is a folder, and a file of the build has that path.`, "Remove it.");
  }
  for (let slash = file.indexOf("/"); slash !== -1; slash = file.indexOf("/", slash + 1)) {
    const folder = file.slice(0, slash);
    if (tree.files.has(folder)) {
      throw new MachineError(
        `${path.join(out, folder)} is a file, and a folder of the build has that path.`,
        "Remove it.",
      );
    }
  }
}
