// Which entries of an out folder the program owns: everything below a path that ends with a slash, and the one file of any
// other path. All other entries are left alone, and links are not followed.
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MachineError } from "../files/machine-error.ts";

/** Paths relative to the out folder, with slashes. A path that ends with a slash is a folder. */
export type Owned = readonly string[];

/** Whether an entry is owned, as a function, because there may be a hundred thousand of both. */
export function ownerOf(owned: Owned): (entry: string) => boolean {
  const names = new Set(owned);
  const folders = owned.filter((name) => name.endsWith("/"));
  return (entry) => names.has(entry) || folders.some((folder) => entry.startsWith(folder));
}

/** The text of the folder's marker, and the entries that it owns. Throws if the folder holds a file and has no marker. */
export function readMarker(out: string, root: string, file: string, ownedBy: (text: string) => Owned | undefined) {
  const full = path.join(root, file);
  if (kindAt(root, file) === "file") {
    const text = readFileSync(full, "utf8");
    const owned = ownedBy(text);
    if (owned !== undefined) return { text, owned: [file, ...owned] };
  }
  for (const [name, kind] of existsSync(root) ? entriesBelow(root, "") : []) {
    if (kind === "folder" || name.startsWith(".staging")) continue;
    throw new MachineError(
      `${out} holds files that stillapi did not write, such as ${name}.`,
      "Choose another folder with --out, or empty this one.",
    );
  }
  return { text: undefined, owned: [] };
}

/** "other" is a link, or a special file such as a pipe. */
type Kind = "folder" | "file" | "other";

const kindOf = (entry: Pick<Dirent, "isDirectory" | "isFile">): Kind => {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : "other";
};

/** Undefined if there is none. Below a link, or anything else that is not a folder, nothing can be written. */
function kindAt(root: string, name: string): Kind | undefined {
  const above = name.includes("/") ? kindAt(root, folderOf(name)) : "folder";
  if (above !== "folder") return above && "other";
  const state = lstatSync(path.join(root, name), { throwIfNoEntry: false });
  return state && kindOf(state);
}

/** Everything below a folder, outer entries first. */
function* entriesBelow(root: string, folder: string): Iterable<readonly [string, Kind]> {
  const pending = [folder];
  for (const parent of pending) {
    for (const entry of readdirSync(path.join(root, parent), { withFileTypes: true })) {
      const name = parent === "" ? entry.name : `${parent}/${entry.name}`;
      if (entry.isDirectory()) pending.push(name);
      yield [name, kindOf(entry)];
    }
  }
}

/** The kinds of the program's entries, outer ones first. */
export type Tree = ReadonlyMap<string, Kind>;

/**
 * The entries that earlier builds own, and those that have the place of one that the next build owns. Throws MachineError
 * if one of the latter is not the program's.
 */
export function readTree(out: string, root: string, before: Owned, after: Owned): Tree {
  const tree = new Map<string, Kind>();
  const refuse = (entry: string): never => {
    throw new MachineError(
      `${path.join(out, entry)} was not written by stillapi, and the build needs its path.`,
      "Move it away, or choose another folder with --out.",
    );
  };
  const isOwnedBefore = ownerOf(before);
  const needed = new Set(after);
  for (const owned of new Set([...before, ...after])) {
    const name = owned.replace(/[/]$/, "");
    const kind = kindAt(root, name);
    if (kind === undefined) continue;
    if (kind !== (owned === name ? "file" : "folder")) {
      if (needed.has(owned)) refuse(name);
      continue;
    }
    const isNew = !isOwnedBefore(owned);
    const below = kind === "folder" ? entriesBelow(root, name) : [];
    for (const [entry, entryKind] of [[name, kind] as const, ...below]) {
      if (isNew && entryKind !== "folder" && !isOwnedBefore(entry)) refuse(entry);
      tree.set(entry, entryKind);
    }
  }
  return tree;
}

/** The folders of files, outer ones included. */
export function foldersOf(files: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>([""]);
  for (const file of files) {
    for (let name = folderOf(file); !folders.has(name); name = folderOf(name)) folders.add(name);
  }
  return folders;
}

/** The root is "". */
export const folderOf = (entry: string): string => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
