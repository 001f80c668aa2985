import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dialectIn } from "../../../src/model/files.ts";
import { detailOf, noSource, readText } from "../../../test/content/reading.ts";
import { csv } from "./csv.ts";

const readCsv = (text: string) => readText(csv, text);

const valuesOf = (text: string) => readCsv(text).values.map(({ value }) => value);

/** `line:column detail` of each problem. */
const problemsOf = (text: string) =>
  readCsv(text).problems.map((problem) => {
    const { at: span } = problem;
    const before = text.slice(0, span.start).split("\n");
    return `${before.length}:${(before.at(-1) ?? "").length + 1} ${detailOf(problem)} [${text.slice(span.start, span.end)}]`;
  });

/** A text with line breaks, quotes and commas, and what it is after reading: line ends are line feeds. */
const cell = fc
  .array(fc.constantFrom("a", "ü", "😀", " ", ",", '"', "\n", "\r\n", "0", "'"), { maxLength: 6 })
  .map((parts) => parts.join(""));

const column = fc
  .string({ unit: fc.constantFrom("a", "b", '"', ",", " ", "\n"), minLength: 1, maxLength: 4 })
  .filter((name) => name.trim() !== "");

const table = fc.uniqueArray(column, { minLength: 1, maxLength: 4 }).chain((header) =>
  fc.record({
    header: fc.constant(header),
    rows: fc.array(fc.array(cell, { minLength: header.length, maxLength: header.length }), { maxLength: 5 }),
    quoting: fc.infiniteStream(fc.boolean()),
    ends: fc.infiniteStream(fc.constantFrom("\n", "\r\n", "\n\n", "\r\n\n")),
    hasEnd: fc.boolean(),
  }),
);

const written = (text: string, isQuoted: boolean): string =>
  isQuoted || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const read = (text: string): string => text.replaceAll("\r\n", "\n");

describe("CSV", () => {
  it("has the values that were written, each at its place", () => {
    fc.assert(
      fc.property(table, ({ header, rows, quoting, ends, hasEnd }) => {
        let text = "";
        const places: (readonly [start: number, end: number])[][] = [];
        for (const [index, row] of [header, ...rows].entries()) {
          if (index > 0) text += ends.next().value;
          places.push(
            row.map((each, at) => {
              if (at > 0) text += ",";
              const start = text.length;
              // A single empty cell that is not quoted is an empty line.
              text += written(each, quoting.next().value === true || row.length === 1);
              return [start, text.length];
            }),
          );
        }
        if (hasEnd) text += "\n";
        expect(readCsv(text)).toMatchObject({
          values: rows.flatMap((row, index) =>
            row.every((each) => each === "")
              ? []
              : { path: [index], value: Object.fromEntries(row.map((each, at) => [header[at], read(each)])) },
          ),
          shape: "list",
          problems: [],
          whole: true,
        });
        const find = csv.open(text, dialectIn("csv"));
        for (const [index, row] of rows.entries()) {
          for (const at of row.keys()) {
            const path = [index, header[at] ?? ""];
            expect(find(path, "value")).toEqual(spanOf(places[index + 1]?.[at]));
            expect(find(path, "key")).toEqual(spanOf(places[0]?.[at]));
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  const spanOf = ([start, end]: readonly [number, number] = [0, 0]) => ({ start, end });

  it("skips rows without any text, whatever the number of their cells", () => {
    const { values, problems, whole } = readCsv('a,b\n1,2\n,\n"",""\n,,,\n3,4\n,\n');
    expect(values.map(({ path, value }) => [path, value])).toEqual([
      [[0], { a: "1", b: "2" }],
      [[4], { a: "3", b: "4" }],
    ]);
    expect({ problems, whole }).toEqual({ problems: [], whole: true });
  });

  it.each([
    ["a stray quote", 'a,b\nBox Jump 24",2\n', "quote: false"],
    ["a word behind quotes", 'a,b\n"the rainmaker" norton,2\n', "quote: false"],
    ["a quote that is not closed", 'a,b\n"24,2\n', "quote: false"],
    // All cells would be read with their quotes.
    ["a stray quote behind a cell in quotes", 'a,b\n"1",2\nBox Jump 24",2\n', undefined],
  ])("names the option that reads %s, if there is one", (_, text, option) => {
    expect(readCsv(text).problems.map((problem) => problem.option)).toEqual([option]);
  });

  it("may consist of its header", () => {
    const [header, ...rows] = csv.read("a,b\n", { ...noSource, dialect: dialectIn("csv") }, () => expect.fail());
    expect(header).toMatchObject({ data: { a: "", b: "" }, isHeader: true });
    expect(rows).toEqual([]);
  });

  it.each([
    ["a,b\n1\n1,2\n", ["2:1 this row has 1 cell, but the header has 2 [1]"]],
    ['a,b\n"x\ny",2,3,4\n1,2', ["3:6 this row has 4 cells, but the header has 2 [3]"]],
    [
      "a,,a\n1,2,3\n",
      [
        "1:3 each column must have a name that no other has []",
        "1:4 each column must have a name that no other has [a]",
      ],
    ],
    ['a,b\n1,"2\n3,4\n', ['2:3 the closing quote of this cell is missing ["2]']],
    // Tables of spreadsheets in countries that write 1,5, and of databases.
    ["a;b\n1;2\n", ["1:1 its cells are separated by semicolons, not by commas [a;b]"]],
    ["\r\n\n  a\tb\r\n1\t2,5\n", ["3:1 its cells are separated by tabs, not by commas [  a\tb\r]"]],
    ["a|b", ["1:1 its cells are separated by vertical bars, not by commas [a|b]"]],
    [
      "sep=;\na;b\n",
      [
        "1:1 its first line is only for spreadsheets [sep=;]",
        "2:1 its cells are separated by semicolons, not by commas [a;b]",
      ],
    ],
    ["sep=,\na,b\n", ["1:1 its first line is only for spreadsheets [sep=,]"]],
    ['"a, A";"b|""B"\n1;2', ['1:1 its cells are separated by semicolons, not by commas ["a, A";"b|""B"]']],
    ['a;b\n1;"2;3"\n', ["1:1 its cells are separated by semicolons, not by commas [a;b]"]],
    ['a;"b\n1;2', ['1:1 its cells are separated by semicolons, not by commas [a;"b]']],
    ['"a;b', ['1:1 the closing quote of this cell is missing ["a;b]']],
    ['"a;b"\n1\n', []],
    ["a;b,c\n1,2\n", []],
    ['"a', ['1:1 the closing quote of this cell is missing ["a]']],
    ['a,b\n1,2\n"x\ny","2"3\n', ["4:7 a part of this cell is outside its quotes [3]"]],
    ['a,b\n"x\ny",z\n1,b"c"\n', ['4:3 a part of this cell is outside its quotes [b"c"]']],
  ])("%j has %j", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it("keeps the rows before a mistake, and none of those whose cells may be in wrong columns", () => {
    expect(valuesOf('a,b\n1,2\n3,"4')).toEqual([{ a: "1", b: "2" }]);
    expect(readCsv('a,b\n1,2\n3,"4').whole).toBe(false);
    expect(readCsv("a,b\n1\n3,4\n")).toMatchObject({
      values: [{ path: [1], value: { a: "3", b: "4" } }],
      whole: false,
    });
    expect(readCsv("a,b\n1,2,3\n")).toMatchObject({ values: [], whole: false });
    expect(valuesOf("a,,a\n1,2,3\n")).toEqual([{ a: "1" }]);
    expect(valuesOf("__proto__\n1\n").map((value) => Object.keys(Object(value)))).toEqual([["__proto__"]]);
  });

  it("has other names for columns, at the places of their cells", () => {
    const renamed = { ...dialectIn("csv"), delimiter: ";", rename: { "No. (new)": "id", b: "a" } };
    const text = '"No. (new)";b;c\n1;2;3\n';
    expect(readText(csv, text, renamed).values).toEqual([{ path: [0], value: { id: "1", a: "2", c: "3" } }]);
    const find = csv.open(text, renamed);
    expect(text.slice(find([0, "a"], "value").start, find([0, "a"], "value").end)).toBe("2");
    expect(find([0, "id"], "key")).toEqual({ start: 0, end: 11 });
  });

  it.each([
    [{ nmae: "id" }, 'There is no column "nmae", which the option rename names. Did you mean "name"?'],
    [{ x: "y" }, 'There is no column "x", which the option rename names. The columns are "name", "b".'],
    [{ b: "name" }, "This is not valid CSV: each column must have a name that no other has."],
  ])("refuses to rename %j in a table with the columns name and b", (rename, message) => {
    const { problems, values } = readText(csv, "name,b\n1,2\n", { ...dialectIn("csv"), rename });
    expect(problems.map(({ text, hint }) => `${text} ${hint}`)).toEqual([expect.stringContaining(message)]);
    expect(values.every(({ value }) => Object.keys(Object(value)).length === 1)).toBe(true);
  });

  it("has the places of rows, and of columns that are missing", () => {
    const find = csv.open('a,b\r\n\r\n"x\r\ny",2\r\n3,4\r\n', dialectIn("csv"));
    expect(find([0], "value")).toEqual({ start: 7, end: 15 });
    expect(find([1], "key")).toEqual({ start: 17, end: 20 });
    expect(find([1, "c"], "value")).toEqual({ start: 0, end: 3 });
  });
});
