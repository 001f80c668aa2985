// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { orderName } from "../../src/order.ts";
import { type Cuts, listingName, type PageCut, type PagesOfSize, pagesBySize } from "../../src/paging.ts";
import { cursorAfter } from "../cursor.ts";
import { digestOf, type Key } from "../digest.ts";
import { encode, type FileGroup, fileOf, type OutputEntry, type OutputFile } from "../file.ts";
import { pageFile, pageFilesOf } from "../routing/paths.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ base, operation, chosen, items }: Listing): OutputFile {
  return fileOf(pageFile(base, { operation: operation.name, chosen }), [head, items.slice(0, items.count), tail]);
}

/** An edit affects a page or two of each size, and with them a group. Smaller groups are more digests for all others. */
const pagesPerGroup = 32;

/** Every page of a listing, in groups of the same size. */
export function* pagesOf(listing: Listing, cuts: Cuts): Generator<FileGroup> {
  const context = contextOf(listing);
  for (const { limit, starts, ends } of pagesBySize(cuts)) {
    for (let page = 0; page < starts.length; page += pagesPerGroup) {
      const [from, to] = [page, page + pagesPerGroup];
      yield new PageGroup(context, { limit, starts: starts.subarray(from, to), ends: ends.subarray(from, to) });
    }
  }
}

/** A page of today's listing. */
export const listingPage = (listing: Listing, { limit, start, end }: PageCut): OutputFile =>
  new Page(contextOf(listing), limit, start, end);

/** A page at an address that no page of today's listing has. */
export const retiredPage = (
  listing: Listing,
  { limit, start, end, cursor }: PageCut & { cursor: string },
): OutputFile => new Page(contextOf(listing), limit, start, end, cursor);

/** The state that the pages of a listing share. */
interface Context extends Listing {
  readonly cursorAt: (position: number) => string;
  readonly fileOf: (limit: number, cursor: string | undefined) => string;
  /** Of everything in a page and its path but items, and the cursors that follow from items. */
  readonly digestOfRest: (limit: number, hasMore: boolean, key: Key, cursor?: string) => number;
}

function contextOf(listing: Listing): Context {
  const { base, operation, chosen, items } = listing;
  const own = listingName(operation.name, chosen);
  const cursors: (string | undefined)[] = [];
  let [last, lastFileOf]: [number?, ReturnType<typeof pageFilesOf>?] = [];
  const fileOf = (limit: number, cursor: string | undefined): string => {
    if (limit !== last || lastFileOf === undefined) {
      lastFileOf = pageFilesOf(base, { operation: operation.name, chosen, limit });
      last = limit;
    }
    return lastFileOf(cursor);
  };
  const order = operation.order.map(orderName).join();
  let rest: { limit?: number; hasMore?: boolean; key?: Key; cursor?: string | undefined; digest: number } = {
    digest: 0,
  };
  return {
    ...listing,
    cursorAt(position) {
      const known = cursors[position];
      if (known !== undefined) return known;
      const cursor = cursorAfter(own, items.orderKey(position - 1));
      cursors[position] = cursor;
      return cursor;
    },
    fileOf,
    digestOfRest(limit, hasMore, key, cursor) {
      const isKnown = limit === rest.limit && hasMore === rest.hasMore && key === rest.key && cursor === rest.cursor;
      if (isKnown) return rest.digest;
      const text = JSON.stringify([form, fileOf(limit, cursor), order, hasMore]);
      rest = { limit, hasMore, key, cursor, digest: digestOf([encode(text)], key) };
      return rest.digest;
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

const digits = (count: number): number => (count < 10 ? 1 : count < 100 ? 2 : 3);
const [lastFoot, otherFoot] = [footOf(0, 0, undefined).length - 2, footOf(0, 0, "").length - 2];

/** The length of the foot of a page of at most 999 items. */
const footLength = (limit: number, count: number, next: string | undefined): number =>
  (next === undefined ? lastFoot : otherFoot + next.length) + digits(limit) + digits(count);

/** Differs between versions of the program whose pages or cursors have another form. */
const form = `${head}${footOf(1, 1, cursorAfter("", ""))}`;

class PageGroup implements FileGroup {
  readonly count: number;
  private readonly context: Context;
  private readonly pages: PagesOfSize;

  constructor(context: Context, pages: PagesOfSize) {
    this.context = context;
    this.pages = pages;
    this.count = pages.starts.length;
  }

  /** Of the items, and of where each page starts and ends among them. */
  digest(key: Key): number {
    const { items, digestOfRest } = this.context;
    const { limit, starts, ends } = this.pages;
    const [first = 0, end = 0] = [starts[0], ends.at(-1)];
    const rest = Float64Array.of(digestOfRest(limit, end < items.count, key));
    const parts = [rest, starts.map((start) => start - first), ends.map((each) => each - first)];
    return items.digest(first - 1, first, end, digestOf(parts.map(bytesOf), key), key);
  }

  *files(): Generator<OutputFile> {
    const { limit, starts, ends } = this.pages;
    for (let page = 0; page < starts.length; page++) {
      yield new Page(this.context, limit, starts[page] ?? 0, ends[page] ?? 0);
    }
  }
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

  /** Made on request, because nobody asks for the path of a page that has not changed. */
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
    const { items, cursorAt, fileOf } = context;
    const count = end - start;
    const cursor = this.cursor ?? (start === 0 ? undefined : cursorAt(start));
    return {
      file: fileOf(limit, cursor),
      // The foot is ASCII.
      length: head.length + items.length(start, end) + footLength(limit, count, next),
    };
  }
}
