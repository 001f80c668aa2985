// What a build knows of its out folder when it is done, as the next manifest. Someone may have changed the folder
// meanwhile, so what counts as known is only what the build has looked at since, or what would show a later change.
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { isStaging } from "./location.ts";
import type { Manifest, StampedFolder } from "./manifest.ts";
import type { Found, Staged } from "./stage.ts";
import { type Clock, isSame, type Stamp, stampOf, unknown } from "./stamp.ts";

/**
 * `folders` are all folders in the out folder, undefined where it holds more than the build's files. Undefined where the
 * system does not tell.
 */
export async function takeStock(
  { root, known }: Pick<Found, "root" | "known">,
  { draft, changed, single, folders: made }: Pick<Staged, "draft" | "changed" | "single" | "folders">,
  folders: readonly string[] | undefined,
  clock: Clock,
): Promise<Manifest | undefined> {
  const now = await clock.next();
  try {
    const { files } = draft;
    for (const position of changed) {
      const file = files[position] ?? "";
      if (!single.has(file)) continue;
      draft.setStamp(position, restamp(path.join(root, file), draft.lengthAt(position), draft.stampAt(position), now));
    }
    const { dev: device, ino: inode } = lstatSync(root);
    const earlier = new Map([...knownFolders(known), ...made]);
    return {
      device,
      inode,
      time: Date.now(),
      folders: folders && stampFolders(root, files, ["", ...folders], earlier, now),
      ...draft.columns(),
    };
  } catch {
    // Without it the next build takes longer and does the same.
    return undefined;
  }
}

/** Of a file that was moved on its own, which sets its ctime; what was written into it since shows by its mtime. */
function restamp(file: string, length: number, written: Stamp, now: number): Stamp {
  const state = lstatSync(file, { throwIfNoEntry: false });
  const isAsWritten = state?.ino === written.inode && state.mtimeMs === written.ctime && state.size === length;
  return isAsWritten && state.ctimeMs < now ? stampOf(state) : unknown;
}

function* knownFolders(known: Found["known"]): Generator<readonly [string, Stamp]> {
  for (const [folder, inode, ctime] of known?.manifest.folders ?? []) yield [folder, { inode, ctime }];
}

/** Folders that nothing was done to since `known` need no look into them. Undefined where one holds something else. */
function stampFolders(
  root: string,
  files: readonly string[],
  folders: readonly string[],
  known: ReadonlyMap<string, Stamp>,
  now: number,
): readonly StampedFolder[] | undefined {
  const stamped: StampedFolder[] = [];
  const touched = new Set<string>();
  for (const folder of folders) {
    const stamp = stampOf(lstatSync(path.join(root, folder)));
    const isTouched = !isSame(stamp, known.get(folder) ?? unknown);
    if (isTouched && !(stamp.ctime < now)) return undefined;
    if (isTouched) touched.add(folder);
    stamped.push([folder, stamp.inode, stamp.ctime]);
  }
  const names = new Map(
    [...touched].map((folder) => {
      const runs = runsIn(files).get(folder) ?? [];
      return [folder, new Set(runs.flatMap(({ from, to }) => files.slice(from, to).map(nameIn)))];
    }),
  );
  for (const folder of folders) if (folder !== "") names.get(parentOf(folder))?.add(`${nameIn(folder)}/`);
  return [...names].every(([folder, own]) => holdsOnly(path.join(root, folder), own)) ? stamped : undefined;
}

/** Files in a row that are in the same folder: from one position up to but without the other. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** By folder. Most files are in the folder of the one before. Builds of one process often have the same list of files. */
function runsIn(files: readonly string[]): ReadonlyMap<string, readonly Run[]> {
  const known = knownRuns.get(files);
  if (known !== undefined) return known;
  const runs = new Map<string, Run[]>();
  const add = (folder: string, run: Run) => {
    const own = runs.get(folder);
    if (own === undefined) runs.set(folder, [run]);
    else own.push(run);
  };
  let [parent, from] = [parentOf(files[0] ?? ""), 0];
  for (const [position, file] of files.entries()) {
    if (file.lastIndexOf("/") === parent.length && file.startsWith(parent)) continue;
    if (position > from) add(parent, { from, to: position });
    [parent, from] = [parentOf(file), position];
  }
  add(parent, { from, to: files.length });
  knownRuns.set(files, runs);
  return runs;
}

const knownRuns = new WeakMap<readonly string[], ReadonlyMap<string, readonly Run[]>>();

const parentOf = (entry: string): string => entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
const nameIn = (entry: string): string => entry.slice(entry.lastIndexOf("/") + 1);

/** Names of folders end with a slash. */
function holdsOnly(folder: string, names: ReadonlySet<string>): boolean {
  const there = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !isStaging(name));
  return (
    there.length === names.size &&
    there.every((entry) => names.has(entry.isDirectory() ? `${entry.name}/` : entry.isFile() ? entry.name : "/"))
  );
}
