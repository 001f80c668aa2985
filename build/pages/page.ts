// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { orderName } from "../../src/order.ts";
import { type Cuts, endOfPage, listingName, type PageCut, pagesIn, startsOf } from "../../src/paging.ts";
import { cursorAfter } from "../cursor.ts";
import { digestOf, type Key } from "../digest.ts";
import { encode, type FileGroup, type OutputEntry, type OutputFile, outputFile } from "../file.ts";
import { pageFile, pageFilesOf } from "../routing/paths.ts";
import type { Listing } from "./listing.ts";
import { type FileSum, sumOf } from "./sum.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ base, operation, chosen, items }: Listing): OutputFile {
  return outputFile(pageFile(base, { operation: operation.name, chosen }), [head, items.slice(0, items.count), tail]);
}

/** An edit affects a page or two of each size, and their groups. With smaller groups, unchanged pages take more digests. */
const pagesPerGroup = 32;

/** Every page of a listing, in groups of the same size. */
export function* pagesOf(listing: Listing, cuts: Cuts): Generator<FileGroup> {
  const context = contextOf(listing);
  for (const limit of cuts.sizes) {
    const starts = startsOf(cuts, limit);
    const ends = starts.map((start) => endOfPage(cuts, limit, start));
    for (let page = 0; page < starts.length; page += pagesPerGroup) {
      const [from, to] = [page, page + pagesPerGroup];
      yield pageGroup(context, { limit, starts: starts.subarray(from, to), ends: ends.subarray(from, to) });
    }
  }
}

/** The files of a listing. */
export function pagesSum(listing: Listing, cuts: Cuts | undefined): FileSum {
  const { base, operation, chosen } = listing;
  const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
  return sumOf(
    `${base}/${operation.name}${query}`,
    cuts === undefined ? [wholeList(listing).entry] : entriesOf(listing, cuts),
  );
}

/** The pages of a listing, with `…` for their cursors. */
function* entriesOf(listing: Listing, cuts: Cuts): Generator<OutputEntry> {
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

/** All cursors are equally long. */
export const pageLength = ({ items }: Listing, { limit, start, end }: PageCut): number =>
  head.length + items.length(start, end) + footOf(limit, end - start, end < items.count ? anyCursor : undefined).length;

const anyCursor = cursorAfter("", "");

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
  /** The digest of everything in a page and its path but items, and the cursors that follow from items. */
  readonly digestOfRest: (limit: number, hasMore: boolean, key: Key, cursor?: string) => number;
}

function contextOf(listing: Listing): Context {
  const { base, operation, chosen, items } = listing;
  const name = listingName(operation.name, chosen);
  const cursors: string[] = [];
  const filesOf = new Map<number, ReturnType<typeof pageFilesOf>>();
  const fileAt = (limit: number, cursor: string | undefined): string => {
    const fileOf = filesOf.get(limit) ?? pageFilesOf(base, { operation: operation.name, chosen, limit });
    filesOf.set(limit, fileOf);
    return fileOf(cursor);
  };
  const order = operation.order.map(orderName).join();
  let last: { limit?: number; hasMore?: boolean; key?: Key; cursor?: string | undefined; digest: number } = {
    digest: 0,
  };
  return {
    ...listing,
    cursorAt: (position) => (cursors[position] ??= cursorAfter(name, items.orderKey(position - 1))),
    fileAt,
    digestOfRest(limit, hasMore, key, cursor) {
      const isSame = limit === last.limit && hasMore === last.hasMore && key === last.key && cursor === last.cursor;
      if (isSame) return last.digest;
      const text = JSON.stringify([form, fileAt(limit, cursor), order, hasMore]);
      last = { limit, hasMore, key, cursor, digest: digestOf([encode(text)], key) };
      return last.digest;
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

/** Differs between versions of the program with different forms of pages or cursors. */
const form = `${head}${footOf(1, 1, anyCursor)}`;

interface PagesOfSize {
  readonly limit: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function pageGroup(context: Context, { limit, starts, ends }: PagesOfSize): FileGroup {
  const { items, digestOfRest } = context;
  return {
    count: starts.length,
    /** The digest of the items, and of the positions at which pages start and end. */
    digest(key) {
      const [first = 0, end = 0] = [starts[0], ends.at(-1)];
      const rest = Float64Array.of(digestOfRest(limit, end < items.count, key));
      const parts = [rest, starts.map((start) => start - first), ends.map((each) => each - first)];
      return items.digest(first - 1, first, end, digestOf(parts.map(bytesOf), key), key);
    },
    *files() {
      for (const [page, start] of starts.entries()) yield new Page(context, limit, start, ends[page] ?? 0);
    },
  };
}

const bytesOf = ({ buffer }: Float64Array | Uint32Array): Uint8Array => new Uint8Array(buffer);

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class Page implements OutputFile {
  private readonly context: Context;
  private readonly limit: number;
  private readonly start: number;
  private readonly end: number;
  private readonly cursor: string | undefined;
  private known: OutputEntry | undefined;

  constructor(context: Context, limit: number, start: number, end: number, cursor?: string) {
    this.context = context;
    this.limit = limit;
    this.start = start;
    this.end = end;
    this.cursor = cursor;
  }

  /** Generated on request, because the path of an unchanged page is not needed. */
  get entry(): OutputEntry {
    this.known ??= this.makeEntry();
    return this.known;
  }

  /** The cursors of a page follow from its last item and the order key before its first one. */
  digest(key: Key): number {
    const { context, limit, start, end, cursor } = this;
    const before = cursor === undefined ? start - 1 : -1;
    const rest = context.digestOfRest(limit, end < context.items.count, key, cursor);
    return context.items.digest(before, start, end, rest, key);
  }

  parts(): readonly Uint8Array[] {
    const { context, limit, start, end } = this;
    return [head, context.items.slice(start, end), encode(footOf(limit, end - start, this.next))];
  }

  /** Undefined on the last page. */
  private get next(): string | undefined {
    return this.end < this.context.items.count ? this.context.cursorAt(this.end) : undefined;
  }

  private makeEntry(): OutputEntry {
    const { limit, start, end, next, context } = this;
    const cursor = this.cursor ?? (start === 0 ? undefined : context.cursorAt(start));
    return {
      file: context.fileAt(limit, cursor),
      // The foot is ASCII.
      length: head.length + context.items.length(start, end) + footOf(limit, end - start, next).length,
    };
  }
}
