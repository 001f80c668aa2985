// Resolves an out path to its folder and to the staging folder, from which files are moved into it.
import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, realpathSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";
import { staging } from "./output-thread.mjs";

export interface Location {
  /** The real path of the out folder. It may be missing, but its parent is there. */
  readonly root: string;
  readonly staging: string;
  /** The staging folder if it has to be inside the out folder. A copied or unmounted out folder may have an old one. */
  readonly visibleStaging: string;
  /** The parents that were made, inner ones first. */
  readonly made: readonly string[];
}

export function resolveLocation(out: string): Location {
  const full = path.resolve(out);
  const there = statSync(full, { throwIfNoEntry: false });
  if (there !== undefined) {
    if (!there.isDirectory()) throw new MachineError(`${out} is not a folder.`);
    const root = realpathSync(full);
    return { root, staging: stagingOf(root), visibleStaging: path.join(root, staging), made: [] };
  }
  if (lstatSync(full, { throwIfNoEntry: false }) !== undefined) {
    throw new MachineError(`${out} is a link to a folder that is not there.`, "Make that folder, or remove the link.");
  }
  const parent = path.dirname(full);
  const made = makeFolders(parent);
  const root = path.join(realpathSync(parent), path.basename(full));
  return { root, staging: besideOf(root), visibleStaging: path.join(root, staging), made };
}

/** Beside the out folder, where no server sees it; inside if files cannot be renamed from there into the out folder. */
function stagingOf(root: string): string {
  const parent = path.dirname(root);
  return parent !== root && isWritable(parent) && !isMountPoint(root) ? besideOf(root) : path.join(root, staging);
}

/** A long name is cut, because file names have a maximal length. The hash distinguishes names with the same start. */
function besideOf(root: string): string {
  const name = path.basename(root);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 8);
  return path.join(path.dirname(root), `.${name.length > 32 ? `${name.slice(0, 32)}-${hash}` : name}${staging}`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // For any reason.
    return false;
  }
}

/** Also finds a mounted folder of the same file system: it has the same device, but a rename cannot reach it. */
function isMountPoint(root: string): boolean {
  if (statSync(path.dirname(root)).dev !== statSync(root).dev) return true;
  try {
    // Changes nothing, because no folder can be moved into itself. Only the reason for the failure matters.
    renameSync(root, path.join(root, "itself"));
    return false;
  } catch (error) {
    return hasCode(error, "EXDEV");
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
