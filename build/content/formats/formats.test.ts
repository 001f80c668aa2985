import fc from "fast-check";
import { expect, it } from "vitest";
import { dialectIn, dialectOf } from "../../../src/model/files.ts";
import { readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import { formats } from "./formats.ts";

it.each([
  ["nodes.json", "json"],
  ["nodes/lhr.v2.ndjson", "ndjson"],
  ["nodes.jsonl", "ndjson"],
  ["nodes.yaml", "yaml"],
  ["nodes.yml", "yaml"],
  ["nodes.csv", "csv"],
  ["nodes/a.md", "markdown"],
  ["nodes.JSON", undefined],
  ["nodes", undefined],
  ["json", undefined],
  ["nodes.constructor", undefined],
])("takes %s for %s", (file, format) => {
  expect(dialectOf(file)?.format.name).toBe(format);
});

it("reads the same values from each format", () => {
  const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (list) => {
      const values = (format: keyof typeof formats, text: string) =>
        readText(formats[format], text).values.map((each) => each.value);
      const lines = list.map((each) => JSON.stringify(each)).join("\n");
      const parsed: unknown = JSON.parse(JSON.stringify(list));
      expect(values("json", JSON.stringify(list, null, 2))).toEqual(parsed);
      expect(values("ndjson", lines)).toEqual(parsed);
      expect(values("yaml", JSON.stringify(list))).toEqual(parsed);
    }),
    { numRuns: 25 * rounds },
  );
});

it.each([
  ["csv", ["a", ",", '"', '""', "\n", "\r\n", " ", "😀"]],
  [
    "yaml",
    [
      "- ",
      "a",
      ": ",
      "\n",
      "  ",
      "[",
      "]",
      "{",
      "}",
      ", ",
      "&a ",
      "*a",
      "? ",
      '"',
      "'",
      "#",
      "|",
      "---\n",
      "~",
      "!!str ",
      "<<",
    ],
  ],
  ["markdown", ["---", "\n", "\r\n", "a: 1", "body: x", "- b", " ", '"', "text", "#"]],
] as const)("reads any text as %s, with problems and places within the text", (name, pieces) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }), (parts) => {
      const text = parts.join("");
      const { values, problems } = readText(formats[name], text);
      const find = formats[name].open(text, dialectIn(name));
      const paths = values.flatMap(({ path, value }) => [
        path,
        ...Object.keys(Object(value)).map((key) => [...path, key]),
      ]);
      const spans = [...problems.map(({ at }) => at), ...paths.map((path) => find(path, "value"))];
      for (const { start, end } of spans) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(text.length + 1);
      }
    }),
    { numRuns: 500 * rounds },
  );
});
