// Makes items from raw items: the texts of CSV become values, the path of the file supplies missing fields, the
// `transform` of the collection or the function of `from` makes the item, and functions derive values of filters.
import * as z from "zod";
import type { FileFacts } from "../../../src/declare/assets.ts";
import type { RawItem } from "../../../src/declare/declare.ts";
import { Failure } from "../../../src/model/failure.ts";
import { hasFields, isObject, ownField, setField } from "../../../src/model/fields.ts";
import { type Item, keyOf } from "../../../src/model/key.ts";
import { kindsOf, mayBeOmitted, type Schema } from "../../../src/model/kinds.ts";
import type { Derived, ItemSource, ListOperation } from "../../../src/model/operation.ts";
import { isAccepted, typesOf } from "../../explain/explain.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote, shown } from "../../text/quote.ts";
import { numberOf } from "../../values/number-of.ts";
import type { AssetFinder } from "../assets/assets.ts";
import { copyOf, dataOf, type NotData } from "../formats/data.ts";
import { bodyField } from "../formats/markdown.ts";
import { At, type ContentSource, type Dialect, type Value } from "../formats/value.ts";

/** Makes the items of a value: none if the transform leaves it out, undefined if it fails, which is reported. */
export type Make = (value: Value, report: Log["report"]) => readonly Value[] | undefined;

type Fields = Readonly<Record<string, unknown>>;

/** `isKey`: whether a text is a key of the items to which a field refers. */
export function maker(
  operation: ListOperation,
  schema: z.ZodType,
  isKey: (field: string, text: string) => boolean,
  assets: AssetFinder,
): Make {
  const { transform } = operation;
  const readersWith = readersOf(schema);
  // The items of a source follow each other.
  let latest: { readonly source: ContentSource; readonly reader: SourceReader } | undefined;
  const readerOf = (source: ContentSource): SourceReader => {
    if (latest?.source !== source) latest = { source, reader: sourceReader(source, readersWith) };
    return latest.reader;
  };
  const { noun } = operation;
  return ({ data: raw, at, json }, report) => {
    if (!isObject(raw)) return [{ data: raw, at: placeOf(operation, raw, at) }];
    const { suppliedFor, typed } = readerOf(at.source);
    const supplied = suppliedFor(at.path);
    const cells = typed(raw);
    const filled = filledIn(cells, supplied);
    if (transform === undefined) {
      const itself = placeOf(operation, filled, at);
      contradictions(noun, supplied, raw, cells, itself, isKey).forEach(report);
      return [{ data: filled, json: filled === raw ? json : undefined, at: itself }];
    }
    const newItems = transformed(filledIn(raw, supplied), at, operation, transform, assets, report);
    return newItems?.map((newItem) => {
      const { data } = newItem;
      if (!isObject(data)) return newItem;
      // A transform may replace the values of the file.
      const kept = supplied.filter(({ field }) => ownField(data, field) === ownField(raw, field));
      contradictions(noun, kept, raw, data, newItem.at, isKey).forEach(report);
      const item = filledIn(cells === raw ? data : withCells(data, raw, cells), supplied);
      return { data: item, at: ofMade(operation, newItem.at, item, cells === raw ? newItem.at.made?.raw : filled) };
    });
  };
}

const none: readonly never[] = [];

/** The place of an item, with its name if the place does not show which item it is. */
const placeOf = (operation: ListOperation, data: unknown, at: At): At =>
  operation.source.kind === "files" ? at : new At(at.source, at.path, at.made, nameOf(operation, data));

/** The place of an item that a transform made, after its fields have got their values. */
const ofMade = (operation: ListOperation, { source, path, made, name }: At, data: unknown, raw: unknown): At =>
  new At(source, path, made && { raw, data }, name && nameOf(operation, data));

const nameOf = (operation: ListOperation, data: unknown) => (): string | undefined => {
  const key = keyOf(operation, data);
  return key && `${operation.noun} ${quote(key)}`;
};

/** A field whose value the path of a file or the name of a member supplies, as text and with the type of the schema. */
interface SuppliedField {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
  readonly by: "path" | "name";
}

/** What the file of a raw item tells about it. */
interface SourceReader {
  /** The fields that are supplied to the raw item at a path. */
  readonly suppliedFor: (path: Path) => readonly SuppliedField[];
  /** The raw item with the types of the schema, if the file has texts only. */
  readonly typed: (raw: Fields) => Fields;
}

function sourceReader(
  { fields, dialect }: ContentSource,
  readersWith: (options: CellOptions) => Readers,
): SourceReader {
  const { format, memberName } = dialect;
  const readers = readersWith({});
  const supplied = (by: SuppliedField["by"], field: string, text: string): SuppliedField => ({
    field,
    text,
    value: readers.get(field)?.(text) ?? text,
    by,
  });
  const ofPath = Object.entries(fields).map(([field, text]) => supplied("path", field, text));
  const cellReaders = format === "csv" ? readersWith(dialect) : undefined;
  return {
    suppliedFor(path) {
      const name = memberName === undefined ? undefined : path.at(-1);
      return memberName === undefined || typeof name !== "string"
        ? ofPath
        : [...ofPath, supplied("name", memberName, name)];
    },
    typed: (raw) => (cellReaders === undefined ? raw : typedRow(raw, cellReaders)),
  };
}

function filledIn(item: Fields, supplied: readonly SuppliedField[]): Fields {
  if (supplied.every(({ field }) => Object.hasOwn(item, field))) return item;
  // A spread of a parsed object takes three times as long, and what follows takes longer with it.
  const filled: Record<string, unknown> = {};
  for (const name of Object.keys(item)) setField(filled, name, item[name]);
  for (const { field, value } of supplied) {
    if (!Object.hasOwn(item, field)) setField(filled, field, value);
  }
  return filled;
}

/** The written fields that contradict a supplied one. A reference to no item is reported elsewhere. */
function contradictions(
  noun: string,
  supplied: readonly SuppliedField[],
  raw: Fields,
  item: Fields,
  at: At,
  isKey: (field: string, text: string) => boolean,
): readonly Draft[] {
  if (supplied.length === 0) return none;
  return supplied.flatMap(({ field, text, value, by }) => {
    const written = ownField(item, field);
    const isScalar = typeof written === "string" || typeof written === "number";
    if (!Object.hasOwn(raw, field) || !isScalar || written === value || String(written) === text) return [];
    if (!isKey(field, text) || !isKey(field, String(written))) return [];
    return {
      code: "wrong-collection",
      at: at.spot([field]),
      text: `The ${noun} says ${field} ${quote(String(written))}, but ${by === "path" ? "the path" : "its name"} says ${quote(text)}.`,
      hint: `${by === "path" ? "Move" : "Rename"} the ${noun}, or leave its ${field} out.`,
    };
  });
}

type Readers = ReadonlyMap<string, (text: string) => unknown>;

/** The texts of cells that mean null, true and false, and the sign before decimals. */
type CellOptions = Pick<Dialect, "null" | "booleans" | "decimal">;

/** The readers of the fields of a schema, once for equal options. */
function readersOf(schema: z.ZodType): (options: CellOptions) => Readers {
  const forms = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  const cached = new Map<string, Readers>();
  return (options) => {
    const name = JSON.stringify([options.null, options.booleans, options.decimal]);
    const readers = cached.get(name) ?? new Map(forms.map(([field, form]) => [field, reader(form, options)]));
    cached.set(name, readers);
    return readers;
  };
}

/** Converts the cells of CSV to the types of the schema. */
function typedRow(row: Fields, readers: Readers): Fields {
  const item: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(row)) {
    const read = readers.get(field);
    const value = read === undefined ? text : read(String(text));
    if (value !== undefined) setField(item, field, value);
  }
  return item;
}

/** An item with the values of the cells that a transform returned as they are. */
function withCells(item: Fields, row: Fields, cells: Fields): Fields {
  const kept = Object.entries(item).flatMap(([field, value]) => {
    if (!Object.hasOwn(row, field) || value !== ownField(row, field)) return [[field, value]];
    const cell = ownField(cells, field);
    return cell === undefined ? [] : [[field, cell]];
  });
  return Object.fromEntries(kept);
}

/**
 * Returns the function that converts texts to the types of a schema: to a number or a boolean if the schema does not accept
 * the text itself, and texts that mean null to null, as the empty text does if it is not accepted itself. If null is not
 * accepted, an optional field is undefined. A text that fits no type stays a text, so that its fault quotes it.
 */
export function reader(
  schema: Schema,
  { null: nulls = [""], booleans = ["true", "false"], decimal = "." }: CellOptions = {},
): (text: string) => unknown {
  const types = new Set(kindsOf(schema).flatMap(typesOf));
  const isText = [...types].some((type) => !["number", "boolean", "null"].includes(type));
  const isOnlyText = !types.has("number") && !types.has("boolean");
  const valueIn = (text: string): unknown => {
    if (types.has("number") && numberForms[decimal].test(text)) return numberOf(text.replace(decimal, "."));
    return types.has("boolean") && booleans.includes(text) ? text === booleans[0] : text;
  };
  const isNull = (text: string): boolean => nulls.includes(text) || (text === "" && !isAccepted(schema, text));
  return (text) => {
    if (isNull(text) && types.has("null")) return null;
    if (isNull(text) && mayBeOmitted(schema)) return undefined;
    return isOnlyText || (isText && isAccepted(schema, text)) ? text : valueIn(text);
  };
}

const numberForms = {
  ".": /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i,
  ",": /^-?(?:0|[1-9]\d*)(?:,\d+)?(?:e[-+]?\d+)?$/i,
};

function transformed(
  filled: Fields,
  at: At,
  operation: ListOperation,
  transform: NonNullable<ListOperation["transform"]>,
  assets: AssetFinder,
  report: Log["report"],
): readonly Value[] | undefined {
  const { file, dialect } = at.source;
  const { [bodyField]: text, ...front } = filled;
  const isMarkdown = dialect.format === "markdown";
  const fields = isMarkdown ? front : filled;
  const body = isMarkdown && typeof text === "string" ? text : undefined;
  const name = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const what = `The transform of ${operation.name}`;
  const member = typeof at.step === "string" ? at.step : undefined;
  // A function gets a copy, so that it may change it.
  const copy: RawItem = Object(copyOf(fields));
  const facts = (written: string) => factsAt(assets, written, at.folder);
  const returned = transform(copy, { file, name, body, member, facts });
  if (returned === undefined) return none;
  if (returned instanceof Failure) {
    report(failed(what, returned, at));
    return undefined;
  }
  const isList = Array.isArray(returned);
  const partOf = isList ? partsIn(copy) : () => undefined;
  const placeOfItem = (item: unknown, data: unknown): At => {
    const part = partOf(item);
    const isNamed = operation.source.kind !== "files" || (isList && part === undefined);
    const name = isNamed ? nameOf(operation, data) : undefined;
    return part === undefined ? new At(at.source, at.path, { raw: fields, data }, name) : at.inside(part, name);
  };
  return newItems([returned].flat(), what, placeOfItem, report);
}

/** What is known of a file beside the data. Throws an error for whoever reads the report of the transform. */
function factsAt(assets: AssetFinder, written: string, folder: string): FileFacts {
  const asset = assets.find(String(written), folder);
  if ("facts" in asset) return { ...asset.facts };
  throw new Error([asset.text, asset.hint].filter((sentence) => sentence !== undefined).join(" "));
}

/** Copies of what a function returned; undefined if one is not data, which is reported. */
function newItems(
  returned: readonly unknown[],
  what: string,
  placeOfItem: (item: unknown, data: unknown) => At,
  report: Log["report"],
): readonly Value[] | undefined {
  const items: Value[] = [];
  for (const item of returned) {
    const copied = dataOf(item);
    if (!("data" in copied)) {
      report(notData(what, copied, placeOfItem(item, undefined)));
      return undefined;
    }
    const { data } = copied;
    items.push({ data, at: placeOfItem(item, data) });
  }
  return items;
}

/** The paths of the parts of a raw item, which a transform may return as items. */
function partsIn(raw: unknown): (item: unknown) => Path | undefined {
  const paths = new Map<unknown, Path>();
  const note = (value: unknown, path: Path): void => {
    if (!hasFields(value)) return;
    if (path.length > 0) paths.set(value, path);
    for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value))
      note(part, [...path, key]);
  };
  note(raw, []);
  return (item) => paths.get(item);
}

/** The items that `from` makes of an item of another collection; undefined if it fails, which is reported. */
export function madeFrom(
  item: Item,
  at: At,
  parent: ListOperation,
  operation: ListOperation,
  { makeFrom }: Extract<ItemSource, { kind: "from" }>,
  report: Log["report"],
): readonly Value[] | undefined {
  const what = `The function of from in ${operation.name}`;
  const place = at.fromItem(parent.key);
  const returned = makeFrom(Object(copyOf(item)), parent.name);
  if (returned instanceof Failure) {
    report(failed(what, returned, place));
    return undefined;
  }
  return newItems(returned, what, (_, data) => placeOf(operation, data, place), report);
}

/** Returns what the functions of filters derive that succeed. */
export function deriver(operation: ListOperation): (item: Item, at: At, report: Log["report"]) => Derived {
  const filters = operation.filters.flatMap(({ param, of }) => (of === undefined ? [] : [{ param, of }]));
  if (filters.length === 0) return () => nothing;
  return (item, at, report) => {
    const derived = new Map<string, readonly string[]>();
    for (const { param, of } of filters) {
      const values = of(Object(copyOf(item)));
      if (values instanceof Failure) report(failed(`The function of the filter ${param}`, values, at));
      else derived.set(param, values);
    }
    return derived;
  };
}

/** What is derived where no function succeeds. */
export const nothing: Derived = new Map();

/** A function of the declaration threw. */
const failed = (what: string, failure: Failure, at: At): Draft => ({
  code: "not-made",
  at: at.spot(),
  text: failedText(what, failure),
});

export function failedText(what: string, { place, text }: Failure): string {
  const { file, line, column } = place;
  const reason = shown(`${text.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
  return `${what} fails: ${reason}.`;
}

/** A function of the declaration returned a value that is not data, as a whole or in part. */
export const notData = (source: string, part: NotData, at: At): Draft => ({
  code: "not-made",
  at: at.spot(),
  text: notDataText(source, part, "an item"),
  hint:
    part.what === "NaN"
      ? "Number(…) of a text that is no number is NaN: correct the text, or return null for it."
      : undefined,
});

/** `whole` is the name of the value as a whole. */
export function notDataText(source: string, { path, what }: NotData, whole: string): string {
  const where = path.length === 0 ? whole : path.map(String).join(".");
  return `${source} returns what JSON does not have: ${shown(where)} is ${what}.`;
}
