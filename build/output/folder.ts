// Files to dist: only what changed, never half.
//
// Opening the folder takes its lock and compares its files with the index that an earlier build kept; see index-file.ts.
// New and changed files are staged beside the folder first; see stage.ts. Then they are moved into place one rename at a
// time, and stale files are removed last; see commit.ts. A kill in between leaves every file whole, old or new, and the
// next build completes the work.
import type { OutputFile, PlannedFiles } from "../file.ts";
import { flatten } from "../flatten.ts";
import { MachineError } from "../machine-error.ts";
import { commit, prepare } from "./commit.ts";
import { emptyIndex, keepIndex, readIndex, timeIn } from "./index-file.ts";
import { resolveLocation } from "./location.ts";
import { acquire, type Lock, removeIfEmpty, sweep, sweepAbandoned } from "./lock.ts";
import { foreignAmong, type Marked, type Ownership, ownerOf } from "./ownership.ts";
import { type Change, stage } from "./stage.ts";
import { finished, type LeftOutput, stampFolders, startWalk, treeAsLeft } from "./tree.ts";

export interface OutputOptions {
  readonly ownership: Ownership;
  /** The folder of the indexes. Undefined: no index is read or kept. */
  readonly cache?: string | undefined;
  /** Whether files are written again that are there with the same bytes. */
  readonly clean?: boolean | undefined;
  /** Called while another build has the folder. */
  readonly onWait: () => void;
  /** Whether this process builds again into the same folder. */
  readonly again?: boolean | undefined;
  /** The state that its last build left there. */
  readonly left?: LeftOutput | undefined;
}

export interface OutputPlan {
  /** The file that marks the folder. */
  readonly marker: OutputFile;
  /** All other files. Each path once, and known by the marker as the program's. */
  readonly files: PlannedFiles;
}

export interface OutputResult {
  /** The entries of the folder that the program did not write, sorted. */
  readonly foreign: readonly string[];
  /** For the next build of this process, if there is one; undefined if the folder holds foreign entries. */
  readonly left: LeftOutput | undefined;
}

/** A build whose files are staged. The out folder is unchanged until `commit`. */
export interface StagedOutput {
  /** Throws MachineError or the system's error. */
  commit(): Promise<OutputResult>;
}

/** The caller must close it. */
export interface OutputFolder {
  /**
   * Once. Calls `onChange` for each file once it is staged or found unchanged, and when it is removed. Throws MachineError
   * or the system's error; what can be refused is refused here.
   */
  stage(plan: OutputPlan, onChange: (change: Change) => void): Promise<StagedOutput>;
  /** Those of the files that are there and that the program did not write. They must not be in the plan. */
  foreignAmong(files: Iterable<Marked>): ReadonlySet<string>;
  /** Releases the lock. */
  close(): void;
}

/** Takes the folder's lock. Throws MachineError if the folder is not one that builds may write. */
export async function openOutput(out: string, options: OutputOptions): Promise<OutputFolder> {
  const { root, staging, visibleStaging, made } = resolveLocation(out);
  const removeMade = () => {
    for (const parent of made) removeIfEmpty(parent);
  };
  try {
    const lock = await acquire(staging, options.onWait);
    try {
      const opened = await whileHeld(lock, async () => {
        sweep(staging, lock.beat);
        if (visibleStaging !== staging) sweepAbandoned(visibleStaging, lock.beat);
        return open(out, root, options, lock);
      });
      return {
        ...opened,
        async stage(plan, onChange) {
          const staged = await whileHeld(lock, () => opened.stage(plan, onChange));
          return { commit: () => whileHeld(lock, () => staged.commit()) };
        },
        close() {
          opened.close();
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

/** If the lock was lost, that is the error, not one of its effects. */
async function whileHeld<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (lock.isHeld()) throw error;
    const message = "This build stalled for 30 seconds, and another one took over its output folder.";
    throw new MachineError(message, "Start it again.", { cause: error });
  }
}

function open(
  out: string,
  root: string,
  { ownership, cache, clean = false, again = false, left }: OutputOptions,
  lock: Lock,
): OutputFolder {
  const { base, marker: name } = ownership;
  const before = ownerOf(out, root, ownership);
  const known = left && treeAsLeft(root, left);
  const readIndexed = () => (clean || cache === undefined ? emptyIndex() : readIndex(cache, root));
  const walk = known ? finished(known) : startWalk(root, readIndexed(), timeIn(lock.folder), lock.beat);
  return {
    foreignAmong: (files) => foreignAmong(files, root, before),
    async stage({ marker, files }, onChange) {
      const after = ownership.ownedBy(Buffer.concat(marker.parts()).toString());
      if (after === undefined) throw new Error(`The next build would not recognise its ${name}.`);
      const owners = { base, before, after, marker: name };
      const tree = await walk.tree();
      const staged = await stage({ out, root, base, tree, clean }, flatten([[marker], files]), after, lock, onChange);
      const moves = prepare(staged, owners, lock);
      return {
        async commit() {
          commit(root, tree, staged, moves, owners, lock, onChange);
          const { index, isNew, written } = staged;
          // An index that is behind only costs the next process time; keeping it would slow down each build under dev.
          if (isNew && known === undefined && cache !== undefined) keepIndex(cache, root, index);
          const foreign = [...moves.foreign, ...tree.others].sort();
          if (!again || foreign.length > 0) return { foreign, left: undefined };
          const touched = known === undefined ? index.paths : [...written, ...moves.stale];
          return { foreign, left: { index, folders: stampFolders(root, touched, left?.folders) } };
        },
      };
    },
    close: walk.stop,
  };
}
