// What a change does to the cursors that readers hold.
import { fitting } from "../budget/room.ts";
import { snapshotOf } from "../history/snapshot.ts";
import type { Listing } from "../pages/listing.ts";
import { type RetiredPage, retire } from "../pages/retired.ts";
import type { Sides } from "./sides.ts";

export interface CursorChanges {
  /** How many cursors of the API before the change have no page of today any more. */
  readonly retired: number;
  /** How many retired pages answer them; a cursor has one for each page size. None: they expire at once. */
  readonly pages: number;
  /** How long they are answered, in seconds. */
  readonly lifetime: number;
  /** That there is no room for all of these pages, if so. */
  readonly warnings: readonly string[];
}

export function cursorChanges({ before, after, hosts }: Sides): CursorChanges {
  const { catalog, deployment, api, cost } = after.plan;
  const [today, earlier] = [after.plan, before.plan].map((plan) => snapshotOf(plan.catalog, plan.deployment));
  const all = [...retire(api.listings, api.cutsOf, today, earlier === undefined ? [] : [earlier])];
  const retired = cursorsIn(all);
  const lifetime = catalog.settings.cursorLifetime;
  // A build knows nothing of another deployment.
  const isKept = lifetime > 0 && deployment.name === before.plan.deployment.name;
  if (!isKept) return { retired, pages: 0, lifetime: 0, warnings: [] };
  const { pages, warnings } = fitting(hosts, all, Math.max(api.pages, before.plan.api.pages), cost);
  return { retired, pages: pages.length, lifetime, warnings };
}

/** How many there are: one cursor may lead to a page of each size. */
function cursorsIn(pages: readonly RetiredPage[]): number {
  const cursors = new Map<Listing, Set<string>>();
  for (const { listing, cursor } of pages) {
    const own = cursors.get(listing) ?? new Set();
    cursors.set(listing, own.add(cursor));
  }
  return [...cursors.values()].reduce((sum, { size }) => sum + size, 0);
}
