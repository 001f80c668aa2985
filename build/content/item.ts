// The three stages from a value to items. Make: the cells of CSV become values, the path of the file supplies missing fields,
// and the transform makes its items. Link: references by another field than the key become keys, and paths of files become
// the objects of answers. Check: the schema accepts or refuses the item. A faulty item goes on as far as it can, so that all
// its faults are reported, except those that follow from others.
import * as z from "zod";
import type { Vocabulary } from "../../src/declare/vocabulary.ts";
import { isObject, ownField, setField } from "../../src/model/fields.ts";
import { usualCells } from "../../src/model/files.ts";
import type { Item } from "../../src/model/key.ts";
import { hasOpenFields, type Schema } from "../../src/model/kinds.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import type { Log } from "../messages.ts";
import { quote } from "../text/quote.ts";
import { onceFor } from "../values/once.ts";
import type { AssetFinder } from "./assets/assets.ts";
import { AssetFields } from "./assets/fields.ts";
import { At, type ContentSource, type Value } from "./formats/value.ts";
import type { Linked, References } from "./link/references.ts";
import { type CellOptions, type Readers, readersOf, typedRow, withCells, withCellTexts } from "./make/cells.ts";
import { namedPlace, nameOf, transformed } from "./make/functions.ts";
import { type Validate, validatorOfMany } from "./validate.ts";

/** The inputs of the three stages, for one collection. */
export interface ItemContext {
  readonly operation: ListOperation;
  readonly schema: z.ZodType<Item>;
  /** The schemas of the fields, if the schema has them. */
  readonly fields: Readonly<Record<string, Schema>> | undefined;
  /** Whether fields that the schema does not have are faults. */
  readonly isStrict: boolean;
  readonly validate: Validate<Item>;
  /** The fields of `written`: those of the files, of which a transform makes items with other fields. */
  readonly writtenFields: readonly string[];
  readonly readerOf: (source: ContentSource) => SourceReader;
  readonly references: References;
  readonly finder: AssetFinder;
  readonly assetFields: AssetFields;
  readonly log: Log;
}

/** The inputs that all collections of an API share. */
export interface ReadContext {
  /** The prefix of every path. */
  readonly base: string;
  readonly vocabulary: Vocabulary;
  readonly finder: AssetFinder;
  readonly log: Log;
}

export function itemContext(
  operation: ListOperation,
  references: References,
  { base, vocabulary, finder, log }: ReadContext,
): ItemContext {
  const schema = operation.schema(vocabulary);
  const object = schema instanceof z.ZodObject ? schema : undefined;
  const readersWith = readersOf(schema);
  return {
    operation,
    schema,
    fields: object?.shape,
    isStrict: object !== undefined && !hasOpenFields(object),
    validate: validatorOfMany(schema, operation.noun),
    writtenFields: writtenFields(operation, vocabulary),
    readerOf: onceFor((source) => sourceReader(source, readersWith)),
    references,
    finder,
    assetFields: new AssetFields(operation, base, finder),
    log,
  };
}

function writtenFields({ written }: ListOperation, vocabulary: Vocabulary): readonly string[] {
  const schema = written?.schema(vocabulary);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/**
 * The first stage. Returns no items if the transform leaves the value out, and undefined if it fails, which is reported. `index`:
 * that of the value in its file.
 */
export function makeItems(
  { data: raw, at, json }: Value,
  index: number,
  context: ItemContext,
): readonly Value[] | undefined {
  const { operation, readerOf } = context;
  if (!isObject(raw)) return [{ data: raw, at: namedPlace(operation, raw, at) }];
  const { suppliedFor, typed } = readerOf(at.source);
  const row = { raw, index, cells: typed(raw), supplied: suppliedFor(at) };
  if (operation.transform !== undefined) return transformedItems(row, at, operation.transform, context);
  const item = filledIn(row.cells, row.supplied);
  const place = namedPlace(operation, item, at);
  reportContradictions(row.supplied, raw, row.cells, place, context);
  return [{ data: item, json: item === raw ? json : undefined, at: place }];
}

/** A raw item as it is read. */
interface Row {
  /** As it is written. */
  readonly raw: Item;
  readonly index: number;
  /** The same with the types of the schema, if its file has texts only. */
  readonly cells: Item;
  readonly supplied: readonly SuppliedField[];
}

/** The items that the transform makes of a row. The cells that it returns as they are have the types of the schema. */
function transformedItems(
  { raw, index, cells, supplied }: Row,
  at: At,
  transform: NonNullable<ListOperation["transform"]>,
  context: ItemContext,
): readonly Value[] | undefined {
  const { operation, finder, log } = context;
  const filled = filledIn(raw, supplied);
  const made = transformed(filled, at, operation, index, { transform, assets: finder, report: log.report });
  return made?.map((value) => {
    const { data } = value;
    if (!isObject(data)) return value;
    // A transform may replace the values of the file.
    const kept = supplied.filter(({ field }) => ownField(data, field) === ownField(raw, field));
    reportContradictions(kept, raw, data, value.at, context);
    const hasCells = cells !== raw;
    const item = filledIn(hasCells ? withCells(data, raw, cells) : data, supplied);
    const written = hasCells ? filledIn(cells, supplied) : value.at.made?.raw;
    return { data: item, at: placeOfMade(operation, value.at, item, written) };
  });
}

/** The second stage: one walk over the references by other fields, and one over the fields that name files. */
export function linkItem({ data, at }: Value, { references, assetFields, log }: ItemContext): Linked {
  return assetFields.resolve(references.resolve(data, at, log.report), at, log.report);
}

/** The third stage. Returns the item if it has the form of the schema, and all that it names was found. */
export function checkItem({ value, unresolved }: Linked, at: At, context: ItemContext): Item | undefined {
  const { validate, writtenFields, fields = {}, log } = context;
  const { file, dialect } = at.source;
  // Missing items and files are reported already.
  const isFull = log.isFull(file) && unresolved.length === 0;
  const report = isFull ? undefined : withCellTexts(log.report, dialect, fields);
  // A value that did not become a key is reported as a reference. Refusing it would report it again.
  const item = validate(value, (path, part) => at.spot(path, part), report, {
    reported: unresolved,
    // Of a list that a transform makes, no item stands in the file.
    written:
      at.made?.raw === undefined || at.name !== undefined ? undefined : { value: at.made.raw, fields: writtenFields },
  });
  if (item === undefined && isFull) log.countRefused(file);
  return unresolved.length === 0 ? item : undefined;
}

/** A field whose value the path of a file or the name of a member supplies, as text and with the type of the schema. */
interface SuppliedField {
  readonly field: string;
  readonly text: string;
  readonly value: unknown;
  readonly by: "path" | "name";
}

/** The fields and types that a file supplies to its raw items. */
export interface SourceReader {
  /** The fields that are supplied to the raw item at a place. */
  readonly suppliedFor: (at: At) => readonly SuppliedField[];
  /** The raw item with the types of the schema, if the file has texts only. */
  readonly typed: (raw: Item) => Item;
}

function sourceReader(
  { fields, dialect }: ContentSource,
  readersWith: (options: CellOptions) => Readers,
): SourceReader {
  const { format, memberName } = dialect;
  const readers = readersWith(usualCells);
  const supplied = (by: SuppliedField["by"], field: string, text: string): SuppliedField => ({
    field,
    text,
    value: readers.get(field)?.(text) ?? text,
    by,
  });
  const ofPath = Object.entries(fields).map(([field, text]) => supplied("path", field, text));
  const cellReaders = format.hasCells ? readersWith(dialect) : undefined;
  return {
    suppliedFor({ path }) {
      const name = memberName === undefined ? undefined : path.at(-1);
      return memberName === undefined || typeof name !== "string"
        ? ofPath
        : [...ofPath, supplied("name", memberName, name)];
    },
    typed: (raw) => (cellReaders === undefined ? raw : typedRow(raw, cellReaders)),
  };
}

function filledIn(item: Item, supplied: readonly SuppliedField[]): Item {
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
function reportContradictions(
  supplied: readonly SuppliedField[],
  raw: Item,
  item: Item,
  at: At,
  { operation, references, log }: ItemContext,
): void {
  const { noun } = operation;
  for (const { field, text, value, by } of supplied) {
    const written = ownField(item, field);
    const isScalar = typeof written === "string" || typeof written === "number";
    if (!Object.hasOwn(raw, field) || !isScalar || written === value || String(written) === text) continue;
    // A part of a path contradicts a reference only if it is a key of the items to which the field refers.
    if (!references.leads(field, text) || !references.leads(field, String(written))) continue;
    log.report({
      code: "wrong-collection",
      at: at.spot([field]),
      text: `The ${noun} says ${field} ${quote(String(written))}, but ${by === "path" ? "the path" : "its name"} says ${quote(text)}.`,
      hint: `${by === "path" ? "Move" : "Rename"} the ${noun}, or leave its ${field} out.`,
    });
  }
}

/** The place of an item that a transform made, after its fields have got their values. */
const placeOfMade = (operation: ListOperation, { source, path, made, name }: At, data: unknown, raw: unknown): At =>
  new At(source, path, made && { raw, data }, name && nameOf(operation, data));
