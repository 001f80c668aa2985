// Retired pages: a request that an earlier build answered with a page is still answered with one, so that a reader with
// the cursor of that page can continue. The page holds the items that follow the cursor's position now, up to the next
// start of a page of its size. From there on the reader is on today's pages.
import { fnvAdd } from "../../src/fnv.ts";
import {
  type Cuts,
  cutPages,
  defaultLimit,
  endOfPage,
  isCutAlike,
  isStart,
  type Likeness,
  listingHash,
  listingName,
  maxLimit,
  meetingOf,
  type PageCut,
  type PageSizes,
  sizeFor,
  slackOf,
  startsFrom,
} from "../../src/paging.ts";
import { cursorAfter } from "../cursor.ts";
import type { OutputFile } from "../file.ts";
import type { OperationSnapshot, Snapshot, SnapshotRows } from "../history/snapshot.ts";
import { indicesByValues, type Listing } from "./listing.ts";
import { listingPage } from "./page.ts";

/** A page of an earlier build whose address is not the address of a page of this build. */
export interface RetiredPage extends PageCut {
  readonly listing: Listing;
  readonly cursor: string;
}

export const retiredFile = ({ listing, ...page }: RetiredPage): OutputFile => listingPage(listing, page);

/** Each address once, the addresses of the newest builds first. `earlier` starts with the newest build. */
export function* retire(
  listings: readonly Listing[],
  cutsOf: (listing: Listing) => Cuts | undefined,
  today: Snapshot | undefined,
  earlier: Iterable<Snapshot>,
): Generator<RetiredPage> {
  if (today === undefined) return;
  const keysOfToday = keysIn(today);
  let followed = listings.flatMap((listing) => {
    const [cuts, keys] = [cutsOf(listing), keysOfToday(listing)];
    return cuts === undefined || keys === undefined ? [] : [follow(listing, cuts, keys)];
  });
  for (const build of earlier) {
    const keysOf = keysIn(build);
    const going: Followed[] = [];
    for (const each of followed) {
      const own = build.get(each.listing.operation.name);
      const keys = keysOf(each.listing);
      // A listing that was missing from a build counts as new: the builds before that one are ignored.
      if (own === undefined || keys === undefined) continue;
      yield* each.retire(keys, own);
      going.push(each);
    }
    followed = going;
  }
}

/** The order keys of a listing in a build; undefined if the build did not have the listing. */
function keysIn(build: Snapshot) {
  const groups = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return ({ operation: { name }, chosen }: Listing): readonly string[] | undefined => {
    const own = build.get(name);
    if (own === undefined || chosen.length === 0) return own?.rows.keys;
    if (!chosen.every(({ param, value }) => own.known.get(param)?.includes(value))) return undefined;
    const params = chosen.map(({ param }) => param);
    const group = JSON.stringify([name, params]);
    const known = groups.get(group) ?? grouped(own.rows, params);
    groups.set(group, known);
    return known.get(JSON.stringify(chosen.map(({ value }) => value))) ?? [];
  };
}

type Followed = ReturnType<typeof follow>;

/** Follows one listing back from build to build. */
function follow(listing: Listing, today: Cuts, keysToday: readonly string[]) {
  const name = listingName(listing.operation.name, listing.chosen);
  const hash = listingHash(name);
  const given = new Map<number, Set<string>>();
  let later = { keys: keysToday, cuts: today };
  /** The smallest limit that all builds up to here accept. */
  let lowest = today.sizes[0] ?? defaultLimit;
  let cursorsToday: ReadonlyMap<string, number> | undefined;

  return {
    listing,
    /** The pages of an earlier build that no later build has, at the sizes that answer the same limits today. */
    *retire(keys: readonly string[], { paging: kind, sizes }: OperationSnapshot): Generator<RetiredPage> {
      lowest = Math.max(lowest, sizes[0] ?? defaultLimit);
      const same = commonEnds(later.keys, keys);
      const hashes = { count: keys.length, hashAt: (index: number) => fnvAdd(hash, keys[index] ?? "") };
      const own = cutPages(kind, hashes, sizes, { cuts: later.cuts, ...same });
      const { first, end } = isCutAlike(own, later.cuts) ? changedStarts(later.cuts, own, same) : whole;
      later = { keys, cuts: own };
      if (first >= Math.min(end, keys.length)) return;
      cursorsToday ??= positionsOf(today, keysToday, name);
      for (const [limit, ownLimit] of answers(today.sizes, sizes, lowest)) {
        const seen = given.get(limit) ?? new Set();
        given.set(limit, seen);
        for (const start of startsFrom(own, ownLimit, first)) {
          if (start >= end) break;
          const key = keys[start - 1] ?? "";
          const cursor = cursorAfter(name, key);
          const page = cursorsToday.get(cursor);
          if (seen.has(cursor) || (page !== undefined && isStart(today, limit, page))) continue;
          seen.add(cursor);
          const from = countUpTo(keysToday, key);
          yield { listing, limit, cursor, start: from, end: endOfPage(today, limit, from) };
        }
      }
    },
  };
}

/** The number of equal items at the front of two lists, and of further equal items at the back. */
function commonEnds(one: readonly string[], other: readonly string[]) {
  const least = Math.min(one.length, other.length);
  let front = 0;
  while (front < least && one[front] === other[front]) front++;
  let back = 0;
  while (back < least - front && one[one.length - 1 - back] === other[other.length - 1 - back]) back++;
  return { front, back };
}

/** A range of a listing, from one position up to another. The first page has no cursor. */
interface Positions {
  readonly first: number;
  readonly end: number;
}

const whole: Positions = { first: 1, end: Number.POSITIVE_INFINITY };

/**
 * The positions at which the earlier of two builds with the same paging may have pages that the later one lacks. The
 * start of a page depends on the items before it, and with stable paging also on the items that follow within the
 * slack. Once pages of every size start after the same items again, all further pages are the same.
 */
function changedStarts(later: Cuts, earlier: Cuts, { front, back }: Pick<Likeness, "front" | "back">): Positions {
  const ahead = earlier.kind === "stable" ? slackOf(maxLimit) : 0;
  const shift = earlier.count - later.count;
  const end = meetingOf(earlier, later, shift, Math.max(1, shift + 1, earlier.count - back + 1));
  return { first: Math.max(1, Math.min(front + 1, later.count) - ahead), end };
}

/** Today's page sizes, each with the earlier size that answered the same limit. Limits below `lowest` are ignored. */
function answers(today: PageSizes, earlier: PageSizes, lowest: number): readonly (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (let limit = lowest; limit <= maxLimit; limit++) {
    const [size, ownSize] = [sizeFor(limit, today), sizeFor(limit, earlier)];
    if (size !== undefined && ownSize !== undefined) pairs.set(`${size} ${ownSize}`, [size, ownSize]);
  }
  return [...pairs.values()];
}

/** The start of each of today's pages, by its cursor. */
function positionsOf(cuts: Cuts, keys: readonly string[], name: string): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const start of startsFrom(cuts, defaultLimit, 1)) positions.set(cursorAfter(name, keys[start - 1] ?? ""), start);
  return positions;
}

/** The number of keys that are at most `key`. The keys ascend. */
function countUpTo(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The keys of the items with each combination of values, by the JSON of the values. */
function grouped(
  { keys, values: valuesOf }: SnapshotRows,
  params: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const choices = params.map((param) => {
    const idAt = (index: number): string => valuesOf.get(param)?.[index] ?? "";
    return { idAt, valuesAt: (index: number) => idAt(index).split(" ") };
  });
  const groups = indicesByValues(keys.length, choices);
  return new Map([...groups].map(([values, indices]) => [values, indices.map((index) => keys[index] ?? "")]));
}
