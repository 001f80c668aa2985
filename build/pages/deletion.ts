// The cost of one edit to publishers and caches: the number of pages that change if the first item of a listing is
// deleted.
import { type Cuts, countPages, endOfPage, isStart, type PagingKind, pagesIn } from "../../src/paging.ts";
import { cutListing, type Listing } from "./listing.ts";

/** The effect of deleting the first item of a listing. */
export interface ListingDeletion {
  readonly operation: string;
  readonly paging: PagingKind;
  /** The number of pages of the listing now. */
  readonly pages: number;
  /** The number of pages after the deletion that are not among the pages of now. */
  readonly changed: number;
  /** The number of changed pages with stable paging. Only if stable paging is worth proposing. */
  readonly changedIfStable?: number;
}

/** With more changed pages than this, stable paging is worth proposing. */
const worthProposing = 1_000;

/** This many items after an edit, all stable pages are unchanged. */
const enough = 10_000;

/** One for the whole listing of each paged operation. */
export const deletionsIn = (
  listings: readonly Listing[],
  cutsOf: (listing: Listing) => Cuts | undefined,
): readonly ListingDeletion[] =>
  listings.flatMap((listing) => {
    const cuts = cutsOf(listing);
    const { paging, chosen, items } = listing;
    if (cuts === undefined || chosen.length > 0 || items.count === 0) return [];
    const own = { operation: listing.operation.name, paging, ...deletionIn(listing, cuts) };
    if (paging === "stable" || own.changed <= worthProposing) return [own];
    const stable = { ...listing, paging: "stable", items: { ...items, count: Math.min(items.count, enough) } } as const;
    const cutStably = cutListing(stable, cuts.sizes);
    return [cutStably === undefined ? own : { ...own, changedIfStable: deletionIn(stable, cutStably).changed }];
  });

function deletionIn(listing: Listing, before: Cuts): Pick<ListingDeletion, "pages" | "changed"> {
  const { items } = listing;
  const hash: typeof items.hash = (cursors, index) => items.hash(cursors, index + 1);
  const rest = { ...items, count: items.count - 1, hash };
  const after = cutListing({ ...listing, items: rest }, before.sizes);
  let changed = 0;
  for (const { limit, start, end } of after === undefined ? [] : pagesIn(after)) {
    // The name of a page depends on the item before it.
    const isSame = start > 0 && isStart(before, limit, start + 1) && endOfPage(before, limit, start + 1) === end + 1;
    if (!isSame) changed++;
  }
  return { pages: countPages(before), changed };
}
