// Calls what a declaration says of an item: the texts of CSV become values, the path of the file fills in its fields, the
// `transform` of the collection or the function of `from` makes the item, and functions derive values of filters.
import * as z from "zod";
import { isObject } from "../../src/model/fields.ts";
import type { Derived } from "../../src/model/filter.ts";
import type { Item } from "../../src/model/key.ts";
import { kindsOf, mayBeOmitted, type Schema } from "../../src/model/kinds.ts";
import type { ItemSource, ListOperation } from "../../src/model/operation.ts";
import { DeclarationError } from "../diagnostics.ts";
import { quote, shown } from "../text/quote.ts";
import { copyOf, dataOf, NoData, setField } from "./data.ts";
import { isAccepted, typesOf } from "./explain.ts";
import { type Fault, fault, type WithFaults } from "./fault.ts";
import { numberOf, type Path } from "./formats/format.ts";
import { bodyField } from "./formats/markdown.ts";
import { fieldsOfPath, globsOf } from "./globs.ts";
import { madeOrigin, type Origin, spotOf } from "./origin.ts";
import type { Source } from "./source.ts";

/** An item that has not been checked yet, and where it is from. */
export interface Made {
  readonly value: unknown;
  readonly origin: Origin;
}

/** Returns undefined for a raw item that a transform leaves out, or fails for. */
export type Make = (raw: unknown, source: Source, path: Path) => WithFaults<Made | undefined>;

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
  const known = new Map<string, readonly Given[]>();
  const givenBy = (file: string): readonly Given[] => {
    const given =
      known.get(file) ??
      Object.entries(fieldsOfPath(globs, file) ?? {}).map(([field, text]) => {
        return { field, text, value: readers.get(field)?.(text) ?? text };
      });
    known.set(file, given);
    return given;
  };
  return (raw, source, path) => {
    const origin = { operation, source, path };
    if (!isObject(raw)) return [{ value: raw, origin }, none];
    const given = givenBy(source.file);
    const cells = source.format === "csv" ? typed(raw, readers) : raw;
    const filled = filledIn(cells, given);
    if (transform === undefined) return [{ value: filled, origin }, contradictions(given, raw, cells, origin, isKey)];
    const [made, faults] = transformed(filledIn(raw, given), { ...origin, raw }, transform);
    if (made === undefined || !isObject(made.value)) return [made, faults];
    const { value } = made;
    // A transform may replace what the file says.
    const kept = given.filter(({ field }) => value[field] === raw[field]);
    const found = contradictions(kept, raw, value, made.origin, isKey);
    if (cells === raw) return [{ ...made, value: filledIn(value, given) }, found];
    const read = withCells(value, raw, cells);
    return [{ value: filledIn(read, given), origin: { ...made.origin, raw: filled } }, found];
  };
}

const none: readonly never[] = [];

/** A field that the path of a file gives, as text and as the schema asks for it. */
interface Given {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
}

function filledIn(item: Fields, given: readonly Given[]): Fields {
  const missing = given.filter(({ field }) => !Object.hasOwn(item, field));
  if (missing.length === 0) return item;
  return { ...item, ...Object.fromEntries(missing.map(({ field, value }) => [field, value])) };
}

/** The written fields that contradict the path. A key of nothing is reported as that. */
function contradictions(
  given: readonly Given[],
  raw: Fields,
  item: Fields,
  origin: Origin,
  isKey: (field: string, text: string) => boolean,
): readonly Fault[] {
  if (given.length === 0) return none;
  const { noun } = origin.operation;
  return given.flatMap(({ field, text, value }) => {
    const own = item[field];
    const isScalar = typeof own === "string" || typeof own === "number";
    if (!Object.hasOwn(raw, field) || !isScalar || own === value || String(own) === text) return [];
    if (!isKey(field, text) || !isKey(field, String(own))) return [];
    return fault("wrong-collection", spotOf(origin, item, [field]), () => ({
      message: `The ${noun} says ${field} ${quote(String(own))}, but the path says ${quote(text)}.`,
      hint: `Move the ${noun}, or leave its ${field} out.`,
    }));
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
 * Reads texts as a schema asks for them: as a number or a boolean if it accepts no such text, and the empty text as null.
 * If it accepts neither the empty text nor null, an optional field is undefined. What fits nothing stays a text, so that
 * its fault quotes it.
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
): WithFaults<Made | undefined> {
  const { file, format } = origin.source;
  const { [bodyField]: text, ...front } = filled;
  const isMarkdown = format === "markdown";
  const raw = isMarkdown ? front : filled;
  const body = isMarkdown && typeof text === "string" ? text : undefined;
  const name = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const make = () => {
    const made = transform(Object(copyOf(raw)), { file, name, body });
    return made === undefined ? undefined : { value: dataOf(made), origin: { ...origin, raw } };
  };
  return called(make, `The transform of ${origin.operation.name}`, origin);
}

/** The items that `from` makes of an item of another collection. */
export function madeFrom(
  item: Item,
  parent: Origin,
  operation: ListOperation,
  { each }: Extract<ItemSource, { kind: "from" }>,
): WithFaults<readonly Made[]> {
  const origin = madeOrigin(operation, parent, item);
  const make = () => each(Object(copyOf(item))).map((made) => ({ value: dataOf(made), origin }));
  const [made = none, faults] = called(make, `The function of from in ${operation.name}`, origin);
  return [made, faults];
}

/** Returns the values of the filters whose functions succeed. */
export function deriver({ filters }: ListOperation): (item: Item, origin: Origin) => WithFaults<Derived> {
  const functions = filters.flatMap(({ param, of }) => (of === undefined ? [] : [[param, of] as const]));
  if (functions.length === 0) return () => nothing;
  return (item, origin) => {
    const derived = new Map<string, readonly string[]>();
    const faults: Fault[] = [];
    for (const [param, of] of functions) {
      const [values, failed] = called(() => of(Object(copyOf(item))), `The function of the filter ${param}`, origin);
      if (values !== undefined) derived.set(param, values);
      faults.push(...failed);
    }
    return [derived, faults];
  };
}

const nothing: WithFaults<Derived> = [new Map(), none];

/** What a function of the declaration returns: it gets a copy of its item, so that it may change it. */
function called<T>(call: () => T, what: string, origin: Origin): WithFaults<T | undefined> {
  try {
    return [call(), none];
  } catch (error) {
    if (error instanceof NoData) return [undefined, [noData(what, error, origin)]];
    if (!(error instanceof DeclarationError)) throw error;
    const { file, line, column, message } = error.diagnostic;
    const reason = shown(`${message.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
    const failed = fault("not-made", spotOf(origin, undefined, []), () => ({
      message: `${what} fails: ${reason}.`,
    }));
    return [undefined, [failed]];
  }
}

/** What a function returned is at fault, as a whole or in part. */
export function noData(source: string, { path, what }: NoData, origin: Origin): Fault {
  const where = path.length === 0 ? "an item" : path.map(String).join(".");
  const message = `${source} returns what JSON does not have: ${shown(where)} is ${what}.`;
  return fault("not-made", spotOf(origin, undefined, []), message);
}
