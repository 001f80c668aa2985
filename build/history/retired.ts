// Retired pages: a request that an earlier build answered with a page is still answered with one, so that a reader with
// the cursor of that page can continue. The page holds the items that follow the cursor's position now, up to the next
// start of a page of its size. From there on the reader is on today's pages. plan/plan.ts keeps as many as the hosts have
// room for, and `retiredFiles` makes them by `Listing.pageAt`.
import {
  type Cuts,
  cutPages,
  defaultLimit,
  endOfPage,
  fnvAdd,
  indexAfter,
  isStart,
  listingHash,
  maxLimit,
  type PageCut,
  type PageSizes,
  rankOf,
  sizeFor,
  startsOf,
} from "../../src/model/paging.ts";
import type { OutputFile } from "../files/file.ts";
import type { Files } from "../files/files.ts";
import type { Listing } from "../pages/listing.ts";
import { choicesIn, indicesByValues } from "../pages/listings.ts";
import {
  type CollectionPaging,
  type CollectionState,
  type CollectionStates,
  noValues,
  stateName,
} from "./build-state.ts";

/** A page of an earlier build whose address is not the address of a page of this build. */
export interface RetiredPage extends PageCut {
  readonly listing: Listing;
  readonly cursor: string;
}

export const retiredFiles = (pages: readonly RetiredPage[]): Files => ({
  *all() {
    for (const page of pages) yield retiredFile(page);
  },
  find: (name) => pages.map(retiredFile).find(({ file }) => file === name),
});

const retiredFile = ({ listing, cursor, ...cut }: RetiredPage): OutputFile => listing.pageAt(cut, cursor);

/** The retired pages of a build. */
export interface RetiredPages {
  readonly pages: readonly RetiredPage[];
  /** Whether there are more than `maxRetired`. */
  readonly isCut: boolean;
}

/** The limit of retired pages for each page of the largest build. */
export const maxPerPage = 4;

/** `maxPages` is the number of pages of the largest build, among this one and those that the pages come from. */
export const maxRetired = (maxPages: number): number => maxPerPage * maxPages;

/** Collects the pages of earlier builds, newest first: each address once, and at most `max`. */
export class EarlierPagesFinder {
  readonly pages: RetiredPage[] = [];
  /** Whether there are more. */
  isCut = false;
  readonly #max: number;
  #listings: readonly FollowedListing[];

  constructor(listings: readonly Listing[], current: CollectionStates, max: number) {
    const keysOf = keysIn(current);
    this.#max = max;
    this.#listings = listings.flatMap((listing) =>
      listing.cuts === undefined ? [] : [new FollowedListing(listing, listing.cuts, () => keysOf(listing) ?? [])],
    );
  }

  /** Adds the pages of the build before the one that was added last. */
  add(build: CollectionStates): void {
    const keysOf = keysIn(build);
    const remaining: FollowedListing[] = [];
    for (const followed of this.isCut ? [] : this.#listings) {
      const paging = build.get(nameOf(followed.listing))?.paging;
      const keys = keysOf(followed.listing);
      // A listing that was missing from a build counts as new: the builds before that one are ignored.
      if (paging === undefined || keys === undefined) continue;
      for (const page of followed.retired({ keys, kind: paging.kind, sizes: paging.sizes })) {
        this.isCut = this.pages.length === this.#max;
        if (this.isCut) return;
        this.pages.push(page);
      }
      remaining.push(followed);
    }
    this.#listings = remaining;
  }
}

/** A listing as a build had it, as far as its pages depend on it. */
interface ListingState extends Pick<CollectionPaging, "kind" | "sizes"> {
  /** The order keys of its items. */
  readonly keys: readonly string[];
}

/** Follows a listing back from build to build, and finds the pages of each build that no later build has. */
class FollowedListing {
  readonly listing: Listing;
  readonly #cuts: Cuts;
  readonly #keysToday: () => readonly string[];
  /** Sizes and builds share most cursors. By the order key that they follow. */
  readonly #cursors = new Map<string, string>();
  /** The positions of today's cursors. Undefined until an earlier build has other pages. */
  #positions: ReadonlyMap<string, number> | undefined;
  /** The retired pages so far, as in `100 k0eb7h2ckxekon10bhr8m13z4`. */
  readonly #retired = new Set<string>();
  /** The smallest limit that this build and all builds so far accept. */
  #minLimit: number;
  /** The listing in the build that was followed last. */
  #later: ListingState | undefined;

  constructor(listing: Listing, cuts: Cuts, keysToday: () => readonly string[]) {
    this.listing = listing;
    this.#cuts = cuts;
    this.#keysToday = keysToday;
    this.#minLimit = cuts.sizes[0] ?? defaultLimit;
  }

  /** The retired pages of the build before the one that was followed last, at today's sizes. */
  *retired(earlier: ListingState): Generator<RetiredPage> {
    const { listing } = this;
    const cuts = this.#cuts;
    const keysToday = this.#keysToday();
    const later = this.#later ?? { keys: keysToday, kind: cuts.kind, sizes: cuts.sizes };
    this.#later = earlier;
    this.#minLimit = Math.max(this.#minLimit, earlier.sizes[0] ?? defaultLimit);
    if (isSameListing(earlier, later)) return;
    const earlierCuts = cutsIn(earlier, listing.name);
    for (const [limit, earlierLimit] of sizePairs(cuts.sizes, earlier.sizes, this.#minLimit)) {
      for (const start of startsOf(earlierCuts, earlierLimit).subarray(1)) {
        const key = earlier.keys[start - 1] ?? "";
        const cursor = this.#cursorAfter(key);
        const page = `${limit} ${cursor}`;
        if (this.#retired.has(page) || this.#isToday(limit, cursor)) continue;
        this.#retired.add(page);
        const position = indexAfter(keysToday, key);
        yield { listing, limit, cursor, start: position, end: endOfPage(cuts, limit, position) };
      }
    }
  }

  #cursorAfter(key: string): string {
    const cursor = this.#cursors.get(key) ?? this.listing.cursorAfter(key);
    this.#cursors.set(key, cursor);
    return cursor;
  }

  /** Whether this build has a page with the limit and the cursor. */
  #isToday(limit: number, cursor: string): boolean {
    this.#positions ??= this.#positionsToday();
    const position = this.#positions.get(cursor);
    return position !== undefined && isStart(this.#cuts, limit, position);
  }

  #positionsToday(): ReadonlyMap<string, number> {
    const keys = this.#keysToday();
    const positions = this.#cuts.anyStarts.subarray(1);
    return new Map(Array.from(positions, (position) => [this.#cursorAfter(keys[position - 1] ?? ""), position]));
  }
}

const isSameListing = (one: ListingState, other: ListingState): boolean =>
  one.kind === other.kind && isEqual(one.sizes, other.sizes) && isEqual(one.keys, other.keys);

function cutsIn({ keys, kind, sizes }: ListingState, name: string): Cuts {
  const hash = listingHash(name);
  return cutPages(kind, { count: keys.length, rankAt: (index) => rankOf(fnvAdd(hash, keys[index] ?? "")) }, sizes);
}

const isEqual = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one === other || (one.length === other.length && one.every((value, index) => value === other[index]));

/**
 * Today's page sizes, each with the earlier size that answered the same limit, from `minLimit` on. With today's sizes 10
 * and 100 and the earlier size 50, the limits from 50 to 99 give `[10, 50]`, and the limit 100 gives `[100, 50]`.
 */
function sizePairs(today: PageSizes, earlier: PageSizes, minLimit: number): Iterable<readonly [number, number]> {
  const pairs = new Map<string, readonly [number, number]>();
  for (let limit = minLimit; limit <= maxLimit; limit++) {
    const size = sizeFor(limit, today);
    const earlierSize = sizeFor(limit, earlier);
    if (size !== undefined && earlierSize !== undefined) pairs.set(`${size} ${earlierSize}`, [size, earlierSize]);
  }
  return pairs.values();
}

const nameOf = ({ operation, order }: Listing): string => stateName(operation.name, order);

/** The order keys of a listing in a build; undefined if the build did not have the listing. */
function keysIn(build: CollectionStates) {
  const groups = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return (listing: Listing): readonly string[] | undefined => {
    const name = nameOf(listing);
    const { filters } = listing;
    const collection = build.get(name);
    if (collection === undefined || filters.length === 0) return collection?.orderKeys;
    const accepted = collection.paging?.accepted;
    if (!filters.every(({ param, value }) => accepted?.get(param)?.includes(value))) return undefined;
    const params = filters.map(({ param }) => param);
    const group = JSON.stringify([name, params]);
    const keysByValues = groups.get(group) ?? groupedKeys(collection, params);
    groups.set(group, keysByValues);
    return keysByValues.get(JSON.stringify(filters.map(({ value }) => value))) ?? [];
  };
}

/** The keys of the items with each combination of values, by the JSON of the values: `["lhr1","active"]`. */
function groupedKeys({ orderKeys, values }: CollectionState, params: readonly string[]) {
  const choices = params.map((param) => choicesIn(values.get(param) ?? noValues));
  const groups = indicesByValues(orderKeys.length, choices);
  return new Map(
    [...groups].map(([combination, indices]) => [combination, indices.map((index) => orderKeys[index] ?? "")]),
  );
}
