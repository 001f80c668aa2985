import { expect, it } from "vitest";
import { jsonHtml } from "./samples.ts";

const lines = (value: unknown) =>
  String(jsonHtml(value, 2)).replaceAll(/<.*?>/g, "").replaceAll("&quot;", '"').split("\n");

it.each<[string, unknown, readonly string[]]>([
  ["a list of plain values", { at: [12.5, -69.9], of: ["x".repeat(30)] }, ['  "at": [12.5, -69.9],']],
  [
    "the first of many plain values",
    { to: ["AUT", "BEL", "CHE"], of: ["x".repeat(30)] },
    ['  "to": ["AUT", "BEL", … 1 more],'],
  ],
  ["empty objects and lists", { a: [{}, []], of: ["x".repeat(50)] }, ['  "a": [', "    {},", "    []", "  ],"]],
  [
    "a list in a short object",
    { a: { b: [{ c: [[1]] }] }, of: ["x".repeat(30)] },
    ['  "a": { "b": [{ "c": [[1]] }] },'],
  ],
])("shows %s on as few lines as fit", (_, value, expected) => {
  expect(lines(value).slice(1, 1 + expected.length)).toEqual(expected);
});

it("shows a list of objects, and a list that is longer than a line, in lines", () => {
  expect(lines({ data: [{ id: 1 }] })).toEqual(['{ "data": [{ "id": 1 }] }']);
  expect(lines({ data: [{ id: 1 }, { id: 2 }], pagination: { limit: 100 } })).toEqual([
    "{",
    '  "data": [',
    '    { "id": 1 },',
    '    { "id": 2 }',
    "  ],",
    '  "pagination": { "limit": 100 }',
    "}",
  ]);
  expect(lines(["x".repeat(50)])).toEqual(["[", `  "${"x".repeat(50)}"`, "]"]);
});
