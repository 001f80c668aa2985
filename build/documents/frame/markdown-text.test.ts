import { marked } from "marked";
import { expect, it } from "vitest";
import { line, linkText, paragraph } from "./markdown-text.ts";
import { publisherTexts } from "./publisher-text.ts";

it.each([
  ["A thing.\n\n## Not ours", "A thing. ## Not ours"],
  ["## Not ours", "\\## Not ours"],
  ["> quoted", "\\> quoted"],
  ["- one", "\\- one"],
  ["12. twelve", "12\\. twelve"],
  ["* * *", "\\* * *"],
  ["```js\nx", "\\```js x"],
  ["[a]: /b", "\\[a]: /b"],
  ["*Emphasis* and `code`, 1.5 < 2 > 1", "*Emphasis* and `code`, 1.5 < 2 > 1"],
  ["`id` of a thing", "`id` of a thing"],
  ["-1 or more", "-1 or more"],
])("prints the paragraph %j as %j, and as no other block", (text, expected) => {
  expect(paragraph(text)).toBe(expected);
  expect(marked.lexer(paragraph(text)).map(({ type }) => type)).toEqual(["paragraph"]);
});

it.each([
  ["<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"],
  ["<!-- open", "&lt;!-- open"],
  ["See <https://example.com/> and <us@example.com>", "See <https://example.com/> and <us@example.com>"],
  ["<a href=x@y>", "&lt;a href=x@y>"],
])("has no HTML in a line: %j is %j", (text, expected) => expect(line(text)).toBe(expected));

it("has no bracket in the text of a link that ends it", () =>
  expect(marked.parseInline(`[${linkText("a](javascript:b) [\\")}](/c)`)).toBe(
    '<a href="/c">a](javascript:b) [\\</a>',
  ));

it.each([
  ["```\nnever closed <b>", "> ```\n> never closed <b>"],
  ["text\n\n<pre>\nnever closed", "> text\n>\n> &lt;pre>\n> never closed"],
  ["- item\n\n  ~~~", "> - item\n>\n>   ~~~"],
])("ends what %j opens with the quotation", (text, expected) => {
  const { quotation } = publisherTexts({ introduction: text, changesText: undefined, language: undefined });
  expect(quotation).toBe(expected);
  const types = marked.lexer(`${quotation}\n\n## Next`).map(({ type }) => type);
  expect(types.filter((type) => type !== "space")).toEqual(["blockquote", "heading"]);
});
