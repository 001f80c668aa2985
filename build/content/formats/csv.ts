// CSV (RFC 4180) with a header row. One walk over the cells finds their texts and their places.
import type { Draft, Span } from "../../messages.ts";
import { type ContentFormat, lineEnd, mistake, type ReadOutcome, unreadable } from "./format.ts";

export const csv: ContentFormat = {
  contents: "a header: the names of the fields, separated by commas",
  read(text, visit): ReadOutcome {
    const foreign = otherSeparator(text);
    if (foreign !== undefined) return unreadable(foreign);
    const rows = rowsIn(text);
    const header = rows.next().value ?? noRow;
    if (header.problem !== undefined) return unreadable(header.problem);
    const { cells: names } = header;
    const used = names.flatMap((name, index) => (isUsable(names, index) ? [{ name, index }] : []));
    const problems = names.flatMap((_, index) => (isUsable(names, index) ? [] : unusableName(header, index)));
    // `__proto__` is a field like any other if an object has it already.
    const empty: Readonly<Record<string, string>> = Object.fromEntries(used.map(({ name }) => [name, ""]));
    let number = 0;
    let whole = true;
    for (const row of rows) {
      const problem = row.problem ?? lengthProblem(row, names.length);
      if (problem === undefined) {
        const item: Record<string, string> = { ...empty };
        for (const { name, index } of used) item[name] = row.cells[index] ?? "";
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
      if (column === undefined) return spanOf(row);
      // A missing column is a fault of the header, a missing cell one of its row.
      if (index === undefined) return spanOf(part === "use" ? row : header);
      return cellSpan(part === "key" ? header : row, index);
    };
  },
};

const separators = [
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
] as const;

/** In languages with decimal commas, spreadsheets write other separators. Reported here, because all rows would be faulty. */
function otherSeparator(text: string): Draft<Span> | undefined {
  const start = text.search(/[^\r\n]/);
  const names = unquotedIn(text, start);
  const [, separator] = separators.find(([character]) => names.includes(character)) ?? [];
  if (separator === undefined || names.includes(",")) return undefined;
  const detail = `its cells are separated by ${separator}, not by commas`;
  const hint = "Separate them with commas, and put a cell that contains a comma in quotes.";
  return mistake("CSV", { start, end: lineEnd(text, start) }, detail, hint);
}

/** The row that starts at an offset, without its quoted cells. */
function unquotedIn(text: string, start: number): string {
  let row = "";
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) break;
    if (code === quote) at = quotedEnd(text, at) - 1;
    else row += text.charAt(at);
  }
  return row;
}

const isUsable = (names: readonly string[], index: number): boolean => {
  const name = names[index] ?? "";
  return name.trim() !== "" && names.indexOf(name) === index;
};

const unusableName = (header: Row, index: number): Draft<Span> =>
  mistake(
    "CSV",
    cellSpan(header, index),
    "each column must have a name that no other has",
    "Name it after another field, or remove it.",
  );

/** Any of the cells may be in the wrong column. */
function lengthProblem(row: Row, count: number): Draft<Span> | undefined {
  const { length } = row.cells;
  if (length === count) return undefined;
  const detail = `this row has ${length} ${length === 1 ? "cell" : "cells"}, but the header has ${count}`;
  const hint = "Separate the cells with commas, also empty ones, and put a cell that contains a comma in quotes.";
  return mistake("CSV", cellSpan(row, count), detail, hint);
}

interface Row {
  readonly cells: readonly string[];
  /** Where each cell starts and ends, quotes included. */
  readonly bounds: readonly number[];
  /** The text after a problem cannot be divided into cells. */
  readonly problem?: Draft<Span> | undefined;
}

const noRow: Row = { cells: [], bounds: [] };

const spanOf = ({ bounds }: Row): Span => ({ start: bounds[0] ?? 0, end: bounds.at(-1) ?? 0 });

const cellSpan = (row: Row, index: number): Span =>
  index < row.cells.length ? { start: row.bounds[2 * index] ?? 0, end: row.bounds[2 * index + 1] ?? 0 } : spanOf(row);

/** The rows that are not empty. The last one may have a problem. */
function* rowsIn(text: string): Generator<Row, undefined> {
  let at = 0;
  while (at < text.length) {
    const cells: string[] = [];
    const bounds: number[] = [];
    let problem: Draft<Span> | undefined;
    do {
      const start = bounds.length === 0 ? at : at + 1;
      const isQuoted = text.charCodeAt(start) === quote;
      at = isQuoted ? quotedEnd(text, start) : plainEnd(text, start);
      const cell = text.slice(start, at);
      cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"').replaceAll("\r\n", "\n") : cell);
      bounds.push(start, at);
      if (isQuoted || cell.includes('"')) problem = problemOf(text, start, at, isQuoted);
    } while (problem === undefined && text.charCodeAt(at) === comma);
    if (problem !== undefined || at > (bounds[0] ?? 0)) yield { cells, bounds, problem };
    if (problem !== undefined) return;
    at += text.charCodeAt(at) === carriageReturn ? 2 : 1;
  }
}

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The end of a cell without quotes around it: the next comma, line end or the end of the text. */
function plainEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === lineFeed || code === carriageReturn) return at;
  }
  return text.length;
}

/** The offset after the closing quote, or the end of the text. */
function quotedEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== quote) return at + 1;
  return text.length;
}

function problemOf(text: string, start: number, end: number, isQuoted: boolean): Draft<Span> | undefined {
  const quotes = text.slice(start, end).split('"').length - 1;
  if (isQuoted && quotes % 2 === 1)
    return mistake("CSV", { start, end: lineEnd(text, start) }, "the closing quote of this cell is missing");
  const isWhole = isQuoted ? plainEnd(text, end) === end : quotes === 0;
  if (isWhole) return undefined;
  const hint = "Put the whole cell in quotes, and double the quotes within it.";
  const span = isQuoted ? { start: end, end: end + 1 } : { start, end };
  return mistake("CSV", span, "a part of this cell is outside its quotes", hint);
}
