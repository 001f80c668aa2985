// A table that somebody has: how its text is divided into cells, and the narrowest type that all cells of a column have.
import * as z from "zod";
import type { FileOptions } from "../../../src/declare/declare.ts";
import { ownField } from "../../../src/model/fields.ts";
import { usualCells } from "../../../src/model/files.ts";
import type { Item } from "../../../src/model/key.ts";
import { rowsIn } from "../../content/formats/csv.ts";
import { reader } from "../../content/make/cells.ts";

type CellOptions = Pick<FileOptions, "null" | "booleans" | "decimal">;

const delimiters = [",", ";", "\t", "|"];

/** How the text is divided into cells. `usual`: the delimiter of its ending. */
export function tableOptions(text: string, usual: string): Pick<FileOptions, "delimiter" | "quote" | "header"> {
  const firstRow = (delimiter: string): readonly string[] =>
    rowsIn(text, { delimiter, quote: '"' }).next().value?.cells ?? [];
  const delimiter = [usual, ...delimiters].reduce((one, other) =>
    firstRow(other).length > firstRow(one).length ? other : one,
  );
  const first = firstRow(delimiter);
  return {
    ...(delimiter !== usual && { delimiter }),
    ...(areQuotesPlain(text, delimiter) && { quote: false as const }),
    ...(!isHeader(first) && { header: first.map((_, index) => `column${index + 1}`) }),
  };
}

/** Whether quotes are characters of cells. Quotes around whole cells are not, even if those within are written as \\". */
function areQuotesPlain(text: string, delimiter: string): boolean {
  const isRead = [...rowsIn(text, { delimiter, quote: '"' })].every(({ problem }) => problem === undefined);
  const isQuoted = (cell: string): boolean => /^\s*".*"\s*$/s.test(cell);
  return !isRead && ![...rowsIn(text, { delimiter, quote: "" })].some(({ cells }) => cells.some(isQuoted));
}

/**
 * Whether a first row has names of columns: none is a number that is no year. Repeated names are a fault of the table, which
 * is reported: as data, they would be published as an item.
 */
const isHeader = (cells: readonly string[]): boolean =>
  cells.every((cell) => !nullTexts.includes(cell) && (!number.test(cell) || /^(?:19|20)\d\d$/.test(cell)));

const number = /^-?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?$/i;

const nullTexts = ["\\N", "NA", "N/A", "NULL", "null", " "];

const booleanPairs: readonly (readonly [string, string])[] = [
  ["true", "false"],
  ["TRUE", "FALSE"],
  ["True", "False"],
  ["yes", "no"],
  ["Yes", "No"],
  ["Y", "N"],
  ["ja", "nein"],
  ["oui", "non"],
];

/** The cells of rows as values, and the options with which they are read. */
export function typedCells(rows: readonly Item[]): { readonly items: readonly Item[]; readonly options: CellOptions } {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({
    name,
    texts: rows.map((row) => String(ownField(row, name))),
  }));
  const options = cellOptions(columns.map(({ texts }) => [...new Set(texts)]));
  const typed = columns.map(({ name, texts }) => [name, typedColumn(texts, options)] as const);
  const items = rows.map((_, index) => Object.fromEntries(typed.map(([name, values]) => [name, values[index]])));
  return { items, options };
}

/** What some texts mean in all columns. `columns`: the different texts of each. */
function cellOptions(columns: readonly (readonly string[])[]): CellOptions {
  const nulls = nullTexts.filter((text) => columns.some((texts) => isNullIn(texts, text)));
  const present = columns.map((texts) => texts.filter((text) => text !== "" && !nulls.includes(text)));
  const booleans = booleanPairs.find((pair) =>
    present.some((texts) => texts.length === 2 && pair.every((word) => texts.includes(word))),
  );
  return {
    ...(present.some(haveCommas) && !present.some(havePoints) && { decimal: "," as const }),
    ...(nulls.length > 0 && { null: ["", ...nulls] }),
    ...(booleans !== undefined && booleans[0] !== "true" && { booleans }),
  };
}

/** `NA` may be Namibia, but not among numbers. */
function isNullIn(texts: readonly string[], text: string): boolean {
  const others = texts.filter((other) => other !== text && other !== "");
  const areNumbers = others.length > 0 && others.every((other) => number.test(other));
  return texts.includes(text) && (text === "\\N" || areNumbers);
}

const haveCommas = (texts: readonly string[]): boolean =>
  texts.every((text) => /^-?(?:0|[1-9]\d*)(?:,\d+)?$/.test(text)) &&
  texts.some((text) => text.includes(",") && !thousands.test(text));

const havePoints = (texts: readonly string[]): boolean =>
  texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text)) && texts.some((text) => text.includes("."));

/** `1,234` may be a number with a comma between thousands. */
const thousands = /^-?[1-9]\d{0,2}(?:,\d{3})+$/;

/** Whether texts would be other ones as numbers: codes such as `2e5`, and `3.10` beside `3.9`, which is rather a version. */
function areAltered(texts: readonly string[]): boolean {
  const fractions = texts.flatMap((text) => /^-?\d+[.,](\d+)$/.exec(text)?.[1] ?? []);
  const lengths = new Set(fractions.map(({ length }) => length));
  const loseZeros = lengths.size > 1 && fractions.some((digits) => digits.length > 1 && digits.endsWith("0"));
  return loseZeros || texts.some((text) => /^\d+e\d+$/i.test(text));
}

const cellForms = [z.boolean(), z.int(), z.number()];

function typedColumn(texts: readonly string[], options: CellOptions): readonly unknown[] {
  const cells = { ...usualCells, ...options };
  const areTexts = areAltered(texts) || (texts.some((text) => thousands.test(text)) && !haveCommas(texts));
  for (const form of areTexts ? [] : cellForms) {
    const values = texts.map(reader(form.nullable(), cells));
    const areOfForm = values.every((value) => value === null || form.safeParse(value).success);
    if (areOfForm && values.some((value) => value !== null)) return values;
  }
  // A text such as NA is null among numbers alone, so a field with it must not accept null.
  const { null: nulls } = cells;
  const isNullable = texts.includes("\\N") || !texts.some((text) => text !== "" && nulls.includes(text));
  return isNullable ? texts.map((text) => (nulls.includes(text) ? null : text)) : texts;
}
