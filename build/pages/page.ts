// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { type Cuts, defaultLimit, listingName, type PageCut, pagesWith } from "../../src/paging.ts";
import { encode, type OutputFile, outputFile } from "../file.ts";
import { pageFile, pageFilesOf } from "../routing/paths.ts";
import { cursorAfter } from "../sha256.ts";
import { type FileSum, sumOf } from "./cost.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ base, operation, chosen, items }: Listing): OutputFile {
  return outputFile(pageFile(base, { operation: operation.name, chosen }), [head, items.slice(0, items.count), tail]);
}

/** Every page of a listing, or those of one size. */
export function* pagesOf(listing: Listing, cuts: Cuts | undefined, size?: number): Generator<OutputFile> {
  if (cuts === undefined) return yield wholeList(listing);
  const context = contextOf(listing);
  for (const limit of size === undefined ? cuts.sizes : [size]) {
    for (const cut of pagesWith(cuts, limit)) yield new Page(context, cut);
  }
}

/** The page that a file is, found without making the pages of other sizes; undefined if the listing has none. */
export function pageAt(listing: Listing, cuts: Cuts | undefined, file: string): OutputFile | undefined {
  const { base, operation, chosen } = listing;
  const folder = pageFile(base, { operation: operation.name, chosen }).slice(0, -".json".length);
  const asked = file.startsWith(folder) ? pageForm.exec(file.slice(folder.length)) : null;
  if (asked === null) return undefined;
  for (const page of pagesOf(listing, cuts, Number(asked[1] ?? defaultLimit))) if (page.file === file) return page;
  return undefined;
}

/** What follows the folder of a listing in the files of its pages. */
const pageForm = /^(?:\/limit\/(\d+))?(?:\/cursor\/[^/]+)?\.json$/;

/** The files of a listing, with `…` for their cursors. */
export function pagesSum(listing: Listing, cuts: Cuts | undefined): FileSum {
  const { base, operation, chosen } = listing;
  const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
  return sumOf(`${base}/${operation.name}${query}`, (add) => {
    if (cuts === undefined) {
      const { file, length } = wholeList(listing);
      return add(file, length);
    }
    for (const limit of cuts.sizes) {
      const fileOf = pageFilesOf(base, { operation: operation.name, chosen, limit });
      const [first, later] = [fileOf(undefined), fileOf("…")];
      for (const page of pagesWith(cuts, limit)) add(page.start === 0 ? first : later, pageLength(listing, page));
    }
  });
}

/** A page of a listing. `cursor` is given if no page of today's listing has the address. */
export const listingPage = (listing: Listing, page: PageCut & { readonly cursor?: string }): OutputFile =>
  new Page(contextOf(listing), page, page.cursor);

/** The state that the pages of a listing share. */
interface Context extends Listing {
  /** The cursor of a position. Pages of several sizes share it. */
  readonly cursorAt: (position: number) => string;
  readonly fileAt: (limit: number, cursor: string | undefined) => string;
}

function contextOf(listing: Listing): Context {
  const { base, operation, chosen, items } = listing;
  const name = listingName(operation.name, chosen);
  const cursors: string[] = [];
  const filesOf = new Map<number, ReturnType<typeof pageFilesOf>>();
  return {
    ...listing,
    cursorAt: (position) => (cursors[position] ??= cursorAfter(name, items.orderKey(position - 1))),
    fileAt(limit, cursor) {
      const fileOf = filesOf.get(limit) ?? pageFilesOf(base, { operation: operation.name, chosen, limit });
      filesOf.set(limit, fileOf);
      return fileOf(cursor);
    },
  };
}

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class Page implements OutputFile {
  readonly file: string;
  private readonly context: Context;
  private readonly cut: PageCut;

  constructor(context: Context, cut: PageCut, cursor?: string) {
    this.file = context.fileAt(cut.limit, cursor ?? (cut.start === 0 ? undefined : context.cursorAt(cut.start)));
    this.context = context;
    this.cut = cut;
  }

  get length(): number {
    return pageLength(this.context, this.cut);
  }

  parts(): readonly Uint8Array[] {
    const { items, cursorAt } = this.context;
    const { limit, start, end } = this.cut;
    const foot = footOf(limit, end - start, end < items.count ? cursorAt(end) : undefined);
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
export function pageLength({ items }: Listing, { limit, start, end }: PageCut): number {
  const foot = end < items.count ? lengthOfFoot : lengthOfLastFoot;
  return head.length + items.length(start, end) + foot + `${limit}`.length + `${end - start}`.length;
}
