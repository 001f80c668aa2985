import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { fieldOf } from "../../../src/model/fields.ts";
import { problemOf, readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import { yaml } from "./yaml.ts";
import { quickValues } from "./yaml-quick.ts";

const readYaml = (text: string) => readText(yaml, text);
const problemsOf = (text: string) => readYaml(text).problems.map(problemOf);

const valuesOf = (text: string) => readYaml(text).values.map(({ value }) => value);

describe("reading YAML", () => {
  it.each([
    ["id: a\n", "one", [{ id: "a" }]],
    ["- id: a\n- 7\n", "list", [{ id: "a" }, 7]],
    ["[] # none\n", "list", []],
    ["---\n- a\n...\n", "list", ["a"]],
    ["[a: 1, b]", "list", [{ a: 1 }, "b"]],
    ["{a, b: }", "one", [{ a: null, b: null }]],
    ["a: |\n  b\n  c\n", "one", [{ a: "b\nc\n" }]],
    ["a: b\r\nc: >-\r\n  d\r\n  e\r\n", "one", [{ a: "b", c: "d e" }]],
    [
      "1: a\n3.10: b\n1e3: c\n~: d\ntrue: e\n? f g\n: h\n",
      "one",
      [{ 1: "a", "3.10": "b", "1e3": "c", "~": "d", true: "e", "f g": "h" }],
    ],
  ])("reads %j", (text, shape, values) => {
    expect(readYaml(text)).toMatchObject({ shape, problems: [], whole: true });
    expect(valuesOf(text)).toEqual(values);
  });

  it.each([
    ["NO", "NO"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["0123", 123],
    ["3.10", 3.1],
    ["0x1F", 31],
    [".inf", Number.POSITIVE_INFINITY],
    ["~", null],
    ["9007199254740993", Number.POSITIVE_INFINITY],
    ['"3.10"', "3.10"],
    ["!!str 3.10", "3.10"],
    ["<<", "<<"],
  ])("reads %s as YAML 1.2 does", (text, value) => {
    expect(valuesOf(`- ${text}\n`)).toEqual([value]);
  });

  it("keeps __proto__ as a key like any other", () => {
    const [value] = valuesOf("__proto__: {id: a}\n");
    expect(Object.keys(Object(value))).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ["id: a\nid: b\n", ["6-8 duplicate-key"]],
    ['{id: a, "\\u0069d": b}', ["8-17 duplicate-key"]],
    ['1: a\n"1": b\n', ["5-8 duplicate-key"]],
    ["a: {b: 1}\nc: {b: 1}\n", []],
  ])("finds the keys of %j that stand twice, and keeps the last", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe("mistakes in YAML", () => {
  it.each([
    ["a: @b", "3-4 syntax: a value starts with @"],
    ["a: b: c", "3-4 syntax: the value holds a colon before a space"],
    ["- a b\n  c: d", "2-9 syntax: the value goes on in the next line, which has a colon"],
    ["a: b\nc\n", "5-6 syntax: this key has no colon"],
    ['a: "b', '3-5 syntax: a closing " is missing'],
    ["a: 'b", "3-5 syntax: a closing ' is missing"],
    ["- a: b\n\tc: d", "7-8 syntax: a line is indented with a tab"],
    // Others have the library's words.
    ["a:\n  - b\n c: d", "9-10 syntax: all mapping items must start at the same column"],
    ["- a: [b\n- c: d", "8-9 syntax: flow sequence in block collection must be sufficiently indented and end with a ]"],
    ["a: *b", "3-5 syntax: there is no anchor &b before this alias"],
    ["%FOO\n---\na", "0-4 syntax: unknown directive %FOO"],
    // Others may follow from the first one.
    ['a: @b\nc: "\\q"\nd: `e\n', "3-4 syntax: a value starts with @"],
  ])("says where %j is none, and why", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
    expect(readYaml(text)).toMatchObject({ values: [], whole: false });
  });

  it.each([
    ["!!binary aGk=", "aGk=", "2-10 yaml-only: tags such as !!binary"],
    ["!Ref a", "a", "2-6 yaml-only: tags such as !Ref"],
  ])("refuses the tag of %s, and reads the value", (text, value, problem) => {
    expect(problemsOf(`- ${text}\n`)).toEqual([problem]);
    expect(valuesOf(`- ${text}\n`)).toEqual([value]);
  });

  it.each([
    ["? [a]\n: 1\nb: 2\n", "2-5 yaml-only: keys that are not strings"],
    ["{a: 1}: 1\nb: 2\n", "0-6 yaml-only: keys that are not strings"],
    ["a: &k b\n*k : 2\n", "8-10 yaml-only: aliases as keys"],
  ])("refuses the key of %j", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
    expect(readYaml(text)).toMatchObject({ values: [], whole: false });
  });

  it("refuses a merge key, and leaves out the item whose fields are not all known", () => {
    const text = "- &a {id: x}\n- <<: *a\n  b: 2\n";
    expect(problemsOf(text)).toEqual(["15-17 yaml-only: merge keys (<<)"]);
    expect(readYaml(text)).toMatchObject({ values: [{ path: [0], value: { id: "x" } }], whole: false });
  });

  it.each([
    ["1.1", "%YAML 1.1\n---\n- NO\n", ["0-9 yaml-only: 1.1"]],
    ["1.2", "%YAML 1.2\n---\n- NO\n", []],
  ])("reads no file that asks for another YAML than 1.2: %s", (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
    expect(valuesOf(text)).toEqual(problems.length === 0 ? ["NO"] : []);
  });

  it.each(["# nothing\n", "---\n", "...\n", "--- # nothing\n...\n"])("calls %j empty", (text) => {
    expect(readYaml(text)).toMatchObject({ values: [], problems: [{ code: "empty-file" }], whole: false });
  });

  it.each([
    ["64 flow levels", "[".repeat(64) + "]".repeat(64), []],
    ["65 flow levels", "[".repeat(65) + "]".repeat(65), ["64-65 too-deep"]],
    ["far more flow levels than a stack has room for", "[".repeat(100_000), ["64-65 too-deep"]],
    ["far more hyphens than a stack has room for", "- ".repeat(20_000), ["128-129 too-deep"]],
    ["far more keys than a stack has room for", "? ".repeat(20_000), ["128-129 too-deep"]],
  ])("takes lists and objects of at most 64 levels: %s", (_, text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe("several documents", () => {
  it.each([
    ["id: a\n---\nid: b\n"],
    ["# first\n---\nid: a\n---\n\n--- # none\n---\r\nid: b\n"],
    ["--- {id: a}\n...\n%YAML 1.2\n---\n- id: b\n"],
    ["- id: &x a\n---\n- id: b\n---\n[]\n"],
    ["id: |-\n  a\n---\nid: 'b'\n---"],
  ])("are items or lists of them: %j", (text) => {
    expect(readYaml(text)).toMatchObject({ problems: [], whole: true, shape: "list" });
    expect(valuesOf(text)).toEqual([{ id: "a" }, { id: "b" }]);
    const find = yaml.open(text);
    const textsOf = readYaml(text).values.map(({ path }) => find([...path, "id"], "key"));
    expect(textsOf.map(({ start, end }) => text.slice(start, end))).toEqual(["id", "id"]);
    expect(textsOf.map(({ start }) => start)).toEqual([text.indexOf("id:"), text.lastIndexOf("id:")]);
  });

  it("are those that `yaml` finds, also where it is not asked", () => {
    const part = fc.constantFrom(
      "---",
      "\n",
      "a: 1",
      "- x",
      "...",
      "|",
      ">-",
      "  text",
      '"',
      " ",
      "# c",
      "\r\n",
      "\u2028",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const quick = quickValues(text);
        const composed = parseAllDocuments(text, { version: "1.2" });
        const documents = (Array.isArray(composed) ? composed : []).map((document) => document.toJS());
        if (quick !== undefined) expect(quick).toEqual(documents.filter((value) => value !== null));
      }),
      { numRuns: 1_000 * rounds },
    );
  });

  it("have faults at their places in the file", () => {
    expect(problemsOf("a: 1\n---\nb: 1\nb: 2\n---\n- <<: {}\n")).toEqual([
      "14-15 duplicate-key",
      "25-27 yaml-only: merge keys (<<)",
    ]);
    expect(problemsOf('a: 1\n---\nb: "\n')).toEqual(['12-13 syntax: a closing " is missing']);
    expect(problemsOf("a: &x 1\n---\nb: *x\n")).toEqual(["15-17 syntax: there is no anchor &x before this alias"]);
  });

  it("together expand aliases to at most a million values", () => {
    const list = (of: string) => `[${Array(100).fill(of).join(", ")}]`;
    const document = `a: &a ${list("x")}\nb: &b ${list("*a")}\nc: ${list("*b").replace(/(, \*b){50}/, "")}\n`;
    expect(readYaml(document)).toMatchObject({ problems: [] });
    expect(readYaml(`${document}---\n`.repeat(3))).toMatchObject({ values: [], problems: [{ code: "yaml-only" }] });
  });
});

describe("YAML aliases", () => {
  it("are the last value of their anchor before them, and each item has values of its own", () => {
    expect(valuesOf("- &a x\n- *a\n- &a y\n- *a\n")).toEqual(["x", "x", "y", "y"]);
    const [first, second] = valuesOf("- &a {list: [1]}\n- *a\n");
    expect(second).toEqual(first);
    expect(fieldOf(second, "list")).not.toBe(fieldOf(first, "list"));
  });

  it("reads a file with very many aliases of small values", () => {
    expect(valuesOf(`- &a x\n${"- *a\n".repeat(50_000)}`)).toHaveLength(50_001);
  });

  it("refuses aliases that expand beyond a million values, without expanding them", () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(", ")}]\n`;
    const lines = [..."bcdefghijklmnop"].map((name, index) => level(name, "abcdefghijklmnop".charAt(index)));
    const reading = readYaml(`a: &a [x, x, x, x, x, x, x, x, x, x]\n${lines.join("")}`);
    expect(reading).toMatchObject({ values: [], problems: [{ code: "yaml-only" }], whole: false });
  });

  it("leaves out items with an alias without an anchor, or inside its anchored value", () => {
    expect(readYaml("- *gone\n- &a {b: *a}\n- c\n")).toMatchObject({
      values: [{ path: [2], value: "c" }],
      whole: false,
    });
    expect(problemsOf("- *gone\n- &a {b: *a}\n")).toEqual([
      "2-7 syntax: there is no anchor &gone before this alias",
      "17-19 yaml-only: values that hold themselves",
    ]);
  });
});

describe("places in YAML", () => {
  const text = '- &a\n  id: "x"\n  s: [1, {t: &b 3.10}]\n- *a\n- {id: *b, ? u : , v}\n- 1e3: ~\n';
  const find = yaml.open(text);
  const textOf = ({ start, end }: { start: number; end: number }) => text.slice(start, end);

  it.each([
    [[0, "id"], "value", '"x"'],
    [[0, "id"], "key", "id"],
    [[0, "s", 1, "t"], "value", "3.10"],
    [[0, "s", 1], "value", "{t: &b 3.10}"],
    [[2, "id"], "value", "*b"],
    [[2, "id"], "key", "id"],
    [[1, "id"], "value", '"x"'],
    [[1, "id"], "use", "*a"],
    [[0, "id"], "use", '"x"'],
    [[2, "id"], "use", "*b"],
    [[2, "u"], "key", "u"],
    [[2, "v"], "value", "v"],
    [[3, "1e3", "deeper"], "value", "~"],
  ] as const)("finds %j, its %s", (path, part, shown) => {
    expect(textOf(find(path, part))).toBe(shown);
  });
});

it("finds the first line behind five million blank ones", () => {
  const blank = 5_000_000;
  expect(problemsOf(`${"\n".repeat(blank)}%YAML 1.1\n---\n- a\n`)).toEqual([`${blank}-${blank + 9} yaml-only: 1.1`]);
});
