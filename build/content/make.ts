// Calls what a declaration says of an item: the texts of CSV become values, the path of the file fills in its fields, the
// `transform` of the collection or the function of `from` makes the item, and functions derive values of filters.
import * as z from "zod";
import type { Derived } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { DeclarationError } from "../diagnostics.ts";
import { quote, shown } from "../text/quote.ts";
import { copyOf, dataOf, NoData } from "./data.ts";
import { type Fault, fault, type WithFaults } from "./fault.ts";
import { bodyField, hasFront } from "./formats/markdown.ts";
import { fieldsOfPath, pathFields } from "./globs.ts";
import { madeOrigin, type Origin, spotOf } from "./origin.ts";
import type { Path, Source } from "./source.ts";
import { absent, reader } from "./typed.ts";
import { causeOf } from "./wrong.ts";

/** An item that has not been checked yet, and where it is from. */
export interface Made {
  readonly value: unknown;
  readonly origin: Origin;
}

/** Returns undefined for a raw item that a transform leaves out, or fails for. */
export type Make = (raw: unknown, source: Source, path: Path) => WithFaults<Made | undefined>;

type Fields = Readonly<Record<string, unknown>>;

type Readers = ReadonlyMap<string, (text: string) => unknown>;

/** `isKey`: whether a text is a key of the items to which a field refers. */
export function maker(
  operation: ListOperation,
  schema: z.ZodType,
  isKey: (field: string, text: string) => boolean,
): Make {
  const { transform } = operation;
  const forms = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  const readers = new Map(forms.map(([field, form]) => [field, reader(form)]));
  const givenIn = givenBy(operation, readers);
  return (raw, source, path) => {
    const origin = { operation, source, path };
    if (!isObject(raw)) return [{ value: raw, origin }, none];
    const given = givenIn(source.file);
    const read = source.format === "csv" && transform === undefined ? typed(raw, readers) : raw;
    const filled = filledIn(read, given);
    if (transform === undefined) return [{ value: filled, origin }, contradictions(given, raw, read, origin, isKey)];
    const [made, faults] = transformed(filled, { ...origin, raw }, transform);
    if (made === undefined || !isObject(made.value)) return [made, faults];
    // A transform may replace what the file says.
    const { value } = made;
    const kept = given.filter(({ field }) => value[field] === raw[field]);
    return [
      { ...made, value: filledIn(value, given) },
      [...faults, ...contradictions(kept, raw, value, made.origin, isKey)],
    ];
  };
}

const none: readonly never[] = [];

/** A field that the path of a file gives, as text and as the schema asks for it. */
interface Given {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
}

function givenBy(operation: ListOperation, readers: Readers): (file: string) => readonly Given[] {
  const { files } = operation;
  if (files === undefined || pathFields(operation).length === 0) return () => none;
  const known = new Map<string, readonly Given[]>();
  return (file) => {
    const given =
      known.get(file) ??
      Object.entries(fieldsOfPath(files, file) ?? {}).map(([field, text]) => ({
        field,
        text,
        value: readers.get(field)?.(text) ?? text,
      }));
    known.set(file, given);
    return given;
  };
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
  const { noun, nouns } = origin.operation;
  return given.flatMap(({ field, text, value }) => {
    const own = item[field];
    const isScalar = typeof own === "string" || typeof own === "number";
    if (!Object.hasOwn(raw, field) || !isScalar || own === value || String(own) === text) return [];
    if (!isKey(field, text) || !isKey(field, String(own))) return [];
    return fault("wrong-collection", spotOf(origin, item, [field]), () => ({
      message: `The ${noun} says ${field} ${quote(String(own))}, but the path says ${quote(text)}.`,
      hint: `Move the ${noun}, or leave its ${field} out.`,
      cause: causeOf(`${nouns} say another ${field} than the path`, quote(String(own))),
    }));
  });
}

/** Converts the cells of CSV to the types of the schema. */
function typed(row: Fields, readers: Readers): Fields {
  const item: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(row)) {
    const read = readers.get(field);
    const value = read === undefined ? text : read(String(text));
    if (value !== absent) item[field] = value;
  }
  return item;
}

function transformed(
  filled: Fields,
  origin: Origin,
  transform: NonNullable<ListOperation["transform"]>,
): WithFaults<Made | undefined> {
  const { operation, source } = origin;
  const isMarkdown = source.format === "markdown";
  const { [bodyField]: text, ...front }: Fields = isMarkdown ? filled : {};
  const raw = isMarkdown ? front : filled;
  const body = typeof text === "string" ? text : undefined;
  const name = source.file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  return called(
    () => {
      const made = transform(Object(copyOf(raw)), { file: source.file, name, body });
      return made === undefined ? undefined : { value: dataOf(made), origin: { ...origin, raw } };
    },
    `The transform of ${operation.name}`,
    origin,
    isMarkdown && !hasFront(source.text) ? noFront : undefined,
  );
}

const noFront = "The file has no front matter: put its fields between two lines ---, the first of which is line 1.";

/** The items that `from` makes of an item of another collection. */
export function madeFrom(
  item: Item,
  parent: Origin,
  operation: ListOperation,
  { each }: NonNullable<ListOperation["from"]>,
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
    const found = functions.map(([param, of]) => {
      const [values, faults] = called(() => of(Object(copyOf(item))), `The function of the filter ${param}`, origin);
      return { param, values, faults };
    });
    const derived = new Map(found.flatMap(({ param, values }) => (values === undefined ? [] : [[param, values]])));
    return [derived, found.flatMap(({ faults }) => faults)];
  };
}

const nothing: WithFaults<Derived> = [new Map(), none];

/** What a function of the declaration returns: it gets a copy of its item, so that it may change it. */
function called<T>(call: () => T, what: string, origin: Origin, hint?: string): WithFaults<T | undefined> {
  try {
    return [call(), none];
  } catch (error) {
    if (error instanceof NoData) return [undefined, [noData(what, error, origin)]];
    if (!(error instanceof DeclarationError)) throw error;
    const { file, line, column, message } = error.diagnostic;
    const reason = shown(`${message.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
    const failed = fault("not-made", spotOf(origin, undefined, []), () => ({
      message: `${what} fails: ${reason}.`,
      hint,
      cause: causeOf(`items cannot be made: ${what} fails`, reason, hint),
    }));
    return [undefined, [failed]];
  }
}

/** What a function returned is at fault, as a whole or in part. */
export function noData(source: string, { path, what }: NoData, origin: Origin): Fault {
  const where = path.length === 0 ? "an item" : path.map(String).join(".");
  return fault(
    "not-made",
    spotOf(origin, undefined, []),
    `${source} returns what JSON does not have: ${shown(where)} is ${what}.`,
  );
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
