import { expect, it } from "vitest";
import { anchorsOf, blocksOf, linksOf } from "./pages.ts";

const page = [
  "# The title",
  "",
  "See [A](a.md#a-b), ![B](b.png) and `[C](c.md)`.",
  "",
  "<!-- not run: why -->",
  "```sh",
  "# no heading",
  "one",
  "```",
  "",
  "- A point:",
  "",
  "  ```json",
  '  { "a": "[D](d.md)" }',
  "  ```",
  "",
  "## The title",
  "",
  "## `a --b`, c & d",
  "",
].join("\n");

it("finds blocks with their language, line and mark", () => {
  expect(blocksOf(page)).toEqual([
    { language: "sh", text: "# no heading\none\n", line: 6, mark: "not run: why" },
    { language: "json", text: '{ "a": "[D](d.md)" }\n', line: 13, mark: undefined },
  ]);
});

it("finds links and pictures, but not those in code", () => {
  expect(linksOf(page)).toEqual(["a.md#a-b", "b.png"]);
});

it("makes anchors as GitHub does", () => {
  expect(anchorsOf(page)).toEqual(["the-title", "the-title-1", "a---b-c--d"]);
});
