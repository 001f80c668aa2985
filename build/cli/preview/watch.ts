// Watches a folder, even if the folder, one of its parents or children, or a link to it is replaced. A watcher follows the
// folders that existed when it started, even under other names, so it is replaced if a path leads to another folder.
import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type FSWatcher, watch } from "chokidar";

export interface Watch {
  readonly close: () => Promise<void>;
}

/** In milliseconds. Changes of links above the folder and of mounts are not reported as events. */
const lookEvery = 200;

/** `file` is relative to the folder, with slashes. Undefined: the changed file is unknown. */
export type OnChange = (file?: string) => void;

/** Once it has resolved, `onChange` is called after each change. Names that start with a dot are ignored. */
export async function watchFolder(folder: string, onChange: OnChange): Promise<Watch> {
  let isClosed = false;
  /** Whether some folder may have been replaced, or is no longer watched. */
  let isStale = false;
  let top = "";
  let watcher = await renew();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {
        // For example a removal during the check: check again.
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
    // The watcher reads a folder before it watches it. A replacement in between causes no event.
    isStale ||= !isDeepStrictEqual(foldersIn(folder), folders);
    return started;
  }

  async function look(): Promise<void> {
    if (!isStale && topOf(folder) === top) return;
    // Two watchers at a time would share their handles. The next build includes changes between them.
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

/** `onMove` is called with the path of a created, removed or moved entry, if it is known. */
async function startWatcher(folder: string, onChange: OnChange, onMove: OnChange): Promise<FSWatcher> {
  const isHidden = (file: string): boolean =>
    path
      .relative(folder, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  const watcher = watch(folder, { ignoreInitial: true, ignored: isHidden });
  watcher.on("all", (event, file) => {
    // The watcher stops watching a folder that it has once not found.
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

/** `watched` is the file or its folder. */
function fullPath(watched: unknown, file: string): string | undefined {
  if (typeof watched !== "string" || path.isAbsolute(file)) return path.isAbsolute(file) ? file : undefined;
  return path.basename(watched) === file ? watched : path.join(watched, file);
}

function within(folder: string, file: string | undefined): string | undefined {
  const relative = file === undefined ? "" : path.relative(folder, file);
  return relative === "" || relative.startsWith("..") ? undefined : relative.split(path.sep).join("/");
}

/** Identifies the current folder. Empty if it does not exist. */
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
 * The folders at any depth by their paths, each with a value that changes if the folder is replaced, moved away and back, or
 * if its entries change.
 */
function foldersIn(folder: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    found.set(folder, `${dev} ${ino} ${ctimeNs}`);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory() && !entry.name.startsWith(".")) foldersIn(path.join(folder, entry.name), found);
    }
  } catch {
    // The folder was removed meanwhile, which is reported as another change.
  }
  return found;
}
