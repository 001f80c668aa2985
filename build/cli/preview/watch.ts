// Watches a folder, and single files elsewhere, even if a folder, one above it or a link to it is replaced. A watcher
// follows the folders that it has found, even under other names, so it is replaced once a path leads to another folder.
import { statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";

export interface WatchEvents {
  /** `file` is relative to the folder, with slashes. Undefined: the changed file is unknown. */
  readonly onChange: (file?: string) => void;
  /** One of the followed files has changed, appeared or disappeared. */
  readonly onFollowed: () => void;
}

export interface Watch {
  /** Replaces the files that are watched besides the folder. They may be missing. */
  readonly follow: (files: readonly string[]) => void;
  readonly close: () => Promise<void>;
}

/** In milliseconds. Editors replace single files, and links above the folder change, without an event. */
const lookEvery = 200;

/** Once it has resolved, each change is reported. Names that start with a dot are ignored. */
export async function watchFolder(folder: string, { onChange, onFollowed }: WatchEvents): Promise<Watch> {
  let watched = await open(folder, onChange);
  let followed = new Map<string, string>();
  let isClosed = false;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {
        // For example a removal meanwhile: the next look tries again.
      })
      .finally(() => {
        looking = undefined;
      });
  }, lookEvery);

  async function look(): Promise<void> {
    const changed = [...followed].filter(([file, state]) => stateOf(file) !== state);
    for (const [file] of changed) followed.set(file, stateOf(file));
    if (changed.length > 0) onFollowed();
    if (watched.isCurrent()) return;
    // Two watchers at a time would share their handles. The caller looks for changes between them.
    const { watcher } = watched;
    watched = { watcher, isCurrent: () => false };
    await watcher.close();
    watched = await open(folder, onChange);
    if (isClosed) await watched.watcher.close();
    else onChange();
  }

  return {
    follow(files) {
      // A file that has changed since the last look is reported.
      followed = new Map(files.map((file) => [file, followed.get(file) ?? stateOf(file)]));
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await looking;
      await watched.watcher.close();
    },
  };
}

interface Watched {
  readonly watcher: FSWatcher;
  /** Whether the paths of all folders still lead to the folders that are watched. */
  readonly isCurrent: () => boolean;
}

async function open(folder: string, onChange: WatchEvents["onChange"]): Promise<Watched> {
  const root = path.resolve(folder);
  const folders = new Map([[root, identityOf(root)]]);
  let isGone = false;
  const isHidden = (file: string): boolean =>
    path
      .relative(folder, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  const watcher = watch(root, { ignoreInitial: true, ignored: isHidden });
  const states = new Map<string, string>();
  /** The system reports one save several times, and the watcher once more. */
  const report = (file: string | undefined) => {
    if (file !== undefined && states.get(file) === stateOf(file)) return;
    if (file !== undefined) states.set(file, stateOf(file));
    onChange(within(folder, file));
  };
  watcher.on("all", (event, file) => {
    if (event === "addDir") folders.set(file, identityOf(file));
    if (event === "unlinkDir") folders.delete(file);
    // The watcher stops to watch a folder that it has once not found.
    isGone ||= event === "unlinkDir" && file === root;
    report(file);
  });
  // Of two saves within 50 ms "all" reports only the first.
  watcher.on("raw", (_, name, details) => {
    if (typeof name !== "string" || !path.basename(name).startsWith("."))
      report(fullPath(Object(details).watchedPath, name));
  });
  try {
    await new Promise<void>((ready, failed) => {
      watcher.once("ready", ready);
      watcher.on("error", (error) => {
        failed(error);
        isGone = true;
      });
    });
  } catch (error) {
    await watcher.close();
    throw error;
  }
  for (const each of Object.keys(watcher.getWatched())) {
    if (!folders.has(each) && within(folder, each) !== undefined) folders.set(each, identityOf(each));
  }
  return {
    watcher,
    isCurrent: () => !isGone && [...folders].every(([each, identity]) => identityOf(each) === identity),
  };
}

/** `watched` is the file or its folder. */
function fullPath(watched: unknown, name: unknown): string | undefined {
  if (typeof watched !== "string" || typeof name !== "string") return undefined;
  if (path.isAbsolute(name)) return name;
  return path.basename(watched) === name ? watched : path.join(watched, name);
}

function within(folder: string, file: string | undefined): string | undefined {
  const relative = file === undefined ? "" : path.relative(folder, file);
  return relative === "" || relative.startsWith("..") ? undefined : relative.split(path.sep).join("/");
}

/** A folder that takes the place of another one may get its number, but not its time of birth. */
function identityOf(folder: string): string {
  const stats = statOf(folder);
  return stats === undefined ? "" : `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
}

function stateOf(file: string): string {
  const stats = statOf(file);
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

function statOf(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder above it is a file now, or cannot be entered, which may not last.
    return undefined;
  }
}
