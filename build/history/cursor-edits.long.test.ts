import { expect, it } from "vitest";
import { type Values, valuesAt } from "../content/table/items.ts";
import { applyEdits, editsBetween, type FilteredItems } from "./cursor-edits.ts";

/** Items with a value of a filter, with two values, or with none. */
function itemsOf(numbers: readonly number[]): FilteredItems {
  const keys = numbers.map((number) => `key ${String(number).padStart(7, "0")}`);
  return {
    orderKeys: keys,
    values: new Map([["region", valuesOf(numbers.map((number) => choices[number % choices.length] ?? []))]]),
  };
}

const choices = [["lhr1"], [], ["fra1", "lhr1"], ["iad1"], ["lhr1", "fra1"]];

function valuesOf(items: readonly (readonly string[])[]): Values {
  const known = [...new Set(items.flat())];
  const starts = [0];
  const numbers: number[] = [];
  for (const values of items) {
    for (const value of values) numbers.push(known.indexOf(value));
    starts.push(numbers.length);
  }
  return { known, numbers: Uint32Array.from(numbers), starts: Uint32Array.from(starts) };
}

/** The items as other modules see them. */
const shown = (items: FilteredItems | undefined) =>
  items?.orderKeys.map((key, index) => [
    key,
    ...Array.from(items.values.values(), (values) => valuesAt(values, index)),
  ]);

const all = Array.from({ length: 210_000 }, (_, number) => number);
const even = itemsOf(all.filter((number) => number % 2 === 0));
const odd = itemsOf(all.filter((number) => number % 2 > 0));

it.each<[string, FilteredItems, FilteredItems]>([
  ["none of the same items", even, odd],
  ["every other item", even, itemsOf(all)],
  ["the same items", even, even],
  ["no items", even, itemsOf([])],
])("edits make of many items an earlier build with %s", (_, later, earlier) => {
  const derived = applyEdits(later, editsBetween(later, earlier));
  expect(JSON.stringify(shown(derived)) === JSON.stringify(shown(earlier))).toBe(true);
});

it.each([[[2]], [[-2]], [[4]], [[1, ["b", "r0"], 2]], [[3, ["a", "r0"]]], [[3, ["d"]]]])(
  "edits that do not apply are refused: %j",
  (edits) => {
    const later = { orderKeys: ["a", "b", "c"], values: new Map([["region", valuesOf([["r0"], ["r1"], ["r2"]])]]) };
    expect(applyEdits(later, edits)).toBeUndefined();
  },
);
