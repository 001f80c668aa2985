// Watches a folder and the files in it with chokidar, and looks from time to time at what chokidar misses: whether the path
// leads to another folder, because it, one above it or a link to it was replaced, and single files elsewhere.
import { statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { fieldOf } from "../../../src/model/fields.ts";

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

/** In milliseconds. */
const lookEvery = 200;

/** Once it has resolved, each change is reported. Names that start with a dot are ignored. */
export async function watchFolder(folder: string, { onChange, onFollowed }: WatchEvents): Promise<Watch> {
  const root = path.resolve(folder);
  let identity = stateOf(root);
  const onLost = () => {
    identity = "";
  };
  let watcher = await open(root, onChange, onLost);
  let followed = new Map<string, string>();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A removal meanwhile may end a look: the next one tries again.
    looking ??= look()
      .catch(onLost)
      .finally(() => {
        looking = undefined;
      });
  }, lookEvery);

  async function look(): Promise<void> {
    const changed = [...followed].filter(([file, state]) => stateOf(file) !== state);
    for (const [file] of changed) followed.set(file, stateOf(file));
    if (changed.length > 0) onFollowed();
    const now = stateOf(root);
    if (now === identity) return;
    // Two watchers at a time would share their handles. The caller looks for changes between them.
    await watcher.close();
    identity = now;
    watcher = await open(root, onChange, onLost);
    onChange();
  }

  return {
    follow(files) {
      // A file that has changed since the last look is reported.
      followed = new Map(files.map((file) => [file, followed.get(file) ?? stateOf(file)]));
    },
    async close() {
      clearInterval(timer);
      // It may be about to open another watcher.
      await looking;
      await watcher.close();
    },
  };
}

/** `onLost` is called if the watcher follows a folder that the path no longer leads to. */
async function open(root: string, onChange: WatchEvents["onChange"], onLost: () => void): Promise<FSWatcher> {
  const states = new Map<string, string>();
  const ignored = (file: string) =>
    path
      .relative(root, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  /** The system reports one save several times, and the watcher once more. */
  function report(file: string): void {
    const state = stateOf(file);
    if (states.get(file) === state || ignored(file)) return;
    states.set(file, state);
    onChange(path.relative(root, file).split(path.sep).join("/") || undefined);
  }
  const watcher = watch(root, { ignoreInitial: true, ignored });
  watcher.on("all", (event, file) => {
    // The watcher stops to watch the folder if it has once not found it.
    if (event === "unlinkDir" && file === root) onLost();
    report(file);
  });
  // Of two saves within 50 ms "all" reports only the first.
  watcher.on("raw", (_, name, details) => {
    const watchedPath = String(fieldOf(details, "watchedPath"));
    const file = path.basename(watchedPath) === name ? watchedPath : path.join(watchedPath, name ?? "");
    // A folder that was made again: the watcher knows the one before.
    if (statOf(file)?.isDirectory() === true && Object.hasOwn(watcher.getWatched(), file)) onLost();
    report(file);
  });
  try {
    await new Promise<void>((ready, failed) => {
      watcher.once("ready", ready).on("error", (error) => {
        failed(error);
        onLost();
      });
    });
  } catch (error) {
    await watcher.close();
    throw error;
  }
  return watcher;
}

function statOf(file: string) {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A folder above it is a file now, or cannot be entered, which may not last.
    return undefined;
  }
}

/** Differs if a file has changed, or if a folder was replaced: the next one may get its number, but not its time of birth. */
function stateOf(file: string): string {
  const stats = statOf(file);
  if (stats === undefined) return "";
  const { dev, ino, birthtimeNs, size, mtimeNs } = stats;
  return stats.isDirectory() ? `${dev} ${ino} ${birthtimeNs}` : `${ino} ${size} ${mtimeNs}`;
}
