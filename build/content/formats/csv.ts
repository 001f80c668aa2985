// CSV (RFC 4180) with a header row. One walk over the cells gives their texts and their places.
import { type ContentFormat, located, type Outcome, type Span, type TextProblem, unreadable } from "./format.ts";

export const csv: ContentFormat = {
  label: "CSV",
  contents: "a header: the names of the fields, separated by commas",
  read(text, visit): Outcome {
    const marks = otherMarks(text);
    if (marks !== undefined) return unreadable(marks);
    const rows = rowsIn(text);
    const header: Row | undefined = rows.next().value;
    if (header === undefined) return unreadable();
    if (header.mistake !== undefined) return unreadable(header.mistake);
    const names = header.cells;
    const problems: TextProblem[] = names.flatMap((_, index) => headerProblem(header, index) ?? []);
    const used = [...names.keys()].filter((index) => isUsable(names, index));
    // `__proto__` is a field like any other if an object has it already.
    const empty: Readonly<Record<string, string>> = Object.fromEntries(used.map((index) => [names[index] ?? "", ""]));
    let whole = true;
    let number = 0;
    for (const row of rows) {
      const problem = row.mistake ?? lengthProblem(row, names.length);
      if (problem === undefined) {
        const item: Record<string, string> = { ...empty };
        for (const index of used) item[names[index] ?? ""] = row.cells[index] ?? "";
        visit(item, [number]);
      } else {
        whole = false;
        problems.push(problem);
      }
      number++;
    }
    return { shape: "list", problems, whole };
  },
  open(text) {
    const [header = noRow, ...rows] = rowsIn(text);
    const columns = new Map(header.cells.map((name, index) => [name, index] as const));
    return ([number, column], part) => {
      const row = rows[Number(number)] ?? noRow;
      const index = columns.get(String(column));
      if (column === undefined) return located(spanOf(row));
      // A missing column is a fault of the header, a missing cell one of its row.
      if (index === undefined) return located(spanOf(header));
      return located(cellSpan(part === "key" ? header : row, index));
    };
  },
};

/** The names of the columns, without those that have none or are repeated. */
export const columnsOf = (text: string): readonly string[] => {
  const { cells } = rowsIn(text).next().value ?? noRow;
  return cells.filter((_, index) => isUsable(cells, index));
};

/** The fault of a header whose columns are separated by semicolons, as some spreadsheets write them, or by tabs. */
function otherMarks(text: string): TextProblem | undefined {
  const { 0: header, index: start } = /[^\r\n]+/.exec(text) ?? { 0: "", index: 0 };
  const [mark] = /[;\t]/.exec(header.replaceAll(/"[^"]*(?:"|$)/g, "")) ?? [];
  if (mark === undefined || header.includes(",")) return undefined;
  const marks = mark === ";" ? "semicolons" : "tabs";
  const hint = `Separate the cells with commas, not ${marks}, and put a cell that contains a comma in quotes.`;
  return mistake({ start, end: start + header.length }, `${marks} separate the columns`, hint);
}

const isUsable = (names: readonly string[], index: number): boolean => {
  const name = names[index] ?? "";
  return name.trim() !== "" && names.indexOf(name) === index;
};

function headerProblem(header: Row, index: number): TextProblem | undefined {
  if (isUsable(header.cells, index)) return undefined;
  const span = cellSpan(header, index);
  return header.cells[index]?.trim() === ""
    ? mistake(span, `column ${index + 1} has no name`, "Name it after a field, or remove it.")
    : mistake(span, "the header has this column twice", "Remove one.");
}

/** Any of the cells may be in the wrong column. */
function lengthProblem(row: Row, count: number): TextProblem | undefined {
  const { length } = row.cells;
  if (length === count) return undefined;
  const detail = `this row has ${length} ${length === 1 ? "cell" : "cells"}, but the header has ${count}`;
  const hint = length > count ? "Put a cell that contains a comma in quotes." : "Write a comma for each empty cell.";
  return mistake(cellSpan(row, count), detail, hint);
}

interface Row {
  readonly cells: readonly string[];
  /** Where each cell starts and ends, quotes included. */
  readonly bounds: readonly number[];
  /** Behind a mistake the text cannot be divided into cells. */
  readonly mistake?: TextProblem | undefined;
}

const noRow: Row = { cells: [], bounds: [] };

const spanOf = ({ bounds }: Row): Span => ({ start: bounds[0] ?? 0, end: bounds.at(-1) ?? 0 });

const cellSpan = (row: Row, index: number): Span =>
  index < row.cells.length ? { start: row.bounds[2 * index] ?? 0, end: row.bounds[2 * index + 1] ?? 0 } : spanOf(row);

/** The rows that are not empty. The last one may have a mistake. */
function* rowsIn(text: string): Generator<Row, undefined> {
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    const bounds: number[] = [];
    let problem: TextProblem | undefined;
    do {
      const start = bounds.length === 0 ? at : at + 1;
      const isQuoted = text.charCodeAt(start) === quote;
      at = isQuoted ? quotedEnd(text, start) : plainEnd(text, start);
      const cell = text.slice(start, at);
      cells.push(isQuoted ? unquoted(cell) : cell);
      bounds.push(start, at);
      problem = isQuoted ? quoteMistake(text, start, at) : plainMistake(cell, start);
    } while (problem === undefined && text.charCodeAt(at) === comma);
    const row = { cells, bounds, mistake: problem };
    if (problem !== undefined || spanOf(row).end > spanOf(row).start) yield row;
    if (problem !== undefined) return;
    at += text.charCodeAt(at) === carriageReturn ? 2 : 1;
  }
}

const [quote, comma, lineFeed, carriageReturn] = [0x22, 0x2c, 0x0a, 0x0d];

/** The end of a cell without quotes around it: the next comma, line end or the end of the text. */
function plainEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === lineFeed || code === carriageReturn) return at;
  }
  return text.length;
}

/** The offset behind the closing quote, or the end of the text. */
function quotedEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== quote) return at + 1;
  return text.length;
}

const unquoted = (cell: string): string => cell.slice(1, -1).replaceAll('""', '"').replaceAll("\r\n", "\n");

const plainMistake = (cell: string, start: number): TextProblem | undefined =>
  cell.includes('"')
    ? mistake({ start, end: start + cell.length }, "this cell contains a quote and does not start with one", doubled)
    : undefined;

function quoteMistake(text: string, start: number, end: number): TextProblem | undefined {
  const quotes = text.slice(start, end).split('"').length - 1;
  if (quotes % 2 === 1) {
    const lineEnd = text.indexOf("\n", start);
    return mistake({ start, end: lineEnd === -1 ? end : lineEnd }, "the closing quote of this cell is missing");
  }
  if (end === text.length || plainEnd(text, end) === end) return undefined;
  return mistake({ start: end, end: end + 1 }, "something follows the closing quote of this cell", doubled);
}

const doubled = "Put the whole cell in quotes, and double the quotes within it.";

const mistake = (span: Span, detail: string, hint?: string): TextProblem => ({
  code: "syntax",
  span,
  message: `This is not valid CSV: ${detail}.`,
  hint,
});
