// Files to dist: only what changed, never half.
//
// What is new or changed is written into a staging folder beside dist first. Until that is done dist is as it was, so
// a full disk, a fault or a kill leaves nothing behind in it. Then the files are moved into place one rename at a
// time, whole folders where dist has none, and stale files are removed last. A kill in between leaves every file
// whole, old or new, and the next build puts the rest right, because it compares the bytes of all of them.
//
// dist is known as ours by its routing table. Within it a file is ours by the form of its path; all others are kept.
import {
  accessSync,
  constants,
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { apiFolder } from "../../src/files.ts";
import type { OutputFile } from "../file.ts";
import { acquire, type Lock } from "./lock.ts";
import { MachineError } from "./machine-error.ts";
import { type Tree, walk } from "./walk.ts";

export interface OutputPlan {
  /** Each path once. */
  readonly files: Iterable<OutputFile>;
  /** Whether a path is of the form of the program's own files. */
  readonly isOurs: (file: string) => boolean;
  /** The file that marks a folder as the program's, and the test of its text. */
  readonly marker: { readonly file: string; readonly isOurs: (text: string) => boolean };
}

export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Size in bytes before the build, undefined where there was no such file. */
  readonly before: number | undefined;
  /** Size in bytes after it, undefined where there is none any more. */
  readonly after: number | undefined;
}

export interface OutputResult {
  /** Files in the folder that are not the program's. */
  readonly foreign: readonly string[];
}

/** Calls `onChange` for each file once it is staged, found unchanged, or removed. Throws MachineError or the system's error. */
export async function writeOutput(
  out: string,
  plan: OutputPlan,
  onChange: (change: Change) => void,
  onWait: () => void,
): Promise<OutputResult> {
  const root = openRoot(out);
  const lock = await acquire(stagingFor(root), onWait);
  try {
    const tree = existsSync(root) ? walk(root, (file) => file.startsWith(innerStaging)) : emptyTree;
    refuseForeignFolder(out, root, tree, plan.marker);
    const own = tree.files.filter(plan.isOurs);
    const planned = stage(root, lock, plan.files, new Set(own), onChange);
    mkdirSync(root, { recursive: true });
    merge(lock, lock.folder, root, tree.files.includes(plan.marker.file) ? undefined : plan.marker.file);
    const stale = own.filter((file) => !planned.has(file));
    for (const file of stale) {
      lock.beat();
      const full = path.join(root, file);
      const before = statSync(full).size;
      unlinkSync(full);
      onChange({ file, kind: "removed", before, after: undefined });
    }
    prune(root, tree.folders, planned);
    return { foreign: tree.files.filter((file) => !plan.isOurs(file)) };
  } finally {
    lock.release();
  }
}

/** The out folder's real path. The folder itself is made when there is something to put into it. */
function openRoot(out: string): string {
  if (existsSync(out)) return realpathSync(out);
  const parent = path.dirname(path.resolve(out));
  mkdirSync(parent, { recursive: true });
  return path.join(realpathSync(parent), path.basename(out));
}

const emptyTree: Tree = { files: [], folders: [], links: [] };

/** The name of the staging folder where it has to be in the out folder itself. */
const innerStaging = ".staging";

/** Beside the out folder, so that no one who looks into it sees it; inside where a rename would not reach from there. */
function stagingFor(root: string): string {
  const parent = path.dirname(root);
  const sameDisk = !existsSync(root) || statSync(parent).dev === statSync(root).dev;
  return parent !== root && sameDisk && isWritable(parent)
    ? path.join(parent, `.${path.basename(root)}${innerStaging}`)
    : path.join(root, innerStaging);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // The question is whether it is; the reason does not matter.
    return false;
  }
}

function refuseForeignFolder(out: string, root: string, tree: Tree, marker: OutputPlan["marker"]): void {
  if (tree.files.length === 0 && tree.links.length === 0) return;
  const known = tree.files.includes(marker.file) && marker.isOurs(readFileSync(path.join(root, marker.file), "utf8"));
  if (!known) {
    throw new MachineError(
      `${out} holds files that this program has not written, such as ${tree.files[0] ?? tree.links[0]}.`,
      "Choose another folder with --out, or empty this one.",
    );
  }
  const [link] = tree.links.filter(isInApi);
  if (link !== undefined)
    throw new MachineError(`${path.join(out, link)} is a link, which no build has made.`, "Remove it.");
}

/** Writes what differs from the out folder into the staging folder. The paths of all files that are to be there. */
function stage(
  root: string,
  lock: Lock,
  files: Iterable<OutputFile>,
  own: ReadonlySet<string>,
  onChange: (change: Change) => void,
): ReadonlySet<string> {
  const planned = new Set<string>();
  const folders = new Set<string>();
  for (const { file, parts } of files) {
    if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
    planned.add(file);
    lock.beat();
    const bytes = Buffer.concat(parts);
    const there = own.has(file) ? readFileSync(path.join(root, file)) : undefined;
    if (there?.equals(bytes)) {
      onChange({ file, kind: "kept", before: there.length, after: bytes.length });
      continue;
    }
    const folder = path.join(lock.folder, path.dirname(file));
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    writeFileSync(path.join(lock.folder, file), bytes);
    onChange({ file, kind: "written", before: there?.length, after: bytes.length });
  }
  return planned;
}

/**
 * Moves the entries of one folder into another. Folders go before files, so that a page is there before the shorter
 * paths whose next_cursor leads to it; `first` goes before all, so that whatever comes after it is known as ours.
 */
function merge(lock: Lock, from: string, to: string, first?: string): void {
  const rank = (entry: Dirent) => (entry.name === first ? 0 : entry.isDirectory() ? 1 : 2);
  const entries = readdirSync(from, { withFileTypes: true }).sort((a, b) => rank(a) - rank(b));
  for (const entry of entries) {
    lock.beat();
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory() && existsSync(target)) merge(lock, source, target);
    else renameSync(source, target);
  }
}

const isInApi = (entry: string): boolean => `${entry}/`.startsWith(`${apiFolder.split("/")[0]}/`);

/** Removes the folders that the build left empty. `folders` come with outer ones before inner ones. */
function prune(root: string, folders: readonly string[], planned: ReadonlySet<string>): void {
  const used = new Set<string>();
  for (const file of planned) {
    for (
      let folder = path.posix.dirname(file);
      folder !== "." && !used.has(folder);
      folder = path.posix.dirname(folder)
    ) {
      used.add(folder);
    }
  }
  for (const folder of [...folders].reverse()) {
    if (used.has(folder) || !isInApi(folder)) continue;
    const full = path.join(root, folder);
    if (readdirSync(full).length === 0) rmdirSync(full);
  }
}
