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
  const touched = new Map<string, Set<string>>();
  for (const folder of folders) {
    const stamp = stampOf(lstatSync(path.join(root, folder)));
    const isTouched = !isSame(stamp, known.get(folder) ?? unknown);
    if (isTouched && !(stamp.ctime < now)) return undefined;
    if (isTouched) touched.set(folder, new Set());
    stamped.push([folder, stamp.inode, stamp.ctime]);
  }
  // Most files are in the folder of the one before.
  let [parent, names]: [string, Set<string> | undefined] = ["", touched.get("")];
  for (const file of files) {
    if (file.lastIndexOf("/") !== parent.length || !file.startsWith(parent)) {
      parent = parentOf(file);
      names = touched.get(parent);
    }
    names?.add(nameIn(file));
  }
  for (const folder of folders) if (folder !== "") touched.get(parentOf(folder))?.add(`${nameIn(folder)}/`);
  return [...touched].every(([folder, names]) => holdsOnly(path.join(root, folder), names)) ? stamped : undefined;
}

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
