// The order that a walk compares by.
import { expect, it } from "vitest";
import { isAfter } from "./walk.ts";

it.each([
  ["text by code unit", ["name"], [{ name: "Z" }, { name: "a" }, { name: "a " }, { name: "ä" }, { name: "日" }]],
  ["text of digits as text", ["name"], [{ name: "10" }, { name: "9" }]],
  ["numbers by value", ["count"], [{ count: -1 }, { count: 0 }, { count: 9 }, { count: 10 }, { count: 10.5 }]],
  ["false before true, and null last", ["on"], [{ on: false }, { on: true }, { on: null }]],
  [
    "the second field within the first",
    ["kind", "name"],
    [
      { kind: "a", name: "z" },
      { kind: "b", name: "a" },
    ],
  ],
  [
    "descending, and null last",
    ["-released", "name"],
    [
      { released: "2026", name: "b" },
      { released: "2025", name: "a" },
      { released: "2025", name: "c" },
      { released: null, name: "a" },
      { name: "b" },
    ],
  ],
  [
    "text without case and accents, and then with them",
    [{ field: "name", fold: true }],
    [{ name: "Élan" }, { name: "Zulip" }, { name: "zulip" }],
  ],
  [
    "digits by value, descending",
    [{ field: "-name", natural: true }],
    [{ name: "v10" }, { name: "v9" }, { name: "v2" }],
  ],
  [
    "descending within ascending",
    ["kind", "-count"],
    [
      { kind: "a", count: 2 },
      { kind: "a", count: 1 },
      { kind: "b", count: 3 },
    ],
  ],
] as const)("compares %s", (_, order, items) => {
  for (const [index, item] of items.entries()) {
    expect(items.filter((each) => isAfter(each, item, order))).toEqual(items.slice(index + 1));
  }
});
