// Files to dist: only what changed, never half.
//
// What is new or changed is staged beside dist first; see stage.ts. Then it is moved into place one rename at a time,
// and stale files are removed last; see commit.ts. A kill in between leaves every file whole, old or new, and the next
// build puts the rest right, because it compares the bytes of all of them.
import type { OutputFile } from "../file.ts";
import type { Change } from "./change.ts";
import { commit } from "./commit.ts";
import { keepLedger, openLedger } from "./ledger.ts";
import { acquire, type Lock, sweep } from "./lock.ts";
import { MachineError } from "./machine-error.ts";
import { isStaging, locate } from "./place.ts";
import { type Ownership, refuseForeignFolder, type Target } from "./refuse.ts";
import { removeIfEmpty } from "./remove-if-empty.ts";
import { stage } from "./stage.ts";
import { walk } from "./walk.ts";

export type { Change } from "./change.ts";

export interface OutputPlan extends Ownership {
  /** Each path once, and of a form that is ours. */
  readonly files: Iterable<OutputFile>;
  /** The folder where ledgers are kept; undefined for none. */
  readonly ledgers?: string | undefined;
  /** Whether files are written anew that are there with the same bytes. */
  readonly clean?: boolean | undefined;
}

export interface OutputResult {
  /** What is in the folder and not the program's, sorted. */
  readonly foreign: readonly string[];
}

/** Calls `onChange` for each file once it is staged, found unchanged, or removed. Throws MachineError or the system's error. */
export async function writeOutput(
  out: string,
  plan: OutputPlan,
  onChange: (change: Change) => void,
  onWait: () => void,
): Promise<OutputResult> {
  const { root, staging, made } = locate(out);
  try {
    const lock = await acquire(staging, onWait);
    try {
      sweep(staging, lock.beat);
      const ledger = plan.ledgers === undefined || plan.clean ? undefined : openLedger(plan.ledgers, root);
      try {
        const tree = ledger?.tree() ?? walk(root, isStaging);
        return await update({ ...plan, clean: plan.clean === true, out, root, tree, ledger }, plan, lock, onChange);
      } finally {
        await ledger?.close();
      }
    } catch (error) {
      if (lock.isHeld()) throw error;
      const message = "This build was asleep for half a minute, and another one has taken its place.";
      throw new MachineError(message, "Start it again.", { cause: error });
    } finally {
      lock.release();
    }
  } finally {
    for (const parent of made) removeIfEmpty(parent);
  }
}

async function update(
  target: Target,
  { files, ledgers }: OutputPlan,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<OutputResult> {
  refuseForeignFolder(target);
  const staged = await stage(target, files, lock, onChange);
  const { removed, folders } = commit(target, staged, lock, onChange);
  const { root, tree, isOurs } = target;
  const foreign = [...tree.files, ...tree.others].filter((file) => !isOurs(file)).sort();
  const isPure = foreign.length === 0 && [...tree.folders].every((folder) => folders.has(folder));
  if (ledgers !== undefined && (staged.compared > 0 || staged.changed.size > 0 || removed > 0)) {
    await keepLedger(
      ledgers,
      root,
      lock,
      staged.entries,
      isPure ? [...folders].filter((folder) => folder !== ".").sort() : undefined,
    );
  }
  return { foreign };
}
