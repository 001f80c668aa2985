// CSV (RFC 4180), with the signs and the names of columns that the declaration has. One walk over the cells finds their texts and
// their places.
import { ownField, setField } from "../../../src/model/fields.ts";
import type { Dialect } from "../../../src/model/files.ts";
import type { Draft, Span } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import { nearest } from "../../text/slips.ts";
import { listed } from "../../text/words.ts";
import { type ContentFormat, lineEnd, mistake, type Problem, type ReportProblem, unreadable } from "./format.ts";
import { At, type ContentSource, type Value } from "./value.ts";

/** The characters between and around cells. */
type Signs = Pick<Dialect, "delimiter" | "quote">;

const delimiters: ReadonlyMap<string, string> = new Map([
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
]);

/** `commas`, or `the character "^"`. */
const nameOf = (delimiter: string): string => delimiters.get(delimiter) ?? `the character ${JSON.stringify(delimiter)}`;

export const csv: ContentFormat = {
  contents: ({ header, delimiter }) =>
    header === undefined ? `a header: the names of the fields, separated by ${nameOf(delimiter)}` : "its rows",
  read,
  open(text, dialect) {
    const rows = [...rowsIn(text, dialect)];
    const first = dialect.header === undefined ? (rows.shift() ?? noRow) : undefined;
    const columns = new Map(namesIn(first ?? noRow, dialect).map((name, index) => [name, index] as const));
    return ([number, column], part) => {
      const row = rows[Number(number)] ?? noRow;
      const index = columns.get(String(column));
      if (column === undefined) return spanOf(row);
      // A missing column is a fault of the header, a missing cell one of its row.
      if (index === undefined) return spanOf(part === "use" ? row : (first ?? row));
      return cellSpan(part === "key" ? (first ?? row) : row, index);
    };
  },
};

const namesIn = ({ cells }: Row, { header, rename }: Dialect): readonly string[] =>
  header ?? cells.map((name) => ownField(rename, name) ?? name);

function* read(text: string, source: ContentSource, report: ReportProblem): Generator<Value, void> {
  const { dialect } = source;
  const { header: declared } = dialect;
  const rows = rowsIn(text, dialect);
  const header = declared === undefined ? (rows.next().value ?? noRow) : noRow;
  const problems = problemsOfWhole(text, header, dialect);
  problems.forEach(report);
  if (problems.length > 0) {
    yield unreadable(source);
    return;
  }
  const names = namesIn(header, dialect);
  const used = names.flatMap((name, index) => (isUsable(names, index) ? [{ name, index }] : []));
  for (const index of names.keys()) if (!isUsable(names, index)) report(unusableName(header, index));
  let next = 0;
  let hasRows = false;
  for (const row of rows) {
    const number = next++;
    if (isEmpty(row)) continue;
    hasRows = true;
    const problem = row.problem ?? lengthProblem(row, names.length, dialect);
    if (problem === undefined) {
      const item: Record<string, string> = {};
      for (const { name, index } of used) setField(item, name, row.cells[index] ?? "");
      yield { data: item, at: new At(source, [number]) };
    } else {
      report(problem);
      yield unreadable(source, [number]);
    }
  }
  if (hasRows || declared !== undefined) return;
  const emptyRow = Object.fromEntries(used.map(({ name }) => [name, ""]));
  yield { data: emptyRow, at: new At(source, [0]), isHeader: true };
}

/** Why no row of a text can be read. */
function problemsOfWhole(text: string, header: Row, dialect: Dialect): readonly Problem[] {
  const { header: declared, rename } = dialect;
  const hint = declared === undefined ? spreadsheetHint(text) : undefined;
  const foreign = declared?.length === 1 ? undefined : otherDelimiter(text, hint?.at.end ?? 0, dialect);
  const ofSigns = [hint, foreign].filter((problem) => problem !== undefined);
  if (ofSigns.length > 0 || declared !== undefined) return ofSigns;
  if (header.problem !== undefined) return [header.problem];
  const absent = Object.keys(rename).filter((name) => !header.cells.includes(name));
  return absent.map((name) => noColumn(header, name));
}

/** The line in which spreadsheets note the delimiter, such as `sep=;`. */
function spreadsheetHint(text: string): Problem | undefined {
  const line = /^\s*"?sep=.*/i.exec(text);
  if (line === null) return undefined;
  const at = { start: 0, end: line[0].length };
  return mistake("CSV", at, "its first line is only for spreadsheets", "Remove this line.");
}

/**
 * In languages with decimal commas, spreadsheets write semicolons. Reported here, because all rows would be faulty. `from`: an
 * offset before the first row.
 */
function otherDelimiter(text: string, from: number, signs: Signs): Problem | undefined {
  const start = from + text.slice(from).search(/[^\r\n]/);
  const names = unquotedIn(text, start, signs);
  if (names.includes(signs.delimiter)) return undefined;
  const [delimiter, name] = [...delimiters].find(([character]) => names.includes(character)) ?? [];
  if (delimiter === undefined) return undefined;
  const detail = `its cells are separated by ${name}, not by ${nameOf(signs.delimiter)}`;
  const problem = mistake("CSV", { start, end: lineEnd(text, start) }, detail);
  return { ...problem, option: `delimiter: ${JSON.stringify(delimiter)}` };
}

/** The row that starts at an offset, without its quoted cells. */
function unquotedIn(text: string, start: number, { quote }: Signs): string {
  let row = "";
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\n" || character === "\r") break;
    if (character === quote) at = quotedEnd(text, at, quote) - 1;
    else row += character;
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

const noColumn = (header: Row, name: string): Draft<Span> => ({
  code: "syntax",
  at: spanOf(header),
  text: `There is no column ${quote(name)}, which the option rename names.`,
  hint: nearest(name, header.cells) ?? `The columns are ${listed(header.cells.map(quote))}.`,
});

/** Spreadsheets write such rows below their last one. No item is without a key. */
const isEmpty = ({ cells, problem }: Row): boolean => problem === undefined && cells.every((cell) => cell === "");

/** Any of the cells may be in the wrong column. */
function lengthProblem(row: Row, count: number, { delimiter, quote, header }: Dialect): Draft<Span> | undefined {
  const { length } = row.cells;
  if (length === count) return undefined;
  const names = header === undefined ? "the header" : "the option header";
  const detail = `this row has ${length} ${length === 1 ? "cell" : "cells"}, but ${names} has ${count}`;
  const separate = `Separate the cells with ${nameOf(delimiter)}, also empty ones`;
  const hint = quote === "" ? `${separate}.` : `${separate}, and put a cell that contains one in quotes.`;
  return mistake("CSV", cellSpan(row, count), detail, hint);
}

interface Row {
  readonly cells: readonly string[];
  /** Where each cell starts and ends, quotes included. */
  readonly bounds: readonly number[];
  /** The text after a problem cannot be divided into cells. */
  readonly problem?: Problem | undefined;
}

const noRow: Row = { cells: [], bounds: [] };

const spanOf = ({ bounds }: Row): Span => ({ start: bounds[0] ?? 0, end: bounds.at(-1) ?? 0 });

const cellSpan = (row: Row, index: number): Span =>
  index < row.cells.length ? { start: row.bounds[2 * index] ?? 0, end: row.bounds[2 * index + 1] ?? 0 } : spanOf(row);

/** The rows that are not empty. The last one may have a problem. */
export function* rowsIn(text: string, { delimiter, quote }: Signs): Generator<Row, undefined> {
  const between = delimiter.charCodeAt(0);
  // NaN is no character.
  const around = quote.charCodeAt(0);
  let at = 0;
  let hasQuotes = false;
  while (at < text.length) {
    const cells: string[] = [];
    const bounds: number[] = [];
    let problem: Problem | undefined;
    do {
      const start = bounds.length === 0 ? at : at + 1;
      const isQuoted = text.charCodeAt(start) === around;
      at = isQuoted ? quotedEnd(text, start, quote) : plainEnd(text, start, between);
      const cell = text.slice(start, at);
      cells.push(
        isQuoted
          ? cell
              .slice(1, -1)
              .replaceAll(quote + quote, quote)
              .replaceAll("\r\n", "\n")
          : cell,
      );
      bounds.push(start, at);
      if (isQuoted || (quote !== "" && cell.includes(quote)))
        problem = problemOf(text, { start, end: at }, { delimiter, quote }, isQuoted, hasQuotes);
      hasQuotes ||= isQuoted;
    } while (problem === undefined && text.charCodeAt(at) === between);
    if (problem !== undefined || at > (bounds[0] ?? 0)) yield { cells, bounds, problem };
    if (problem !== undefined) return;
    at += text.charCodeAt(at) === carriageReturn ? 2 : 1;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** The end of a cell without quotes around it: the next delimiter, line end or the end of the text. */
function plainEnd(text: string, start: number, delimiter: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === lineFeed || code === carriageReturn) return at;
  }
  return text.length;
}

/** The offset after the closing quote, or the end of the text. */
function quotedEnd(text: string, start: number, quote: string): number {
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 2))
    if (text.charAt(at + 1) !== quote) return at + 1;
  return text.length;
}

/** `hasQuotes`: whether a cell before it is in quotes. */
function problemOf(
  text: string,
  { start, end }: Span,
  { delimiter, quote }: Signs,
  isQuoted: boolean,
  hasQuotes: boolean,
): Problem | undefined {
  const option = "quote: false";
  const quotes = text.slice(start, end).split(quote).length - 1;
  if (isQuoted && quotes % 2 === 1) {
    const line = { start, end: lineEnd(text, start) };
    return { ...mistake("CSV", line, "the closing quote of this cell is missing"), option };
  }
  const isWhole = isQuoted ? plainEnd(text, end, delimiter.charCodeAt(0)) === end : quotes === 0;
  if (isWhole) return undefined;
  const hint = "Put the whole cell in quotes, and double the quotes within it.";
  const span = isQuoted ? { start: end, end: end + 1 } : { start, end };
  const problem = mistake("CSV", span, "a part of this cell is outside its quotes", hint);
  // Without quotes, the cells before would get theirs.
  return hasQuotes ? problem : { ...problem, option };
}
