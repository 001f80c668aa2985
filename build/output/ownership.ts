// Files of others are never overwritten or removed. If one is in the way, nothing is written at all.
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";
import { isStaging } from "./output-thread.mjs";
import type { Tree } from "./tree.ts";

/** Identifies the folders and files of the program. */
export interface Ownership {
  /** The prefix of the API's paths. */
  readonly base: string;
  /** The file that marks a folder as the program's. */
  readonly marker: string;
  /** The files that the build with this marker may have written; undefined if the text is not the program's. */
  readonly ownedBy: (marker: string) => Owns | undefined;
}

export type Owns = (file: string) => boolean;

/** Whether an entry is in the part of the out folder whose folders are all the program's. */
export const isInApi = (base: string, entry: string): boolean => `/${entry}/`.startsWith(`/${base.split("/")[1]}/`);

/**
 * The files of the out folder that an earlier build may have written. Throws if the folder holds a file and has no mark of
 * a build.
 */
export function ownerOf(out: string, root: string, { marker, ownedBy }: Ownership): Owns {
  const file = path.join(root, marker);
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const owns = isFile ? ownedBy(readFileSync(file, "utf8")) : undefined;
  const foreign = owns === undefined && existsSync(root) ? firstFile(root) : undefined;
  if (foreign !== undefined) {
    throw new MachineError(
      `${out} holds files that this program did not write, such as ${foreign}.`,
      "Choose another folder with --out, or empty this one.",
    );
  }
  return owns ?? (() => false);
}

/** The first entry below a folder that is not a folder itself, outer ones first. */
function firstFile(root: string): string | undefined {
  const pending = [""];
  for (const folder of pending) {
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
      .map((entry) => ({ isFolder: entry.isDirectory(), name: folder === "" ? entry.name : `${folder}/${entry.name}` }))
      .filter(({ name }) => !isStaging(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const file = entries.find(({ isFolder }) => !isFolder);
    if (file !== undefined) return file.name;
    for (const { name } of entries) pending.push(name);
  }
  return undefined;
}

/** A file of the program, and a text near the start of each version of it, if it can hold one. */
export interface Marked {
  readonly file: string;
  readonly mark?: string;
}

/**
 * The files whose place is taken by something that the program did not write: a file without the mark that is not empty
 * and that no earlier build wrote, a link, or anything below a link.
 */
export function foreignAmong(files: Iterable<Marked>, root: string, wrote: Owns): ReadonlySet<string> {
  const isForeign = ({ file, mark }: Marked): boolean => {
    const steps = file.split("/");
    for (const index of steps.keys()) {
      const full = path.join(root, ...steps.slice(0, index + 1));
      const state = lstatSync(full, { throwIfNoEntry: false });
      if (state?.isDirectory() === true) continue;
      if (state === undefined || !state.isFile()) return state !== undefined;
      if (index < steps.length - 1 || state.size === 0 || mark === undefined || wrote(file)) return false;
      return !startOf(full).includes(mark);
    }
    return false;
  };
  return new Set([...files].filter(isForeign).map(({ file }) => file));
}

function startOf(file: string): string {
  const opened = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(4_096);
    return bytes.toString("latin1", 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}

/** Only files of the program belong below the folder of the API, not links or special files. */
export function refuseForeignKinds(out: string, base: string, { others }: Tree): void {
  for (const other of others) if (isInApi(base, other)) throw foreignKind(out, other);
}

/** Throws MachineError if a file or folder that the build makes cannot have its place. */
export function refuseObstacle(out: string, entry: string, { get, folders, others }: Tree): void {
  if (others.has(entry)) throw foreignKind(out, entry);
  if (folders.has(entry)) {
    throw new MachineError(`${path.join(out, entry)} is a folder, but the build writes a file there.`, "Remove it.");
  }
  if (get(entry) === undefined) return;
  throw new MachineError(`${path.join(out, entry)} is a file, but the build needs a folder there.`, "Remove it.");
}

const foreignKind = (out: string, entry: string): MachineError =>
  new MachineError(
    `${path.join(out, entry)} is a link or a special file, and builds write only plain files there.`,
    "Remove it.",
  );
