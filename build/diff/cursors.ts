// The effect of a change on the cursors that readers hold.

import { fitting } from "../budget/cost.ts";
import type { BuildPlan } from "../build-plan.ts";
import { type Snapshot, signatureOf, snapshotOf } from "../history/snapshot.ts";
import type { Listing } from "../pages/listing.ts";
import { type RetiredPage, retire } from "../pages/retired.ts";
import type { Sides } from "./sides.ts";

export interface CursorChanges {
  /** The number of earlier cursors that no page of today has. */
  readonly retired: number;
  /** The number of retired pages that answer these cursors, one for each page size. 0: the cursors expire at once. */
  readonly pages: number;
  /** The time for which the cursors are answered, in seconds. */
  readonly lifetime: number;
  /** One if some of these pages do not fit. */
  readonly warnings: readonly string[];
}

export function cursorChanges({ before, after, hosts }: Sides): CursorChanges {
  const { catalog, deployment, api, cost } = after.plan;
  const [today, earlier] = [snapshotOf(catalog, deployment), comparable(before.plan, after.plan)];
  const all = [...retire(api.listings, api.cutsOf, today, [earlier])];
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
  return new Map(
    [...snapshotOf(before.catalog, before.deployment)].filter(([name]) => kept.some((each) => each.name === name)),
  );
}

/** The number of distinct cursors: one cursor may lead to a page of each size. */
function cursorsIn(pages: readonly RetiredPage[]): number {
  const cursors = new Map<Listing, Set<string>>();
  for (const { listing, cursor } of pages) {
    const own = cursors.get(listing) ?? new Set();
    cursors.set(listing, own.add(cursor));
  }
  return [...cursors.values()].reduce((sum, { size }) => sum + size, 0);
}
