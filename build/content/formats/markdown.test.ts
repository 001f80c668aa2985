import { beforeAll, expect, it } from "vitest";
import { readText } from "../../../test/content/reading.ts";
import { markdown, mayHaveToml } from "./markdown.ts";
import { loadToml } from "./toml.ts";

beforeAll(loadToml);

const readMarkdown = (text: string) => readText(markdown, text);

const valuesOf = (text: string) => readMarkdown(text).values.map(({ value }) => value);

/** `line:column` of a value, and its text. */
function placeOf(text: string, ...path: readonly (string | number)[]): string {
  const { start, end } = markdown.open(text)(path, "value");
  const before = text.slice(0, start).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1} ${text.slice(start, end)}`;
}

it.each([
  ["---\na: 1\n---\nText.\n", [{ a: 1, body: "Text." }]],
  ["---\r\na: 1\r\n---\r\n\r\n# Title\r\n\r\nText.\r\n", [{ a: 1, body: "# Title\n\nText." }]],
  ["---\na: 1\n---", [{ a: 1 }]],
  ["---\na: 1\n--- \n \n\n    code\n", [{ a: 1, body: "    code" }]],
  ["---\n---\nText.", [{ body: "Text." }]],
  ["---\n# nothing\n---\n", [{}]],
  ["Text.\n---\nMore.", [{ body: "Text.\n---\nMore." }]],
  ["---\na: |\n  ---\n  x\nb: [1, 2]\n---\n\n---\n", [{ a: "---\nx\n", b: [1, 2], body: "---" }]],
  ["+++\r\na = 1\r\n[b]\r\nc = 2\r\n+++ \r\n\r\nText\r\n---\r\n", [{ a: 1, b: { c: 2 }, body: "Text\n---" }]],
  ["+++\n+++", [{}]],
])("reads %j", (text, values) => {
  expect(readMarkdown(text).problems).toEqual([]);
  expect(valuesOf(text)).toEqual(values);
});

it.each([
  ["\r\n+++\r\na = 1\r\n+++\r\n", "it does not start the file", 2],
  ['{\n  "a": 1\n}\n\nText', "it starts with {, not with a line ---", 0],
  ['\n{"a": 1}\nText', "it starts with {, not with a line ---", 1],
  ["{}\nText", "it starts with {, not with a line ---", 0],
  ['---json\n{"a": 1}\n---\n', "it starts with ---json, not with a line ---", 0],
  ["--- toml\na = 1\n---\n", "it starts with --- toml, not with a line ---", 0],
  [';;;\n"a": 1\n;;;\n', "it starts with ;;;, not with a line ---", 0],
  ["\n---\na: 1\n---\nText", "it does not start the file", 1],
  [" \r\n\t\r\n---\r\na: 1\r\n---\r\n", "it does not start the file", 6],
  [" ---\na: 1\n---\n", "it does not start the file", 1],
  ["\ufeff---\na: 1\n---\n", "it does not start the file", 1],
  ["\u200b\u2060\n---\na: 1\n---\n", "it does not start the file", 3],
  ["--- # draft\na: 1\n---\n", "it starts with --- # draft, not with a line ---", 0],
])("reports front matter that is not read, and does not take it for text: %j", (text, detail, start) => {
  expect(readMarkdown(text)).toMatchObject({ values: [], whole: false });
  expect(readMarkdown(text).problems).toMatchObject([
    {
      code: "syntax",
      text: `This is not valid ${text.includes("\n+++") ? "TOML" : "YAML"} front matter: ${detail}.`,
      at: { start },
    },
  ]);
});

it.each([
  "{{< note >}}\nText",
  "{% include x %}",
  "{x} is a set.",
  "{} is an empty object.",
  "+++ b/file\n+ more",
  "---- \n",
  "--- and so on, said --- nobody\n",
  "***\n\nText",
  "- - -\nText",
  `{${" ".repeat(300_000)}x`,
  `{ }${" ".repeat(300_000)}x`,
  `--- ${" ".repeat(300_000)}é`,
  `--- a${" ".repeat(300_000)}é`,
  "# {\n",
])("reads a text that starts like front matter, but is none: %j", (text) => {
  expect(readMarkdown(text).problems).toEqual([]);
  expect(valuesOf(text)).toEqual([{ body: text.trimEnd() }]);
});

it.each([
  ["---\na: 1\n", "the line --- that ends it is missing", 0],
  ["---", "the line --- that ends it is missing", 0],
  ["---\n- a\n---\n", "it holds a list or several documents instead of the fields of one item", 4],
  ["---\na: 1\nbody: x\n---\n", "the field body is the text below it", 9],
  ["+++\na = 1\n---\n", "the line +++ that ends it is missing", 0],
  ["+++\na = 1\nbody = 2\n+++\n", "the field body is the text below it", 10],
])("reports %j", (text, detail, start) => {
  const language = text.startsWith("+") ? "TOML" : "YAML";
  expect(readMarkdown(text).problems).toMatchObject([
    { code: "syntax", text: `This is not valid ${language} front matter: ${detail}.` },
  ]);
  expect(readMarkdown(text).problems[0]?.at.start).toBe(start);
});

it.each([
  "Title\n=======\n\n> quoted",
  "    <<<<<<< HEAD\n    A\n    =======\n    B\n    >>>>>>> branch",
  "<<<<<<< not closed\n\n=======",
])("reads a text with marks like those of conflicts: %j", (text) => {
  expect(valuesOf(text)).toEqual([{ body: text }]);
});

it("reports the mistakes of its YAML at their places in the file", () => {
  const text = '---\r\na: 1\r\nb: "x\r\n---\r\nText';
  expect(readMarkdown(text).problems).toMatchObject([
    { code: "syntax", at: { start: 14, end: 17 }, text: 'This is not valid YAML: a closing " is missing.' },
  ]);
  expect(readMarkdown("---\na: 1\na: 2\n---\n").problems).toMatchObject([
    { code: "duplicate-key", at: { start: 9, end: 10 } },
  ]);
});

it("reads a text behind 16 million blank lines", () => {
  expect(valuesOf(`---\na: 1\n---\n${"\n".repeat(16_000_000)} \n  Text.\n`)).toEqual([{ a: 1, body: "  Text." }]);
});

it("has the places of values in the file", () => {
  const text = "---\na: 1\nlist:\n  - { b: x }\n---\n\n  Text,\nmore.\n";
  expect(placeOf(text, "a")).toBe("2:4 1");
  expect(placeOf(text, "list", 0, "b")).toBe("4:10 x");
  expect(placeOf(text, "missing")).toMatch(/^2:1 a: 1/);
  expect(placeOf(text, "body")).toBe("7:3 Text,");
  expect(placeOf("Text")).toBe("1:1 ");
  expect(placeOf("+++\na = { b = 'x' }\n+++\n", "a", "b")).toBe("2:11 'x'");
});

it.each([
  ["utf8", "+++\na = 1\n+++", true],
  ["utf16le", "\ufeff+++\n", true],
  ["utf8", "\ufeff+++\n", true],
  ["utf8", "---\na: 1\n---\n+++", false],
  ["utf8", "+", false],
] as const)("tells in %s whether %j may have TOML, before it is read", (encoding, text, expected) => {
  expect(mayHaveToml([Buffer.from(text, encoding)])).toBe(expected);
});
