// Retired pages: a request that an earlier build answered with a page is still answered with one, so that a reader who
// has its cursor goes on. The page holds what is behind the cursor's position now, up to the next start of a page of its
// size: from there on the reader is on today's pages.
import { cursorAfter, cursorsOf, defaultLimit, maxLimit, type PageSizes, sizeFor, startsOf } from "../../src/paging.ts";
import type { OutputFile } from "../file.ts";
import type { Listing } from "./listing.ts";
import { retiredPage } from "./page.ts";

/** What an earlier build gave of one operation. */
export interface EarlierOperation {
  readonly sizes: PageSizes;
  /** By the parameter of a filter: the values that it accepted. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  readonly rows: {
    readonly keys: readonly string[];
    /** By the parameter of a filter: each item's value. */
    readonly values: ReadonlyMap<string, readonly string[]>;
  };
}

/** A page at an address that today's pages leave out. */
export interface RetiredPage {
  readonly listing: Listing;
  readonly limit: number;
  readonly cursor: string;
  readonly start: number;
  readonly end: number;
}

export const retiredFile = ({ listing, ...page }: RetiredPage): OutputFile => retiredPage(listing, page);

/** Each address once; those of the newest builds come first. `earlier` are builds by operation, the newest first. */
export function* retire(
  listings: readonly Listing[],
  sizesOf: (operation: string) => PageSizes,
  earlier: readonly ReadonlyMap<string, EarlierOperation>[],
): Generator<RetiredPage> {
  const paged = listings.filter(({ operation }) => operation.paged);
  let followed = paged.map((listing) => follow(listing, sizesOf(listing.operation.name)));
  for (const build of earlier) {
    const groups = new Map<string, ReadonlyMap<string, readonly string[]>>();
    const groupsOf = (name: string, { rows }: EarlierOperation, param: string) => {
      const known = groups.get(name) ?? grouped(rows.keys, rows.values.get(param) ?? []);
      groups.set(name, known);
      return known;
    };
    const going: Followed[] = [];
    for (const each of followed) {
      const { operation, filter } = each.listing;
      const own = build.get(operation.name);
      // What was away for a build is new: builds before that one count no more.
      if (own === undefined || (filter && own.known.get(filter.param)?.includes(filter.value) !== true)) continue;
      const keys = filter ? (groupsOf(operation.name, own, filter.param).get(filter.value) ?? []) : own.rows.keys;
      yield* each.retire(keys, own.sizes);
      going.push(each);
    }
    followed = going;
  }
}

type Followed = ReturnType<typeof follow>;

/** Goes back with one listing from build to build. */
function follow(listing: Listing, sizes: PageSizes) {
  const { operation, filter, items } = listing;
  const cursors = cursorsOf(operation.name, filter);
  const given = new Map<number, Set<string>>();
  let later = { keys: undefined as readonly string[] | undefined, sizes };
  /** The smallest limit that all builds so far have accepted. */
  let lowest = sizes[0] ?? defaultLimit;
  let keysToday: readonly string[] | undefined;
  let today: ReturnType<typeof positionsIn> | undefined;

  return {
    listing,
    /** The pages of an earlier build that no later one has, at the sizes that answer their limits today. */
    *retire(keys: readonly string[], ownSizes: PageSizes): Generator<RetiredPage> {
      keysToday ??= keysOf(listing);
      lowest = Math.max(lowest, ownSizes[0] ?? defaultLimit);
      const isCutAlike = ownSizes.join() === later.sizes.join();
      const first = isCutAlike ? firstChanged(keys, later.keys ?? keysToday) : 1;
      later = { keys, sizes: ownSizes };
      if (first >= keys.length) return;
      today ??= positionsIn(listing, keysToday, sizes);
      const starts = startsOf(keys.length, ownSizes);
      const behind = today.behind(keys);
      for (const [limit, ownLimit] of answers(sizes, ownSizes, lowest)) {
        const seen = given.get(limit) ?? new Set();
        given.set(limit, seen);
        const step = limit === defaultLimit ? 1 : ownLimit;
        for (let start = Math.ceil(first / step) * step; start < keys.length; start += step) {
          if (starts[start] !== 1) continue;
          const cursor = cursorAfter(cursors, keys[start - 1] ?? "");
          if (seen.has(cursor) || today.hasPage(limit, cursor)) continue;
          seen.add(cursor);
          const from = behind[start - 1] ?? 0;
          yield { listing, limit, cursor, start: from, end: Math.min(items.count, from - (from % limit) + limit) };
        }
      }
    },
  };
}

const keysOf = ({ items }: Listing): readonly string[] =>
  Array.from({ length: items.count }, (_, index) => items.orderKey(index));

/** The first position of the earlier keys whose page, if any, may be one that the later build does not have. */
function firstChanged(earlier: readonly string[], later: readonly string[]): number {
  const least = Math.min(earlier.length, later.length);
  let same = 0;
  while (same < least && earlier[same] === later[same]) same++;
  return Math.max(1, Math.min(same + 1, later.length));
}

/** Today's page sizes, each with the earlier one that answered the same limit. Limits below `lowest` count no more. */
function answers(today: PageSizes, earlier: PageSizes, lowest: number): readonly (readonly [number, number])[] {
  const pairs = new Map<string, readonly [number, number]>();
  for (let limit = lowest; limit <= maxLimit; limit++) {
    const [size, ownSize] = [sizeFor(limit, today), sizeFor(limit, earlier)];
    if (size !== undefined && ownSize !== undefined) pairs.set(`${size} ${ownSize}`, [size, ownSize]);
  }
  return [...pairs.values()];
}

/** Where keys are in a listing of today, and which cursors have a page there. */
function positionsIn({ operation, filter, items }: Listing, keys: readonly string[], sizes: PageSizes) {
  const cursors = cursorsOf(operation.name, filter);
  const starts = startsOf(items.count, sizes);
  const byCursor = new Map<string, number>();
  for (let start = 1; start < items.count; start++) {
    if (starts[start] === 1) byCursor.set(cursorAfter(cursors, keys[start - 1] ?? ""), start);
  }
  return {
    hasPage(limit: number, cursor: string): boolean {
      const start = byCursor.get(cursor);
      return start !== undefined && (limit === defaultLimit || start % limit === 0);
    },
    /** Of each of some ascending keys: how many items are up to and with it. */
    behind(earlier: readonly string[]): Uint32Array {
      const positions = new Uint32Array(earlier.length);
      let position = 0;
      for (const [index, key] of earlier.entries()) {
        while (position < keys.length && (keys[position] ?? "") <= key) position++;
        positions[index] = position;
      }
      return positions;
    },
  };
}

function grouped(keys: readonly string[], values: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const [index, key] of keys.entries()) {
    const value = values[index] ?? "";
    const group = groups.get(value) ?? [];
    group.push(key);
    groups.set(value, group);
  }
  return groups;
}
