// What changes below a folder, also where the folder itself, one above or below it, or a link that leads to it is replaced.
// A watcher follows the folders that were there when it started, whatever their names are now; so it is replaced by a new
// one where a path leads to another folder.
import { readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";

export interface Watch {
  readonly close: () => Promise<void>;
}

/** Links above the folder, and what is mounted, change without a word. In milliseconds. */
const lookEvery = 200;

/** `file` is relative to the folder, with slashes, where it is known what has changed. */
export type OnChange = (file?: string) => void;

/** Resolves once no change can be missed. Names that start with a dot do not count. */
export async function watchFolder(folder: string, onChange: OnChange): Promise<Watch> {
  let isClosed = false;
  let mayBeOthers = false;
  let top = topOf(folder);
  let folders = "";
  let watcher = await renew();
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {
        // Such as a removal while it looks: it starts once more.
        top = "";
      })
      .finally(() => {
        looking = undefined;
      });
  }, lookEvery);

  /** Folders are looked at before and after the start, which takes a while. */
  async function renew(): Promise<FSWatcher> {
    for (;;) {
      [top, folders, mayBeOthers] = [topOf(folder), foldersIn(folder), false];
      const started = await startWatcher(folder, onChange, () => {
        mayBeOthers = true;
      });
      if (top === topOf(folder) && folders === foldersIn(folder)) return started;
      await started.close();
    }
  }

  async function look(): Promise<void> {
    const isMoved = topOf(folder) !== top;
    if (!isMoved && !(mayBeOthers && foldersIn(folder) !== folders)) {
      mayBeOthers = false;
      return;
    }
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

/** `onMove` is called where something was made, removed or moved. */
async function startWatcher(folder: string, onChange: OnChange, onMove: () => void): Promise<FSWatcher> {
  const isHidden = (file: string): boolean =>
    path
      .relative(folder, file)
      .split(path.sep)
      .some((name) => name.startsWith(".") && name !== "..");
  const watcher = watch(folder, { ignoreInitial: true, ignored: isHidden });
  watcher.on("all", (_, file) => onChange(within(folder, file)));
  // Of two saves within 50 ms "all" reports only the first.
  watcher.on("raw", (event, file, details) => {
    if (event === "rename") onMove();
    if (typeof file === "string" && path.basename(file).startsWith(".")) return;
    onChange(typeof file === "string" ? within(folder, fullPath(Object(details).watchedPath, file)) : undefined);
  });
  await new Promise<void>((ready, failed) => {
    watcher.once("ready", ready);
    watcher.once("error", failed);
  });
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

/** Tells the folders at any depth from all others, and from those that were moved away and back. */
function foldersIn(folder: string): string {
  try {
    const inner = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith("."),
    );
    const names = inner.map(({ name }) => path.join(folder, name)).sort();
    return [identityOf(folder), ...names.flatMap((name) => [name, foldersIn(name)])].join("\n");
  } catch {
    // It was removed this moment, which is a change of its own.
    return "";
  }
}
