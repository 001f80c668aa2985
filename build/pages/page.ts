// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.
import { type Cuts, isCutAlike, listingName, type PageCut, pagesIn } from "../../src/paging.ts";
import { cursorAfter } from "../cursor.ts";
import type { Key } from "../digest.ts";
import { encode, fileOf, type OutputEntry, type OutputFile } from "../file.ts";
import { pageFile, pageFilesOf } from "../routing/paths.ts";
import { sha256 } from "../sha256.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
export function wholeList({ base, operation, chosen, items }: Listing): OutputFile {
  return fileOf(pageFile(base, { operation: operation.name, chosen }), [head, items.slice(0, items.count), tail]);
}

/** A listing and the entries of its pages, in the order in which they are cut. */
export interface PagedListing {
  readonly listing: Listing;
  readonly cuts: Cuts;
  /** Complete once every page has been generated. Undefined if this process does not build again. */
  readonly entries: OutputEntry[] | undefined;
}

/** Every page of a listing, one at a time. A page that is unchanged since an earlier build keeps its entry. */
export function* pagesOf({ listing, cuts, entries }: PagedListing, earlier?: PagedListing): Generator<OutputFile> {
  const context = contextOf(listing);
  const changes = earlier && changesSince(earlier, listing, cuts);
  let index = 0;
  for (const { limit, start, end } of pagesIn(cuts)) {
    const isSame = changes !== undefined && changes[start] === changes[end];
    const page = new Page(context, limit, start, end, isSame ? earlier?.entries?.[index] : undefined);
    entries?.push(page.entry);
    index++;
    yield page;
  }
}

/** A page of today's listing. */
export const listingPage = (listing: Listing, { limit, start, end }: PageCut): OutputFile =>
  new Page(contextOf(listing), limit, start, end, undefined);

/** A page at an address that no page of today's listing has. */
export const retiredPage = (
  listing: Listing,
  { limit, start, end, cursor }: PageCut & { cursor: string },
): OutputFile => new Page(contextOf(listing), limit, start, end, undefined, cursor);

/**
 * The number of changed items before each position, if both builds have the same order keys. A page is the same if the
 * number is equal at both of its ends. Undefined if pages may be cut or named differently.
 */
function changesSince(earlier: PagedListing, { items }: Listing, cuts: Cuts): Uint32Array | undefined {
  const before = earlier.listing.items;
  if (items.count !== before.count || !isCutAlike(cuts, earlier.cuts)) return undefined;
  const changes = new Uint32Array(items.count + 1);
  for (let index = 0; index < items.count; index++) {
    const differs = Buffer.compare(items.slice(index, index + 1), before.slice(index, index + 1)) !== 0;
    if (differs && items.orderKey(index) !== before.orderKey(index)) return undefined;
    changes[index + 1] = (changes[index] ?? 0) + (differs ? 1 : 0);
  }
  return changes;
}

/** The state that the pages of a listing share. */
interface Context extends Listing {
  readonly cursorAt: (position: number) => string;
  readonly fileOf: (limit: number, cursor: string | undefined) => string;
}

function contextOf(listing: Listing): Context {
  const { base, operation, chosen, items } = listing;
  const own = listingName(operation.name, chosen);
  const cursors: (string | undefined)[] = [];
  let [last, lastFileOf]: [number?, ReturnType<typeof pageFilesOf>?] = [];
  return {
    ...listing,
    cursorAt(position) {
      const known = cursors[position];
      if (known !== undefined) return known;
      const cursor = cursorAfter(own, items.orderKey(position - 1));
      cursors[position] = cursor;
      return cursor;
    },
    fileOf(limit, cursor) {
      if (limit !== last || lastFileOf === undefined) {
        lastFileOf = pageFilesOf(base, { operation: operation.name, chosen, limit });
        last = limit;
      }
      return lastFileOf(cursor);
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

/** 52 bits that differ between versions of the program whose pages or cursors have another form. */
const form = Number.parseInt(sha256(head, footOf(1, 1, cursorAfter("", ""))).slice(0, 13), 16);

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class Page implements OutputFile {
  readonly entry: OutputEntry;
  private readonly context: Context;
  private readonly limit: number;
  private readonly start: number;
  private readonly end: number;
  private readonly cursor: string | undefined;

  constructor(
    context: Context,
    limit: number,
    start: number,
    end: number,
    known: OutputEntry | undefined,
    cursor?: string,
  ) {
    this.context = context;
    this.limit = limit;
    this.start = start;
    this.end = end;
    this.cursor = cursor;
    this.entry = known ?? this.makeEntry();
  }

  /** Path and items determine everything in a page but its form, and whether another page follows. */
  digest(key: Key): number {
    const { items } = this.context;
    return items.digest(this.start, this.end, this.end < items.count ? form : form + 1, key);
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
