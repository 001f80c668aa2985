// Reports that something in a folder may have changed, as soon as the system tells it of one of its folders; snapshot.ts finds
// out which files. A timer checks what the system does not tell: whether a path leads to another folder, because the folder, one
// above it or a link to it was replaced, and single files elsewhere.
import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import path from "node:path";
import { entersOutside } from "../../content/files.ts";
import type { OutsideFolder } from "../../content/globs.ts";
import { slashed } from "../../files/folders.ts";
import { inWords } from "../../files/machine-error.ts";
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

/** Whether something is left out, by its path in the watched folder. `isFolder`: whether it is known to be a folder. */
export type Skips = (file: string, isFolder: boolean) => boolean;

/** Names that start with a dot are ignored: such files are followed. */
const skipsHidden: Skips = (file) => file.split(path.sep).some((name) => name.startsWith("."));

/** In a folder outside of the content folder: what cannot match. */
export const skipsOutside =
  (content: string, outside: OutsideFolder): Skips =>
  (file, isFolder) => {
    const inner = slashed(file).normalize("NFC");
    if (isFolder) return !entersOutside(content, outside, slashed(file));
    return !outside.matches(inner) && !outside.mayHold(inner);
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
  /** Whether a folder could not be watched. */
  #isLost = false;
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
    if (!this.#isChanged && !this.#isLost && isSame) return;
    // What was saved in a folder before it was watched is not reported.
    if (this.#compareFolders()) this.#events.onChange();
  }

  /** Watches the folders that are there now. Returns whether others were watched before. */
  #compareFolders(): boolean {
    this.#isChanged = false;
    this.#isLost = false;
    let isNew = false;
    try {
      const folders = foldersOf(this.root, this.#skips);
      for (const [folder, { state }] of this.#folders) {
        if (folders.get(folder) !== state) this.#leave(folder);
      }
      for (const [folder, state] of folders) {
        if (this.#folders.has(folder)) continue;
        isNew = true;
        this.#folders.set(folder, { state, watcher: this.#watch(folder) });
      }
    } catch (error) {
      if (inWords(error) === undefined) throw error;
      // A folder was removed meanwhile, or the system watches no more: the next check tries again.
      this.#isLost = true;
      isNew = true;
    }
    return isNew;
  }

  #watch(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => {
      if (name !== null && this.#skips(path.relative(this.root, path.join(folder, name)), false)) return;
      this.#isChanged = true;
      this.#events.onChange();
    });
    watcher.on("error", () => {
      this.#isLost = true;
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
  const state = stateOf(root);
  const folders = state === "" ? [] : [root, ...foldersBelow(root, skips)];
  return new Map(folders.map((folder) => [folder, folder === root ? state : stateOf(folder)]));
}

function* foldersBelow(root: string, skips: Skips, folder = ""): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const inner = path.join(folder, entry.name);
    if (!entry.isDirectory() || skips(inner, true)) continue;
    yield path.join(root, inner);
    yield* foldersBelow(root, skips, inner);
  }
}
