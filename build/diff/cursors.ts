// What a change does to the cursors that readers hold.
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
}

export function cursorChanges({ before, after, areOneDeployment }: Sides): CursorChanges {
  const { catalog, api, retired } = after.plan;
  const { cursorLifetime } = catalog.settings;
  const isKept = areOneDeployment && cursorLifetime > 0;
  // Without a build that keeps them, they are those that it would keep.
  const lost = () => retire(api.listings, api.sizesOf, [snapshotOf(before.plan.catalog, before.plan.deployment)]);
  return {
    retired: cursorsIn(isKept ? retired : lost()),
    pages: isKept ? retired.length : 0,
    lifetime: isKept ? cursorLifetime : 0,
  };
}

/** How many there are: one cursor may lead to a page of each size. */
function cursorsIn(pages: Iterable<RetiredPage>): number {
  const cursors = new Map<Listing, Set<string>>();
  for (const { listing, cursor } of pages) {
    const own = cursors.get(listing) ?? new Set();
    cursors.set(listing, own.add(cursor));
  }
  return [...cursors.values()].reduce((sum, { size }) => sum + size, 0);
}
