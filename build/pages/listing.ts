// A listing: the items of an operation in an order, all of them or those with chosen values of filters, and its pages. A page is
// the envelope around a slice of the items.
import { cursorListing } from "../../src/model/cursor.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Order, orderInListing, sortParam } from "../../src/model/order.ts";
import {
  type Chosen,
  type Cuts,
  cutPages,
  defaultLimit,
  endOfPage,
  listingHash,
  listingName,
  type PageCut,
  type PageSizes,
  type PagingKind,
  pagesWith,
  rankOf,
  startsOf,
} from "../../src/model/paging.ts";
import { cursorAfter } from "../files/cursor.ts";
import { encode, type OutputFile, outputFile } from "../files/file.ts";
import { listingStem, pageEnd, pageFileBelow } from "../routing/paths.ts";
import { type FileSum, sumOf } from "./cost.ts";
import type { ItemView } from "./items.ts";

interface ListingParts {
  /** The base of the API. */
  readonly base: string;
  readonly operation: ListOperation;
  /** The order, if it is not that of the operation. */
  readonly order: Order | undefined;
  /** The values of filters that all items have, in the order of the filters; empty for all items. */
  readonly filters: readonly Chosen[];
  readonly items: ItemView;
  readonly paging: PagingKind;
  readonly sizes: PageSizes;
}

export class Listing {
  readonly operation: ListOperation;
  readonly order: Order | undefined;
  readonly filters: readonly Chosen[];
  /** The parameters of its requests: `sort`, if it has an order, and the filters. */
  readonly params: readonly Chosen[];
  /** As in `nodes?region=lhr1`; see `orderInListing`. Boundaries of stable pages depend on it. */
  readonly name: string;
  /** The file of its first page without the ending, such as `api/v1/nodes/region/lhr1`. */
  readonly stem: string;
  readonly items: ItemView;
  /** The positions at which its pages start; undefined if it is one file. */
  readonly cuts: Cuts | undefined;
  readonly #parts: ListingParts;
  /** The name from which its cursors are derived. */
  readonly #cursorListing: string;
  /** By the page size, the positions of pages by their cursors. Kept, because a cursor does not tell its position. */
  readonly #positions = new Map<number, ReadonlyMap<string, number>>();

  constructor(parts: ListingParts) {
    const { base, operation, order, filters, items, paging, sizes } = parts;
    const sorted = (value: string) => [{ param: sortParam, value }, ...filters];
    this.#parts = parts;
    this.operation = operation;
    this.order = order;
    this.filters = filters;
    this.params = order === undefined ? filters : sorted(order.name);
    this.name = listingName(operation.name, order === undefined ? filters : sorted(orderInListing(order)));
    this.stem = listingStem(base, operation.name, this.params);
    this.items = items;
    this.#cursorListing = cursorListing(operation, order, filters);
    const hash = listingHash(this.name);
    const ranked = { count: items.count, rankAt: (index: number) => rankOf(items.hash(hash, index)) };
    this.cuts = operation.paged ? cutPages(paging, ranked, sizes) : undefined;
  }

  /** The listing as it would be with other parts, such as page sizes. */
  with(parts: Partial<ListingParts>): Listing {
    return new Listing({ ...this.#parts, ...parts });
  }

  /** The cursor behind an order key; see `cursorListing`. */
  cursorAfter(orderKey: string): string {
    return cursorAfter(this.#cursorListing, orderKey);
  }

  cursor(position: number): string {
    return this.cursorAfter(this.items.orderKey(position - 1));
  }

  /** All its files, generated one at a time. */
  *pages(): Generator<OutputFile> {
    const { cuts } = this;
    if (cuts === undefined) return yield listFile(this.stem, this.items);
    const cursors = this.#keptCursors();
    for (const limit of cuts.sizes) {
      for (const cut of pagesWith(cuts, limit)) yield this.#page(cut, cursors);
    }
  }

  /** The page with a size and a cursor, or the first one; undefined if there is none. Without pages, the only file. */
  page(limit = defaultLimit, cursor?: string): OutputFile | undefined {
    const { cuts } = this;
    if (cuts === undefined) return cursor === undefined ? listFile(this.stem, this.items) : undefined;
    const start = cursor === undefined ? 0 : this.#positionsOf(cuts, limit).get(cursor);
    if (start === undefined || !cuts.sizes.includes(limit)) return undefined;
    return this.pageAt({ limit, start, end: endOfPage(cuts, limit, start) });
  }

  /** The file of its pages with a name. */
  find(file: string): OutputFile | undefined {
    const [, limit, cursor] = pageEnd.exec(file.slice(this.stem.length)) ?? [];
    const page = this.page(limit === undefined ? defaultLimit : Number(limit), cursor);
    // A limit may be written in several ways: 100 is left out of paths, and 010 is no limit.
    return page?.file === file ? page : undefined;
  }

  /** A page. `cursor` is only needed if it does not start where a page of this build does. */
  pageAt(cut: PageCut, cursor?: string): OutputFile {
    return this.#page(cut, (position) => this.cursor(position), cursor);
  }

  #page(cut: PageCut, cursors: Cursors, cursor = cut.start === 0 ? undefined : cursors(cut.start)): OutputFile {
    return new PageFile(pageFileBelow(this.stem, cut.limit, cursor), this.items, cut, cursors);
  }

  /** Pages of several sizes share cursors. */
  #keptCursors(): Cursors {
    const cursors: string[] = [];
    return (position) => {
      cursors[position] ??= this.cursor(position);
      return cursors[position];
    };
  }

  #positionsOf(cuts: Cuts, limit: number): ReadonlyMap<string, number> {
    const found =
      this.#positions.get(limit) ??
      new Map(Array.from(startsOf(cuts, limit).subarray(1), (position) => [this.cursor(position), position]));
    this.#positions.set(limit, found);
    return found;
  }
}

const head = encode('{"object":"list","data":[');
const tail = encode("]}");

/** The only file of a listing that is not paged. */
const listFile = (stem: string, items: ItemView): OutputFile =>
  outputFile(pageFileBelow(stem), [head, items.slice(0, items.count), tail]);

/** In bytes, without making the file. */
const lengthOfList = (items: ItemView): number => head.length + items.length(0, items.count) + tail.length;

/** The cursor of a position in a listing. */
type Cursors = (position: number) => string;

/**
 * A class because there may be hundreds of thousands of pages: creating an object literal with methods takes ten times
 * as long.
 */
class PageFile implements OutputFile {
  readonly file: string;
  private readonly items: ItemView;
  private readonly cut: PageCut;
  private readonly cursors: Cursors;

  constructor(file: string, items: ItemView, cut: PageCut, cursors: Cursors) {
    this.file = file;
    this.items = items;
    this.cut = cut;
    this.cursors = cursors;
  }

  get length(): number {
    return pageLength(this.items, this.cut);
  }

  parts(): readonly Uint8Array[] {
    const { limit, start, end } = this.cut;
    const foot = footOf(limit, end - start, end < this.items.count ? this.cursors(end) : undefined);
    return [head, this.items.slice(start, end), encode(foot)];
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
export function pageLength(items: ItemView, { limit, start, end }: PageCut): number {
  const foot = end < items.count ? lengthOfFoot : lengthOfLastFoot;
  return head.length + items.length(start, end) + foot + `${limit}`.length + `${end - start}`.length;
}

/** The sum of the files of a listing. */
export function pagesSum(listing: Listing, base: string): FileSum {
  const { operation, params } = listing;
  const query = params.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
  return sumOf(`${base}/${operation.name}${query}`, filesOf(listing));
}

/** The files of a listing without their bytes, with `…` for their cursors. */
function* filesOf({ stem, items, cuts }: Listing): Generator<Pick<OutputFile, "file" | "length">> {
  if (cuts === undefined) return yield { file: pageFileBelow(stem), length: lengthOfList(items) };
  for (const limit of cuts.sizes) {
    const first = pageFileBelow(stem, limit);
    const later = pageFileBelow(stem, limit, "…");
    for (const page of pagesWith(cuts, limit))
      yield { file: page.start === 0 ? first : later, length: pageLength(items, page) };
  }
}
