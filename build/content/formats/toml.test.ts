import { beforeAll, expect, it } from "vitest";
import { problemOf, readText } from "../../../test/content/reading.ts";
import { loadToml, toml } from "./toml.ts";

beforeAll(loadToml);

it.each([
  [
    "a = 1979-05-27 07:32:00.10+01:00\nb = 1979-05-27\nc = 07:32",
    { a: "1979-05-27 07:32:00.10+01:00", b: "1979-05-27", c: "07:32" },
  ],
  ["a = [0xFF, 1_000, -0, 3.10, 1e3, 9007199254740991]", { a: [255, 1000, 0, 3.1, 1000, 9007199254740991] }],
  ["a = [9007199254740993, 0x20000000000001, inf]\n", { a: [Infinity, Infinity, Infinity] }],
  ['a = """\r\nb\r\nc\\r"""\r\n', { a: "b\nc\r" }],
  ["[[a]]\nb = 1\n[a.c.d]\n[[a]]\n[[a.b]]\n'x.y' = 2\n", { a: [{ b: 1, c: { d: {} } }, { b: [{ "x.y": 2 }] }] }],
  ["a.b = 1\na.c.d = {e.f = 2, e.g = 3,\n}", { a: { b: 1, c: { d: { e: { f: 2, g: 3 } } } } }],
])("reads %j", (text, value) => {
  expect(readText(toml, text)).toMatchObject({ problems: [], values: [{ path: [], value }], shape: "one" });
});

it.each([
  ["a = 1\na = 2", "6-7 duplicate-key"],
  ["a.b = 1\n[a]\n", "9-10 duplicate-key"],
  ["a = text", "4-8 syntax: unexpected character"],
  ["a = 1.2.3\n", "7-8 syntax: a new line must start here"],
  ["a: 1", "1-2 syntax: unexpected character"],
  ["a = [1 'two']", "7-12 syntax: a comma is missing"],
  ['a = "x\nb = 1', "6-6 syntax: a closing quote is missing"],
  ["a =", "3-3 syntax: a value is missing"],
  ["a = 2024-02-30", "13-14 syntax: unexpected invalid date"],
])("says where %j is no TOML, and why", (text, problem) => {
  expect(readText(toml, text).problems.map(problemOf)).toEqual([problem]);
});

it.each([
  ["a list in 63 others", `a = ${"[".repeat(63)}${"]".repeat(63)}`, []],
  ["a list in 64 others", `a = ${"[".repeat(64)}${"]".repeat(64)}`, ["67-68 too-deep"]],
  [
    "far more tables than a stack has room for",
    `a = ${"{b=".repeat(50_000)}1${"}".repeat(50_000)}`,
    ["196-197 too-deep"],
  ],
  ["a key of very many parts", `[${"a.".repeat(50_000)}a]`, ["0-1 too-deep"]],
])("takes lists and tables of at most 64 levels: %s", (_, text, problems) => {
  expect(readText(toml, text).problems.map(problemOf)).toEqual(problems);
});

it("finds values and keys by their paths", () => {
  const text = 'title = \'x\'\n[[items]]\nid = "a"\n[[items]] # two\nid = "b"\nsize.max = [1, { n = 3.10 }]\n';
  const find = toml.open(text);
  const at = (path: readonly (string | number)[], part: "key" | "value" = "value") => {
    const { start, end } = find(path, part);
    return text.slice(start, end);
  };
  expect(at(["items", 1, "id"])).toBe('"b"');
  expect(at(["items", 1, "id"], "key")).toBe("id");
  expect(at(["items", 1, "size", "max", 1, "n"])).toBe("3.10");
  expect(at(["items", 1, "size"], "key")).toBe("size");
  expect(at(["items", 1, "gone"])).toMatch(/^\[\[items\]\]/);
  expect(find(["items", 1], "value").start).toBe(text.lastIndexOf("[[items]]"));
});
