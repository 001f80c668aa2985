import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemOf, readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import { json, jsonc } from "./json.ts";

const readJsonText = (text: string) => readText(json, text);
const problemsOf = (text: string) => readJsonText(text).problems.map(problemOf);

describe("JSON", () => {
  it.each([
    ['{"id":"a"}', "one", [{ id: "a" }]],
    ['[{"id":"a"},7]', "list", [{ id: "a" }, 7]],
    ["[]", "list", []],
    ['[["a"]]', "list", [["a"]]],
    [" null\n", "one", [null]],
    ['["\\u0061\\n\\ud83d\\ude00"]', "list", ["a\n😀"]],
    ['{"a:{":"}:\\"{","":1,"a.b":2}', "one", [{ "a:{": '}:"{', "": 1, "a.b": 2 }]],
  ])("reads %s", (text, shape, values) => {
    const reading = readJsonText(text);
    expect(reading.values.map(({ value }) => value)).toEqual(values);
    expect(reading).toMatchObject({ shape, problems: [], whole: true });
  });

  it("keeps __proto__ as a key like any other", () => {
    const [entry] = readJsonText('{"__proto__":{"id":"a"}}').values;
    expect(Object.keys(Object(entry?.value))).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(entry?.value)).toBe(Object.prototype);
  });

  it.each([
    ['{"a":1,}', "7-8 syntax: property name expected"],
    ["[1,]", "3-4 syntax: value expected"],
    ["[1 2]", "3-4 syntax: comma expected"],
    ['{"a" 1}', "5-6 syntax: colon expected"],
    ["[1", "2-2 syntax: close bracket expected"],
    ["{} {}", "3-4 syntax: end of file expected"],
    ["{'a':1}", "1-4 syntax: invalid symbol"],
    ["0E", "0-2 syntax: unexpected end of number"],
    ["\ufeff[]", "0-1 syntax: invalid symbol"],
    ["// a\n[]", "0-4 syntax: invalid comment token"],
    ['["a\n"]', "1-3 syntax: unexpected end of string"],
    ['["\\u00"]', "1-7 syntax: invalid unicode"],
  ])("says where %j is no JSON, and why", (text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
    expect(readJsonText(text)).toMatchObject({ whole: false });
  });

  it.each([
    ['{"a":1,"b":2,"a":3}', ["13-16 duplicate-key"]],
    ['{"a":1,"\\u0061":2}', ["7-15 duplicate-key"]],
    ['[{"a":{"b":1,"b":2}},{"a":1}]', ["13-16 duplicate-key"]],
    ['{"a":1,"a":2,"a":3}', ["7-10 duplicate-key", "13-16 duplicate-key"]],
    ['{"__proto__":1,"__proto__":2}', ["15-26 duplicate-key"]],
    ['[{"a":1},{"a":2}]', []],
    ['{"a":"\\"b\\":","b":1}', []],
  ])("finds the keys of %j that stand twice", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it("keeps the last value of a repeated key, and points at it", () => {
    const text = '{"a":1,"a":23}';
    expect(readJsonText(text).values).toEqual([{ path: [], value: { a: 23 } }]);
    expect(json.open(text)(["a"], "value")).toEqual({ start: 11, end: 13 });
  });

  it.each([
    ["64 levels", 64, []],
    ["65 levels", 65, ["64-65 too-deep"]],
    ["far more levels than a stack has room for", 200_000, ["64-65 too-deep"]],
  ])("takes lists of at most 64 levels: %s", (_, depth, problems) => {
    expect(problemsOf("[".repeat(depth) + "]".repeat(depth))).toEqual(problems);
  });

  it("survives a depth bomb that hides behind a mistake", () => {
    expect(problemsOf(`/*"*/${"[".repeat(200_000)}`)).toEqual(["0-5 syntax: invalid comment token"]);
  });

  it("finds values and keys by their paths", () => {
    const text = '[{"id": "a", "a.b": [1, {"c\\u0064": null}]}]';
    const find = json.open(text);
    const at = (path: readonly (string | number)[], part: "key" | "value") => {
      const { start, end } = find(path, part);
      return text.slice(start, end);
    };
    expect(at([0, "id"], "value")).toBe('"a"');
    expect(at([0, "id"], "key")).toBe('"id"');
    expect(at([0, "a.b", 1, "cd"], "key")).toBe('"c\\u0064"');
    expect(at([0, "a.b", 1, "cd"], "value")).toBe("null");
    expect(at([0, "gone", "deeper"], "value")).toBe(text.slice(1, -1));
  });

  it("accepts the texts that JSON.parse accepts, and reports a place in all others", () => {
    const words = ["true", "null", "//", "/*", "*/", "\\u", "\ufeff", "\u00a0", "\u2028"];
    const pieces = [..."{}[]:,\"\\/-.0eE \n\t'a", ...words];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const { problems } = readJsonText(text);
        const refused = problems.filter(({ code }) => code === "syntax");
        expect(refused.length === 0).toBe(isJson(text));
        for (const { at } of problems) expect(at.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 500 * rounds },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("JSONC", () => {
  it.each([
    ['// a\r\n[{"a": "//", /* , ] */ "b": [1, 2, // c\n ], },]', [{ a: "//", b: [1, 2] }]],
    ['{"a": ",]", "b": "/*\\"", }', [{ a: ",]", b: '/*"' }]],
  ])("reads %j", (text, values) => {
    expect(readText(jsonc, text)).toMatchObject({ problems: [], values: values.map((value) => ({ value })) });
  });

  it.each([
    ["[,]", "1-2 syntax: value expected"],
    ["[1,,]", "3-4 syntax: value expected"],
    ['{"a":,}', "5-6 syntax: value expected"],
    ["[1] /* x", "4-6 syntax: this comment is not closed"],
    ["[1 /* , */ 2]", "11-12 syntax: comma expected"],
    ['{"a": 1, // b\n"a": 2}', "14-17 duplicate-key"],
    ["// a", "4-4 syntax: value expected"],
  ])("says where %j is none, and why", (text, problem) => {
    expect(readText(jsonc, text).problems.map(problemOf)).toEqual([problem]);
  });

  it("has the places of the text with its comments", () => {
    const text = '/* é */ [{"a": /* b */ 12, }]';
    const { start, end } = jsonc.open(text)([0, "a"], "value");
    expect(text.slice(start, end)).toBe("12");
  });

  it("is what a file that is no JSON may be", () => {
    expect(readText(json, '{"a": 1, // b\n}').problems).toMatchObject([{ option: 'format: "jsonc"' }]);
    expect(readText(json, '{"a": 1 // b').problems[0]).not.toHaveProperty("option");
  });
});
