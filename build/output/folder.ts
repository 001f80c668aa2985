// Files to dist: only what differs, never half.
//
// What is there is read and compared. Everything that differs is written beside the folder first; nothing in the folder
// changes before the last of it is written, so that a full disk, an error or a kill until then leaves nothing behind. Then
// the files are moved into place one rename at a time, or a new folder by one rename, and what is stale is removed. A kill
// in between leaves every file whole, old or new, and the next build completes the work. Every rename is from or to the
// lock's folder, so it fails once the lock is lost.
import { existsSync, lstatSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import { isLinked, publicationStep } from "../routing/paths.ts";
import { hasStaging, locate } from "./location.ts";
import { acquire, type Lock, removeIfEmpty } from "./lock.ts";
import { foldersOf, type Owned, owns, readMarker, readTree, type Tree } from "./tree.ts";
import { openWriter } from "./writer.ts";

export interface OutputOptions {
  /** The name of the file that marks a folder as the program's. */
  readonly marker: string;
  /** What the build with a marker of this text may have written; undefined if the text is not the program's. */
  readonly ownedBy: (text: string) => Owned | undefined;
  /** The prefix of the API's paths. */
  readonly base: string;
  /** Called while another build has the folder. */
  readonly onWait: () => void;
}

export interface OutputPlan {
  /** The file that marks the folder. */
  readonly marker: OutputFile;
  /** All other files. Each path once, and owned by the marker. */
  readonly files: Iterable<OutputFile>;
}

/** A file that a build has written, kept or removed. */
export interface Change {
  readonly file: string;
  readonly kind: "written" | "kept" | "removed";
  /** Its size in bytes before the build, undefined if there was no such file. */
  readonly before: number | undefined;
  /** Its size in bytes after it, undefined if there is none any more. */
  readonly after: number | undefined;
}

export type OnChange = (change: Change) => void;

/** The caller must close it. */
export interface OutputFolder {
  /**
   * Once. Writes beside the folder what differs; the function that it resolves to moves it into the folder. Both throw
   * MachineError or the system's error. What can be refused is refused before anything in the folder changes.
   */
  stage(plan: OutputPlan, onChange: OnChange): Promise<() => Promise<void>>;
  /** Releases the lock. */
  close(): void;
}

/** Takes the folder's lock. Throws MachineError if the folder is not one that builds may write. */
export async function openOutput(out: string, options: OutputOptions): Promise<OutputFolder> {
  const { marker, ownedBy, base, onWait } = options;
  const { root, staging, inner, made } = locate(out);
  const removeMade = () => {
    for (const parent of made) removeIfEmpty(parent);
  };
  try {
    const lock = await acquire(staging, onWait);
    try {
      if (inner !== staging && hasStaging(root)) (await acquire(inner, onWait)).release();
      const found = readMarker(out, root, marker, ownedBy);
      return {
        async stage(plan, onChange) {
          const owned = ownedBy(Buffer.concat(plan.marker.parts()).toString());
          if (owned === undefined) throw new Error(`The next build would not recognise its ${marker}.`);
          const [before, after] = [found.owned, [marker, ...owned]];
          const build: Build = { root, base, marker, before, after, lock, onChange };
          const moves = await whileHeld(lock, async () => {
            const tree = readTree(out, root, before, after);
            return prepare(build, tree, found.text, await stage(build, tree, [plan.marker], plan.files));
          });
          return () => whileHeld(lock, async () => commit(build, moves));
        },
        close() {
          lock.release();
          removeMade();
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    removeMade();
    throw error;
  }
}

/** If the lock was lost, that is the error, not one of its effects. */
async function whileHeld<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (lock.isHeld()) throw error;
    const message = "This build stalled for a minute, and another one took over its output folder.";
    throw new MachineError(message, "Start it again.", { cause: error });
  }
}

interface Build {
  readonly root: string;
  readonly base: string;
  /** The name of the file. */
  readonly marker: string;
  /** What is the program's before this build, and after it. */
  readonly before: Owned;
  readonly after: Owned;
  readonly lock: Lock;
  readonly onChange: OnChange;
}

interface Staged {
  readonly planned: ReadonlySet<string>;
  /** The new files. */
  readonly added: readonly string[];
  /** The files that are there with other bytes. */
  readonly changed: readonly string[];
}

/** The files of the lock's folder. */
const places = ({ lock: { folder } }: Build) => ({
  /** The new and changed files, by their paths. */
  files: path.join(folder, "files"),
  claim: path.join(folder, "claim"),
  /** The new folders, each by its number. */
  folders: path.join(folder, "folders"),
  /** The removed files. */
  bin: path.join(folder, "stale"),
  reserve: path.join(folder, "reserve"),
});

async function stage(build: Build, tree: Tree, ...lists: readonly Iterable<OutputFile>[]): Promise<Staged> {
  const { root, after, onChange } = build;
  const planned = new Set<string>();
  const [added, changed]: [string[], string[]] = [[], []];
  const writer = openWriter(root, places(build).files, ({ file, length, isThere }, before) => {
    const isKept = before === undefined;
    if (!isKept) (isThere ? changed : added).push(file);
    onChange({
      file,
      kind: isKept ? "kept" : "written",
      before: isKept ? length : isThere ? before : undefined,
      after: length,
    });
  });
  try {
    for (const list of lists) {
      for (const each of list) {
        const { file } = each;
        if (planned.has(file)) throw new Error(`Two files of one build have the path ${file}.`);
        if (!owns(after, file)) throw new Error(`The next build would not know the path ${file} as ours.`);
        planned.add(file);
        if (writer.add(each, tree.files.has(file))) await writer.flush();
      }
    }
    await writer.done();
    return { planned, added, changed };
  } finally {
    await writer.stop();
  }
}

/** The changes of the out folder, each list in its order. */
interface Moves {
  readonly isNew: boolean;
  /** Whether a marker that owns the entries of both builds comes first. */
  readonly isClaimed: boolean;
  /** Stale entries in the way: files where the build has folders, and folders where it has files. */
  readonly obstacles: readonly string[];
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly stale: readonly { readonly file: string; readonly length: number | undefined }[];
  /** Whether the marker comes last, because the new one does not own all that the old one does. */
  readonly isMarkerLast: boolean;
  /** The folders that hold nothing any more, inner ones first. */
  readonly empty: readonly string[];
}

/** Changes nothing in the out folder. Throws the system's error if there is not enough space for the moves. */
function prepare(build: Build, tree: Tree, markerText: string | undefined, staged: Staged): Moves {
  const { root, base, marker, before, after } = build;
  const { planned, added, changed } = staged;
  const { claim, folders: made, bin, reserve } = places(build);
  const isClaimed = markerText !== undefined && !after.every((entry) => before.includes(entry));
  if (isClaimed) {
    const all = [...new Set([...before, ...after])].filter((entry) => entry !== marker);
    writeFileSync(claim, JSON.stringify({ ...JSON.parse(markerText), owns: all }));
  }
  const stale = [...tree.files, ...tree.others].filter((file) => !planned.has(file));
  const own = foldersOf(planned);
  const isThere = (folder: string): boolean =>
    tree.folders.has(folder) || lstatSync(path.join(root, folder), { throwIfNoEntry: false })?.isDirectory() === true;
  const folders = [...foldersOf(added)].filter((each) => !isThere(each)).sort();
  mkdirSync(made);
  for (const index of folders.keys()) mkdirSync(path.join(made, String(index)));
  mkdirSync(bin);
  // Moving takes space too, for the entries of folders.
  if (added.length + changed.length + stale.length > 0) {
    writeFileSync(
      reserve,
      Buffer.alloc(65_536 + 100 * (added.length + changed.length + folders.length + stale.length)),
    );
    unlinkSync(reserve);
  }
  const rankOf = (file: string, isThere: boolean): number =>
    file !== marker ? publicationStep(base, file, isThere) : isThere ? 4 : -1;
  return {
    isNew: !existsSync(root),
    isClaimed,
    obstacles: [...stale.filter((each) => own.has(each)), ...added.filter((each) => tree.folders.has(each))],
    folders,
    files: [...added.map((file) => [file, false] as const), ...changed.map((file) => [file, true] as const)]
      .map(([file, isThere]) => ({ file, rank: rankOf(file, isThere), depth: file.split("/").length }))
      .sort((a, b) => a.rank - b.rank || b.depth - a.depth)
      .map(({ file }) => file),
    stale: [...stale.filter((each) => !isLinked(base, each)), ...stale.filter((each) => isLinked(base, each))].map(
      (file) => ({
        file,
        length: lstatSync(path.join(root, file), { throwIfNoEntry: false })?.size,
      }),
    ),
    isMarkerLast: markerText !== undefined && !before.every((entry) => after.includes(entry)),
    empty: [...foldersOf(before), ...tree.folders]
      .filter((each) => each !== "" && !own.has(each))
      .sort()
      .reverse(),
  };
}

function commit(build: Build, moves: Moves): void {
  const { root, marker, lock, onChange } = build;
  const { files, claim, folders, bin } = places(build);
  if (moves.isNew) {
    renameSync(files, root);
    return;
  }
  let binned = 0;
  const remove = (entry: string) => {
    lock.beat();
    renameSync(path.join(root, entry), path.join(bin, String(binned++)));
  };
  const move = (file: string) => {
    lock.beat();
    renameSync(path.join(files, file), path.join(root, file));
  };
  if (moves.isClaimed) renameSync(claim, path.join(root, marker));
  for (const entry of moves.obstacles) remove(entry);
  for (const [index, folder] of moves.folders.entries()) {
    renameSync(path.join(folders, String(index)), path.join(root, folder));
  }
  for (const file of moves.files) if (file !== marker || !moves.isMarkerLast) move(file);
  for (const { file, length } of moves.stale) {
    const isGone = moves.obstacles.some((each) => file === each || file.startsWith(`${each}/`));
    if (!isGone) remove(file);
    onChange({ file, kind: "removed", before: length, after: undefined });
  }
  for (const folder of moves.empty) removeIfEmpty(path.join(root, folder));
  if (moves.isMarkerLast) move(marker);
}
