// The effect of a change on the files of the publish root, and on the cursors that readers hold.

import { withinLimits } from "../budget/room.ts";
import { bytesOf, type OutputFile } from "../files/file.ts";
import { collectionStates } from "../history/build-state.ts";
import { restartsIn } from "../history/earlier.ts";
import { EarlierPagesFinder, maxRetired } from "../history/retired.ts";
import type { PlannedApi } from "../plan/api.ts";
import { type BuildPlan, markerFile } from "../plan/plan.ts";

type FileAmount = Readonly<ReturnType<typeof none>>;

/** The bytes of changed files are counted after the change. */
export interface FileChanges {
  readonly before: FileAmount;
  readonly after: FileAmount;
  /** Undefined if only the amounts before are known. */
  readonly added?: FileAmount;
  readonly removed?: FileAmount;
  readonly changed?: FileAmount;
}

export function fileChanges(before: BuildPlan, after: BuildPlan): FileChanges {
  const amounts = { before: none(), after: none(), added: none(), removed: none(), changed: none() };
  const filesBefore = new Map<string, OutputFile>();
  for (const file of allFiles(before)) {
    filesBefore.set(file.file, file);
    count(amounts.before, file);
  }
  for (const file of allFiles(after)) {
    const fileBefore = filesBefore.get(file.file);
    filesBefore.delete(file.file);
    count(amounts.after, file);
    if (fileBefore === undefined) count(amounts.added, file);
    else if (!isSame(fileBefore, file)) count(amounts.changed, file);
  }
  for (const file of filesBefore.values()) count(amounts.removed, file);
  return amounts;
}

function* allFiles(plan: BuildPlan): Generator<OutputFile> {
  yield markerFile(plan);
  yield* plan.files.all();
}

function isSame(before: OutputFile, after: OutputFile): boolean {
  if (before.length !== after.length) return false;
  if (before.digest !== undefined && after.digest !== undefined) return before.digest() === after.digest();
  return bytesOf(before).equals(bytesOf(after));
}

const none = () => ({ files: 0, bytes: 0 });

function count(amount: ReturnType<typeof none>, { length }: OutputFile): void {
  amount.files++;
  amount.bytes += length;
}

export interface CursorChanges {
  /** The number of earlier cursors that no current page has. */
  readonly retired: number;
  /** The number of retired pages that answer these cursors, one for each page size. 0: the cursors expire at once. */
  readonly pages: number;
  /** The time for which the cursors are answered, in seconds. */
  readonly lifetime: number;
}

/** The changes, and the warnings about them. The build after the change has the room for retired pages. */
export function cursorChanges(
  before: PlannedApi,
  after: PlannedApi,
  { hosts, cost }: Pick<BuildPlan, "hosts" | "cost">,
): { readonly cursors: CursorChanges; readonly warnings: readonly string[] } {
  const { catalog, deployment, listings, pageCount: count } = after;
  const statesBefore = collectionStates(before.catalog, before.deployment);
  const statesAfter = collectionStates(catalog, deployment);
  const restarts = restartsIn(statesBefore, statesAfter);
  const restarted = new Set(restarts.map(({ name }) => name));
  const earlier = new Map([...statesBefore].filter(([name]) => !restarted.has(name)));
  const all = new EarlierPagesFinder(listings, statesAfter, Number.POSITIVE_INFINITY);
  all.add(earlier);
  // One cursor may lead to a page of each size.
  const retired = new Set(all.pages.map(({ cursor }) => cursor)).size;
  const lifetime = catalog.settings.cursorLifetime;
  // A build has no state of other deployments, and none of another base.
  const isSame = deployment.name === before.deployment.name && catalog.api.base === before.catalog.api.base;
  if (lifetime === 0 || !isSame) return { cursors: { retired, pages: 0, lifetime: 0 }, warnings: [] };
  const wanted = all.pages.slice(0, maxRetired(Math.max(count, before.pageCount)));
  const { pages } = withinLimits(hosts, wanted, cost);
  return { cursors: { retired, pages: pages.length, lifetime }, warnings: restarts.map(({ warning }) => warning) };
}
