// A page is the envelope around a slice of a listing's items.
import { endOfPage, isStart, type PageCut, pagesWith } from "../../src/model/paging.ts";
import { encode, type OutputFile, outputFile } from "../files/file.ts";
import { cursorAfter } from "../files/sha256.ts";
import { pageOf } from "../routing/paths.ts";
import { type FileSum, sumOf } from "./cost.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export const wholeList = ({ stem, items }: Listing): OutputFile =>
  outputFile(pageOf(stem), [head, items.slice(0, items.count), tail]);

/** The files of a listing. */
export function* pagesOf(listing: Listing): Generator<OutputFile> {
  const { cuts } = listing;
  if (cuts === undefined) return yield wholeList(listing);
  const cursors = cursorsOf(listing);
  for (const limit of cuts.sizes) {
    for (const cut of pagesWith(cuts, limit)) yield new Page(listing, cut, cursors);
  }
}

/** A page of a listing. `cursor` is only needed if the page does not start where a page of this build does. */
export const listingPage = (listing: Listing, page: PageCut & { readonly cursor?: string }): OutputFile =>
  new Page(listing, page, cursorsOf(listing), page.cursor);

/** The cursors of a listing's positions. Pages of several sizes share them. */
export type Cursors = (position: number) => string;

export function cursorsOf(listing: Listing): Cursors {
  const cursors: string[] = [];
  return (position) => {
    cursors[position] ??= listing.cursorAfter(listing.items.orderKey(position - 1));
    return cursors[position];
  };
}

/** The page of a listing that starts at a position, if one of this size does. */
export function pageAt(listing: Listing, limit: number, position: number): OutputFile | undefined {
  const { cuts } = listing;
  if (cuts === undefined) return position === 0 ? wholeList(listing) : undefined;
  if (!cuts.sizes.includes(limit) || (position > 0 && !isStart(cuts, limit, position))) return undefined;
  return listingPage(listing, { limit, start: position, end: endOfPage(cuts, limit, position) });
}

/** The files of a listing, with `…` for their cursors. */
export function pagesSum({ operation, chosen, stem, items, cuts }: Listing, base: string): FileSum {
  const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
  return sumOf(`${base}/${operation.name}${query}`, (add) => {
    if (cuts === undefined) return add(pageOf(stem), head.length + items.length(0, items.count) + tail.length);
    for (const limit of cuts.sizes) {
      const first = pageOf(stem, limit);
      const later = pageOf(stem, limit, "…");
      for (const page of pagesWith(cuts, limit)) add(page.start === 0 ? first : later, pageLength({ items }, page));
    }
  });
}

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class Page implements OutputFile {
  readonly file: string;
  private readonly listing: Listing;
  private readonly cut: PageCut;
  private readonly cursors: Cursors;

  constructor(listing: Listing, cut: PageCut, cursors: Cursors, cursor?: string) {
    this.file = pageOf(listing.stem, cut.limit, cursor ?? (cut.start === 0 ? undefined : cursors(cut.start)));
    this.listing = listing;
    this.cut = cut;
    this.cursors = cursors;
  }

  get length(): number {
    return pageLength(this.listing, this.cut);
  }

  parts(): readonly Uint8Array[] {
    const { items } = this.listing;
    const { limit, start, end } = this.cut;
    const foot = footOf(limit, end - start, end < items.count ? this.cursors(end) : undefined);
    return [head, items.slice(start, end), encode(foot)];
  }
}

/**
 * The end of a page, with its `Pagination`. The JSON is a template because every page needs one. Cursors need no
 * escapes.
 */
function footOf(limit: number, count: number, next: string | undefined): string {
  const hasMore = next !== undefined;
  const cursor = hasMore ? `"${next}"` : "null";
  return `],"pagination":{"limit":${limit},"count":${count},"has_more":${hasMore},"next_cursor":${cursor}}}`;
}

/** Without the digits of the limit and the count. All cursors are equally long, and ASCII. */
const lengthOfFoot = footOf(0, 0, cursorAfter("", "")).length - 2;
const lengthOfLastFoot = footOf(0, 0, undefined).length - 2;

/** In bytes, without making the page. */
export function pageLength({ items }: Pick<Listing, "items">, { limit, start, end }: PageCut): number {
  const foot = end < items.count ? lengthOfFoot : lengthOfLastFoot;
  return head.length + items.length(start, end) + foot + `${limit}`.length + `${end - start}`.length;
}
