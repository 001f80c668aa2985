// Files to dist: only what changed, never half.
//
// What is new or changed is staged beside dist first; see stage.ts. Then it is moved into place one rename at a time,
// and stale files are removed last; see commit.ts. A kill in between leaves every file whole, old or new, and the next
// build puts the rest right, because it compares the bytes of all of them.
import { existsSync, realpathSync } from "node:fs";
import type { OutputFile } from "../file.ts";
import { MachineError } from "../machine-error.ts";
import type { Change } from "./change.ts";
import { commit } from "./commit.ts";
import { acquire, type Lock, sweep } from "./lock.ts";
import {
  keepLedger,
  type Ledger,
  openLedger,
  openLedgerEarly,
  type Remains,
  recallLedger,
  takeStock,
} from "./manifest.ts";
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
  /** What openOutput has opened. */
  readonly opened?: Ledger | undefined;
  /** For a process that builds again and again. It keeps the ledger itself, in the end; see keepRecent. */
  readonly recent?: Recent | undefined;
  /** Whether files are written anew that are there with the same bytes. */
  readonly clean?: boolean | undefined;
}

export interface Recent {
  /** What the last build of this process has left, in the order to which its files' `same` refers. */
  readonly remains: Remains | undefined;
}

export interface OutputResult {
  /** What is in the folder and not the program's, sorted. */
  readonly foreign: readonly string[];
  /** What the build has left, all its files in their order. Undefined where that is not known. */
  readonly remains: Remains | undefined;
}

/** Keeps for other processes what the last build of this one has left in an out folder. */
export function keepRecent(out: string, ledgers: string, { remains }: Recent): void {
  if (remains !== undefined && existsSync(out)) keepLedger(ledgers, realpathSync(out), remains);
}

/** Starts to look at what the last build left in an out folder, for one that is about to begin. Is to be closed. */
export const openOutput = (out: string, ledgers: string): Ledger | undefined =>
  existsSync(out) ? openLedgerEarly(ledgers, realpathSync(out)) : undefined;

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
      const ledger = plan.clean ? undefined : ledgerFor(root, plan);
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

function ledgerFor(root: string, { ledgers, opened, recent }: OutputPlan): Ledger | undefined {
  const recalled = recent?.remains && recallLedger(recent.remains, root);
  return recalled ?? (ledgers === undefined ? undefined : openLedger(ledgers, root, opened));
}

async function update(
  target: Target,
  { files, ledgers, recent }: OutputPlan,
  lock: Lock,
  onChange: (change: Change) => void,
): Promise<OutputResult> {
  refuseForeignFolder(target);
  const staged = await stage(target, files, lock, onChange);
  const { removed, foreign, folders } = commit(target, staged, lock, onChange);
  const { root, tree } = target;
  const isUnchanged = staged.compared + staged.changed.size + removed === 0 && staged.planned.isSame();
  let remains = isUnchanged ? target.ledger?.remains : undefined;
  if (remains === undefined && (ledgers ?? recent) !== undefined) {
    const others = [...foreign, ...tree.others];
    const isPure = others.length === 0 && [...tree.folders].every((folder) => folders.has(folder));
    const own = isPure ? [...folders].filter((folder) => folder !== ".").sort() : undefined;
    remains = await takeStock(root, lock, staged.planned, own);
    if (ledgers !== undefined && recent === undefined && remains !== undefined) keepLedger(ledgers, root, remains);
  }
  return { foreign: [...foreign, ...[...tree.others].filter((file) => !target.isOurs(file))].sort(), remains };
}
