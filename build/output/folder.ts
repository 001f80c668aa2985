// Files to dist: only what changed, never half.
//
// Opening the folder takes its lock and learns what an earlier build left there. What is new or changed is staged beside
// the folder first; see stage.ts. Then it is moved into place one rename at a time, and stale files are removed last; see
// commit.ts. A kill in between leaves every file whole, old or new, and the next build puts the rest right, because it
// compares the bytes of all of them.
import path from "node:path";
import type { OutputFile } from "../file.ts";
import { flatten } from "../flatten.ts";
import { MachineError } from "../machine-error.ts";
import type { Change } from "./change.ts";
import { commit, prepare } from "./commit.ts";
import { inspect, recall } from "./inspection.ts";
import { isStaging, resolveLocation } from "./location.ts";
import { acquire, type Lock, sweep, sweepAbandoned } from "./lock.ts";
import { keepManifest, type Manifest, readManifest } from "./manifest.ts";
import { foreignAmong, type Marked, type Ownership, type Owns, ownerOf, refuseForeignKinds } from "./ownership.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";
import { type Found, stage } from "./stage.ts";
import { clockOf, noClock } from "./stamp.ts";
import { takeStock } from "./stock.ts";
import { walk } from "./walk.ts";

export type { Change } from "./change.ts";

export interface OutputOptions {
  readonly ownership: Ownership;
  /** The folder where manifests are kept. Undefined: later builds, also of this process, know nothing of this one. */
  readonly cache?: string | undefined;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean?: boolean | undefined;
  /** Called while another build has the folder. */
  readonly onWait: () => void;
}

export interface OutputPlan {
  /** The text of the file that marks the folder. */
  readonly marker: OutputFile;
  /** All other files. Each path once, and known by the marker as the program's. */
  readonly files: Iterable<OutputFile>;
  /** Files of earlier builds that have become somebody else's, as `foreignAmong` has found. They stay. */
  readonly foreign?: ReadonlySet<string>;
}

export interface OutputResult {
  /** What is in the folder and not the program's, sorted. */
  readonly foreign: readonly string[];
  /** The time of the manifest that tells what is there now; undefined where none does. */
  readonly time: number | undefined;
}

/** A build that waits to be moved into its out folder, in which nothing has changed yet. */
export interface StagedOutput {
  /** Throws MachineError or the system's error. */
  commit(): Promise<OutputResult>;
}

/** The caller must close it. */
export interface OutputFolder {
  /**
   * Once per lock. Calls `onChange` for each file once it is staged or found unchanged, and when it is removed. Throws
   * MachineError or the system's error; what can be refused is refused here.
   */
  stage(plan: OutputPlan, onChange: (change: Change) => void): Promise<StagedOutput>;
  /** The files that are there and that the program did not write, because they lack their mark. */
  foreignAmong(files: Iterable<Marked>): ReadonlySet<string>;
  /** Lets other builds have the folder, for a process that builds again and again. */
  unlock(): Promise<void>;
  /** Takes the lock again. */
  lock(): Promise<void>;
  /** Keeps what is known of the folder for other processes, and gives up the lock. */
  close(): Promise<void>;
}

/** Takes the folder's lock. Throws MachineError where the folder is not one that builds may write. */
export async function openOutput(out: string, options: OutputOptions): Promise<OutputFolder> {
  let session: Session | undefined = await openSession(out, options);
  let manifest: Manifest | undefined;
  const { root, kept } = session;
  const unlock = async (): Promise<void> => {
    const ending = session;
    session = undefined;
    await ending?.end();
  };
  return {
    async stage(plan, onChange) {
      if (session === undefined) throw new Error("Requires the lock.");
      const staged = await session.stage(plan, onChange);
      return {
        async commit() {
          const written = await staged.commit();
          manifest = written.manifest;
          return { foreign: written.foreign, time: manifest?.time };
        },
      };
    },
    foreignAmong(files) {
      if (session === undefined) throw new Error("Requires the lock.");
      return session.foreignAmong(files);
    },
    unlock,
    async lock() {
      session ??= await openSession(out, options, manifest);
    },
    async close() {
      const { cache } = options;
      if (cache !== undefined && manifest !== undefined && manifest !== kept) keepManifest(cache, root, manifest);
      await unlock();
    },
  };
}

/** The time between taking the lock and giving it up. */
interface Session {
  readonly root: string;
  /** The manifest that another process kept. */
  readonly kept: Manifest | undefined;
  stage(plan: OutputPlan, onChange: (change: Change) => void): Promise<StagedUpdate>;
  foreignAmong(files: Iterable<Marked>): ReadonlySet<string>;
  end(): Promise<void>;
}

interface StagedUpdate {
  commit(): Promise<Pick<OutputResult, "foreign"> & { readonly manifest: Manifest | undefined }>;
}

/** `last` is the manifest of the last build of this process. */
async function openSession(out: string, options: OutputOptions, last?: Manifest): Promise<Session> {
  const { root, staging, visibleStaging, made } = resolveLocation(out);
  const removeMade = () => {
    for (const parent of made) removeIfEmpty(parent);
  };
  try {
    const lock = await acquire(staging, options.onWait);
    try {
      const { found, owns, kept } = await whileHeld(lock, async () => {
        sweep(staging, lock.beat);
        if (visibleStaging !== staging) sweepAbandoned(visibleStaging, lock.beat);
        return find(out, root, options, last);
      });
      return {
        root,
        kept,
        async stage(plan, onChange) {
          const staged = await whileHeld(lock, () => stageUpdate(found, plan, owns, options, lock, onChange));
          return { commit: () => whileHeld(lock, () => staged.commit()) };
        },
        foreignAmong: (files) => foreignAmong(files, root, found.tree),
        async end() {
          await found.known?.close();
          lock.release();
          removeMade();
        },
      };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    removeMade();
    throw error;
  }
}

/** Whatever fails because the lock was lost fails for that reason. */
async function whileHeld<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (lock.isHeld()) throw error;
    const message = "This build stalled for 30 seconds, and another one took over its output folder.";
    throw new MachineError(message, "Start it again.", { cause: error });
  }
}

function find(
  out: string,
  root: string,
  { ownership, cache, clean = false }: OutputOptions,
  last: Manifest | undefined,
): { readonly found: Found; readonly owns: Owns; readonly kept: Manifest | undefined } {
  const owns = ownerOf(out, root, ownership, isStaging);
  const recalled = last && recall(last, root);
  const kept = recalled !== undefined || clean || cache === undefined ? undefined : readManifest(cache, root);
  const known = recalled ?? (kept === undefined || cache === undefined ? undefined : inspect(kept, cache, root));
  const tree = known?.tree() ?? walk(root, isStaging);
  refuseForeignKinds(out, tree, owns);
  return { found: { out, root, tree, known, clean }, owns, kept };
}

async function stageUpdate(
  found: Found,
  { marker, files, foreign: replaced = new Set() }: OutputPlan,
  before: Owns,
  { ownership, cache }: OutputOptions,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<StagedUpdate> {
  const after = ownership.ownedBy(Buffer.concat(marker.parts()).toString());
  if (after === undefined) throw new Error(`The next build would not know its own ${ownership.marker}.`);
  const clock = cache === undefined ? noClock : clockOf(path.join(lock.folder, "time"));
  const staged = await stage(found, flatten([[marker], files]), after, lock, clock, onChange);
  const owners = { before, after, foreign: replaced, marker: ownership.marker };
  const moves = prepare(found, staged, owners, lock);
  return {
    async commit() {
      const { removed, foreign, folders } = commit(found, staged, moves, owners, lock, onChange);
      const { tree, known } = found;
      const isPure =
        foreign.length + tree.others.size === 0 && [...tree.folders].every((folder) => folders.has(folder));
      const isUnchanged = staged.compared + staged.changed.length + removed === 0 && staged.draft.isSame();
      const isKnown = isUnchanged && known !== undefined && (!isPure || known.tree() !== undefined);
      const ownFolders = isPure ? [...folders].filter((folder) => folder !== ".").sort() : undefined;
      const isAsked = cache !== undefined && !isKnown;
      const manifest = isAsked ? await takeStock(found, staged, ownFolders, clock) : known?.manifest;
      const others = [...tree.others].filter((file) => !before(file));
      return { foreign: [...foreign, ...others].sort(), manifest };
    },
  };
}
