import { expect, it } from "vitest";
import { type CellColumn, cellValue, fileHtml, numberText } from "./cells.ts";

const photo = {
  url: "/v1/files/a/b.jpg?v=0123456789abcdef",
  content_type: "image/jpeg",
  bytes: 5,
  width: 960,
  height: 20,
};

it("shows a picture small, with its proportions, and another file by its name", () => {
  expect(String(fileHtml(photo))).toBe(
    '<a href="/v1/files/a/b.jpg?v=0123456789abcdef"><img src="/v1/files/a/b.jpg?v=0123456789abcdef" width="96" height="2" loading="lazy" alt="b.jpg"></a>',
  );
  expect(String(fileHtml({ ...photo, width: 9, height: 1_000_000 }))).toContain('width="1" height="96"');
  expect(String(fileHtml({ url: "/v1/files/c.pdf?v=1", content_type: "application/pdf", bytes: 5 }))).toBe(
    '<a href="/v1/files/c.pdf?v=1">c.pdf</a>',
  );
  expect(String(fileHtml(null))).toBe('<span class="type">null</span>');
  expect(String(fileHtml(undefined))).toBe("");
});

it.each([
  [2024, 0, "2024"],
  [-12_000, 0, "-12,000"],
  [39_305.28, 2, "39,305.28"],
  [90_617.4, 2, "90,617.4\u2007"],
  [7, 2, "7\u2008\u2007\u2007"],
  [0.123456, 4, "0.123456"],
  [1e21, 2, "1e+21"],
])("writes %d with room for %d decimals", (value, decimals, text) => expect(numberText(value, decimals)).toBe(text));

it("finds and sorts a file by its address", () => {
  const column: CellColumn = { path: "photo", kind: "file" };
  expect(cellValue(column, { photo })).toBe(photo.url);
  expect(cellValue(column, { photo: null })).toBeNull();
  expect(cellValue(column, {})).toBeUndefined();
});
