// Pages are cut where their size says: the pages of size L start at every L-th item. A limit that is not
// pre-rendered is answered with the next smaller size, because a limit is a maximum.
//
// A position is where a page starts. It is named by a cursor, which is derived from the listing and from the item
// before it (its order key) and so does not change when other items do.
import { type Fnv, fnvAdd, fnvStart, fnvText } from "./fnv.ts";

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

/** One page of a listing: its items from `start` up to but without `end`. */
export interface PageCut {
  /** The page size applied. The default names pages of at most 100 items that end at the next hundredth. */
  readonly limit: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Every page of a listing of `count` items, each once: for each size its pages in order, last the pages of the
 * default. Those start wherever a page of any size starts, because any cursor may be sent without a limit.
 * A listing without items has one empty page of each size.
 */
export function* cutPages(count: number, sizes: PageSizes): Generator<PageCut> {
  const starts = startsOf(count, sizes);
  for (const limit of sizes) {
    if (limit === defaultLimit) continue;
    for (let start = 0; start < starts.length; start += limit) {
      yield { limit, start, end: Math.min(start + limit, count) };
    }
  }
  for (let start = 0; start < starts.length; start++) {
    if (starts[start] === 0) continue;
    const hundredth = start - (start % defaultLimit) + defaultLimit;
    yield { limit: defaultLimit, start, end: Math.min(hundredth, count) };
  }
}

/** How many pages `cutPages` cuts, without cutting them. */
export function countPages(count: number, sizes: PageSizes): number {
  const starts = startsOf(count, sizes);
  const own = sizes.filter((limit) => limit !== defaultLimit).map((limit) => Math.ceil(starts.length / limit));
  return own.reduce((sum, pages) => sum + pages, 0) + starts.reduce((sum, isStart) => sum + isStart, 0);
}

/** Of each position, 1 where a page of any size starts. */
export function startsOf(count: number, sizes: PageSizes): Uint8Array {
  const starts = new Uint8Array(Math.max(count, 1));
  for (const limit of sizes) for (let start = 0; start < starts.length; start += limit) starts[start] = 1;
  return starts;
}

/** What a cursor looks like, anchored. It is lowercase because file systems may ignore case. */
export const cursorForm = "^k[0-9a-z]{13}$";

/** A listing's part of its cursors; give it to `cursorAfter` for each position. */
export const cursorsOf = (operation: string, filter?: { readonly param: string; readonly value: string }): Fnv =>
  fnvAdd(fnvStart, filter === undefined ? `${operation}\n` : `${operation}?${filter.param}=${filter.value}\n`);

/** The cursor of the position behind the item with this order key: "k" and 64 bits in base 36. */
export const cursorAfter = (listing: Fnv, orderKey: string): string => `k${fnvText(fnvAdd(listing, orderKey))}`;
