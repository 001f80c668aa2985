import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noSource, problemOf, readText } from "../../../test/content/reading.ts";
import { rounds } from "../../../test/seed.ts";
import type { ContentFormat } from "./format.ts";
import { ndjson, readParts } from "./ndjson.ts";
import { decodeParts } from "./source.ts";

const readNdjson = (text: string) => readText(ndjson, text);
const problemsOf = (text: string) => readNdjson(text).problems.map(problemOf);

describe("NDJSON", () => {
  it("reads a value a line, with line feeds or with carriage returns before them, and leaves out blank lines", () => {
    expect(readNdjson('{"a":1}\r\n\r\n  \n{"a":"\u2028"}\n[3]').values).toEqual([
      { path: [0], value: { a: 1 } },
      { path: [3], value: { a: "\u2028" } },
      { path: [4], value: [3] },
    ]);
  });

  it("reports each broken line and reads the others", () => {
    const text = '{"a":1,}\n{"a":2}\n{"a" 3}\n{"b":1,"b":2}\n';
    expect(problemsOf(text)).toEqual([
      "7-8 syntax: property name expected",
      "22-23 syntax: colon expected",
      "32-35 duplicate-key",
    ]);
    expect(readNdjson(text)).toMatchObject({ values: [{ path: [1] }, { path: [3] }], whole: false });
  });

  it.each([
    ["an indented list", '[\n  {"a": 1},\n  "b"\n]\n', "1-1"],
    ["indented objects", '{\n  "a": 1\n}\n{\n  "a": 2\n}\n', "1-1"],
    ["a line cut off before a good one", '7\n{"a":\n{"a":2}\n', "7-7"],
  ])("reports a value over several lines once, and reads nothing behind it: %s", (_, text, span) => {
    expect(problemsOf(text)).toEqual([`${span} syntax: each value must end on the line on which it starts`]);
  });

  it("finds a line that nests too deep and reads the others", () => {
    const text = `{"a":1}\n${"[".repeat(200_000)}\n{"a":2}`;
    expect(problemsOf(text)).toEqual(["72-73 too-deep"]);
    expect(readNdjson(text).values).toEqual([
      { path: [0], value: { a: 1 } },
      { path: [2], value: { a: 2 } },
    ]);
  });

  it("accepts only lines that are a value each, although it parses them together", () => {
    const line = fc.constantFrom(
      "[1",
      "2]",
      "1,2",
      "[",
      '"a',
      'b"',
      "1],[2",
      "[1]]",
      "1,",
      ",1",
      "[[1]",
      "1 2",
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
      { numRuns: 500 * rounds },
    );
  });

  it("passes the text of a line on only if JSON.stringify writes its value in the same way", () => {
    const string = fc.oneof(
      fc.constantFrom(
        '"a"',
        '""',
        '"1"',
        '"-1"',
        '"a b"',
        '"\\u0061"',
        '"\\n"',
        '"\\/"',
        '"\\ud800"',
        '"é😀\u2028\u007f"',
      ),
      fc.constantFrom('"__proto__"', '"a,:]"', '"4294967295"', '"1.5"', '"01"'),
      fc.string({ unit: "binary", maxLength: 4 }).map((text) => JSON.stringify(text)),
    );
    const number = fc.oneof(
      fc.constantFrom("0", "-0", "1.0", "1.50", "1e3", "1E3", "1e21", "1e-7", "0.1", "-1.5", "0.0000001", "1e999"),
      fc.constantFrom("100000000000000000000", "123456789012345", "9007199254740991", "9007199254740993", "1e+21"),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.integer().map(String),
    );
    const space = fc.constantFrom("", "", "", "", "", "", "", " ", "\t", "\r");
    const { line } = fc.letrec<{ line: string }>((tie) => {
      const members = fc.array(fc.tuple(string, space, tie("line")), { maxLength: 3 });
      return {
        line: fc.oneof(
          { depthSize: "small", withCrossShrink: true },
          fc.tuple(fc.oneof(string, number, fc.constantFrom("true", "null")), space).map((parts) => parts.join("")),
          fc.array(tie("line"), { maxLength: 3 }).map((parts) => `[${parts.join(",")}]`),
          members.map((all) => `{${all.map(([name, blank, value]) => `${name}:${blank}${value}`).join(",")}}`),
        ),
      };
    });
    let count = 0;
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        for (const { data, at, json } of ndjson.read(lines.join("\n"), noSource, () => undefined)) {
          if (json === undefined) continue;
          count++;
          expect(json).toBe(lines[Number(at.step)]);
          expect(JSON.stringify(data)).toBe(json);
        }
      }),
      { numRuns: 2_500 * rounds },
    );
    expect(count).toBeGreaterThan(250 * rounds);
  });

  it.each([
    ['{"id":"a","n":[0,12,-1.5,true,null,{}]}', true],
    ['{"id": "a"}', false],
    ['{"b":0,"1":0}', false],
    ['{"id":"\\u0061"}', false],
    ['{"n":1.0}', false],
  ])("knows whether JSON.stringify writes %s: %s", (line, isCanonical) => {
    const texts = Array.from(
      ndjson.read(line, noSource, () => expect.fail()),
      ({ json }) => json,
    );
    expect(texts).toEqual([isCanonical ? line : undefined]);
  });

  it("reads and finds values behind the first piece of lines", () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"n":${n},"text":"é"}`);
    const text = lines.join("\n");
    expect(readNdjson(text)).toEqual({
      values: lines.map((_, n) => ({ path: [n], value: { n, text: "é" } })),
      problems: [],
      shape: "list",
      whole: true,
    });
    const find = ndjson.open(text);
    for (const n of [0, 9_999, 19_999]) {
      const start = text.indexOf(`"n":${n},`);
      expect(find([n, "n"], "key")).toEqual({ start, end: start + 3 });
      expect(find([n, "n"], "value")).toEqual({ start: start + 4, end: start + 4 + String(n).length });
    }
  });
});

it("reads a text in parts as it reads the whole, wherever lines are divided", () => {
  const line = fc.constantFrom('{"a":1}', '{"a":"é😀"}', "", " \r", "7", '{"a":', "{} {}", "[1,", "\ufeff{}", "nul");
  const texts = fc.tuple(fc.array(line, { maxLength: 8 }), fc.boolean(), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(texts, ([lines, isEnded, length]) => {
      const text = lines.join("\n") + (isEnded ? "\n" : "");
      fc.pre(text.trim() !== "");
      const bytes = Buffer.from(`\ufeff${text}`);
      const parts = bytes.toString("latin1").match(new RegExp(`([^\\n]*\\n){${length}}|[^]+`, "g")) ?? [];
      const file = { read: () => bytes, lines: () => parts.map((part) => Buffer.from(part, "latin1")) };
      const inParts: Pick<ContentFormat, "read"> = {
        read: (_, source, report) => readParts(decodeParts(file), source, report),
      };
      expect(readText(inParts, text)).toEqual(readText(ndjson, text));
    }),
  );
});
