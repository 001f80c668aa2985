// Which entries of an out folder are the program's. Below a path that ends with a slash everything is, of other paths that
// one file. All other entries are left alone, and links are not followed.
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../machine-error.ts";

/** Paths relative to the out folder, with slashes. A path that ends with a slash is a folder. */
export type Owned = readonly string[];

export const owns = (owned: Owned, file: string): boolean =>
  owned.some((each) => (each.endsWith("/") ? file.startsWith(each) : file === each));

/** The text of the folder's marker with what it owns. Throws if the folder holds a file and has no marker. */
export function readMarker(out: string, root: string, file: string, ownedBy: (text: string) => Owned | undefined) {
  const full = path.join(root, file);
  if (lstatSync(full, { throwIfNoEntry: false })?.isFile() === true) {
    const text = readFileSync(full, "utf8");
    const owned = ownedBy(text);
    if (owned !== undefined) return { text, owned: [file, ...owned] };
  }
  const foreign = firstFile(root);
  if (foreign === undefined) return { text: undefined, owned: [] };
  throw new MachineError(
    `${out} holds files that this program did not write, such as ${foreign}.`,
    "Choose another folder with --out, or empty this one.",
  );
}

/** The first entry below a folder that is not a folder itself, outer ones first. */
function firstFile(root: string): string | undefined {
  const pending = lstatSync(root, { throwIfNoEntry: false }) === undefined ? [] : [""];
  for (const folder of pending) {
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
      .map((entry) => ({ isFolder: entry.isDirectory(), name: path.posix.join(folder, entry.name) }))
      .filter(({ name }) => !name.startsWith(".staging"))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const file = entries.find(({ isFolder }) => !isFolder);
    if (file !== undefined) return file.name;
    pending.push(...entries.map(({ name }) => name));
  }
  return undefined;
}

/** What is there of the program. */
export interface Tree {
  readonly files: ReadonlySet<string>;
  /** Outer folders before inner ones. */
  readonly folders: ReadonlySet<string>;
  /** Links and special files such as pipes, in folders of the program. */
  readonly others: ReadonlySet<string>;
}

/**
 * The entries that earlier builds own, and those that have the place of one that the next build owns. Throws MachineError
 * if one of the latter is not the program's.
 */
export function readTree(out: string, root: string, before: Owned, after: Owned): Tree {
  const [files, folders, others] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const refuse = (entry: string): never => {
    throw new MachineError(
      `${path.join(out, entry)} was not written by this program, and the build needs its place.`,
      "Move it away, or choose another folder with --out.",
    );
  };
  for (const entry of new Set([...before, ...after])) {
    const isFolder = entry.endsWith("/");
    const name = isFolder ? entry.slice(0, -1) : entry;
    const kind = kindOf(root, name);
    if (kind === "missing") continue;
    if (kind !== (isFolder ? "folder" : "file")) {
      if (after.includes(entry)) refuse(name);
      continue;
    }
    if (!isFolder) files.add(name);
    const pending = isFolder ? [name] : [];
    for (const folder of pending) {
      folders.add(folder);
      for (const each of readdirSync(path.join(root, folder), { withFileTypes: true })) {
        const inner = `${folder}/${each.name}`;
        if (each.isDirectory()) pending.push(inner);
        else (each.isFile() ? files : others).add(inner);
      }
    }
  }
  if (after.some((entry) => !owns(before, entry))) {
    for (const entry of [...files, ...others]) if (!owns(before, entry)) refuse(entry);
  }
  return { files, folders, others };
}

/** Below a link, or anything else that is not a folder, nothing can be written. */
function kindOf(root: string, name: string): "missing" | "folder" | "file" | "other" {
  const steps = name.split("/");
  for (const index of steps.keys()) {
    const state = lstatSync(path.join(root, ...steps.slice(0, index + 1)), { throwIfNoEntry: false });
    if (state === undefined) return "missing";
    if (index === steps.length - 1) return state.isDirectory() ? "folder" : state.isFile() ? "file" : "other";
    if (!state.isDirectory()) return "other";
  }
  return "folder";
}

/** The folders of files, outer ones included. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const file of files) {
    for (let name = folderOf(file); !folders.has(name); name = folderOf(name)) folders.add(name);
  }
  return folders;
}

const folderOf = (entry: string): string => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
