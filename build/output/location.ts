// Resolves an out path to its folder and to the staging folder, from which files are moved into it.
import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, realpathSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";

export interface Location {
  /** The real path of the out folder. It may be missing, but its parent is there. */
  readonly root: string;
  readonly staging: string;
  /** The staging folder if it has to be inside the out folder. A copied or unmounted out folder may have an old one. */
  readonly inner: string;
  /** The parents that were made, inner ones first. */
  readonly made: readonly string[];
}

/** `dist.hosts` for `dist`: the folder of the files that hosts read and must not serve. */
export const besideFolder = (out: string): string => `${path.normalize(out).replace(/[\\/]$/, "")}.hosts`;

const stagingName = ".staging";

export function locate(out: string): Location {
  const full = path.resolve(out);
  const there = statSync(full, { throwIfNoEntry: false });
  if (there !== undefined) {
    if (!there.isDirectory()) throw new MachineError(`${out} is not a folder.`);
    const root = realpathSync(full);
    const inner = path.join(root, stagingName);
    return { root, inner, staging: canStageBeside(root) ? besideOf(root) : inner, made: [] };
  }
  if (lstatSync(full, { throwIfNoEntry: false }) !== undefined) {
    throw new MachineError(`${out} is a link to a folder that is not there.`, "Make that folder, or remove the link.");
  }
  const parent = path.dirname(full);
  const made = makeFolders(parent);
  const root = path.join(realpathSync(parent), path.basename(full));
  return { root, inner: path.join(root, stagingName), staging: besideOf(root), made };
}

/** A long name is cut, because file names have a maximal length. The hash distinguishes names with the same start. */
function besideOf(root: string): string {
  const name = path.basename(root);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return path.join(path.dirname(root), `.${name.length > 32 ? `${name.slice(0, 32)}-${hash}` : name}${stagingName}`);
}

/**
 * Beside the out folder, no server sees the staged files. A mounted folder cannot have them there, not even if its file
 * system is the parent's: no rename crosses a mount point.
 */
function canStageBeside(root: string): boolean {
  const parent = path.dirname(root);
  if (parent === root || statSync(parent).dev !== statSync(root).dev) return false;
  try {
    accessSync(parent, constants.W_OK);
    // Changes nothing, because no folder can be moved into itself. Only the reason for the failure matters.
    renameSync(root, path.join(root, "itself"));
    return true;
  } catch (error) {
    return !hasCode(error, "EXDEV", "EACCES", "EPERM", "EROFS");
  }
}

/** The folders that were missing, inner ones first. */
function makeFolders(folder: string): readonly string[] {
  const outermost = mkdirSync(folder, { recursive: true });
  const made: string[] = [];
  for (let each = folder; outermost !== undefined && each.length >= outermost.length; each = path.dirname(each)) {
    made.push(each);
  }
  return made;
}
