// From what a file or `load` has to an item: the texts of CSV become values, the path of the file fills in its fields, and
// the `transform` of the collection makes the item.
import * as z from "zod";
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
import { aside } from "./wrong.ts";

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
): (file: string) => Make {
  const { transform } = operation;
  const forms = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  const readers = new Map(forms.map(([field, form]) => [field, reader(form)]));
  return (file) => {
    const given = givenBy(operation, file, readers);
    return (raw, source, path) => {
      if (!isObject(raw)) return [{ value: raw, origin: { operation, source, path } }, []];
      const isTable = source.format === "csv" && transform === undefined;
      const read = isTable ? typed(raw, readers) : raw;
      const filled = given.length === 0 ? read : filledIn(read, given);
      const [made, faults] =
        transform === undefined
          ? [{ value: filled, origin: { operation, source, path } }, []]
          : transformed(filled, { operation, source, path, raw }, transform);
      if (made === undefined || given.length === 0) return [made, faults];
      const item = isObject(made.value) ? filledIn(made.value, given) : made.value;
      const contrary = given.flatMap((each) => {
        const own = Object(item)[each.field];
        // A transform may replace what the file says.
        const isWritten = Object.hasOwn(raw, each.field) && (transform === undefined || own === raw[each.field]);
        if (!isWritten || !isScalar(own) || own === each.value || String(own) === each.text) return [];
        // A key of nothing is reported as that.
        const isTold = !isKey(each.field, each.text) || !isKey(each.field, String(own));
        return isTold ? [] : [contradiction(made.origin, item, each, String(own))];
      });
      return [{ ...made, value: item }, [...faults, ...contrary]];
    };
  };
}

/** A field that the path of a file gives, as text and as the schema asks for it. */
interface Given {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
}

type Readers = ReadonlyMap<string, (text: string) => unknown>;

function givenBy(operation: ListOperation, file: string, readers: Readers): readonly Given[] {
  const { files } = operation;
  if (files === undefined || pathFields(operation).length === 0) return [];
  return Object.entries(fieldsOfPath(files, file) ?? {}).map(([field, text]) => ({
    field,
    text,
    value: readers.get(field)?.(text) ?? text,
  }));
}

function filledIn(item: Fields, given: readonly Given[]): Fields {
  const missing = given.filter(({ field }) => !Object.hasOwn(item, field));
  if (missing.length === 0) return item;
  return { ...item, ...Object.fromEntries(missing.map(({ field, value }) => [field, value])) };
}

function contradiction(origin: Origin, item: unknown, { field, text }: Given, own: string): Fault {
  const { noun, nouns } = origin.operation.resource;
  return fault("wrong-collection", spotOf(origin, item, [field]), () => ({
    message: `The ${noun} says ${field} ${quote(own)}, but the path says ${quote(text)}.`,
    hint: `Move the ${noun}, or leave its ${field} out.`,
    cause: { several: `${nouns} say another ${field} than the path`, value: quote(own) },
  }));
}

/** Converts the cells of CSV to the types of the schema. */
function typed(row: Fields, readers: Readers): Fields {
  const item: Record<string, unknown> = {};
  for (const field of Object.keys(row)) {
    const [text, read] = [row[field], readers.get(field)];
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
  const what = `The transform of ${operation.name}`;
  try {
    const item = transform(Object(copyOf(raw)), { file: source.file, name, body });
    return [item === undefined ? undefined : { value: dataOf(item), origin: { ...origin, raw } }, []];
  } catch (error) {
    const hint = isMarkdown && !hasFront(source.text) ? noFront : undefined;
    return [undefined, [failedBy(error, what, origin, hint)]];
  }
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
  try {
    return [each(Object(copyOf(item))).map((made) => ({ value: dataOf(made), origin })), []];
  } catch (error) {
    return [[], [failedBy(error, `The function of from in ${operation.name}`, origin)]];
  }
}

/** The fault of a function of the declaration that throws, or returns what is no data. Throws all other errors. */
export function failedBy(error: unknown, what: string, origin: Origin, hint?: string): Fault {
  if (error instanceof NoData) return noData(what, error, origin);
  if (!(error instanceof DeclarationError)) throw error;
  const { file, line, column, message } = error.diagnostic;
  const reason = shown(`${message.replace(/\.$/, "")} (${file}:${line}:${column})`, 300);
  const cause = { several: `items cannot be made: ${what} fails`, value: reason, aside: aside(hint) };
  return fault("not-made", spotOf(origin, undefined, []), () => ({
    message: `${what} fails: ${reason}.`,
    hint,
    cause,
  }));
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

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";
