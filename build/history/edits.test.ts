import { expect, it } from "vitest";
import { applyEdits, editsBetween } from "./edits.ts";
import type { Columns } from "./snapshot.ts";

const rowsOf = (numbers: readonly number[]): Columns => [
  numbers.map((number) => `key ${String(number).padStart(7, "0")}`),
  numbers.map((number) => `r${number % 7}`),
];
const all = Array.from({ length: 210_000 }, (_, number) => number);
const even = rowsOf(all.filter((number) => number % 2 === 0));
const odd = rowsOf(all.filter((number) => number % 2 > 0));

it.each<[string, Columns, Columns]>([
  ["none of the same items", even, odd],
  ["every other item", even, rowsOf(all)],
  ["the same items", even, even],
  ["no items", even, rowsOf([])],
])("edits make of many items an earlier build with %s", (_, later, earlier) => {
  const made = applyEdits(later, editsBetween(later, earlier));
  expect(JSON.stringify(made) === JSON.stringify(earlier)).toBe(true);
});

it.each([[[2]], [[-2]], [[4]], [[1, ["b", "r0"], 2]], [[3, ["a", "r0"]]], [[3, ["d"]]]])(
  "edits that do not apply are refused: %j",
  (edits) => {
    const later = [
      ["a", "b", "c"],
      ["r0", "r1", "r2"],
    ];
    expect(applyEdits(later, edits)).toBeUndefined();
  },
);
