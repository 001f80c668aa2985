import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json, ndjson } from "./json.ts";

const problemsOf = (format: typeof json, text: string) =>
  format.read(text).problems.map(({ code, span, detail }) => {
    const told = detail === undefined ? "" : `: ${detail}`;
    return `${span.start}-${span.end} ${code}${told}`;
  });

describe("JSON", () => {
  it.each([
    ["an object", '{"id":"a"}', "one", [[[], { id: "a" }]]],
    [
      "a list",
      '[{"id":"a"},7]',
      "list",
      [
        [[0], { id: "a" }],
        [[1], 7],
      ],
    ],
    ["an empty list", "[]", "list", []],
    ["a nested list", '[["a"]]', "list", [[[0], ["a"]]]],
    ["a string", '"a"', "one", [[[], "a"]]],
    ["null", " null\n", "one", [[[], null]]],
    ["escapes", '["\\u0061\\n\\ud83d\\ude00"]', "list", [[[0], "a\n😀"]]],
    ["colons and braces in strings", '{"a:{":"}:\\"{"}', "one", [[[], { "a:{": '}:"{' }]]],
    ["keys without sense", '{"":1,"a.b":2}', "one", [[[], { "": 1, "a.b": 2 }]]],
  ])("reads %s", (_, text, shape, values) => {
    const reading = json.read(text);
    expect(reading.values.map(({ path, value }) => [path, value])).toEqual(values);
    expect(reading).toMatchObject({ shape, problems: [], whole: true });
  });

  it("keeps __proto__ as a key like any other", () => {
    const [entry] = json.read('{"__proto__":{"id":"a"}}').values;
    expect(Object.keys(Object(entry?.value))).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(entry?.value)).toBe(Object.prototype);
  });

  it.each([
    ['{"a":1,}', "7-8 syntax: a key in double quotes is expected here"],
    ["[1,]", "3-4 syntax: a value is expected here"],
    ["[1 2]", "3-4 syntax: a comma is expected here"],
    ['{"a" 1}', "5-6 syntax: a colon is expected here"],
    ['{"a":1', "6-6 syntax: the closing } is missing"],
    ["[1", "2-2 syntax: the closing ] is missing"],
    ["{} {}", "3-4 syntax: something follows the value"],
    ["{'a':1}", "1-4 syntax: this is not a JSON value; strings and keys must be in double quotes"],
    ["0E", "0-2 syntax: this number is not complete"],
    ["[True]", "1-5 syntax: this is not a JSON value; strings and keys must be in double quotes"],
    ["[“a”]", "1-4 syntax: the character U+201C is outside a string"],
    ["\ufeff[]", "0-1 syntax: the character U+FEFF is outside a string"],
    ["[1.]", "1-3 syntax: this number is not complete"],
    ["// a\n[]", "0-4 syntax: JSON has no comments"],
    ['["a\n"]', "1-3 syntax: this string does not end on its line"],
    ['["\\u00"]', "1-7 syntax: a \\u in this string is not followed by four hexadecimal digits"],
    ['["\\a"]', "1-5 syntax: this string has a backslash before a character that needs none"],
    ['["\t"]', "1-4 syntax: this string holds a control character that is not escaped"],
  ])("says where %j is no JSON, and why", (text, problem) => {
    expect(problemsOf(json, text)).toEqual([problem]);
    expect(json.read(text)).toMatchObject({ whole: false });
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
    expect(problemsOf(json, text)).toEqual(problems);
  });

  it("keeps the last value of a repeated key, and points at it", () => {
    const text = '{"a":1,"a":23}';
    expect(json.read(text).values).toEqual([{ path: [], value: { a: 23 } }]);
    expect(json.open(text)(["a"], "value").span).toEqual({ start: 11, end: 13 });
  });

  it.each([
    ["64 levels", 64, []],
    ["65 levels", 65, ["64-65 too-deep"]],
    ["far more levels than a stack has room for", 200_000, ["64-65 too-deep"]],
  ])("takes lists of at most 64 levels: %s", (_, depth, problems) => {
    expect(problemsOf(json, "[".repeat(depth) + "]".repeat(depth))).toEqual(problems);
  });

  it("survives a depth bomb that hides behind a mistake", () => {
    expect(problemsOf(json, `/*"*/${"[".repeat(200_000)}`)).toEqual(["0-5 syntax: JSON has no comments"]);
  });

  it("finds values and keys by their paths", () => {
    const text = '[{"id": "a", "a.b": [1, {"c\\u0064": null}]}]';
    const find = json.open(text);
    const at = (path: readonly (string | number)[], part: "key" | "value") => {
      const { start, end } = find(path, part).span;
      return text.slice(start, end);
    };
    expect(at([0, "id"], "value")).toBe('"a"');
    expect(at([0, "id"], "key")).toBe('"id"');
    expect(at([0, "a.b", 1, "cd"], "key")).toBe('"c\\u0064"');
    expect(at([0, "a.b", 1, "cd"], "value")).toBe("null");
    expect(at([0, "gone", "deeper"], "value")).toBe(text.slice(1, -1));
  });

  it("accepts the texts that JSON.parse accepts, and reports a place in all others", () => {
    const pieces = [
      ..."{}[]:,\"\\/-.0eE \n\t'a",
      "true",
      "null",
      "//",
      "/*",
      "*/",
      "\\u",
      "\ufeff",
      "\u00a0",
      "\u2028",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const { problems } = json.read(text);
        const refused = problems.filter(({ code }) => code === "syntax");
        expect(refused.length === 0).toBe(isJson(text));
        for (const { span } of problems) expect(span.end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
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

describe("NDJSON", () => {
  it("reads a value a line, with line feeds or with carriage returns before them, and leaves out blank lines", () => {
    const { values, shape } = ndjson.read('{"a":1}\r\n\r\n  \n{"a":2}\n[3]');
    expect(values).toEqual([
      { path: [0], value: { a: 1 } },
      { path: [3], value: { a: 2 } },
      { path: [4], value: [3] },
    ]);
    expect(shape).toBe("lines");
  });

  it("keeps U+2028, which ends no line", () => {
    expect(ndjson.read('{"a":"\u2028"}\n').values).toEqual([{ path: [0], value: { a: "\u2028" } }]);
  });

  it("reports each broken line and reads the others", () => {
    const text = '{"a":1,}\n{"a":2}\n{"a" 3}\n';
    expect(problemsOf(ndjson, text)).toEqual([
      "7-8 syntax: a key in double quotes is expected here",
      "22-23 syntax: a colon is expected here",
    ]);
    expect(ndjson.read(text)).toMatchObject({ values: [{ path: [1], value: { a: 2 } }], whole: false });
  });

  it.each([
    ["an indented list", '[\n  {"a": 1},\n  "b"\n]\n', ["1-1"]],
    ["indented objects", '{\n  "a": 1\n}\n{\n  "a": 2\n}\n', ["1-1", "14-14"]],
    ["a line cut off before a good one", '{"a":\n{"a":2}\n', ["5-5"]],
  ])("reports a value over several lines once: %s", (_, text, spans) => {
    const told = " syntax: each value ends on the line it starts on";
    expect(problemsOf(ndjson, text)).toEqual(spans.map((span) => span + told));
  });

  it("finds keys that stand twice in a line, whatever is wrong with the lines around it", () => {
    expect(problemsOf(ndjson, '{"a":"b\n{"a":1,"a":2}\n{"b":1,:::}')).toEqual([
      "5-7 syntax: this string does not end on its line",
      "15-18 duplicate-key",
      "29-30 syntax: a key in double quotes is expected here",
    ]);
  });

  it("finds a line that nests too deep and reads the others", () => {
    const text = `{"a":1}\n${"[".repeat(200_000)}\n{"a":2,"a":3}`;
    expect(problemsOf(ndjson, text)).toEqual(["72-73 too-deep", "200016-200019 duplicate-key"]);
  });

  it("finds values by their lines", () => {
    const text = '{"a":1}\r\n\r\n{"a":[true]}';
    const find = ndjson.open(text);
    expect(find([2, "a", 0], "value").span).toEqual({ start: 17, end: 21 });
    expect(find([2, "a"], "key").span).toEqual({ start: 12, end: 15 });
    expect(find([9], "value").span).toEqual({ start: 0, end: 0 });
  });
});
