import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { hasFields, isObject, setField } from "../../../src/model/fields.ts";
import { dialectIn, dialectOf } from "../../../src/model/files.ts";
import { readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import { formats } from "./formats.ts";
import { loadToml } from "./toml.ts";

beforeAll(loadToml);

it.each([
  ["nodes.json", "json"],
  ["nodes.jsonc", "jsonc"],
  ["nodes.toml", "toml"],
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
      expect(values("jsonc", withComments(JSON.stringify(list, null, 1)))).toEqual(parsed);
      const object = { ...Object(withoutNull(parsed)), list: withoutNull(parsed) };
      expect(values("toml", asToml(object))).toEqual([object]);
      expect(values("markdown", `+++\n${asToml(object)}+++\n`)).toEqual([object]);
    }),
    { numRuns: 25 * rounds },
  );
});

/** JSON of one value a line, with comments and trailing commas. */
const withComments = (text: string): string =>
  `// "\n${text.replace(/([^,[{])(?=\n\s*[\]}])/g, "$1, // ] ,").replace(/^ +/gm, "$&/* ', } */ ")}/**/`;

/** TOML has no null. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== null).map(withoutNull);
  if (!hasFields(value)) return value;
  const object: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== null) setField(object, name, withoutNull(member));
  return object;
}

/** An object in TOML: its objects as tables or with dotted keys, its lists of objects as lists of tables. */
function asToml(object: object, path: readonly string[] = []): string {
  const fields: string[] = [];
  const tables: string[] = [];
  const areObjects = (value: unknown): value is object[] =>
    Array.isArray(value) && value.length > 0 && value.every((each) => isObject(each));
  for (const [index, [name, value]] of Object.entries(object).entries()) {
    const inner = [...path, JSON.stringify(name)];
    if (areObjects(value)) tables.push(...value.map((each) => `[[${inner.join(".")}]]\n${asToml(each, inner)}`));
    else if (!isObject(value)) fields.push(`${inner.at(-1)} = ${inline(value)}\n`);
    else if (index % 3 > 0 || Object.keys(value).length === 0)
      tables.push(`[${inner.join(" . ")}]\r\n${asToml(value, inner)}`);
    else
      for (const [last, member] of Object.entries(value))
        fields.push(`${inner.at(-1)}.${JSON.stringify(last)}=${inline(member)} # }\n`);
  }
  return [...fields, ...tables].join("");
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => `\n${inline(each)},`).join("")}]`;
  if (!isObject(value)) return JSON.stringify(value).replaceAll("\x7f", "\\u007f");
  return `{${Object.entries(value).map(([name, member]) => `${JSON.stringify(name)} = ${inline(member)}`)}}`;
}

it("reads no value of another type, nor any that a name of a prototype could change", () => {
  const text = "__proto__.a = 1\nconstructor = 2\n[__proto__.toString]\nb = [{ __proto__ = 3 }]\n";
  const [value] = readText(formats.toml, text).values.map((each) => each.value);
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1,"toString":{"b":[{"__proto__":3}]}},"constructor":2}');
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
  ["markdown", ["---", "+++", "\n", "\r\n", "a: 1", "a = 1", "body: x", "- b", " ", '"', "text", "#"]],
  ["jsonc", ["[", "]", "{", "}", ",", "1", '"a":', "// a\n", "/*", "*/", '"', "\n"]],
  ["toml", ["[", "]", "{", "}", ",", "=", "a", ".", "1", '"', '"""', "'", "\n", "\r\n", "# ", " ", "inf", "[[b]]\n"]],
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
