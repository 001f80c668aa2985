import fc from "fast-check";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { digestsOfRanges } from "../digest.ts";
import type { SerializedItems } from "../pages/listing.ts";
import { filesText, itemChanges, savedText } from "./saved.ts";

const plain = createColors(false);

interface Own {
  readonly id: string;
  readonly at: number;
  readonly status: string;
}

/** Items in the order of `at` and `id`. */
function listOf(items: readonly Own[], asked: { count: number } = { count: 0 }): SerializedItems {
  const keyOf = ({ at, id }: Own) => `${String(at).padStart(9, "0")} ${id}`;
  const sorted = items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const bytes = new TextEncoder().encode(sorted.map((item) => `${JSON.stringify(item)},`).join(""));
  const offsets = new Uint32Array(items.length + 1);
  for (const [index, item] of sorted.entries())
    offsets[index + 1] = (offsets[index] ?? 0) + JSON.stringify(item).length + 1;
  const digest = digestsOfRanges(bytes, offsets);
  const slice = (start: number, end: number) => bytes.subarray(offsets[start], (offsets[end] ?? 1) - 1);
  return {
    count: items.length,
    orderKey: (index) => keyOf(sorted[index] ?? { id: "", at: 0, status: "" }),
    hash: (listing) => listing,
    slice,
    lines: () => bytes,
    length: (start, end) => slice(start, end).length,
    digest(...range) {
      asked.count++;
      return digest(...range);
    },
  };
}

const item = fc.record({ id: fc.constantFrom(..."abcdefgh"), at: fc.nat(3), status: fc.constantFrom("up", "down") });
const items = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 8 });

describe("what a save changed", () => {
  it("is every item that is not as it was, with the fields that differ", () => {
    fc.assert(
      fc.property(items, items, (before, after) => {
        const ids = new Set([...before, ...after].map(({ id }) => id));
        const expected = [...ids].flatMap((name) => {
          const [old, own] = [before, after].map((each) => each.find(({ id }) => id === name));
          if (old === undefined) return [{ name, kind: "added", fields: [] }];
          if (own === undefined) return [{ name, kind: "removed", fields: [] }];
          const fields = (["at", "status"] as const).filter((field) => old[field] !== own[field]);
          return fields.length === 0 ? [] : [{ name, kind: "changed", fields }];
        });
        const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
        expect(itemChanges(listOf(before), listOf(after), "id").toSorted(byName)).toEqual(expected.toSorted(byName));
      }),
      { numRuns: 1_000 },
    );
  });

  it("is found without looking at each item, and not beyond a bound", () => {
    const many = Array.from({ length: 50_000 }, (_, at) => ({ id: `n${at}`, at, status: "up" }));
    const asked = { count: 0 };
    const one = many.map((each) => (each.at === 33_333 ? { ...each, status: "down" } : each));
    expect(itemChanges(listOf(many, asked), listOf(one), "id")).toEqual([
      { name: "n33333", kind: "changed", fields: ["status"] },
    ]);
    expect(asked.count).toBeLessThan(50);
    const all = many.map((each) => ({ ...each, status: "down" }));
    expect(itemChanges(listOf(many), listOf(all), "id")).toHaveLength(100);
  });

  it("is a line: the time, the files, the items, and what it cost", () => {
    const head = filesText(new Date(2026, 0, 1, 14, 3, 21), ["nodes/europe.ndjson"], "content", plain);
    expect(savedText(head, [{ name: "nod_a", kind: "changed", fields: ["status"] }], 228, 181, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: nod_a changed status → 228 files in 0.2 s",
    );
    const changes = ["a", "b", "c", "d", "e"].map((name) => ({ name, kind: "added" as const, fields: [] }));
    expect(savedText(head, changes, 1, 2_000, plain)).toBe(
      "14:03:21 nodes/europe.ndjson: a added, b added, c added and 2 more → 1 file in 2.0 s",
    );
    expect(savedText(head, [], 0, 0, plain)).toBe("14:03:21 nodes/europe.ndjson → no file changed in 0.0 s");
  });

  it("names a few files, and the folder if none is known", () => {
    const time = new Date(2026, 0, 1, 4, 3, 2);
    expect(filesText(time, ["a", "b", "c", "d"], "content", plain)).toBe("04:03:02 a, b, c and 1 other file");
    expect(filesText(time, [], "my/content", plain)).toBe("04:03:02 content");
  });
});
