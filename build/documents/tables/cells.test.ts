import { expect, it } from "vitest";
import { type CellColumn, cellValue, fileHtml } from "./cells.ts";

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

it("finds and sorts a file by its address", () => {
  const column: CellColumn = { path: "photo", kind: "file" };
  expect(cellValue(column, { photo })).toBe(photo.url);
  expect(cellValue(column, { photo: null })).toBeNull();
  expect(cellValue(column, {})).toBeUndefined();
});
