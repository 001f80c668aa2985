// CSV (RFC 4180) with a header row. csv-parse reads the cells as texts. Places are found by walking over the cells, which
// is only exact up to the first mistake of the text: there the parser stops, too.
import { CsvError, parse } from "csv-parse/sync";
import { unread } from "../source.ts";
import { type ContentFormat, type Span, type TextProblem, type TextReading, unreadable } from "./format.ts";

export const csv: ContentFormat = {
  label: "CSV",
  read(text) {
    const marks = otherMarks(text);
    if (marks !== undefined) return unreadable(marks);
    const [[header, ...rows], error] = rowsOf(text);
    const lost = error === undefined ? [] : [mistakeOf(text, rows.length + (header === undefined ? 0 : 1), error)];
    if (header === undefined) return unreadable(...lost);
    const columns = header.map((name, index) => (isUsable(header, index) ? name : undefined));
    const problems = [...headerProblems(text, header), ...rowProblems(text, header.length, rows), ...lost];
    const values = rows.map((row, index) => ({ path: [index], value: itemOf(columns, row) }));
    return { values, shape: "list", problems, whole: error === undefined } satisfies TextReading;
  },
  open(text) {
    const [header = [], ...rows] = rowsIn(text);
    const columns = new Map(header.map((cell, index) => [unquoted(text.slice(cell.start, cell.end)), index] as const));
    return ([row, column], part) => {
      const cells = rows[Number(row)];
      const index = columns.get(String(column));
      const span = column === undefined ? rowSpan(cells) : cellSpan(header, cells ?? [], index, part);
      return { span, origin: span };
    };
  },
};

/** The names of the columns, without those that have none or are repeated. */
export const columnsOf = (text: string): readonly string[] => {
  const [header = []] = rowsIn(text);
  return [...new Set(header.map(({ start, end }) => unquoted(text.slice(start, end))))].filter(
    (name) => !isNameless(name),
  );
};

/** The fault of a header whose columns are separated by semicolons, as some spreadsheets write them, or by tabs. */
function otherMarks(text: string): TextProblem | undefined {
  const { 0: header, index: start } = /[^\r\n]+/.exec(text) ?? { 0: "", index: 0 };
  const [mark] = /[;\t]/.exec(header.replaceAll(/"[^"]*(?:"|$)/g, "")) ?? [];
  if (mark === undefined || header.includes(",")) return undefined;
  const marks = mark === ";" ? "semicolons" : "tabs";
  const hint = `Separate the cells with commas, not ${marks}, and put a cell that contains a comma in quotes.`;
  return { code: "syntax", span: { start, end: start + header.length }, detail: `${marks} separate the columns`, hint };
}

/** A missing column is a fault of the header; a missing cell is one of its row. */
function cellSpan(header: Row, cells: Row, index: number | undefined, part: string): Span {
  if (index === undefined) return rowSpan(header);
  return (part === "key" ? header : cells)[index] ?? rowSpan(cells);
}

/** The cells of the rows that are not empty, up to the first mistake. */
function rowsOf(text: string): readonly [rows: readonly (readonly string[])[], error: CsvError | undefined] {
  const rows: (readonly string[])[] = [];
  try {
    parse(text, {
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (row: readonly string[]) => {
        rows.push(row.map((cell) => cell.replaceAll("\r\n", "\n")));
        return null;
      },
    });
    return [rows, undefined];
  } catch (error) {
    if (error instanceof CsvError) return [rows, error];
    throw error;
  }
}

const isUsable = (header: readonly string[], index: number): boolean =>
  !isNameless(header[index]) && header.indexOf(header[index] ?? "") === index;

const isNameless = (name: string | undefined): boolean => name?.trim() === "";

function itemOf(columns: readonly (string | undefined)[], row: readonly string[]): object {
  // Any of the cells may be in the wrong column.
  if (row.length !== columns.length) return { [unread]: true };
  return Object.fromEntries(
    row.flatMap((cell, index) => {
      const column = columns[index];
      return column === undefined ? [] : [[column, cell]];
    }),
  );
}

function headerProblems(text: string, header: readonly string[]): readonly TextProblem[] {
  if (header.every((_, index) => isUsable(header, index))) return [];
  const [cells = []] = rowsIn(text);
  return cells.flatMap((span, index): readonly TextProblem[] => {
    if (isUsable(header, index)) return [];
    return isNameless(header[index])
      ? [
          {
            code: "syntax",
            span,
            detail: `column ${index + 1} has no name`,
            hint: "Name it after a field, or remove it.",
          },
        ]
      : [{ code: "syntax", span, detail: "the header has this column twice", hint: "Remove one." }];
  });
}

function rowProblems(text: string, count: number, rows: readonly (readonly string[])[]): readonly TextProblem[] {
  const wrong = new Set(rows.flatMap(({ length }, index) => (length === count ? [] : [index + 1])));
  if (wrong.size === 0) return [];
  const problems: TextProblem[] = [];
  let index = 0;
  for (const cells of rowsIn(text)) {
    if (!wrong.has(index++)) continue;
    const span = cells[count] ?? rowSpan(cells);
    const detail = `this row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}, but the header has ${count}`;
    const hint =
      cells.length > count ? "Put a cell that contains a comma in quotes." : "Write a comma for each empty cell.";
    problems.push({ code: "syntax", span, detail, hint });
  }
  return problems;
}

/** A row of cells by their places, quotes included. */
type Row = readonly Span[];

/** The rows that are not empty. The last one may end at a mistake. */
function* rowsIn(text: string): Generator<Row> {
  const form = /"[^"]*(?:""[^"]*)*"|[^,\r\n]*/y;
  for (let at = 0; at < text.length; ) {
    const cells: Span[] = [];
    do {
      form.lastIndex = at + (cells.length === 0 ? 0 : 1);
      const start = form.lastIndex;
      form.test(text);
      at = start + (form.lastIndex - start);
      cells.push({ start, end: at });
    } while (text[at] === ",");
    if (rowSpan(cells).end > rowSpan(cells).start) yield cells;
    if (text[at] === "\r") at++;
    if (at < text.length && text[at] !== "\n") return;
    at++;
  }
}

const rowSpan = (cells: Row | undefined): Span => ({ start: cells?.[0]?.start ?? 0, end: cells?.at(-1)?.end ?? 0 });

const unquoted = (cell: string): string =>
  cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"').replaceAll("\r\n", "\n") : cell;

/** The mistake at which the parser stopped, in the row behind those that it has read. */
function mistakeOf(text: string, read: number, { code, column }: CsvError): TextProblem {
  const row = [...rowsIn(text)][read] ?? [];
  const { start, end } = row[Number(column)] ?? rowSpan(row);
  const lineEnd = text.indexOf("\n", start);
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return problem(start, lineEnd === -1 ? text.length : lineEnd, "the closing quote of this cell is missing");
    case "CSV_INVALID_CLOSING_QUOTE":
      return problem(end, end + 1, "something follows the closing quote of this cell", doubled);
    case "INVALID_OPENING_QUOTE":
      return problem(start, end, "this cell contains a quote and does not start with one", doubled);
    default:
      throw new Error(`An unknown mistake of CSV: ${code}.`);
  }
}

const doubled = "Put the whole cell in quotes, and double the quotes within it.";

const problem = (start: number, end: number, detail: string, hint?: string): TextProblem => ({
  code: "syntax",
  span: { start, end },
  detail,
  hint,
});
