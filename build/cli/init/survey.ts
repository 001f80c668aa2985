// What is in the files that somebody has: how each is written, as the program's own readers see it, and the items in it.
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import type { FileOptions } from "../../../src/declare/declare.ts";
import { fieldOf, hasFields, isObject, ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import { entriesBelow, kept } from "../../content/find/discover.ts";
import { readItems } from "../../content/find/read.ts";
import { rowsIn } from "../../content/formats/csv.ts";
import type { Dialect } from "../../content/formats/format.ts";
import { dialectOf, dialectWith } from "../../content/formats/formats.ts";
import { decode, maxFileSize, tooLarge } from "../../content/formats/source.ts";
import { reader } from "../../content/make/make.ts";
import { numbersIn, type WrittenNumber, WrittenNumbers } from "../../content/written-numbers.ts";
import { MachineError } from "../../files/machine-error.ts";
import { openLog, type Path } from "../../messages.ts";
import { listed } from "../../text/words.ts";

export type DialectOptions = Omit<FileOptions, "match">;

/** A file or folder that somebody has. */
export interface Survey {
  /** The last part of its path. */
  readonly name: string;
  readonly isFolder: boolean;
  /** All files to copy, by their paths in the folder, or by the name of the only file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The common ending of the files with data; empty if they have none. */
  readonly ending: string;
  /** Options that the readers cannot infer. */
  readonly options: DialectOptions;
  readonly isCsv: boolean;
  readonly items: readonly Item[];
  /** The names of the items, if they have some: those of members, or those of files. */
  readonly names: ItemNames | undefined;
  /** What was guessed, as sentences. */
  readonly guesses: readonly string[];
}

interface ItemNames {
  readonly values: readonly string[];
  /** The glob of the files in their folder, with `{}` for the name; undefined for the names of members. */
  readonly glob: string | undefined;
}

interface DataFile {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Throws MachineError if the file or the folder cannot be read. */
export function survey(from: string): Survey {
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats === undefined) throw new MachineError(`There is no file ${from}.`, "Name files or folders after --from.");
  const isFolder = stats.isDirectory();
  const name = path.basename(path.resolve(from));
  const files = isFolder ? filesBelow(from) : new Map([[name, bytesOf(from)]]);
  const data = [...files].flatMap(([file, bytes]) =>
    isFolder && (dialectOf(file) === undefined || isForPeople(file)) ? [] : [{ file, bytes }],
  );
  const endings = endingsOf(data.map(({ file }) => file));
  if (endings.length > 1) {
    const text = `${from} holds files of several formats: ${listed(endings)}.`;
    throw new MachineError(text, "Name each file, or a folder for each format.");
  }
  const [first] = data;
  if (first === undefined) throw noData(from, [...files.keys()]);
  const isAlone = data.length === 1;
  const { options, guesses } = dialectFor(from, first, isAlone);
  const differing = data.find(
    (file) => JSON.stringify(dialectFor(from, file, isAlone).options) !== JSON.stringify(options),
  );
  if (differing !== undefined) {
    const text = `${first.file} and ${differing.file} in ${from} are not written the same way.`;
    throw new MachineError(text, "Name each of them.");
  }
  const { items, members, shapes } = itemsIn(from, data, options);
  const isCsv = dialectWith(first.file, options)?.format === "csv";
  const cells = isCsv ? typedCells(items, options) : { items, options };
  return {
    name,
    isFolder,
    files,
    ending: endings[0] ?? "",
    options: cells.options,
    isCsv,
    items: cells.items,
    names: namesOf(data, members, shapes, isFolder),
    guesses,
  };
}

/** The whole name of a file without an ending. */
const endingsOf = (files: readonly string[]): readonly string[] => [
  ...new Set(files.map((file) => path.extname(file) || path.basename(file))),
];

/** In a folder, only the ending tells which files have data. */
function noData(folder: string, files: readonly string[]): MachineError {
  const endings = endingsOf(files.filter((file) => !isForPeople(file)));
  if (endings.length === 0)
    return new MachineError(`${folder} holds no data files.`, "Name files or folders with data.");
  const text = `${folder} holds no data files: the names of its files end with ${listed(endings)}.`;
  return new MachineError(text, "If these files have data, name each of them.");
}

/** Files that are not content of themselves. */
const isForPeople = (file: string): boolean => /^(?:README|LICENSE)(?:\.|$)/.test(path.basename(file));

function filesBelow(folder: string): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [file, code] of entriesBelow(folder)) {
    if (code !== undefined)
      throw new MachineError(`${path.join(folder, file)} is not a file with a plain name.`, "Remove or rename it.");
    files.set(file, bytesOf(path.join(folder, file)));
  }
  return files;
}

function bytesOf(file: string): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile()) throw new MachineError(`${file} is not a file.`);
  if (stats.size > maxFileSize) throw new MachineError(`${file}: ${tooLarge.text}`, tooLarge.hint);
  return readFileSync(file);
}

interface Found {
  readonly options: DialectOptions;
  readonly guesses: readonly string[];
}

/** How a file is written, apart from what its ending tells. `isAlone`: whether no other file has items, too. */
function dialectFor(from: string, { file, bytes }: DataFile, isAlone: boolean): Found {
  const { problem } = decode(bytes);
  const isForeign = problem !== undefined && "option" in problem && problem.option !== undefined;
  const encoding = isForeign ? { encoding: "windows-1252" } : {};
  const guesses = isForeign ? ["the text is not UTF-8."] : [];
  const { text } = decode(bytes, encoding.encoding);
  const usual = dialectOf(file);
  const format = formatOf(file, text, { bytes, encoding });
  const options = format === usual?.format ? encoding : { format, ...encoding };
  if (format === "csv") {
    const csv = csvOptions(text, usual?.format === "csv" ? (usual.delimiter ?? ",") : ",");
    if (csv.header !== undefined) guesses.push("the first row is data, so the columns need names. Replace these.");
    return { options: { ...options, ...csv }, guesses };
  }
  if (format === "ndjson" || format === "markdown" || !isAlone) return { options, guesses };
  const found = read(file, bytes, options);
  refuseUnread(from, file, found);
  const items = found.shape === "one" ? itemsWithin(found.values[0]) : undefined;
  return { options: items === undefined ? options : { ...options, items }, guesses };
}

/** The format of a file by its ending, else by its text. */
function formatOf(
  file: string,
  text: string,
  { bytes, encoding }: { readonly bytes: Uint8Array; readonly encoding: DialectOptions },
): Dialect["format"] {
  const usual = dialectOf(file.toLowerCase())?.format;
  if (usual !== undefined && usual !== "json") return usual;
  if (usual === undefined && !/^\s*[[{]/.test(text)) return text.startsWith("---\n") ? "markdown" : "csv";
  const reads = (format: Dialect["format"]) => !read(file, bytes, { ...encoding, format }).log.hasErrors();
  return !reads("json") && reads("ndjson") ? "ndjson" : "json";
}

interface ReadValues {
  readonly values: readonly unknown[];
  /** The path of each value in the file. */
  readonly paths: readonly Path[];
  readonly members: readonly (string | undefined)[];
  readonly shape: string;
  readonly log: ReturnType<typeof openLog>;
}

/** Reads a file with the reader of content. */
function read(file: string, bytes: Uint8Array, options: DialectOptions): ReadValues {
  const log = openLog();
  const values: unknown[] = [];
  const paths: Path[] = [];
  const members: (string | undefined)[] = [];
  const { shape } = readItems(
    readable({ file, bytes }, options),
    (value, steps) => {
      const name = steps.at(-1);
      values.push(value);
      paths.push(steps);
      members.push(typeof name === "string" ? name : undefined);
    },
    log,
  );
  return { values, paths, members, shape, log };
}

const readable = ({ file, bytes }: DataFile, options: DialectOptions) => {
  const rule = { ...options, match: [file], except: [] };
  return { file, ...kept(bytes), match: { rule, fields: {} } };
};

/** Faults of a part of the data are for `check`. */
function refuseUnread(from: string, file: string, { values, log }: ReadValues): void {
  if (values.length > 0) return;
  const [message] = log.messages().shown;
  const where = placeOf(from, file);
  if (message === undefined) throw new MachineError(`${where} holds no items.`, "Name files with data.");
  const { line, column } = message.place;
  throw new MachineError(`${where}:${line}:${column} ${message.text}`, message.hint);
}

/** The path of one of the files in a folder, or of the only file. */
const placeOf = (from: string, file: string): string =>
  path.basename(path.resolve(from)) === file ? from : path.join(from, file);

/** Replaces numbers by their texts. */
function asWritten({ values, paths }: ReadValues, numbers: readonly WrittenNumber[]): void {
  const items = new Map(paths.map((path, index) => [JSON.stringify(path), values[index]]));
  for (const { of, path, written } of numbers) {
    const owner = path.slice(0, -1).reduce<unknown>(fieldOf, items.get(JSON.stringify(of)));
    if (hasFields(owner)) Reflect.set(owner, path.at(-1) ?? "", written);
  }
}

/** The items of all files, and the names by which they are found in them. */
function itemsIn(from: string, data: readonly DataFile[], options: DialectOptions) {
  const items: Item[] = [];
  const members: string[] = [];
  const shapes: string[] = [];
  const numbers = new WrittenNumbers({ transform: undefined }, z.unknown());
  for (const file of data) numbers.noteFile(readable(file, options));
  const altered = numbers.altered();
  for (const { file, bytes } of data) {
    const found = read(file, bytes, options);
    refuseUnread(from, file, found);
    if (altered.size > 0) {
      const isAltered = ({ path }: WrittenNumber) => altered.has(numbers.columnOf(path));
      asWritten(found, [...numbersIn(readable({ file, bytes }, options))].filter(isAltered));
    }
    shapes.push(found.shape);
    for (const [index, value] of found.values.entries()) {
      if (!isObject(value))
        throw new MachineError(`${placeOf(from, file)} holds values that are not objects, so they are not items.`);
      items.push(value);
      const name = options.items?.endsWith("*") ? found.members[index] : undefined;
      if (name !== undefined) members.push(name);
    }
  }
  return { items, members, shapes };
}

function namesOf(
  data: readonly DataFile[],
  members: readonly string[],
  shapes: readonly string[],
  isFolder: boolean,
): Survey["names"] {
  if (members.length > 0) return { values: members, glob: undefined };
  if (!isFolder || shapes.some((shape) => shape !== "one")) return undefined;
  const paths = data.map(({ file }) => file.split("/"));
  const depth = paths[0]?.length ?? 0;
  if (paths.some(({ length }) => length !== depth)) return undefined;
  const [last = "", ...others] = new Set(paths.map((steps) => steps.at(-1) ?? ""));
  // Each item may have a folder, with other files beside it.
  const isOfFolders = depth > 1 && data.length > 1 && others.length === 0;
  const ending = path.extname(last);
  const glob = isOfFolders ? `${"*/".repeat(depth - 2)}{}/${last}` : `${"*/".repeat(depth - 1)}{}${ending}`;
  const values = paths.map((steps) => (isOfFolders ? steps.at(-2) : steps.at(-1)?.slice(0, -ending.length)) ?? "");
  return { values, glob };
}

const delimiters = [",", ";", "\t", "|"];

function csvOptions(text: string, usual: string): DialectOptions {
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
  if (isRead) return false;
  const [first, ...others] = [...rowsIn(text, { delimiter, quote: "" })].map(({ cells }) => cells);
  const isQuoted = (cell: string): boolean => /^\s*".*"\s*$/s.test(cell);
  return [first ?? [], ...others].every((cells) => cells.length === first?.length && !cells.some(isQuoted));
}

/**
 * Whether a first row has names of columns: none is a number that is no year. Repeated names are a fault of the table, which
 * is reported: as data, they would be published as an item.
 */
const isHeader = (cells: readonly string[]): boolean =>
  cells.every((cell) => !nullTexts.includes(cell) && (!number.test(cell) || /^(?:19|20)\d\d$/.test(cell)));

const number = /^-?\d+(?:[.,]\d+)?(?:e[-+]?\d+)?$/i;

const nullTexts = ["\\N", "NA", "N/A", "NULL", "null", " "];

/** In lowercase. */
const booleanPairs = [
  ["true", "false"],
  ["yes", "no"],
  ["y", "n"],
  ["ja", "nein"],
  ["wahr", "falsch"],
  ["oui", "non"],
  ["vrai", "faux"],
] as const;

/** The cells of rows as values: each column has the narrowest type that all of its cells have. */
function typedCells(rows: readonly Item[], options: DialectOptions) {
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({
    name,
    texts: rows.map((row) => String(ownField(row, name))),
  }));
  const nulls = nullTexts.filter(
    (text) =>
      columns.some(({ texts }) => isNullIn(texts, text)) && !columns.some(({ texts }) => mayBeText(texts, text)),
  );
  const areNull = new Set(["", ...nulls]);
  const present = columns.map(({ texts }) => texts.filter((text) => !areNull.has(text)));
  const booleans = present.map(booleansIn).find((pair) => pair !== undefined);
  const cells: DialectOptions = {
    ...(present.some(haveCommas) && !present.some(havePoints) && { decimal: "," as const }),
    ...(nulls.length > 0 && { null: nulls }),
    ...(booleans !== undefined && booleans[0] !== "true" && { booleans }),
  };
  const typed = columns.map(({ name, texts }) => [name, typedColumn(texts, areNull, cells)] as const);
  const items = rows.map((_, index) => Object.fromEntries(typed.map(([name, values]) => [name, values[index]])));
  return { items, options: { ...options, ...cells } };
}

/** The texts of a column for true and for false; undefined if it has others, or only one of them. */
function booleansIn(texts: readonly string[]): readonly [string, string] | undefined {
  const distinct = [...new Set(texts)];
  const words = distinct.map((text) => text.toLowerCase());
  const pair = booleanPairs.find((pair) => pair.every((word) => words.includes(word)));
  if (pair === undefined || distinct.length > 2) return undefined;
  const [yes, no] = pair;
  return [distinct[words.indexOf(yes)] ?? yes, distinct[words.indexOf(no)] ?? no];
}

/** Whether a text is one of several in a column with empty cells, and would be lost if it meant null. */
const mayBeText = (texts: readonly string[], text: string): boolean =>
  text.trim() !== "" && texts.includes(text) && texts.includes("") && !isNullIn(texts, text);

/** `NA` may be Namibia, but not among numbers. */
function isNullIn(texts: readonly string[], text: string): boolean {
  if (!texts.includes(text)) return false;
  const others = texts.filter((other) => other !== text && other !== "");
  return text === "\\N" || (others.length > 0 && others.every((other) => number.test(other)));
}

/** Whether texts are numbers with decimal commas. `1,234` may be a number with a comma between thousands. */
function haveCommas(texts: readonly string[]): boolean {
  const areNumbers = texts.every((text) => /^-?(?:0|[1-9]\d*)(?:,\d+)?$/.test(text));
  return areNumbers && texts.some((text) => text.includes(",") && !thousands.test(text));
}

const havePoints = (texts: readonly string[]): boolean =>
  texts.every((text) => /^-?\d+(?:\.\d+)?$/.test(text)) && texts.some((text) => text.includes("."));

/** Three digits behind each comma, and before the first one no more, nor a zero. */
const thousands = /^-?[1-9]\d{0,2}(?:,\d{3})+$/;

/** `2e5` is rather a code than a number. */
const isCode = (text: string): boolean => /^\d+e\d+$/i.test(text);

/** Whether texts would be other ones as numbers: `3.10` beside `3.9` is rather a version, `3.10` beside `3.95` a price. */
function losesZeros(texts: readonly string[]): boolean {
  const fractions = texts.flatMap((text) => /^-?\d+[.,](\d+)$/.exec(text)?.[1] ?? []);
  const lengths = new Set(fractions.map(({ length }) => length));
  return lengths.size > 1 && fractions.some((digits) => digits.length > 1 && digits.endsWith("0"));
}

const cellForms = [z.boolean(), z.int(), z.number()];

function typedColumn(texts: readonly string[], areNull: ReadonlySet<string>, options: DialectOptions) {
  const isDoubtful =
    texts.some(isCode) || losesZeros(texts) || (texts.some((text) => thousands.test(text)) && !haveCommas(texts));
  for (const form of isDoubtful ? [] : cellForms) {
    const readCell = reader(form.nullable(), options);
    const values = texts.map(readCell);
    const isOfForm = values.every((value) => value === null || form.safeParse(value).success);
    if (isOfForm && values.some((value) => value !== null)) return values;
  }
  // Texts such as NA are null only where the reader accepts null at all.
  const isNullable = texts.some((text) => text === "" || text === "\\N");
  return texts.map((text) => (isNullable && areNull.has(text) ? null : text));
}

/** Where the items are within the value of a file: its members, or those of the member with most items. */
function itemsWithin(root: unknown): string | undefined {
  if (!isObject(root)) return undefined;
  if (isMap(root)) return "*";
  let most = 0;
  let items: string | undefined;
  for (const [path, value] of placesIn(root)) {
    const isList = Array.isArray(value) && value.every(isObject);
    const count = isList || (isObject(value) && isMap(value)) ? Object.keys(value).length : 0;
    if (count <= most) continue;
    most = count;
    items = isList ? path : `${path}.*`;
  }
  return items;
}

/** The members of an object, and those of its members, by their paths. */
const placesIn = (root: Item): readonly (readonly [path: string, value: unknown])[] =>
  membersOf(root).flatMap(([name, value]) => {
    const below = isObject(value) && !isMap(value) ? membersOf(value) : [];
    return [[name, value], ...below.map(([last, member]) => [`${name}.${last}`, member] as const)];
  });

/** Paths cannot name all members. */
const membersOf = (value: Item) => Object.entries(value).filter(([name]) => !/^$|[.*]/.test(name));

/** Whether the members of an object are items: objects, most of which have a field in common. */
function isMap(value: Item): boolean {
  const members = Object.values(value);
  if (members.length < 2 || !members.every(isObject)) return false;
  const counts = new Map<string, number>();
  for (const name of members.flatMap((member) => Object.keys(member))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()].some((count) => 2 * count > members.length);
}
