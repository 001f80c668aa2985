import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemOf, readAll } from "../../../test/content/reading.ts";
import { openLines, readLines } from "./ndjson.ts";

const readNdjson = (text: string) => readAll((visit) => readLines(Buffer.from(text), visit));

/** The line of each problem, its place in the line, and what it is. */
const problemsOf = (text: string) => readNdjson(text).problems.map((each) => `${each.line}: ${problemOf(each)}`);

describe("NDJSON", () => {
  it("reads a value a line, with line feeds or with carriage returns before them, and leaves out blank lines", () => {
    const { values } = readNdjson('{"a":1}\r\n\r\n  \n{"a":2}\n[3]');
    expect(values).toEqual([
      { path: [0], value: { a: 1 } },
      { path: [3], value: { a: 2 } },
      { path: [4], value: [3] },
    ]);
  });

  it("keeps U+2028, which ends no line", () => {
    expect(readNdjson('{"a":"\u2028"}\n').values).toEqual([{ path: [0], value: { a: "\u2028" } }]);
  });

  it("reports each broken line and reads the others", () => {
    const text = '{"a":1,}\n{"a":2}\n{"a" 3}\n';
    expect(problemsOf(text)).toEqual([
      "0: 7-8 syntax: a key in double quotes is expected here",
      "2: 5-6 syntax: a colon is expected here",
    ]);
    expect(readNdjson(text)).toMatchObject({ values: [{ path: [1], value: { a: 2 } }], whole: false });
  });

  it.each([
    ["an indented list", '[\n  {"a": 1},\n  "b"\n]\n', ["0: 1-1"]],
    ["indented objects", '{\n  "a": 1\n}\n{\n  "a": 2\n}\n', ["0: 1-1", "3: 1-1"]],
    ["a line cut off before a good one", '{"a":\n{"a":2}\n', ["0: 5-5"]],
  ])("reports a value over several lines once: %s", (_, text, spans) => {
    const told = " syntax: each value ends on the line it starts on";
    expect(problemsOf(text)).toEqual(spans.map((span) => span + told));
  });

  it("finds keys that stand twice in a line, whatever is wrong with the lines around it", () => {
    expect(problemsOf('{"a":"b\n{"a":1,"a":2}\n{"b":1,:::}')).toEqual([
      "0: 5-7 syntax: this string does not end on its line",
      "1: 7-10 duplicate-key",
      "2: 7-8 syntax: a key in double quotes is expected here",
    ]);
  });

  it("finds a line that nests too deep and reads the others", () => {
    const text = `{"a":1}\n${"[".repeat(200_000)}\n{"a":2,"a":3}`;
    expect(problemsOf(text)).toEqual(["1: 64-65 too-deep", "2: 7-10 duplicate-key"]);
  });

  it("accepts only lines that are a value each, although it parses them together", () => {
    const some = [
      "[1",
      "2]",
      "1,2",
      '{"a":1},{"b":2}',
      "]",
      "[",
      '"a',
      'b"',
      "1],[2",
      "[1]]",
      "1,",
      ",1",
      "[[1]",
      "1 2",
    ];
    const line = fc.constantFrom(
      ...some,
      '{"a":1}',
      '{"a":1,"a":1}',
      '"a,b"',
      '"\\"]"',
      "12345678901234567890",
      "",
      " ",
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
        const { values, problems } = readNdjson(lines.join("\n"));
        fc.pre(problems.length === 0);
        const right = lines.flatMap((each, n) => (each.trim() === "" ? [] : [{ path: [n], value: JSON.parse(each) }]));
        expect(values).toEqual(right.map((each) => (each.value > 2 ** 53 ? { ...each, value: Infinity } : each)));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([1, 100, 70_000])("finds values by their lines, in files of %i more bytes", (length) => {
    const text = `{"a":"${"x".repeat(length)}"}\r\n\r\n{"a":[true]}`;
    const open = openLines(Buffer.from(text));
    const { find, text: line } = open(2);
    expect(line).toBe('{"a":[true]}');
    expect(find(["a", 0], "value").span).toEqual({ start: 6, end: 10 });
    expect(find(["a"], "key").span).toEqual({ start: 1, end: 4 });
    expect(open(0).find(["a"], "key").span).toEqual({ start: 1, end: 4 });
    expect(open(9).find([], "value").span).toEqual({ start: 0, end: 0 });
  });

  it("reads a file in pieces of whole lines, and says in which it is not UTF-8", () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"n":${n},"text":"é"}`);
    const { values, whole } = readNdjson(lines.join("\n"));
    expect(whole).toBe(true);
    expect(values).toEqual(lines.map((_, n) => ({ path: [n], value: { n, text: "é" } })));
    const bytes = Buffer.from(lines.join("\n"));
    bytes[bytes.indexOf('"n":15000,"text":"') + 18] = 0xff;
    const broken = readAll((visit) => readLines(bytes, visit));
    expect(broken.problems).toMatchObject([{ code: "invalid-utf8", line: 15_000, span: { start: 19, end: 20 } }]);
    expect(broken.whole).toBe(false);
  });
});
