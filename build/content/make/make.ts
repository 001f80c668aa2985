// Makes items from raw items: the texts of CSV become values, the path of the file supplies missing fields, the
// `transform` of the collection or the function of `from` makes the item, and functions derive values of filters.
import * as z from "zod";
import { Failure } from "../../../src/model/failure.ts";
import { isObject } from "../../../src/model/fields.ts";
import type { Derived } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import { kindsOf, mayBeOmitted, type Schema } from "../../../src/model/kinds.ts";
import type { ItemSource, ListOperation } from "../../../src/model/operation.ts";
import type { Draft, Log, Path } from "../../messages.ts";
import { quote, shown } from "../../text/quote.ts";
import { isAccepted, typesOf } from "../explain/explain.ts";
import { fieldsOfPath, globsOf } from "../find/globs.ts";
import { copyOf, dataOf, type NotData, setField } from "../formats/data.ts";
import { numberOf } from "../formats/format.ts";
import { bodyField } from "../formats/markdown.ts";
import type { ContentSource } from "../formats/source.ts";
import { madeOrigin, type Origin, spotOf } from "./origin.ts";

/** An item that has not been checked yet, and where it is from. */
export interface NewItem {
  readonly value: unknown;
  /** The text of the value in its source, if it is known to be what JSON.stringify returns. */
  readonly json?: string | undefined;
  readonly origin: Origin;
}

/** Why there is no item: the transform leaves it out, or it failed, which is reported. */
export type NoItem = "left out" | "failed";

/** `json`: see `NewItem`. */
export type Make = (
  raw: unknown,
  source: ContentSource,
  path: Path,
  report: Log["report"],
  json?: string,
) => NewItem | NoItem;

type Fields = Readonly<Record<string, unknown>>;

/** `isKey`: whether a text is a key of the items to which a field refers. */
export function maker(
  operation: ListOperation,
  schema: z.ZodType,
  isKey: (field: string, text: string) => boolean,
): Make {
  const { transform } = operation;
  const globs = globsOf(operation) ?? [];
  const forms = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  const readers = new Map(forms.map(([field, form]) => [field, reader(form)]));
  const byFile = new Map<string, readonly FieldOfPath[]>();
  const pathFieldsOf = (file: string): readonly FieldOfPath[] => {
    const cached = byFile.get(file);
    if (cached !== undefined) return cached;
    const texts = Object.entries(fieldsOfPath(globs, file) ?? {});
    const fields = texts.map(([field, text]) => ({ field, text, value: readers.get(field)?.(text) ?? text }));
    byFile.set(file, fields);
    return fields;
  };
  return (raw, source, path, report, json) => {
    const origin = { operation, source, path };
    if (!isObject(raw)) return { value: raw, origin };
    const pathFields = pathFieldsOf(source.file);
    const cells = source.format === "csv" ? typed(raw, readers) : raw;
    const filled = filledIn(cells, pathFields);
    if (transform === undefined) {
      contradictions(pathFields, raw, cells, origin, isKey).forEach(report);
      return { value: filled, json: filled === raw ? json : undefined, origin };
    }
    const newItem = transformed(filledIn(raw, pathFields), { ...origin, raw }, transform, report);
    if (typeof newItem === "string" || !isObject(newItem.value)) return newItem;
    const { value } = newItem;
    // A transform may replace the values of the file.
    const kept = pathFields.filter(({ field }) => value[field] === raw[field]);
    contradictions(kept, raw, value, newItem.origin, isKey).forEach(report);
    if (cells === raw) return { ...newItem, value: filledIn(value, pathFields) };
    const read = withCells(value, raw, cells);
    return { value: filledIn(read, pathFields), origin: { ...newItem.origin, raw: filled } };
  };
}

const none: readonly never[] = [];

/** A field whose value the path of a file supplies, as text and with the type of the schema. */
interface FieldOfPath {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
}

function filledIn(item: Fields, pathFields: readonly FieldOfPath[]): Fields {
  const missing = pathFields.filter(({ field }) => !Object.hasOwn(item, field));
  if (missing.length === 0) return item;
  return { ...item, ...Object.fromEntries(missing.map(({ field, value }) => [field, value])) };
}

/** The written fields that contradict the path. A reference to no item is reported elsewhere. */
function contradictions(
  pathFields: readonly FieldOfPath[],
  raw: Fields,
  item: Fields,
  origin: Origin,
  isKey: (field: string, text: string) => boolean,
): readonly Draft[] {
  if (pathFields.length === 0) return none;
  const { noun } = origin.operation;
  return pathFields.flatMap(({ field, text, value }) => {
    const written = item[field];
    const isScalar = typeof written === "string" || typeof written === "number";
    if (!Object.hasOwn(raw, field) || !isScalar || written === value || String(written) === text) return [];
    if (!isKey(field, text) || !isKey(field, String(written))) return [];
    return {
      code: "wrong-collection",
      at: spotOf(origin, item, [field]),
      text: `The ${noun} says ${field} ${quote(String(written))}, but the path says ${quote(text)}.`,
      hint: `Move the ${noun}, or leave its ${field} out.`,
    };
  });
}

type Readers = ReadonlyMap<string, (text: string) => unknown>;

/** Converts the cells of CSV to the types of the schema. */
function typed(row: Fields, readers: Readers): Fields {
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
    if (!Object.hasOwn(row, field) || value !== row[field]) return [[field, value]];
    return Object.hasOwn(cells, field) ? [[field, cells[field]]] : [];
  });
  return Object.fromEntries(kept);
}

/**
 * Returns the function that converts texts to the types of a schema: to a number or a boolean if the schema does not accept
 * the text itself, and the empty text to null. If it accepts neither the empty text nor null, an optional field is
 * undefined. A text that fits no type stays a text, so that its fault quotes it.
 */
export function reader(schema: Schema): (text: string) => unknown {
  const types = new Set(kindsOf(schema).flatMap(typesOf));
  const isText = [...types].some((type) => !["number", "boolean", "null"].includes(type));
  const valueIn = (text: string): unknown => {
    if (types.has("number") && numberForm.test(text)) return numberOf(text);
    return types.has("boolean") && (text === "true" || text === "false") ? text === "true" : text;
  };
  return (text) => {
    if (text === "" && types.has("null")) return null;
    if (text === "") return mayBeOmitted(schema) ? undefined : text;
    return isText && isAccepted(schema, text) ? text : valueIn(text);
  };
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?$/i;

function transformed(
  filled: Fields,
  origin: Origin,
  transform: NonNullable<ListOperation["transform"]>,
  report: Log["report"],
): NewItem | NoItem {
  const { file, format } = origin.source;
  const { [bodyField]: text, ...front } = filled;
  const isMarkdown = format === "markdown";
  const raw = isMarkdown ? front : filled;
  const body = isMarkdown && typeof text === "string" ? text : undefined;
  const name = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const what = `The transform of ${origin.operation.name}`;
  // A function gets a copy, so that it may change it.
  const returned = transform(Object(copyOf(raw)), { file, name, body });
  if (returned === undefined) return "left out";
  if (returned instanceof Failure) {
    report(failed(what, returned, origin));
    return "failed";
  }
  const copied = dataOf(returned);
  if ("data" in copied) return { value: copied.data, origin: { ...origin, raw } };
  report(notData(what, copied, origin));
  return "failed";
}

/** The items that `from` makes of an item of another collection; undefined if it fails, which is reported. */
export function madeFrom(
  item: Item,
  parent: Origin,
  operation: ListOperation,
  { makeFrom }: Extract<ItemSource, { kind: "from" }>,
  report: Log["report"],
): readonly NewItem[] | undefined {
  const origin = madeOrigin(operation, parent, item);
  const what = `The function of from in ${operation.name}`;
  const returned = makeFrom(Object(copyOf(item)));
  if (returned instanceof Failure) {
    report(failed(what, returned, origin));
    return undefined;
  }
  const items: NewItem[] = [];
  for (const value of returned) {
    const copied = dataOf(value);
    if (!("data" in copied)) {
      report(notData(what, copied, origin));
      return undefined;
    }
    items.push({ value: copied.data, origin });
  }
  return items;
}

/** Returns the values of the filters whose functions succeed. */
export function deriver({ filters }: ListOperation): (item: Item, origin: Origin, report: Log["report"]) => Derived {
  const functions = filters.flatMap(({ param, of }) => (of === undefined ? [] : [{ param, of }]));
  if (functions.length === 0) return () => nothing;
  return (item, origin, report) => {
    const derived = new Map<string, readonly string[]>();
    for (const { param, of } of functions) {
      const values = of(Object(copyOf(item)));
      if (values instanceof Failure) report(failed(`The function of the filter ${param}`, values, origin));
      else derived.set(param, values);
    }
    return derived;
  };
}

const nothing: Derived = new Map();

/** A function of the declaration threw. */
function failed(what: string, { place, text }: Failure, origin: Origin): Draft {
  const { file, line, column } = place;
  const reason = shown(`${text.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
  return { code: "not-made", at: spotOf(origin, undefined, []), text: `${what} fails: ${reason}.` };
}

/** A function of the declaration returned a value that is not data, as a whole or in part. */
export function notData(source: string, { path, what }: NotData, origin: Origin): Draft {
  const where = path.length === 0 ? "an item" : path.map(String).join(".");
  const text = `${source} returns what JSON does not have: ${shown(where)} is ${what}.`;
  return { code: "not-made", at: spotOf(origin, undefined, []), text };
}
