// How listings are cut into pages. A limit that is not pre-rendered is answered with the next smaller size, because a
// limit is a maximum.
//
// A position is where a page starts. It is named by a cursor, which is derived from the listing and from the item
// before it (its order key) and so does not change when other items do; see build/cursor.ts.
import { type Fnv, fnvAdd, fnvStart } from "./fnv.ts";

export const maxLimit = 100;

/** The limit of a request without one (seed, "Limits"). Its pages hold no limit in their path. */
export const defaultLimit = 100;

/** The page sizes that are pre-rendered: ascending, each once, from 1 to 100, the last one always 100. */
export type PageSizes = readonly number[];

export const everyPageSize: PageSizes = Array.from({ length: maxLimit }, (_, index) => index + 1);

/** Integers from 1 to 100 in any order, completed by the default, without which nothing could be paged. */
export const pageSizes = (sizes: Iterable<number>): PageSizes =>
  [...new Set([...sizes, defaultLimit])].sort((a, b) => a - b);

/** The page size that answers a limit from 1 to 100; undefined where the limit is below the smallest. */
export const sizeFor = (limit: number, sizes: PageSizes): number | undefined => sizes.findLast((size) => size <= limit);

/**
 * How a listing is cut into pages. `exact`: the pages of size L start at every L-th item, so that an item more or less
 * moves all pages behind it. `stable`: they end where the items say, so that it moves a few.
 */
export type PagingKind = "exact" | "stable";

/** The items of a listing, each as the hash of the listing and its order key. Stable pages are cut by it. */
export interface ItemHashes {
  readonly count: number;
  readonly hashAt: (index: number) => Fnv;
}

/** Where the pages of a listing start. */
export interface Cuts {
  readonly kind: PagingKind;
  readonly sizes: PageSizes;
  /** How many items there are. */
  readonly count: number;
  /** For each size the positions, ascending, the first of them 0. A page ends where the next one starts. */
  readonly starts: ReadonlyMap<number, Uint32Array>;
  /** Of each position, 1 where a page of any size starts: any of their cursors may be sent without a limit. */
  readonly anyStart: Uint8Array;
}

/** The cuts of a listing that has the same items at its front and at its back. */
export interface Likeness {
  readonly cuts: Cuts;
  /** How many items are the same from the first on, and how many others up to the last. */
  readonly front: number;
  readonly back: number;
}

/** A listing without items has one empty page of each size. What is known of a listing like this one saves work. */
export function cutPages(kind: PagingKind, items: ItemHashes, sizes: PageSizes, like?: Likeness): Cuts {
  const { count } = items;
  const startsOf =
    kind === "exact" ? exactStarts(count) : stableStarts(items, like?.cuts.kind === kind ? like : undefined);
  const starts = new Map(sizes.map((size) => [size, startsOf(size)]));
  const anyStart = new Uint8Array(Math.max(count, 1));
  for (const own of starts.values()) for (const start of own) anyStart[start] = 1;
  return { kind, sizes, count, starts, anyStart };
}

const exactStarts = (count: number) => (limit: number) => {
  const starts = new Uint32Array(Math.max(1, Math.ceil(count / limit)));
  for (let page = 0; page < starts.length; page++) starts[page] = page * limit;
  return starts;
};

/** How many of the last places of a stable page may be left empty. */
export const slackOf = (limit: number): number => (limit === 1 ? 0 : Math.ceil(limit / 5));

/**
 * The first page has exactly `limit` items, the last ends with the listing. Each other page ends at one of its last
 * places, which is behind the item with the lowest rank there. Cuts chosen by content are content-defined chunking
 * (Muthitacharoen, Chen, Mazières, "A Low-bandwidth Network File System", SOSP 2001); two cuttings that differ meet again
 * where they choose the same item.
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
    let pages = 1;
    if (known !== undefined && known.front.length > 0) {
      starts.set(known.front);
      pages = known.front.length;
    }
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

/** Of the stable pages of a listing that is like one of `count` items: those whose starts are decided by the same items. */
function knownStarts({ cuts, front, back }: Likeness, limit: number, count: number) {
  const own = cuts.starts.get(limit);
  if (own === undefined) return undefined;
  const shift = count - cuts.count;
  const slack = slackOf(limit);
  const decided = Math.min(front, count - 1, cuts.count - 1) - slack;
  return {
    front: own.subarray(0, indexAfter(own, decided)),
    /** Undefined where no page of both starts at the position, or what follows it is not all the same. */
    backFrom(position: number): Uint32Array | undefined {
      const start = position - shift;
      if (position < count - back || start <= 0) return undefined;
      const page = indexAfter(own, start) - 1;
      return own[page] === start ? own.subarray(page).map((each) => each + shift) : undefined;
    },
  };
}

/** 32 bits, not 0. FNV keeps neighbouring keys in order, so its bits are mixed as MurmurHash3 does at its end. */
function rankOf([a, b, c, d]: Fnv): number {
  let bits = (a | (b << 16)) ^ (c | (d << 16));
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0 || 1;
}

/** One page of a listing: its items from `start` up to but without `end`. */
export interface PageCut {
  /** The page size applied. The default names pages of at most 100 items that end where a page of the hundred does. */
  readonly limit: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Every page, each once: for each size its pages in order, last the pages of the default. Those start wherever a page of
 * any size starts.
 */
export function* pagesIn({ count, starts, anyStart }: Cuts): Generator<PageCut> {
  for (const [limit, own] of starts) {
    if (limit === defaultLimit) continue;
    for (let page = 0; page < own.length; page++) {
      yield { limit, start: own[page] ?? 0, end: own[page + 1] ?? count };
    }
  }
  const hundreds = starts.get(defaultLimit);
  let next = 1;
  for (let start = 0; start < anyStart.length; start++) {
    if (hundreds?.[next] === start) next++;
    if (anyStart[start] === 1) yield { limit: defaultLimit, start, end: hundreds?.[next] ?? count };
  }
}

/** How many pages there are. */
export function countPages({ starts, anyStart }: Cuts): number {
  let pages = 0;
  for (const [limit, own] of starts) if (limit !== defaultLimit) pages += own.length;
  for (const isStart of anyStart) pages += isStart;
  return pages;
}

/** Whether a page with this limit starts at a position. */
export function isStart({ starts, anyStart }: Cuts, limit: number, position: number): boolean {
  if (limit === defaultLimit) return anyStart[position] === 1;
  const own = starts.get(limit);
  return own !== undefined && own[indexAfter(own, position) - 1] === position;
}

/** Where the pages with this limit start, ascending, from a position on. */
export function* startsFrom({ starts, anyStart }: Cuts, limit: number, position: number): Generator<number> {
  if (limit === defaultLimit) {
    for (let start = position; start < anyStart.length; start++) if (anyStart[start] === 1) yield start;
    return;
  }
  const own = starts.get(limit) ?? new Uint32Array();
  for (let page = indexAfter(own, position - 1); page < own.length; page++) yield own[page] ?? 0;
}

/**
 * From which position on, at least `from`, pages of every size start together with those of another listing with the same
 * sizes, which are `shift` places before; infinite where they do not.
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

/** Where the page ends that starts at a position, which need not be one of the starts: at the next start of its size. */
export function endOfPage({ starts, count }: Cuts, limit: number, position: number): number {
  const own = starts.get(limit);
  return own?.[indexAfter(own, position)] ?? count;
}

/** How many of some ascending positions are at most `position`. */
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
export const isCutAlike = (
  one: { readonly kind: PagingKind; readonly sizes: PageSizes },
  other: { readonly kind: PagingKind; readonly sizes: PageSizes },
): boolean => one.kind === other.kind && one.sizes.join() === other.sizes.join();

/** What a cursor looks like, anchored. It is lowercase because file systems may ignore case. */
export const cursorForm = "^k[0-9a-z]{24}$";

/** The name of a listing. A name and the order key of an item, in one text, are hashed to cut and to name positions. */
export const listingName = (operation: string, filter?: { readonly param: string; readonly value: string }): string =>
  filter === undefined ? `${operation}\n` : `${operation}?${filter.param}=${filter.value}\n`;

/** The hash of a listing's name; add the order key of an item. */
export const listingHash = (name: string): Fnv => fnvAdd(fnvStart, name);
