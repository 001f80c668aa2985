// From what files have to items: the texts of CSV become values, the path of a file fills in its fields, and the
// `transform` of the collection makes an item of each raw one.
import * as z from "zod";
import type { ListOperation } from "../../src/operation.ts";
import type { RawItem } from "../../src/raw.ts";
import { keyOf } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { DeclarationError } from "../diagnostics.ts";
import { type Fault, fault } from "./faults/fault.ts";
import { columnsOf } from "./formats/csv.ts";
import { formatOf, formats } from "./formats/formats.ts";
import { bodyField, hasFront } from "./formats/markdown.ts";
import { fieldsOfPath, pathFields } from "./globs.ts";
import type { Reading } from "./read.ts";
import { type Entry, isPartial, type Path, type Source, unread } from "./source.ts";
import { absent, reader } from "./typed.ts";
import { validate } from "./validate.ts";
import { unwrapped } from "./wrapped.ts";

type Prepare = (reading: Reading) => Reading;

export function preparer(operation: ListOperation, vocabulary: Vocabulary): Prepare {
  const { resource, transform, load } = operation;
  const schema = resource.schema(vocabulary);
  const readers = Object.entries(schema instanceof z.ZodObject ? schema.shape : {}).map(
    ([field, form]) => [field, reader(form)] as const,
  );
  const typed = typing(new Map(readers));
  const given = givenByPath(operation, new Map(readers));
  const fill = filling(operation, given);
  const needsFront = transform === undefined && pathFields(operation).length === 0;
  return (read) => {
    if (needsFront && isBare(read)) return { ...read, entries: [], faults: [withoutFront(read)], whole: false };
    const isMarkdown = isOfMarkdown(read);
    // Raw items may hold what looks like a list of items, and so may the front matter of a single one.
    const plain = transform === undefined && !isMarkdown ? unwrapped(read, resource) : read;
    const isTable = read.source.format === "csv" && transform === undefined;
    const filled = isTable ? withHeader(fill(typed(plain)), operation, schema, fill) : fill(plain);
    const prepared = transform === undefined ? filled : transformed(filled, operation, transform, given, fill);
    return load === undefined ? prepared : withNames(prepared, operation);
  };
}

/** Whether it is Markdown without front matter, such as a note beside the files. */
const isBare = (reading: Reading): boolean =>
  isOfMarkdown(reading) &&
  reading.rows.length === 0 &&
  reading.faults.length === 0 &&
  reading.entries.every(({ value }) => Object.keys(Object(value)).every((field) => field === bodyField));

/** By its name: the source of a cached file is the lines of its items. */
const isOfMarkdown = ({ file: { file } }: Reading): boolean => formatOf(file) === "markdown";

function withoutFront({ source }: Reading): Fault {
  const hint = "Write the fields between two lines --- at the start of the file, or start its name with a dot.";
  const details = { format: formats.markdown.label, problem: "the file has none", hint };
  return fault("syntax", source, { start: 0, end: 0 }, () => details);
}

/** Reports the columns that are missing or unknown if no row does. */
function withHeader(reading: Reading, operation: ListOperation, schema: z.ZodType, fill: Prepare): Reading {
  const { noun, nouns, fromPath } = operation.resource;
  const { source, entries, faults, whole } = reading;
  const columns = columnsOf(source.text);
  if (!whole || columns.length === 0 || !entries.every(({ value }) => isPartial(value))) return reading;
  const value = Object.fromEntries(columns.map((column) => [column, unread]));
  const [row] = fill({ ...reading, entries: [{ source, path: [0], value }] }).entries;
  const found = row === undefined ? [] : validate(row, schema, { noun, nouns }, fromPath)[1];
  return { ...reading, faults: [...faults, ...found] };
}

type Readers = ReadonlyMap<string, (text: string) => unknown>;

/** Converts the cells of CSV to the types of the schema. */
const typing =
  (readers: Readers): Prepare =>
  (reading) => ({
    ...reading,
    entries: reading.entries.map((entry) => ({ ...entry, value: typedItem(Object(entry.value), readers) })),
  });

function typedItem(item: RawItem, readers: Readers): object {
  const typed: Record<string | symbol, unknown> = { ...item };
  for (const [field, text] of Object.entries(item)) {
    const value = readers.get(field)?.(String(text));
    if (value === absent) delete typed[field];
    else if (value !== undefined) typed[field] = value;
  }
  return typed;
}

/** A field that the path of a file gives, as text and as the schema asks for it. */
interface Given {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
}

type GivenByPath = (file: string) => readonly Given[];

function givenByPath(operation: ListOperation, readers: Readers): GivenByPath {
  const { files } = operation;
  if (files === undefined || pathFields(operation).length === 0) return () => [];
  return (file) =>
    Object.entries(fieldsOfPath(files, file) ?? {}).map(([field, text]) => ({
      field,
      text,
      value: readers.get(field)?.(text) ?? text,
    }));
}

/** Fills in the fields that the path of a file gives. A field that contradicts the path is a fault. */
function filling(operation: ListOperation, givenBy: GivenByPath): Prepare {
  return (reading) => {
    const given = givenBy(reading.file.file);
    if (given.length === 0) return reading;
    const faults: Fault[] = [];
    const filled = reading.entries.map((entry): Made => {
      const { source, path, value: raw } = entry;
      if (!isObject(raw)) return { source, path, raw, item: raw };
      const missing = given.filter(({ field }) => !Object.hasOwn(raw, field));
      const item = { ...raw, ...Object.fromEntries(missing.map(({ field, value }) => [field, value])) };
      if (operation.transform === undefined) faults.push(...contradictions(entry, raw, given, operation));
      return { source, path, raw, item };
    });
    return { ...reading, entries: placedAt(filled), faults: [...reading.faults, ...faults] };
  };
}

/** The fields of an item that contradict the path. */
const contradictions = (
  { source, path }: Pick<Entry, "source" | "path">,
  raw: RawItem,
  given: readonly Given[],
  { resource: { noun, nouns } }: ListOperation,
): readonly Fault[] =>
  given.flatMap(({ field, text, value }) => {
    const own = raw[field];
    if (!Object.hasOwn(raw, field) || own === value || !isScalar(own)) return [];
    const details = { noun, nouns, field, value: String(own), by: noun, implied: text, impliedBy: "path" };
    return fault("wrong-collection", source, { path: [...path, field] }, () => details);
  });

const isObject = (value: unknown): value is RawItem =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

/** Names the items that `load` returned in the messages of their faults: their lines say little. */
function withNames(reading: Reading, operation: ListOperation): Reading {
  const items = new Map(reading.entries.map(({ path, value }) => [path[0], value] as const));
  const named = ([line]: Path) => nameOf(operation, items.get(line));
  const sources = new Map<Source, Source>();
  const sourceOf = (source: Source): Source => {
    const own = sources.get(source) ?? { ...source, named };
    sources.set(source, own);
    return own;
  };
  const entries = reading.entries.map((entry) => ({ ...entry, source: sourceOf(entry.source) }));
  return { ...reading, entries, source: sourceOf(reading.source) };
}

/** Such as `release "nodejs/20"`; undefined if the item has no key. */
export function nameOf({ resource }: ListOperation, item: unknown): string | undefined {
  const key = keyOf(resource, item);
  return key && `${resource.noun} ${JSON.stringify(key)}`;
}

type Transform = NonNullable<ListOperation["transform"]>;

/** The reading with the items that `transform` makes. An item is placed at its raw item, a field it left alone at the field. */
function transformed(
  reading: Reading,
  operation: ListOperation,
  transform: Transform,
  givenBy: GivenByPath,
  fill: Prepare,
): Reading {
  const faults: Fault[] = [];
  const made: Made[] = [];
  const isMarkdown = isOfMarkdown(reading);
  let whole = reading.whole;
  for (const { source, path, value } of reading.entries) {
    if (isPartial(value)) {
      // Its faults are reported already.
      whole = false;
      continue;
    }
    if (!isObject(value)) {
      made.push({ source, path, raw: value, item: value });
      continue;
    }
    const { [bodyField]: text, ...front }: RawItem = isMarkdown ? { ...value } : {};
    const raw: RawItem = isMarkdown ? front : { ...value };
    const body = typeof text === "string" ? text : undefined;
    try {
      const json = transform(raw, { ...contextOf(source.file), body });
      if (json === undefined) continue;
      const item: unknown = JSON.parse(json);
      made.push({ source, path, raw, item });
      // A field that the transform replaces may differ from the path, and raw numbers may still be texts.
      const kept = givenBy(source.file).filter(
        ({ field, text }) => isObject(item) && item[field] === raw[field] && String(raw[field]) !== text,
      );
      faults.push(...contradictions({ source, path }, raw, kept, operation));
    } catch (error) {
      if (!(error instanceof DeclarationError)) throw error;
      whole = false;
      const hint = isMarkdown ? frontHint(source) : undefined;
      faults.push(notMade(`The transform of ${operation.name}`, error, source, { path }, hint));
    }
  }
  return fill({ ...reading, entries: placedAt(made), faults: [...reading.faults, ...faults], whole });
}

const frontHint = ({ format, text }: Source): string | undefined =>
  format !== "markdown" || hasFront(text)
    ? undefined
    : "The file has no front matter: put its fields between two lines ---, the first of which is line 1.";

/** The fault of an item for which a function of the declaration throws. */
export function notMade(
  what: string,
  { diagnostic }: DeclarationError,
  source: Source,
  at: { readonly path: Path },
  hint?: string,
): Fault {
  const { file, line, column, message } = diagnostic;
  return fault("not-made", source, at, () => ({
    what,
    reason: `${message.replace(/\.$/, "")} (${file}:${line}:${column})`,
    hint,
  }));
}

function contextOf(file: string): { readonly file: string; readonly name: string } {
  const last = file.slice(file.lastIndexOf("/") + 1);
  return { file, name: last.replace(/\.[^.]*$/, "") };
}

/** An item, and the value in the text that it is made from. */
interface Made {
  readonly source: Source;
  readonly path: Path;
  readonly raw: unknown;
  readonly item: unknown;
}

/** Entries whose paths start with their index. */
function placedAt(made: readonly Made[]): readonly Entry[] {
  const sources = new Map<Source, Source>();
  return made.map(({ source, item }, index) => {
    const own = sources.get(source) ?? derived(source, made);
    sources.set(source, own);
    return { source: own, path: [index], value: item };
  });
}

function derived(source: Source, made: readonly Made[]): Source {
  const { placed } = source;
  return {
    ...source,
    placed([index, ...steps]) {
      const { path, raw, item } = made[Number(index)] ?? { path: [], raw: undefined, item: undefined };
      const [field] = steps;
      const isWritten = field === undefined || isKept(raw, item, field);
      const at = isWritten ? [...path, ...steps] : path;
      const before = placed?.(at);
      return { path: before?.path ?? at, isWritten: isWritten && before?.isWritten !== false };
    },
  };
}

/** Whether a field has the value of the field of its name in the text. */
const isKept = (raw: unknown, item: unknown, field: string | number): boolean =>
  Object.hasOwn(Object(raw), field) && JSON.stringify(Object(raw)[field]) === JSON.stringify(Object(item)[field]);
