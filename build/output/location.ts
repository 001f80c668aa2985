// Which folder an out path means, and where files wait until they are moved into it.
import { createHash } from "node:crypto";
import { accessSync, constants, lstatSync, mkdirSync, realpathSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { hasCode, MachineError } from "../machine-error.ts";
import { staging } from "./output-thread.mjs";

export interface Location {
  /** The out folder's real path. It may not be there yet, but its parent is. */
  readonly root: string;
  readonly staging: string;
  /** Where it would be in other circumstances, and somebody may see it. */
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

/** Beside the out folder, so that nobody who looks into it sees it; inside it where a rename cannot reach it from there. */
function stagingOf(root: string): string {
  const parent = path.dirname(root);
  return parent !== root && isWritable(parent) && !isMountPoint(root) ? besideOf(root) : path.join(root, staging);
}

/** A long name is cut, because file names have a maximal length; its hash tells it from others that begin alike. */
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
    // Whatever the reason is.
    return false;
  }
}

/** Also finds a mounted folder of the same file system, which has the same device and is still out of a rename's reach. */
function isMountPoint(root: string): boolean {
  if (statSync(path.dirname(root)).dev !== statSync(root).dev) return true;
  try {
    // Changes nothing, because no folder can be moved into itself. Why it fails is what matters.
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
