// Reports that something in a folder may have changed as soon as the system reports an event in it or in a subfolder;
// snapshot.ts finds out which files. A timer finds changes without an event: a path leads to another folder, because the
// folder, one above it or a link to it was replaced, or a single file elsewhere has changed.
import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import path from "node:path";
import { entersOutside } from "../../content/files.ts";
import type { OutsideFolder } from "../../content/globs.ts";
import { slashed } from "../../files/folders.ts";
import { hasCode, inWords } from "../../files/machine-error.ts";
import { stateOf, unlistable } from "./snapshot.ts";

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

/**
 * The number of checks from one report to the next while the system refuses to watch a folder. The time between them is
 * longer than the pauses that changes.ts waits for.
 */
const reportEvery = 5;

/** Whether something is left out, by its path in the watched folder. `isFolder`: whether it is known to be a folder. */
export type Skips = (file: string, isFolder: boolean) => boolean;

/** Names that start with a dot are ignored: such files are followed. */
const skipsHidden: Skips = (file) => file.split(path.sep).some((name) => name.startsWith("."));

/** In a folder outside of the content folder: what cannot match. */
export const skipsOutside =
  (content: string, outside: OutsideFolder): Skips =>
  (file, isFolder) => {
    const inner = slashed(file);
    if (isFolder) return !entersOutside(content, outside, inner);
    const normal = inner.normalize("NFC");
    return !outside.matches(normal) && !outside.mayHold(normal);
  };

/** Once it has returned, each change is reported. */
export const watchFolder = (folder: string, events: WatchEvents, skips = skipsHidden): Watch =>
  new Watch(path.resolve(folder), events, skips);

/** A folder whose entries the system follows, wherever its path leads now. */
interface WatchedFolder {
  readonly state: string;
  readonly watcher: FSWatcher;
}

export class Watch {
  readonly root: string;
  readonly #events: WatchEvents;
  readonly #skips: Skips;
  /** The folder and its subfolders. */
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #timer: NodeJS.Timeout;
  /** Whether something has changed since the folders were compared. */
  #isChanged = false;
  /** Whether the system refuses to watch a folder, such as at its limit. */
  #isLost = false;
  #checks = 0;
  /** The states of the followed files. */
  #followed: ReadonlyMap<string, string> = new Map();

  constructor(root: string, events: WatchEvents, skips: Skips) {
    this.root = root;
    this.#events = events;
    this.#skips = skips;
    this.#compareFolders();
    this.#timer = setInterval(() => this.#check(), checkEvery);
  }

  /** Replaces the followed files. */
  follow({ files, since }: Followed): void {
    // A file that has changed since the last check is reported.
    this.#followed = new Map(files.map((file) => [file, this.#followed.get(file) ?? stateBefore(file, since)]));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const folder of this.#folders.keys()) this.#leave(folder);
  }

  #check(): void {
    const states = new Map([...this.#followed.keys()].map((file) => [file, stateOf(file)]));
    const hasChanged = [...states].some(([file, state]) => this.#followed.get(file) !== state);
    this.#followed = states;
    if (hasChanged) this.#events.onFollowed();
    const isSame = stateOf(this.root) === (this.#folders.get(this.root)?.state ?? "");
    const mayHaveChanged = this.#isLost && ++this.#checks % reportEvery === 0;
    if (!this.#isChanged && !mayHaveChanged && isSame) return;
    try {
      if (this.#compareFolders() || mayHaveChanged) this.#events.onChange();
    } catch (error) {
      if (inWords(error) === undefined) throw error;
      // A folder was removed meanwhile: the next check compares again.
      this.#isChanged = true;
    }
  }

  /** Watches the folders that are there now. Returns whether something may have changed that was not reported. */
  #compareFolders(): boolean {
    const folders = foldersOf(this.root, this.#skips);
    const gone = [...this.#folders].filter(([folder, { state }]) => folders.get(folder) !== state);
    for (const [folder] of gone) this.#leave(folder);
    this.#isLost = false;
    const added = [...folders].filter(([folder, state]) => !this.#folders.has(folder) && this.#enter(folder, state));
    // Something may have been made in a folder before it was watched.
    this.#isChanged = gone.length + added.length > 0;
    return this.#isChanged;
  }

  /** Whether the folder is watched now. */
  #enter(folder: string, state: string): boolean {
    try {
      this.#folders.set(folder, { state, watcher: this.#watch(folder) });
      return true;
    } catch (error) {
      if (inWords(error) === undefined) throw error;
      // The watch of its parent reports when it can be read again.
      this.#isLost ||= !hasCode(error, ...unlistable);
      return false;
    }
  }

  #watch(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => {
      if (name !== null && this.#skips(path.relative(this.root, path.join(folder, name)), false)) return;
      this.#isChanged = true;
      this.#events.onChange();
    });
    watcher.on("error", () => {
      this.#isChanged = true;
      this.#leave(folder);
    });
    return watcher;
  }

  #leave(folder: string): void {
    this.#folders.get(folder)?.watcher.close();
    this.#folders.delete(folder);
  }
}

/** The state of a file that has not changed since a time; otherwise a text that is no state. */
function stateBefore(file: string, time: number): string {
  const changedAt = statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
  return changedAt >= time - clockLag ? "changed" : stateOf(file);
}

/** In milliseconds: file systems may use a clock that the system sets at its ticks. */
const clockLag = 20;

/** The states of a folder and its subfolders. Empty if it does not exist. */
function foldersOf(root: string, skips: Skips): ReadonlyMap<string, string> {
  const states = [root, ...foldersBelow(root, skips)].map((folder) => [folder, stateOf(folder)] as const);
  // A name that is not UTF-8 leads nowhere.
  return new Map(states.filter(([, state]) => state !== ""));
}

function* foldersBelow(root: string, skips: Skips, folder = ""): Generator<string> {
  for (const entry of entriesIn(path.join(root, folder))) {
    const inner = path.join(folder, entry.name);
    if (!entry.isDirectory() || skips(inner, true)) continue;
    yield path.join(root, inner);
    yield* foldersBelow(root, skips, inner);
  }
}

/** Empty if the folder cannot be listed. Reading the content reports the reason. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, ...unlistable)) return [];
    throw error;
  }
}
