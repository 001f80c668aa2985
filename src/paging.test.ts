import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countPages,
  cursorAfter,
  cursorForm,
  cursorsOf,
  cutPages,
  everyPageSize,
  type PageCut,
  pageSizes,
  sizeFor,
} from "./paging.ts";

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
    [
      250,
      [70, 100],
      [
        { limit: 70, start: 0, end: 70 },
        { limit: 70, start: 70, end: 140 },
        { limit: 70, start: 140, end: 210 },
        { limit: 70, start: 210, end: 250 },
        { limit: 100, start: 0, end: 100 },
        { limit: 100, start: 70, end: 100 },
        { limit: 100, start: 100, end: 200 },
        { limit: 100, start: 140, end: 200 },
        { limit: 100, start: 200, end: 250 },
        { limit: 100, start: 210, end: 250 },
      ],
    ],
  ])("of %i items with the sizes %j", (count, list, expected) => {
    expect([...cutPages(count, list)]).toEqual(expected);
    expect(countPages(count, list)).toBe(expected.length);
  });

  it("give every remaining item exactly once, from any start, with its limit or without one", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 450 }), sizes, fc.nat(), (count, list, pick) => {
        const cuts = [...cutPages(count, list)];
        const next = new Map(cuts.map((cut) => [`${cut.limit}@${cut.start}`, cut]));
        expect(next.size).toBe(cuts.length);
        const first = cuts[pick % cuts.length];
        const follow = (from: PageCut | undefined, limitAt: (step: number) => number) => {
          const items: number[] = [];
          let steps = 0;
          for (let cut = from; cut !== undefined; cut = next.get(`${limitAt(steps)}@${cut.end}`)) {
            expect(cut.end - cut.start).toBeLessThanOrEqual(cut.limit);
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
      { numRuns: 300 },
    );
  });
});

describe("a cursor", () => {
  const listing = cursorsOf("nodes", { param: "region", value: "lhr1" });

  it("is the same in every build, because clients' links contain it", () => {
    expect(cursorAfter(cursorsOf("records"), "app 2024-01-01T00:00:00Z rec_1")).toBe("k39a2rub0kr2ps");
    expect(cursorAfter(listing, "2024-01-01T00:00:00Z nod_1")).toBe("k2e5el6ho9iemg");
  });

  it("has its form, and differs by listing and by item", () => {
    const keys = fc.tuple(fc.stringMatching(/^[a-z0-9]{1,12}$/), fc.stringMatching(/^[a-z0-9]{1,12}$/));
    fc.assert(
      fc.property(keys, ([a, b]) => {
        expect(cursorAfter(listing, a)).toMatch(new RegExp(cursorForm));
        expect(cursorAfter(listing, a)).not.toBe(cursorAfter(cursorsOf("nodes"), a));
        if (a !== b) expect(cursorAfter(listing, a)).not.toBe(cursorAfter(listing, b));
      }),
    );
  });
});
