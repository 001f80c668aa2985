// Where the out folder is, and where files are staged before they are moved into it.
import { accessSync, constants, existsSync, lstatSync, realpathSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { addFolders } from "../files/folders.ts";
import { hasCode, MachineError } from "../files/machine-error.ts";
import { sha256 } from "../files/sha256.ts";
import { shellWord } from "../text/shell.ts";

export interface Location {
  /** The real path of the out folder. It may be missing, but its parent is there. */
  readonly root: string;
  readonly staging: string;
  /** The staging folder if it has to be inside the out folder. A copied or unmounted out folder may have an old one. */
  readonly inner: string;
  /** The parents that were created, inner ones first. */
  readonly created: readonly string[];
}

/** `dist.hosts` for `dist`: the folder of the files that hosts read and must not serve. */
export const configurationFolder = (out: string): string => `${path.normalize(out).replace(/[\\/]$/, "")}.hosts`;

/** The command that builds into a folder for a host. */
export const commandThatBuilds = (host: string, out: string): string =>
  `npm run build -- --host ${host}${path.normalize(out) === "dist" ? "" : ` --out ${shellWord(out)}`}`;

export function locate(out: string): Location {
  const full = path.resolve(out);
  const there = statSync(full, { throwIfNoEntry: false });
  if (there?.isDirectory() === false) throw new MachineError(`${out} is not a folder.`);
  if (there === undefined && lstatSync(full, { throwIfNoEntry: false }) !== undefined) {
    throw new MachineError(`${out} is a link to a folder that is not there.`, "Make that folder, or remove the link.");
  }
  const parent = path.dirname(full);
  const created = there === undefined ? addFolders(parent) : [];
  const root = there === undefined ? path.join(realpathSync(parent), path.basename(full)) : realpathSync(full);
  const inner = insideOf(root);
  return { root, inner, staging: there === undefined || canStageBeside(root) ? besideOf(root) : inner, created };
}

/** The folders one of which is there while a build writes the out folder. */
export function locksOf(out: string): readonly string[] {
  const root = realpathSync(out);
  return [besideOf(root), insideOf(root)];
}

const insideOf = (root: string): string => path.join(root, ".staging");

/** A long name is cut, because file names have a maximal length. The hash distinguishes names with the same start. */
function besideOf(root: string): string {
  const name = path.basename(root);
  const hash = sha256(name).slice(0, 8);
  return path.join(path.dirname(root), `.${name.length > 32 ? `${name.slice(0, 32)}-${hash}` : name}.staging`);
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

/**
 * Throws MachineError if one of the folders of the output is in the content or the other way round: the next build would
 * read output as content, or a build overwrite content.
 */
export function refuseOverlap(content: string, out: string): void {
  const refuse = (inner: string, outer: string) => {
    if (!isInside(inner, outer)) return;
    const where = outer === "." ? "this folder" : outer;
    throw new MachineError(`${inner} is inside ${where}.`, "Choose an output folder outside the content.");
  };
  for (const folder of [out, configurationFolder(out)]) {
    refuse(content, folder);
    refuse(folder, content);
  }
}

/** Whether a folder, which may be missing, is another one or in it at any depth. Links and mounts may hide it. */
function isInside(inner: string, outer: string): boolean {
  const identity = identityOf(outer);
  let folder = path.resolve(inner);
  while (!existsSync(folder)) folder = path.dirname(folder);
  for (folder = realpathSync(folder); identity !== undefined; folder = path.dirname(folder)) {
    if (identityOf(folder) === identity) return true;
    if (folder === path.dirname(folder)) return false;
  }
  return false;
}

/** Does not depend on the mount point, or on the case of the name. */
function identityOf(folder: string): string | undefined {
  const state = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return state && `${state.dev} ${state.ino}`;
}
