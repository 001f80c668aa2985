// How listings are cut into pages. A limit without pages is answered with the next smaller size, because a limit is a
// maximum.
//
// A position is the start of a page. Its cursor is derived from the listing and from the order key of the item before
// it, so changes of other items do not change the cursor; see build/cursor.ts.
import { type Fnv, fnvAdd, fnvStart } from "./fnv.ts";

export const maxLimit = 100;

/** The limit of a request without one (seed, "Limits"). The paths of its pages contain no limit. */
export const defaultLimit = 100;

/** The sizes for which there are pages: ascending, without repeats, from 1 to 100; the last one is always 100. */
export type PageSizes = readonly number[];

export const everyPageSize: PageSizes = Array.from({ length: maxLimit }, (_, index) => index + 1);

/** Accepts integers from 1 to 100 in any order and adds the default, which every listing needs. */
export const pageSizes = (sizes: Iterable<number>): PageSizes =>
  [...new Set([...sizes, defaultLimit])].sort((a, b) => a - b);

/** The page size that answers a limit from 1 to 100; undefined if the limit is below the smallest size. */
export const sizeFor = (limit: number, sizes: PageSizes): number | undefined => sizes.findLast((size) => size <= limit);

/**
 * How a listing is cut into pages. `exact`: the pages of size L start at every L-th item, so that an added or removed
 * item moves all later pages. `stable`: pages end at certain items, so that the edit moves only a few pages.
 */
export type PagingKind = "exact" | "stable";

/** The items of a listing. The cuts of stable pages depend on the hashes. */
export interface ItemHashes {
  readonly count: number;
  /** Returns the hash of the listing with the order key of the item added. */
  readonly hashAt: (index: number) => Fnv;
}

/** The positions at which the pages of a listing start. */
export interface Cuts {
  readonly kind: PagingKind;
  readonly sizes: PageSizes;
  /** The number of items. */
  readonly count: number;
  /** For each size the positions in ascending order, starting with 0. A page ends at the start of the next one. */
  readonly starts: ReadonlyMap<number, Uint32Array>;
  /** For each position, 1 if a page of any size starts there. The cursors of these pages may be sent without a limit. */
  readonly anyStart: Uint8Array;
}

/** The cuts of a listing that starts and ends with the same items. */
export interface Likeness {
  readonly cuts: Cuts;
  /** The number of equal items at the front, and of further equal items at the back. */
  readonly front: number;
  readonly back: number;
}

/**
 * Cuts a listing into pages; a listing without items has one empty page of each size. `like` saves the stable cuts that a
 * similar listing has: a tenth of a build of 100,000 items for each earlier build whose cursors are still answered.
 */
export function cutPages(kind: PagingKind, items: ItemHashes, sizes: PageSizes, like?: Likeness): Cuts {
  const { count } = items;
  const known = like?.cuts.kind === kind ? like : undefined;
  const startsOf = kind === "exact" ? exactStarts(count) : stableStarts(items, known);
  const starts = new Map(sizes.map((size) => [size, startsOf(size)]));
  const anyStart = new Uint8Array(Math.max(count, 1));
  for (const own of starts.values()) for (const start of own) anyStart[start] = 1;
  return { kind, sizes, count, starts, anyStart };
}

const exactStarts = (count: number) => (limit: number) =>
  new Uint32Array(Math.max(1, Math.ceil(count / limit))).map((_, page) => page * limit);

/** How many places at the end of a stable page may stay empty. */
export const slackOf = (limit: number): number => (limit === 1 ? 0 : Math.ceil(limit / 5));

/**
 * The first page has exactly `limit` items; the last ends with the listing. Each other page ends after the item with
 * the lowest rank among its last places. Choosing cuts by content is content-defined chunking (Muthitacharoen, Chen,
 * Mazières, "A Low-bandwidth Network File System", SOSP 2001): two cuttings that differ meet again as soon as they
 * choose the same item.
 */
function stableStarts({ count, hashAt }: ItemHashes, like: Likeness | undefined) {
  const ranks = new Uint32Array(count);
  const rankAt = (index: number): number => {
    const rank = ranks[index] || rankOf(hashAt(index));
    ranks[index] = rank;
    return rank;
  };
  return (limit: number): Uint32Array => {
    const slack = slackOf(limit);
    const nextAfter = (start: number): number => {
      const last = start + limit;
      if (last >= count) return count;
      let next = last - slack;
      for (let place = next + 1; place <= last; place++) if (rankAt(place - 1) < rankAt(next - 1)) next = place;
      return next;
    };
    const starts = new Uint32Array(1 + Math.ceil(Math.max(0, count - limit) / (limit - slack)));
    const known = like && knownStarts(like, limit, count);
    starts.set(known?.front ?? []);
    let pages = Math.max(1, known?.front.length ?? 0);
    for (let start = pages > 1 ? nextAfter(starts[pages - 1] ?? 0) : limit; start < count; start = nextAfter(start)) {
      const back = known?.backFrom(start);
      if (back !== undefined) {
        starts.set(back, pages);
        pages += back.length;
        break;
      }
      starts[pages++] = start;
    }
    return starts.subarray(0, pages);
  };
}

/**
 * The starts of stable pages that are known from a similar listing, because the same items decide them. `count` is the
 * number of items of this listing.
 */
function knownStarts({ cuts, front, back }: Likeness, limit: number, count: number) {
  const own = cuts.starts.get(limit);
  if (own === undefined) return undefined;
  const shift = count - cuts.count;
  const slack = slackOf(limit);
  const decided = Math.min(front, count - 1, cuts.count - 1) - slack;
  return {
    front: own.subarray(0, indexAfter(own, decided)),
    /** Undefined if not both listings have a page start at the position, or if their items after it differ. */
    backFrom(position: number): Uint32Array | undefined {
      const start = position - shift;
      if (position < count - back || start <= 0) return undefined;
      const page = indexAfter(own, start) - 1;
      return own[page] === start ? own.subarray(page).map((each) => each + shift) : undefined;
    },
  };
}

/** 32 bits, never 0. FNV keeps neighbouring keys in order, so the bits are mixed with the finalizer of MurmurHash3. */
function rankOf([a, b, c, d]: Fnv): number {
  let bits = (a | (b << 16)) ^ (c | (d << 16));
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0 || 1;
}

/** One page of a listing: its items from `start` to `end`, excluding `end`. */
export interface PageCut {
  /** The page size. Pages of the default size have at most 100 items, and end at the end of a page of size 100. */
  readonly limit: number;
  readonly start: number;
  readonly end: number;
}

/** The pages of one size: where each starts and ends. */
export interface PagesOfSize {
  /** As in `PageCut`. */
  readonly limit: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** For each size its pages in order, then the pages of the default, which start at the start of a page of any size. */
export function* pagesBySize(cuts: Cuts): Generator<PagesOfSize> {
  for (const [limit, starts] of cuts.starts) {
    if (limit !== defaultLimit) yield { limit, starts, ends: endsOf(starts, cuts.count) };
  }
  const starts = Uint32Array.from(startsFrom(cuts, defaultLimit, 0));
  yield { limit: defaultLimit, starts, ends: starts.map((start) => endOfPage(cuts, defaultLimit, start)) };
}

/** Each page ends at the start of the next page, and the last page at the end of the listing. */
const endsOf = (starts: Uint32Array, count: number): Uint32Array => starts.map((_, page) => starts[page + 1] ?? count);

/** All pages, in the order of `pagesBySize`. */
export function* pagesIn(cuts: Cuts): Generator<PageCut> {
  for (const { limit, starts, ends } of pagesBySize(cuts)) {
    for (let page = 0; page < starts.length; page++) yield { limit, start: starts[page] ?? 0, end: ends[page] ?? 0 };
  }
}

/** The number of pages. */
export function countPages(cuts: Cuts): number {
  let pages = 0;
  for (const { starts } of pagesBySize(cuts)) pages += starts.length;
  return pages;
}

/** Whether a page with this limit starts at a position. */
export function isStart({ starts, anyStart }: Cuts, limit: number, position: number): boolean {
  if (limit === defaultLimit) return anyStart[position] === 1;
  const own = starts.get(limit);
  return own !== undefined && own[indexAfter(own, position) - 1] === position;
}

/** The starts of the pages with this limit, ascending, from a position on. */
export function* startsFrom({ starts, anyStart }: Cuts, limit: number, position: number): Generator<number> {
  if (limit === defaultLimit) {
    for (let start = position; start < anyStart.length; start++) if (anyStart[start] === 1) yield start;
    return;
  }
  const own = starts.get(limit) ?? new Uint32Array();
  for (let page = indexAfter(own, position - 1); page < own.length; page++) yield own[page] ?? 0;
}

/**
 * The first position, at least `from`, from which on pages of every size start at the same items as in another listing
 * with the same sizes; infinite if there is none. The items of the other listing are `shift` places earlier.
 */
export function meetingOf({ starts }: Cuts, other: Cuts, shift: number, from: number): number {
  let meeting = from;
  for (const [limit, own] of starts) {
    const others = other.starts.get(limit) ?? new Uint32Array();
    const isShared = (start: number): boolean => others[indexAfter(others, start - shift) - 1] === start - shift;
    meeting = Math.max(meeting, own.subarray(indexAfter(own, from - 1)).find(isShared) ?? Number.POSITIVE_INFINITY);
  }
  return meeting;
}

/** The end of a page that starts at any position: the next start of its size. */
export function endOfPage({ starts, count }: Cuts, limit: number, position: number): number {
  const own = starts.get(limit);
  return own?.[indexAfter(own, position)] ?? count;
}

/** The number of ascending positions that are at most `position`. */
function indexAfter(positions: Uint32Array, position: number): number {
  let [low, high] = [0, positions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether listings with the same order keys are cut alike. */
export const isCutAlike = (one: Cuts, other: Cuts): boolean =>
  one.kind === other.kind && one.sizes.join() === other.sizes.join();

/** The anchored pattern of a cursor. It is lowercase because file systems may ignore case. */
export const cursorForm = "^k[0-9a-z]{24}$";

/** The name of a listing. The hash of this name and an item's order key decides cuts and names positions. */
export const listingName = (operation: string, chosen: readonly Chosen[] = []): string =>
  chosen.length === 0
    ? `${operation}\n`
    : `${operation}?${chosen.map(({ param, value }) => `${param}=${value}`).join("&")}\n`;

/** A value of a filter that a request chooses. */
export interface Chosen {
  readonly param: string;
  readonly value: string;
}

/** The hash of a listing's name, to which the order key of an item is added. */
export const listingHash = (name: string): Fnv => fnvAdd(fnvStart, name);
