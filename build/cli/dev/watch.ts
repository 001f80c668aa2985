// Reports that something in a folder may have changed, as soon as chokidar notices it; snapshot.ts finds out which files. A
// timer checks what chokidar misses: whether a path leads to another folder, because the folder, one above it or a link to
// it was replaced, and single files elsewhere.
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { stateOf } from "./snapshot.ts";

export interface WatchEvents {
  readonly onChange: () => void;
  /** One of the followed files has changed, appeared or disappeared. */
  readonly onFollowed: () => void;
}

export interface Watch {
  /**
   * Replaces the files that are watched besides the folder. They may be missing. A file that has changed since a time, in
   * milliseconds, at which it may have been read, is reported.
   */
  readonly follow: (files: readonly string[], since: number) => void;
  readonly close: () => Promise<void>;
}

/** In milliseconds. */
const checkEvery = 200;

/** Once it has resolved, each change is reported. Names that start with a dot are ignored: such files are followed. */
export async function watchFolder(folder: string, { onChange, onFollowed }: WatchEvents): Promise<Watch> {
  const root = path.resolve(folder);
  let folders = foldersOf(root);
  /** Whether something has changed since the folders were compared. */
  let isChanged = false;
  /** Whether the watcher may follow a folder to which its path no longer leads. */
  let isLost = false;
  const events: WatcherEvents = {
    onChange() {
      isChanged = true;
      onChange();
    },
    onLost() {
      isLost = true;
    },
  };
  let watcher = await open(root, events);
  let followed = new Map<string, string>();
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A removal meanwhile may make a check fail: the next one tries again.
    checking ??= check()
      .catch(events.onLost)
      .finally(() => {
        checking = undefined;
      });
  }, checkEvery);

  async function check(): Promise<void> {
    const changed = [...followed].filter(([file, state]) => stateOf(file) !== state);
    for (const [file] of changed) followed.set(file, stateOf(file));
    if (changed.length > 0) onFollowed();
    if (!isChanged && !isLost && stateOf(root) === folders.get(root)) return;
    isChanged = false;
    const now = foldersOf(root);
    const isSame = [...folders].every(([name, state]) => now.get(name) === state);
    folders = now;
    if (isSame && !isLost) return;
    isLost = false;
    // Two watchers at a time would share their handles. The caller looks for changes between them.
    await end(watcher);
    watcher = await open(root, events);
    onChange();
  }

  return {
    follow(files, since) {
      // A file that has changed since the last check is reported.
      followed = new Map(files.map((file) => [file, followed.get(file) ?? stateBefore(file, since)]));
    },
    async close() {
      clearInterval(timer);
      // A check may be about to open another watcher.
      await checking;
      await end(watcher);
    },
  };
}

/** The state of a file that has not changed since a time; otherwise a text that is no state. */
function stateBefore(file: string, time: number): string {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  return changedAt >= time - clockLag ? "changed" : stateOf(file);
}

/** In milliseconds: file systems may use a clock that the system sets at its ticks. */
const clockLag = 20;

/** The states of a folder and its subfolders. Chokidar keeps following them even if others take their places. */
function foldersOf(root: string): ReadonlyMap<string, string> {
  const state = stateOf(root);
  const entries = state === "" ? [] : readdirSync(root, { recursive: true, withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return new Map([[root, state], ...below.map((folder) => [folder, stateOf(folder)] as const)]);
}

interface WatcherEvents {
  readonly onChange: () => void;
  readonly onLost: () => void;
}

async function open(root: string, { onChange, onLost }: WatcherEvents): Promise<FSWatcher> {
  const ignored = (file: string) =>
    path
      .relative(root, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  const watcher = watch(root, { ignoreInitial: true, ignored });
  watcher.on("all", onChange);
  // Of two saves within 50 ms "all" reports only the first.
  watcher.on("raw", onChange);
  // The watcher stops watching a folder once it has failed to find it.
  watcher.on("unlinkDir", onLost);
  try {
    await new Promise<void>((ready, failed) => {
      watcher.once("ready", ready).on("error", (error) => {
        failed(error);
        onLost();
      });
    });
  } catch (error) {
    await end(watcher);
    throw error;
  }
  return watcher;
}

/**
 * Closes a watcher for good. Chokidar may find after its end that a folder is gone. It would then open the watcher again, which
 * keeps the process alive. An error that it finds then would end the process, because the listeners are gone.
 */
function end(watcher: FSWatcher): Promise<void> {
  watcher.add = () => watcher;
  const closed = watcher.close();
  watcher.on("error", () => undefined);
  return closed;
}
