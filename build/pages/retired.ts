// Retired pages: a request that an earlier build answered with a page is still answered with one, so that a reader who
// has its cursor goes on. The page holds what is behind the cursor's position now, up to the next start of a page of its
// size: from there on the reader is on today's pages.
import {
  type Cuts,
  cursorAfter,
  cursorsOf,
  cutPages,
  defaultLimit,
  endOfPage,
  isCutAlike,
  isStart,
  maxLimit,
  type PageSizes,
  type PagingKind,
  sizeFor,
  slackOf,
  startsFrom,
} from "../../src/paging.ts";
import type { OutputFile } from "../file.ts";
import type { Listing } from "./listing.ts";
import { retiredPage } from "./page.ts";

/** What an earlier build gave of one operation. */
export interface EarlierOperation {
  readonly paging: PagingKind;
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
  cutsOf: (listing: Listing) => Cuts | undefined,
  earlier: readonly ReadonlyMap<string, EarlierOperation>[],
): Generator<RetiredPage> {
  let followed = listings.flatMap((listing) => {
    const cuts = cutsOf(listing);
    return cuts === undefined ? [] : [follow(listing, cuts)];
  });
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
      yield* each.retire(keys, own);
      going.push(each);
    }
    followed = going;
  }
}

type Followed = ReturnType<typeof follow>;

/** Goes back with one listing from build to build. */
function follow(listing: Listing, cuts: Cuts) {
  const { operation, filter } = listing;
  const cursors = cursorsOf(operation.name, filter);
  const given = new Map<number, Set<string>>();
  let later = { keys: undefined as readonly string[] | undefined, kind: cuts.kind, sizes: cuts.sizes };
  /** The smallest limit that all builds so far have accepted. */
  let lowest = cuts.sizes[0] ?? defaultLimit;
  let keysToday: readonly string[] | undefined;
  let today: ReturnType<typeof positionsIn> | undefined;

  return {
    listing,
    /** The pages of an earlier build that no later one has, at the sizes that answer their limits today. */
    *retire(keys: readonly string[], { paging: kind, sizes }: EarlierOperation): Generator<RetiredPage> {
      keysToday ??= keysOf(listing);
      lowest = Math.max(lowest, sizes[0] ?? defaultLimit);
      const first = isCutAlike({ kind, sizes }, later) ? firstChanged(keys, later.keys ?? keysToday, kind) : 1;
      later = { keys, kind, sizes };
      if (first >= keys.length) return;
      today ??= positionsIn(listing, keysToday, cuts);
      const own = cutPages(kind, { count: keys.length, orderKey: (index) => keys[index] ?? "", cursors }, sizes);
      const behind = today.behind(keys);
      for (const [limit, ownLimit] of answers(cuts.sizes, sizes, lowest)) {
        const seen = given.get(limit) ?? new Set();
        given.set(limit, seen);
        for (const start of startsFrom(own, ownLimit, first)) {
          const cursor = cursorAfter(cursors, keys[start - 1] ?? "");
          if (seen.has(cursor) || today.hasPage(limit, cursor)) continue;
          seen.add(cursor);
          const from = behind[start - 1] ?? 0;
          yield { listing, limit, cursor, start: from, end: endOfPage(cuts, limit, from) };
        }
      }
    },
  };
}

const keysOf = ({ items }: Listing): readonly string[] =>
  Array.from({ length: items.count }, (_, index) => items.orderKey(index));

/**
 * The first position of the earlier keys whose page, if any, may be one that the later build does not have. Where pages
 * start is decided by the items before, of stable pages also by those that follow within the slack.
 */
function firstChanged(earlier: readonly string[], later: readonly string[], kind: PagingKind): number {
  const least = Math.min(earlier.length, later.length);
  let same = 0;
  while (same < least && earlier[same] === later[same]) same++;
  const ahead = kind === "stable" ? slackOf(maxLimit) : 0;
  return Math.max(1, Math.min(same + 1, later.length) - ahead);
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
function positionsIn({ operation, filter }: Listing, keys: readonly string[], cuts: Cuts) {
  const cursors = cursorsOf(operation.name, filter);
  const byCursor = new Map<string, number>();
  for (const start of startsFrom(cuts, defaultLimit, 1))
    byCursor.set(cursorAfter(cursors, keys[start - 1] ?? ""), start);
  return {
    hasPage(limit: number, cursor: string): boolean {
      const start = byCursor.get(cursor);
      return start !== undefined && isStart(cuts, limit, start);
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
