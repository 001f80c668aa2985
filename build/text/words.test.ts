import { expect, it } from "vitest";
import { columns, counted, integer, listed, pascal, plural, withAnd } from "./words.ts";

it.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [1_234_567, "1,234,567"],
])("separates thousands: %i", (value, expected) => {
  expect(integer(value)).toBe(expected);
});

it("counts one and many", () => {
  expect([plural(1, "file"), plural(0, "file"), plural(2_000, "file")]).toEqual(["1 file", "0 files", "2,000 files"]);
  const cities = { noun: "city", nouns: "cities" };
  expect([counted(1, cities), counted(2, cities)]).toEqual(["1 city", "2 cities"]);
});

it("cuts a long list, and says how many names are left out", () => {
  const names = Array.from({ length: 1_012 }, (_, number) => `n${number}`);
  expect(listed(names.slice(0, 3))).toBe("n0, n1, n2");
  expect(listed(names.slice(0, 10))).not.toContain("more");
  expect(listed(names)).toBe("n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 1,002 more");
});

it("writes a list as a part of a sentence", () => {
  expect([["a"], ["a", "b"], ["a", "b", "c"]].map(withAnd)).toEqual(["a", "a and b", "a, b and c"]);
});

it("aligns names to the left and numbers to the right", () => {
  const rows = [
    ["", "items"],
    ["records", "7"],
    ["all", "1,000"],
  ];
  expect(columns(rows)).toEqual(["         items", "records      7", "all      1,000"]);
});

it.each([
  ["mime-types", "MimeTypes"],
  ["edge_node", "EdgeNode"],
  ["an item", "AnItem"],
])("names the type of %s", (name, expected) => {
  expect(pascal(name)).toBe(expected);
});
