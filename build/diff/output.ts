// The effect of a change on the files of the publish root, and on the cursors that readers hold.
import { fitting } from "../budget/cost.ts";
import type { BuildPlan } from "../build-plan.ts";
import { newKey } from "../digest.ts";
import { eachFile, type OutputEntry, type OutputFile } from "../file.ts";
import { flatten } from "../flatten.ts";
import { type Snapshot, signatureOf, snapshotOf } from "../history/snapshot.ts";
import type { Listing } from "../pages/listing.ts";
import { type RetiredPage, retire } from "../pages/retired.ts";
import type { Sides } from "./sides.ts";

interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface FileChanges {
  readonly before: Amount;
  readonly after: Amount;
  readonly added: Amount;
  readonly removed: Amount;
  /** The bytes are counted after the change. */
  readonly changed: Amount;
}

/** Compares lengths and digests. No page is generated. */
export function fileChanges(before: BuildPlan, after: BuildPlan): FileChanges {
  const key = newKey();
  const olds = new Map<string, OutputEntry & { readonly digest: number }>();
  const amounts = { before: none(), after: none(), added: none(), removed: none(), changed: none() };
  for (const file of filesOf(before)) {
    const { entry } = file;
    olds.set(entry.file, { ...entry, digest: file.digest(key) });
    count(amounts.before, entry);
  }
  for (const file of filesOf(after)) {
    const { entry } = file;
    const old = olds.get(entry.file);
    olds.delete(entry.file);
    count(amounts.after, entry);
    if (old === undefined) count(amounts.added, entry);
    else if (old.length !== entry.length || old.digest !== file.digest(key)) count(amounts.changed, entry);
  }
  for (const entry of olds.values()) count(amounts.removed, entry);
  return amounts;
}

const filesOf = ({ files, marker }: BuildPlan): Iterable<OutputFile> => eachFile(flatten([files, [marker]]));

const none = () => ({ files: 0, bytes: 0 });

function count(amount: ReturnType<typeof none>, { length }: OutputEntry): void {
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
  /** One warning if some of these pages exceed a limit of a host. */
  readonly warnings: readonly string[];
}

export function cursorChanges({ before, after, hosts }: Sides): CursorChanges {
  const { catalog, deployment, api, cost } = after.plan;
  const all = [
    ...retire(api.listings, api.cutsOf, snapshotOf(catalog, deployment), [comparable(before.plan, after.plan)]),
  ];
  const retired = cursorsIn(all);
  const lifetime = catalog.settings.cursorLifetime;
  // A build has no state of other deployments.
  const isKept = lifetime > 0 && deployment.name === before.plan.deployment.name;
  if (!isKept) return { retired, pages: 0, lifetime: 0, warnings: [] };
  const { pages, warnings } = fitting(hosts, all, Math.max(api.pages, before.plan.api.pages), cost);
  return { retired, pages: pages.length, lifetime, warnings };
}

/** The earlier snapshot of the operations whose cursors still have a meaning. */
function comparable(before: BuildPlan, after: BuildPlan): Snapshot {
  const signatures = new Map(after.catalog.api.lists.map((operation) => [operation.name, signatureOf(operation)]));
  const kept = before.catalog.api.lists.filter(
    (operation) => signatures.get(operation.name) === signatureOf(operation),
  );
  const names = new Set(kept.map(({ name }) => name));
  return new Map([...snapshotOf(before.catalog, before.deployment)].filter(([name]) => names.has(name)));
}

/** The number of distinct cursors: one cursor may lead to a page of each size. */
const cursorsIn = (pages: readonly RetiredPage[]): number => {
  const cursors = new Map<Listing, Set<string>>();
  for (const { listing, cursor } of pages) cursors.set(listing, (cursors.get(listing) ?? new Set()).add(cursor));
  return [...cursors.values()].reduce((sum, { size }) => sum + size, 0);
};
