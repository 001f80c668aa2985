import { expect, it } from "vitest";
import { fieldChanges } from "./field-changes.ts";

const x = { size: 1, name: "x" };
const y = { size: 1, name: "y" };

it.each<[string, object, object, ...object[]]>([
  ["nothing", { a: 1, b: [{ c: 1 }] }, { a: 1, b: [{ c: 1 }] }],
  ["a value", { a: 1, b: "x" }, { a: "1", b: "x" }, { field: "a", before: 1, after: "1" }],
  ["null", { a: null }, { a: 0 }, { field: "a", before: null, after: 0 }],
  ["a field that came", {}, { a: null }, { field: "a", after: null }],
  ["a field that went", { a: 1 }, { a: undefined }, { field: "a", before: 1 }],
  ["a field with the name of an inherited one", { a: 1 }, { a: 1, constructor: 2 }, { field: "constructor", after: 2 }],
  ["a field of a field", { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, { field: "a.b", before: 1, after: 2 }],
  ["an object for a value", { a: 1 }, { a: { b: 1 } }, { field: "a", before: 1, after: { b: 1 } }],
  [
    "words of a list",
    { a: ["x", "y"] },
    { a: ["y", "z"] },
    { field: "a[]", before: "x" },
    { field: "a[]", after: "z" },
  ],
  [
    "the order of a list",
    { a: ["x", "y"] },
    { a: ["y", "x"] },
    { field: "a in order", before: ['"x"', '"y"'], after: ['"y"', '"x"'] },
  ],
  [
    "objects of a list by their first text",
    { a: [x, y] },
    {
      a: [
        { ...y, size: 2 },
        { size: 1, name: "z" },
      ],
    },
    { field: "a[x]", before: x },
    { field: "a[y].size", before: 1, after: 2 },
    { field: "a[z]", after: { size: 1, name: "z" } },
  ],
  ["a list with repeats as a whole", { a: [1, 1] }, { a: [1] }, { field: "a", before: [1, 1], after: [1] }],
  ["a list of lists as a whole", { a: [[1]] }, { a: [[2]] }, { field: "a", before: [[1]], after: [[2]] }],
  ["the elements of a list that is empty now", { a: ["x"] }, { a: [] }, { field: "a[]", before: "x" }],
  ["the objects of a list that was empty", { a: [] }, { a: [x] }, { field: "a[x]", after: x }],
])("tells %s", (_, before, after, ...changes) => {
  expect(fieldChanges(before, after)).toEqual(changes);
});

it.each<[string, object, object, ...object[]]>([
  ["values as a whole", { a: ["x", "y"] }, { a: ["y", "z"] }, { field: "a", before: ["x", "y"], after: ["y", "z"] }],
  ["objects that moved as a whole", { a: [x, y] }, { a: [y, x] }, { field: "a", before: [x, y], after: [y, x] }],
  ["a list that is empty now as a whole", { a: ["x"] }, { a: [] }, { field: "a", before: ["x"], after: [] }],
  ["objects by name", { a: [x] }, { a: [{ ...x, size: 2 }] }, { field: "a[x].size", before: 1, after: 2 }],
])("names each field once, with lists of %s", (_, before, after, ...changes) => {
  expect(fieldChanges(before, after, "", "whole")).toEqual(changes);
});
