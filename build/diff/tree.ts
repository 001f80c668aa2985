// A tree of git as a content folder. What discover.ts says of a folder on the disk is said of it here: names that start
// with a dot are no content, and links are followed as long as they stay in the folder.
import { isUtf8 } from "node:buffer";
import path from "node:path";
import type { Discovery, FoundFile, Obstacle } from "../content/discover.ts";
import { formatOf } from "../content/formats/extensions.ts";
import { compare } from "../content/order.ts";

/** A line of `git ls-tree -r`. */
export interface TreeEntry {
  /** As git has it: usually UTF-8. Relative to the folder, with slashes. */
  readonly path: Uint8Array;
  /** `100644`, `100755`, `120000` (a link) or `160000` (a submodule). */
  readonly mode: string;
  readonly object: string;
  /** In bytes; undefined of a submodule. */
  readonly size: number | undefined;
}

/** Node reads no larger file. */
const mostBytes = 2 ** 31 - 1;

const isLink = ({ mode }: Named): boolean => mode === "120000";
const isFile = ({ mode }: Named): boolean => mode.startsWith("100");

interface Named extends TreeEntry {
  readonly file: string;
}

/** The objects whose bytes `discoveryOf` needs: those of files that are content by their name, or by that of a link. */
export function objectsIn(entries: readonly TreeEntry[]): readonly string[] {
  const all = named(entries);
  const mayBeLinked = all.some(isLink);
  const needed = all.filter(
    (entry) => isLink(entry) || (isReadable(entry) && (mayBeLinked || formatOf(entry.file) !== undefined)),
  );
  return [...new Set(needed.map(({ object }) => object))];
}

const isReadable = (entry: Named): boolean => isFile(entry) && (entry.size ?? 0) <= mostBytes;

/** `bytesOf` gives the bytes of an object among those of `objectsIn`. */
export function discoveryOf(entries: readonly TreeEntry[], bytesOf: (object: string) => Uint8Array): Discovery {
  const all = named(entries);
  const byFile = new Map(all.map((entry) => [entry.file, entry]));
  const folders = new Set(all.flatMap(({ file }) => foldersOf(file)));
  const targetOf = (file: string): string | undefined => {
    const entry = byFile.get(file);
    return entry && isLink(entry) ? Buffer.from(bytesOf(entry.object)).toString() : undefined;
  };
  const files: FoundFile[] = [];
  const obstacles: Obstacle[] = entries.filter((entry) => !isNamed(entry)).map(unnamed);
  for (const entry of all) {
    const found = read(entry);
    if (typeof found === "string") obstacles.push({ file: entry.file, code: found });
    else files.push({ file: entry.file, bytes: found });
  }
  return { files, obstacles: obstacles.sort((a, b) => compare(a.file, b.file)) };

  function read(entry: Named): Uint8Array | Obstacle["code"] {
    if (isLink(entry)) return readLink(entry);
    if (!isFile(entry)) return "no-file";
    if (formatOf(entry.file) === undefined) return new Uint8Array();
    return isReadable(entry) ? bytesOf(entry.object) : "too-large";
  }

  /** The link's own name says whether it is content; that of its target may be another. */
  function readLink({ file }: Named): Uint8Array | Obstacle["code"] {
    const target = follow(file, targetOf);
    if (target === undefined) return "dead-link";
    if (target === "." || folders.has(target)) return "folder-link";
    const entry = byFile.get(target);
    if (entry === undefined) return isOutside(target) ? "outside-link" : "dead-link";
    if (!isFile(entry)) return "no-file";
    if (formatOf(file) === undefined) return new Uint8Array();
    return isReadable(entry) ? bytesOf(entry.object) : "too-large";
  }
}

/** As many links in a row as Linux follows. */
const mostLinks = 40;

/** Where a path leads, also through links to folders; undefined where links lead in a circle. */
function follow(file: string, targetOf: (file: string) => string | undefined): string | undefined {
  let at = file;
  for (let links = 0; links <= mostLinks; links++) {
    const link = [...foldersOf(at), at].find((each) => targetOf(each) !== undefined);
    if (link === undefined) return at;
    const target = targetOf(link) ?? "";
    if (path.posix.isAbsolute(target)) return target;
    at = path.posix.join(path.posix.dirname(link), target, at.slice(link.length)).replace(/\/$/, "");
  }
  return undefined;
}

const isOutside = (file: string): boolean => path.posix.isAbsolute(file) || file.split("/")[0] === "..";

/** `a/b/c` is in `a` and `a/b`. */
const foldersOf = (file: string): readonly string[] =>
  [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index));

const textOf = ({ path: bytes }: TreeEntry): string => Buffer.from(bytes).toString();

const isHidden = (file: string): boolean => file.split("/").some((name) => name.startsWith("."));

/** Whether a report can show the name. */
const isNamed = (entry: TreeEntry): boolean =>
  isHidden(textOf(entry)) || (isUtf8(entry.path) && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(textOf(entry)));

/** What is content or should be, in the order of the paths. */
const named = (entries: readonly TreeEntry[]): readonly Named[] =>
  entries
    .filter(isNamed)
    .map((entry) => ({ ...entry, file: textOf(entry) }))
    .filter(({ file }) => !isHidden(file))
    .sort((a, b) => compare(a.file, b.file));

const unnamed = (entry: TreeEntry): Obstacle => ({ file: textOf(entry), code: "bad-name" });
