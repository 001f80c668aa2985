import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageStarts } from "../../test/check/boundaries.ts";
import { rounds } from "../../test/seed.ts";
import {
  type Cuts,
  countPages,
  cutPages,
  endOfPage,
  everyPageSize,
  fnvAdd,
  fnvStart,
  isStart,
  listingHash,
  listingName,
  type PageCut,
  type PageSizes,
  type PagingKind,
  pageSizes,
  pagesWith,
  rankOf,
  sizeFor,
} from "./paging.ts";

const allPages = (cuts: Cuts) => cuts.sizes.flatMap((limit) => pagesWith(cuts, limit));

const sizes = fc.oneof(
  fc.constant(everyPageSize),
  fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 6 }).map(pageSizes),
);

describe("page sizes", () => {
  it.each([
    [
      [10, 1, 10],
      [1, 10, 100],
    ],
    [[100], [100]],
    [[], [100]],
  ])("of the list %j are %j", (list, expected) => {
    expect(pageSizes(list)).toEqual(expected);
  });

  it.each([
    [7, [1, 5, 10, 100], 5],
    [5, [1, 5, 10, 100], 5],
    [99, [1, 5, 10, 100], 10],
    [100, [1, 5, 10, 100], 100],
    [4, [5, 100], undefined],
    [7, everyPageSize, 7],
  ])("answer the limit %i out of %j with %s", (limit, list, expected) => {
    expect(sizeFor(limit, list)).toBe(expected);
  });
});

/** The pages of so many items, whose order keys are numbers. */
const cutsOf = (kind: PagingKind, count: number, list: PageSizes, keys = numbered(count)): Cuts =>
  cutPages(kind, { count, rankAt: (index) => rankOf(fnvAdd(listing, keys[index] ?? "")) }, list);

const name = listingName("records");
const listing = listingHash(name);

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `2026-01-01T00:00:00Z rec_${String(index).padStart(6, "0")}`);

const kinds: readonly PagingKind[] = ["exact", "stable"];

describe("the pages of a listing", () => {
  it.each<[number, number[], PageCut[]]>([
    [
      0,
      [2, 100],
      [
        { limit: 2, start: 0, end: 0 },
        { limit: 100, start: 0, end: 0 },
      ],
    ],
    [
      5,
      [2, 100],
      [
        { limit: 2, start: 0, end: 2 },
        { limit: 2, start: 2, end: 4 },
        { limit: 2, start: 4, end: 5 },
        { limit: 100, start: 0, end: 5 },
        { limit: 100, start: 2, end: 5 },
        { limit: 100, start: 4, end: 5 },
      ],
    ],
  ])("of %i items with the sizes %j, cut exactly", (count, list, expected) => {
    expect(allPages(cutsOf("exact", count, list))).toEqual(expected);
    expect(countPages(cutsOf("exact", count, list))).toBe(expected.length);
  });

  it.each(kinds)("start at the positions of the contract, cut %s", (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 450 }), sizes, (count, list) => {
        const cuts = cutsOf(kind, count, list);
        const startsOf = pageStarts(
          kind,
          numbered(count).map((key) => name + key),
        );
        expect([...cuts.starts].map(([limit, starts]) => [limit, [...starts]])).toEqual(
          list.map((limit) => [limit, startsOf(limit)]),
        );
      }),
    );
  });

  it.each(kinds)("give every remaining item exactly once, from any start, cut %s", (kind) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 450 }), sizes, fc.nat(), (count, list, pick) => {
        const cuts = cutsOf(kind, count, list);
        const pages = allPages(cuts);
        const next = new Map(pages.map((cut) => [`${cut.limit}@${cut.start}`, cut]));
        expect(next.size).toBe(pages.length);
        expect(countPages(cuts)).toBe(pages.length);
        const isKnown = ({ limit, start, end }: PageCut): boolean =>
          isStart(cuts, limit, start) && endOfPage(cuts, limit, start) === end && end - start <= limit;
        expect(pages.filter((page) => !isKnown(page))).toEqual([]);
        const first = pages[pick % pages.length];
        const follow = (from: PageCut | undefined, limitAt: (step: number) => number) => {
          const items: number[] = [];
          let steps = 0;
          for (let cut = from; cut !== undefined; cut = next.get(`${limitAt(steps)}@${cut.end}`)) {
            for (let item = cut.start; item < cut.end; item++) items.push(item);
            steps++;
            if (cut.end === count) break;
          }
          return items;
        };
        const rest = Array.from({ length: count - (first?.start ?? 0) }, (_, index) => index + (first?.start ?? 0));
        expect(follow(first, () => first?.limit ?? 0)).toEqual(rest);
        expect(follow(first, () => 100)).toEqual(rest);
      }),
      { numRuns: 75 * rounds },
    );
  });

  it("are full, or up to a fifth shorter if they are cut stably and neither the first nor the last", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 450 }), sizes, (count, list) => {
        const cuts = cutsOf("stable", count, list);
        for (const [limit, starts] of cuts.starts) {
          const lengths = [...starts].map((start, page) => (starts[page + 1] ?? count) - start);
          const least = limit === 1 ? limit : limit - Math.ceil(limit / 5);
          expect(lengths[0]).toBe(Math.min(limit, count));
          expect(Math.max(...lengths)).toBeLessThanOrEqual(limit);
          expect(Math.min(...lengths.slice(0, -1), limit)).toBeGreaterThanOrEqual(least);
        }
      }),
    );
  });
});

/** The number of pages between the unchanged ones before and after an edit at an index. */
function changedPages(before: Uint32Array, after: Uint32Array, at: number, more: number): number {
  let front = 0;
  while ((before[front + 1] ?? at + 1) <= at && before[front + 1] === after[front + 1]) front++;
  let back = 0;
  const behind = more < 0 ? at + 1 : at;
  while ((before.at(-1 - back) ?? 0) > behind && (before.at(-1 - back) ?? 0) + more === after.at(-1 - back)) back++;
  return after.length - front - back;
}

describe("pages that are cut stably", () => {
  const list = pageSizes([1, 2, 3, 5, 9, 10, 20, 25, 50, 77]);
  const many = numbered(20_000);
  /** Fixed sequences, so that results are reproducible. */
  const edits = Array.from({ length: 20 }, (_, index) => ({
    at: (index * 48_611) % many.length,
    isInserted: index % 2 === 0,
  }));

  it("change little with one edit among 20,000 items: at most 10 pages of a size on average", () => {
    const before = cutsOf("stable", many.length, list, many);
    const counts = new Map(list.map((limit) => [limit, [] as number[]]));
    for (const { at, isInserted } of edits) {
      const edited = isInserted ? many.toSpliced(at, 0, `${many[at - 1] ?? ""}+`) : many.toSpliced(at, 1);
      const after = cutsOf("stable", edited.length, list, edited);
      for (const [limit, starts] of after.starts) {
        const own = before.starts.get(limit) ?? starts;
        counts.get(limit)?.push(changedPages(own, starts, at, edited.length - many.length));
      }
    }
    for (const [limit, each] of counts) {
      expect(each.length).toBe(edits.length);
      expect(each.reduce((sum, one) => sum + one, 0) / each.length, `of ${limit}`).toBeLessThanOrEqual(10);
    }
    const all = [...counts.values()].flat().sort((one, other) => one - other);
    expect(all[0]).toBeGreaterThan(0);
    expect(all[Math.floor(all.length * 0.99)]).toBeLessThanOrEqual(60);
  });
});

describe("the hash of a listing and a key", () => {
  const limbs = (hash: bigint) => [0n, 16n, 32n, 48n].map((shift) => Number((hash >> shift) & 0xffffn));

  it("agrees with the definition in big integers, and with a vector of draft-eastlake-fnv, appendix C", () => {
    expect(fnvAdd(fnvStart, "foobar")).toEqual(limbs(0x85944171f73967e8n));
    const define = (bytes: Uint8Array) =>
      bytes.reduce((hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & (2n ** 64n - 1n), 0xcbf29ce484222325n);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(fnvAdd(fnvStart, text)).toEqual(limbs(define(new TextEncoder().encode(text))));
      }),
    );
  });

  it("adds two texts as it adds both in one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        expect(fnvAdd(fnvAdd(fnvStart, a), b)).toEqual(fnvAdd(fnvStart, a + b));
      }),
    );
  });
});
