// What one edit costs those who publish and cache: how many pages are other ones once the first item of a listing is gone.
import { type Cuts, countPages, endOfPage, isStart, type PagingKind, pagesIn } from "../../src/paging.ts";
import { cutListing, type Listing } from "./listing.ts";

/** Of a listing without its first item. */
export interface Deletion {
  /** How many pages the listing has now. */
  readonly pages: number;
  /** How many of those that it has afterwards are not among them. */
  readonly changed: number;
}

export interface ListingDeletion extends Deletion {
  readonly operation: string;
  readonly paging: PagingKind;
  /** How many would be changed if the listing were cut stably. Only where that is worth proposing. */
  readonly changedIfStable?: number;
}

/** More changed pages than that are worth another kind of paging. */
const worthProposing = 1_000;

/** So many items behind an edit, stable pages are all as they were. */
const enough = 10_000;

/** Of the whole listing of each paged operation. */
export const deletionsIn = (
  listings: readonly Listing[],
  cutsOf: (listing: Listing) => Cuts | undefined,
): readonly ListingDeletion[] =>
  listings.flatMap((listing) => {
    const cuts = cutsOf(listing);
    const { paging, filter, items } = listing;
    const { count } = items;
    if (cuts === undefined || filter !== undefined || count === 0) return [];
    const own = { operation: listing.operation.name, paging, ...deletionIn(listing, cuts) };
    if (paging === "stable" || own.changed <= worthProposing) return [own];
    const stable = {
      ...listing,
      paging: "stable",
      items: { ...listing.items, count: Math.min(count, enough) },
    } as const;
    const cutStably = cutListing(stable, cuts.sizes);
    return [cutStably === undefined ? own : { ...own, changedIfStable: deletionIn(stable, cutStably).changed }];
  });

function deletionIn(listing: Listing, before: Cuts): Deletion {
  const { items } = listing;
  const hash: typeof items.hash = (cursors, index) => items.hash(cursors, index + 1);
  const rest = { ...items, count: items.count - 1, hash };
  const after = cutListing({ ...listing, items: rest }, before.sizes, { cuts: before, front: 0, back: rest.count });
  let changed = 0;
  for (const { limit, start, end } of after === undefined ? [] : pagesIn(after)) {
    // A page is named by the item before it.
    const isSame = start > 0 && isStart(before, limit, start + 1) && endOfPage(before, limit, start + 1) === end + 1;
    if (!isSame) changed++;
  }
  return { pages: countPages(before), changed };
}
