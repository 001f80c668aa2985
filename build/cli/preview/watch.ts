// What changes below a folder, also where the folder itself, one above or below it, or a link that leads to it is replaced.
// A watcher follows the folders that were there when it started, whatever their names are now; so it is replaced by a new
// one where a path leads to another folder.
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type FSWatcher, watch } from "chokidar";

export interface Watch {
  readonly close: () => Promise<void>;
}

/** Links above the folder, and what is mounted, change without a word. In milliseconds. */
const lookEvery = 200;

/** `file` is relative to the folder, with slashes, where it is known what has changed. */
export type OnChange = (file?: string) => void;

/** After each change, once it has resolved, `onChange` is called. Names that start with a dot do not count. */
export async function watchFolder(folder: string, onChange: OnChange): Promise<Watch> {
  let isClosed = false;
  /** Some folder may be another one than the one that is watched, or no longer be watched. */
  let isStale = false;
  let top = "";
  let watcher = await renew();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {
        // Such as a removal while it looks: it starts once more.
        isStale = true;
      })
      .finally(() => {
        looking = undefined;
      });
  }, lookEvery);

  async function renew(): Promise<FSWatcher> {
    isStale = false;
    top = topOf(folder);
    const folders = foldersIn(folder);
    const started = await startWatcher(folder, onChange, (moved) => {
      isStale ||= moved === undefined || folders.has(moved) || isFolder(moved);
    });
    // The watcher reads a folder before it watches it. What is replaced in between leaves no event.
    isStale ||= !isDeepStrictEqual(foldersIn(folder), folders);
    return started;
  }

  async function look(): Promise<void> {
    if (!isStale && topOf(folder) === top) return;
    // Two at a time would share what they watch. What changes between them is in the build that follows.
    await watcher.close();
    watcher = await renew();
    if (isClosed) await watcher.close();
    else onChange();
  }

  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await watcher.close();
    },
  };
}

/** `onMove` is called with the path of what was made, removed or moved, where it is known, even if it is back already. */
async function startWatcher(folder: string, onChange: OnChange, onMove: OnChange): Promise<FSWatcher> {
  const isHidden = (file: string): boolean =>
    path
      .relative(folder, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  const watcher = watch(folder, { ignoreInitial: true, ignored: isHidden });
  watcher.on("all", (event, file) => {
    // A folder that the watcher did not find for a moment it watches no more.
    if (event === "unlinkDir") onMove();
    onChange(within(folder, file));
  });
  // Of two saves within 50 ms "all" reports only the first.
  watcher.on("raw", (event, name, details) => {
    const file = typeof name === "string" ? fullPath(Object(details).watchedPath, name) : undefined;
    if (event === "rename") onMove(file);
    if (typeof name === "string" && path.basename(name).startsWith(".")) return;
    onChange(within(folder, file));
  });
  try {
    await new Promise<void>((ready, failed) => {
      watcher.once("ready", ready);
      watcher.on("error", (error) => {
        failed(error);
        onMove();
      });
    });
  } catch (error) {
    await watcher.close();
    throw error;
  }
  return watcher;
}

/** What is watched is the file itself, or its folder. */
function fullPath(watched: unknown, file: string): string | undefined {
  if (typeof watched !== "string" || path.isAbsolute(file)) return path.isAbsolute(file) ? file : undefined;
  return path.basename(watched) === file ? watched : path.join(watched, file);
}

function within(folder: string, file: string | undefined): string | undefined {
  const relative = file === undefined ? "" : path.relative(folder, file);
  return relative === "" || relative.startsWith("..") ? undefined : relative.split(path.sep).join("/");
}

/** Tells the folder that is there now from every other one; empty where there is none. */
function topOf(folder: string): string {
  try {
    return `${realpathSync(folder)} ${identityOf(folder)}`;
  } catch {
    return "";
  }
}

const identityOf = (folder: string): string => {
  const { dev, ino } = statSync(folder);
  return `${dev} ${ino}`;
};

function isFolder(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // The folder around it cannot be entered, which may not last.
    return true;
  }
}

/**
 * The folders at any depth by their paths, each with what tells it from all others and from what it was before it was
 * moved away and back, or had other entries.
 */
function foldersIn(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    found.set(folder, `${dev} ${ino} ${ctimeNs}`);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith(".")) foldersIn(path.join(folder, entry.name), found);
    }
  } catch {
    // It was removed this moment, which is a change of its own.
  }
  return found;
}
