import { expect, it } from "vitest";
import { itemsOf } from "../../test/content/items-of.ts";
import { listOf as listOfEdge } from "../../test/edge-network.ts";
import { allOf, jsonLines, someOf } from "./items.ts";

const operation = listOfEdge("EdgeRegion");
const regions = ["a\u2028b", "c\u2029", "\u0085", "plain", "é水😀", "\\u2028"].map((name, index) => ({
  ...operation.example,
  code: `aaa${index}`,
  name,
}));
const items = itemsOf(operation, regions);

it("has one line an item for readers who take other signs for ends of lines, with the same values", () => {
  const lines = jsonLines(items);
  const bytes = Buffer.concat([...lines.parts()]);
  expect(bytes.length).toBe(lines.length);
  const text = Buffer.from(bytes).toString();
  expect(text.split(/[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(regions.length + 1);
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(regions);
});

it("has the lines of many items in parts, in order", () => {
  const many = Array.from({ length: 2_500 }, (_, index) => ({
    ...operation.example,
    code: `a${String(index).padStart(4, "0")}`,
  }));
  const { length, parts } = jsonLines(itemsOf(operation, many));
  const pieces = [...parts()];
  expect(pieces.length).toBeGreaterThan(1);
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(length);
  expect(bytes.toString()).toBe(many.map((item) => `${JSON.stringify(item)}\n`).join(""));
});

it.each([[[0, 1, 2]], [[1, 3, 5]], [[5]], [[]], [[0, 1, 2, 3, 4, 5]]])(
  "slices the items %j without copying others",
  (members) => {
    const view = someOf(items, members);
    const all = allOf(items);
    expect(view.count).toBe(members.length);
    for (let start = 0; start <= members.length; start++) {
      for (let end = start; end <= members.length; end++) {
        const expected = members.slice(start, end).map((index) => Buffer.from(all.slice(index, index + 1)).toString());
        expect(Buffer.from(view.slice(start, end)).toString()).toBe(expected.join(","));
        expect(view.length(start, end)).toBe(view.slice(start, end).length);
      }
    }
    expect(members.map((_, index) => view.orderKey(index))).toEqual(members.map((index) => all.orderKey(index)));
  },
);
