// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { type Cuts, defaultLimit, listingName, type PageCut, pagesIn } from "../../src/paging.ts";
import { encode, type OutputFile, outputFile } from "../file.ts";
import { pageFile, pageFilesOf } from "../routing/paths.ts";
import { cursorAfter } from "../sha256.ts";
import type { Listing } from "./listing.ts";
import { type FileSum, sumOf } from "./sum.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ base, operation, chosen, items }: Listing): OutputFile {
  return outputFile(pageFile(base, { operation: operation.name, chosen }), [head, items.slice(0, items.count), tail]);
}

/** Every page of a listing. */
export function* pagesOf(listing: Listing, cuts: Cuts): Generator<OutputFile> {
  const context = contextOf(listing);
  for (const { limit, start, end } of pagesIn(cuts)) yield new Page(context, limit, start, end);
}

/** The page that a file is, found without making the pages of other sizes; undefined if the listing has none. */
export function pageAt(listing: Listing, cuts: Cuts | undefined, file: string): OutputFile | undefined {
  const { base, operation, chosen } = listing;
  const first = pageFile(base, { operation: operation.name, chosen });
  if (file === first && cuts === undefined) return wholeList(listing);
  const folder = first.slice(0, -".json".length);
  const asked = file.startsWith(folder) ? pageForm.exec(file.slice(folder.length)) : null;
  if (asked === null || cuts === undefined) return undefined;
  const own = Number(asked[1] ?? defaultLimit);
  const context = contextOf(listing);
  for (const { limit, start, end } of pagesIn(cuts)) {
    if (limit !== own) continue;
    const page = new Page(context, limit, start, end);
    if (page.file === file) return page;
  }
  return undefined;
}

/** What follows the folder of a listing in the files of its pages. */
const pageForm = /^(?:\/limit\/(\d+))?(?:\/cursor\/[^/]+)?\.json$/;

/** The files of a listing. */
export function pagesSum(listing: Listing, cuts: Cuts | undefined): FileSum {
  const { base, operation, chosen } = listing;
  const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
  return sumOf(
    `${base}/${operation.name}${query}`,
    cuts === undefined ? [wholeList(listing)] : entriesOf(listing, cuts),
  );
}

/** The pages of a listing, with `…` for their cursors. */
function* entriesOf(listing: Listing, cuts: Cuts): Generator<Pick<OutputFile, "file" | "length">> {
  const { base, operation, chosen } = listing;
  let [current, first, later] = [0, "", ""];
  for (const page of pagesIn(cuts)) {
    if (page.limit !== current) {
      current = page.limit;
      const fileOf = pageFilesOf(base, { operation: operation.name, chosen, limit: current });
      [first, later] = [fileOf(undefined), fileOf("…")];
    }
    yield { file: page.start === 0 ? first : later, length: pageLength(listing, page) };
  }
}

const anyCursor = cursorAfter("", "");

/** All cursors are equally long, so no foot is made to know its length. */
export const pageLength = ({ items }: Listing, { limit, start, end }: PageCut): number => {
  const foot = end < items.count ? lengthOfFoot : lengthOfLastFoot;
  return head.length + items.length(start, end) + foot + `${limit}`.length + `${end - start}`.length;
};

/** A page of a listing. `cursor` is given if no page of today's listing has the address. */
export const listingPage = (
  listing: Listing,
  { limit, start, end, cursor }: PageCut & { readonly cursor?: string },
): OutputFile => new Page(contextOf(listing), limit, start, end, cursor);

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
 * The end of a page, with its `Pagination`. The JSON is a template because every page needs one. Cursors need no
 * escapes.
 */
function footOf(limit: number, count: number, next: string | undefined): string {
  const hasMore = next !== undefined;
  const cursor = hasMore ? `"${next}"` : "null";
  return `],"pagination":{"limit":${limit},"count":${count},"has_more":${hasMore},"next_cursor":${cursor}}}`;
}

/** Without the digits of the limit and the count. */
const [lengthOfFoot, lengthOfLastFoot] = [footOf(0, 0, anyCursor).length - 2, footOf(0, 0, undefined).length - 2];

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class Page implements OutputFile {
  readonly file: string;
  private readonly context: Context;
  private readonly limit: number;
  private readonly start: number;
  private readonly end: number;
  private foot: string | undefined;

  constructor(context: Context, limit: number, start: number, end: number, cursor?: string) {
    this.file = context.fileAt(limit, cursor ?? (start === 0 ? undefined : context.cursorAt(start)));
    this.context = context;
    this.limit = limit;
    this.start = start;
    this.end = end;
  }

  get length(): number {
    // The foot is ASCII.
    return head.length + this.context.items.length(this.start, this.end) + this.footText().length;
  }

  parts(): readonly Uint8Array[] {
    return [head, this.context.items.slice(this.start, this.end), encode(this.footText())];
  }

  private footText(): string {
    const { context, limit, start, end } = this;
    this.foot ??= footOf(limit, end - start, end < context.items.count ? context.cursorAt(end) : undefined);
    return this.foot;
  }
}
