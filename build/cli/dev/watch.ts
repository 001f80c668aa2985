// Reports that something in a folder may have changed, as soon as chokidar notices it; snapshot.ts finds out which files. A
// timer checks what chokidar misses: whether a path leads to another folder, because the folder, one above it or a link to
// it was replaced, and single files elsewhere.
import { once } from "node:events";
import { lstatSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { entersOutside } from "../../content/files.ts";
import type { OutsideFolder } from "../../content/globs.ts";
import { slashed } from "../../files/folders.ts";
import { stateOf } from "./snapshot.ts";

export interface WatchEvents {
  readonly onChange: () => void;
  /** One of the followed files has changed, appeared or disappeared. */
  readonly onFollowed: () => void;
}

/** Files that are watched besides the folder. They may be missing. */
export interface Followed {
  readonly files: readonly string[];
  /** A time, in milliseconds, before they were read: a file that has changed since is reported. */
  readonly since: number;
}

/** In milliseconds. */
const checkEvery = 200;

/** Whether a file or folder is left out, by its path in the watched folder. Undefined: it may be either. */
export type Skips = (file: string, isFolder: boolean | undefined) => boolean;

/** Names that start with a dot are ignored: such files are followed. */
const skipsHidden: Skips = (file) => file.split(path.sep).some((name) => name.startsWith(".") && name !== "..");

/** In a folder outside of the content folder: what cannot match, and links to folders. */
export const skipsOutside =
  (content: string, outside: OutsideFolder): Skips =>
  (file, isFolder) => {
    const inner = slashed(file);
    const isMatched = outside.matches(inner.normalize("NFC"));
    if (inner === "" || inner.startsWith("..") || (isMatched && isFolder !== true)) return false;
    if (isFolder === undefined) return !outside.mayHold(inner.normalize("NFC"));
    const isLink = lstatSync(path.join(outside.folder.path, file)).isSymbolicLink();
    return !isFolder || isLink || !entersOutside(content, outside, inner);
  };

/** Once it has resolved, each change is reported. */
export async function watchFolder(folder: string, events: WatchEvents, skips = skipsHidden): Promise<Watch> {
  const watch = new Watch(path.resolve(folder), events, skips);
  await watch.start();
  return watch;
}

export class Watch {
  readonly root: string;
  readonly #events: WatchEvents;
  readonly #skips: Skips;
  /** The states of the folder and its subfolders. */
  #folders: ReadonlyMap<string, string>;
  #watcher: FSWatcher;
  /** Whether something has changed since the folders were compared. */
  #isChanged = false;
  /** Whether the watcher may follow a folder to which its path no longer leads. */
  #isLost = false;
  /** The states of the followed files. */
  #followed: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(root: string, events: WatchEvents, skips: Skips) {
    this.root = root;
    this.#events = events;
    this.#skips = skips;
    this.#folders = foldersOf(root, skips);
    this.#watcher = this.#open();
  }

  async start(): Promise<void> {
    await isReady(this.#watcher);
    this.#timer = setInterval(() => {
      // A removal meanwhile may make a check fail: the next one tries again.
      this.#checking ??= this.#check()
        .catch(() => {
          this.#isLost = true;
        })
        .finally(() => {
          this.#checking = undefined;
        });
    }, checkEvery);
  }

  /** Replaces the followed files. */
  follow({ files, since }: Followed): void {
    // A file that has changed since the last check is reported.
    this.#followed = new Map(files.map((file) => [file, this.#followed.get(file) ?? stateBefore(file, since)]));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A check may be about to open another watcher.
    await this.#checking;
    await end(this.#watcher);
  }

  async #check(): Promise<void> {
    const states = new Map([...this.#followed.keys()].map((file) => [file, stateOf(file)]));
    const hasChanged = [...states].some(([file, state]) => this.#followed.get(file) !== state);
    this.#followed = states;
    if (hasChanged) this.#events.onFollowed();
    if (!this.#isChanged && !this.#isLost && stateOf(this.root) === this.#folders.get(this.root)) return;
    this.#isChanged = false;
    const before = this.#folders;
    this.#folders = foldersOf(this.root, this.#skips);
    const isSame = [...before].every(([name, state]) => this.#folders.get(name) === state);
    if (isSame && !this.#isLost) return;
    this.#isLost = false;
    // Two watchers at a time would share their handles. The caller looks for changes between them.
    await end(this.#watcher);
    this.#watcher = this.#open();
    await isReady(this.#watcher);
    this.#events.onChange();
  }

  #open(): FSWatcher {
    const watcher = watch(this.root, {
      ignoreInitial: true,
      ignored: (file, stats) => this.#skips(path.relative(this.root, file), stats?.isDirectory()),
    });
    const onChange = () => {
      this.#isChanged = true;
      this.#events.onChange();
    };
    const onLost = () => {
      this.#isLost = true;
    };
    watcher.on("all", onChange);
    // Of two saves within 50 ms "all" reports only the first.
    watcher.on("raw", onChange);
    // The watcher stops watching a folder once it has failed to find it.
    watcher.on("unlinkDir", onLost);
    watcher.on("error", onLost);
    return watcher;
  }
}

/** Closes a watcher that fails before it is ready. */
async function isReady(watcher: FSWatcher): Promise<void> {
  try {
    await once(watcher, "ready");
  } catch (error) {
    await end(watcher);
    throw error;
  }
}

/** The state of a file that has not changed since a time; otherwise a text that is no state. */
function stateBefore(file: string, time: number): string {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  return changedAt >= time - clockLag ? "changed" : stateOf(file);
}

/** In milliseconds: file systems may use a clock that the system sets at its ticks. */
const clockLag = 20;

/** The states of a folder and its subfolders. Chokidar keeps following them even if others take their places. */
function foldersOf(root: string, skips: Skips): ReadonlyMap<string, string> {
  const state = stateOf(root);
  const below = state === "" ? [] : [...foldersBelow(root, skips)];
  return new Map([[root, state], ...below.map((folder) => [folder, stateOf(folder)] as const)]);
}

function* foldersBelow(root: string, skips: Skips, folder = ""): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (!entry.isDirectory() || skips(inner, true)) continue;
    yield path.join(root, inner);
    yield* foldersBelow(root, skips, inner);
  }
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
