// From a listing to its pages: a page is the envelope around a slice of the listing's bytes.

import { cursorAfter, cursorsOf, cutPages, type PageSizes } from "../../src/paging.ts";
import { printOf, printOfText } from "../digest.ts";
import { encode, fileOf, type OutputFile } from "../file.ts";
import { pageFile } from "../routing/paths.ts";
import type { Listing } from "./listing.ts";

const head = encode('{"object":"list","data":[');
const tail = encode("]}");
const headPrint = printOf([head]);

/** The only file of a listing that is not paged. */
export function wholeList({ operation, items }: Listing): OutputFile {
  return fileOf(pageFile({ operation: operation.name }), [head, items.slice(0, items.count), tail]);
}

/** A listing in the last build of this process, whose files the next one may know by their places. */
export interface Earlier {
  readonly listing: Listing;
  readonly sizes: PageSizes;
  /** The place of its first page among the files of that build. */
  readonly first: number;
}

/** Every page of a listing, one at a time. */
export function* pagesOf(listing: Listing, sizes: PageSizes, earlier?: Earlier): Generator<OutputFile> {
  const context = contextOf(listing);
  const changes = earlier && changesSince(earlier, listing, sizes);
  let place = earlier?.first ?? 0;
  for (const { limit, start, end } of cutPages(listing.items.count, sizes)) {
    const isSame = changes !== undefined && changes[start] === changes[end];
    yield new Page(context, limit, start, end, isSame ? place : undefined);
    place++;
  }
}

/**
 * Of items that stand in the same places as before: how many up to each place are others than before. A page whose
 * numbers of these do not differ at its ends is the same. Undefined where pages may be cut or named in another way.
 */
function changesSince(earlier: Earlier, { items }: Listing, sizes: PageSizes): Uint32Array | undefined {
  const before = earlier.listing.items;
  if (items.count !== before.count || sizes.join() !== earlier.sizes.join()) return undefined;
  const changes = new Uint32Array(items.count + 1);
  for (let index = 0; index < items.count; index++) {
    const isOther = items.print(index, index + 1, 0) !== before.print(index, index + 1, 0);
    if (isOther && items.orderKey(index) !== before.orderKey(index)) return undefined;
    changes[index + 1] = (changes[index] ?? 0) + (isOther ? 1 : 0);
  }
  return changes;
}

/** What the pages of a listing share. */
interface Context extends Listing {
  readonly cursorAt: (position: number) => string;
}

function contextOf(listing: Listing): Context {
  const own = cursorsOf(listing.operation.name, listing.filter);
  const cursors: (string | undefined)[] = [];
  return {
    ...listing,
    cursorAt(position) {
      const cursor = cursors[position] ?? cursorAfter(own, listing.items.orderKey(position - 1));
      cursors[position] = cursor;
      return cursor;
    },
  };
}

/**
 * With the JSON of a `Pagination`, as text, for a build makes one for every page. No cursor has a character to be
 * escaped.
 */
function footOf({ items, cursorAt }: Context, limit: number, start: number, end: number): string {
  const hasMore = end < items.count;
  const next = hasMore ? `"${cursorAt(end)}"` : "null";
  return `],"pagination":{"limit":${limit},"count":${end - start},"has_more":${hasMore},"next_cursor":${next}}}`;
}

/**
 * A class, for there may be hundreds of thousands, and an object with getters of its own takes ten times as long to
 * make. Of a page that is the same nothing but that is asked for.
 */
class Page implements OutputFile {
  readonly same: number | undefined;
  private readonly context: Context;
  private readonly limit: number;
  private readonly start: number;
  private readonly end: number;
  private ownFoot: string | undefined;

  constructor(context: Context, limit: number, start: number, end: number, same: number | undefined) {
    this.context = context;
    this.limit = limit;
    this.start = start;
    this.end = end;
    this.same = same;
  }

  get file(): string {
    const { operation, filter, cursorAt } = this.context;
    const cursor = this.start === 0 ? undefined : cursorAt(this.start);
    return pageFile({ operation: operation.name, filter, limit: this.limit, cursor });
  }

  /** The foot is ASCII. */
  get length(): number {
    return head.length + this.context.items.length(this.start, this.end) + this.foot.length;
  }

  get print(): number {
    return this.context.items.print(this.start, this.end, printOfText(this.foot, headPrint));
  }

  get parts(): readonly Uint8Array[] {
    return [head, this.context.items.slice(this.start, this.end), encode(this.foot)];
  }

  private get foot(): string {
    this.ownFoot ??= footOf(this.context, this.limit, this.start, this.end);
    return this.ownFoot;
  }
}
