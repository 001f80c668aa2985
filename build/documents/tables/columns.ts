// The columns of a table: the key, the fields of the order and of filters, then others, as many as fit. The declaration
// and the first items decide, so that no other item changes a page.
import type * as z from "zod";
import { ownField } from "../../../src/model/fields.ts";
import { type Item, keyFields } from "../../../src/model/key.ts";
import { type Kind, kindsOf, type Schema, shapesIn } from "../../../src/model/kinds.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { type CellColumn, cellValue, decimalsOf } from "../describe/cells.ts";
import type { Site } from "../describe/site.ts";
import { isServed } from "../describe/site-data.ts";

/** The characters of a line. A column takes as many as its longer values, within the bounds below. */
const lineLength = 130;
const minLength = 6;
const maxLength = 40;

/** Numbers with more decimals stand out of their column. */
const maxDecimals = 4;

/** More columns are hard to read even if they fit. */
const maxColumns = 10;

export interface TableColumns {
  readonly shown: readonly CellColumn[];
  /** The columns that readers may choose besides. */
  readonly further: readonly CellColumn[];
  /** The number of fields of an item. */
  readonly fields: number;
}

/** `schema` describes the items in lists. The columns of the key come first, the others in the order of the schema. */
export function tableColumns(
  site: Site,
  operation: ListOperation,
  schema: z.ZodType<Item>,
  items: readonly Item[],
): TableColumns {
  const [shape] = kindsOf(schema);
  const fields = shape?.kind === "object" ? Object.entries(shape.fields) : [];
  const all = fields.flatMap(([field, fieldSchema]) => columnsOf(site, operation, field, fieldSchema));
  const keys = keyFields(operation).flatMap((field) => all.filter(({ path }) => path === field));
  const filled = all.filter(
    (column) => !keys.includes(column) && items.some((item) => !isEmpty(cellValue(column, item))),
  );
  const named = new Set([...operation.order, ...operation.filters].map(({ field }) => field));
  const first = filled.filter(({ path }) => named.has(path));
  const others = filled.filter(({ path }) => !named.has(path));
  // The name of an item is often the first of the others.
  const wanted = [...first.slice(0, 3), ...others.slice(0, 2), ...first.slice(3), ...others.slice(2)];
  let room = lineLength - keys.reduce((sum, column) => sum + lengthIn(column, items), 0);
  const fitting = wanted.slice(0, maxColumns - keys.length).filter((column, index) => {
    room -= lengthIn(column, items);
    return room >= 0 || index === 0;
  });
  const shown = [...keys, ...filled.filter((column) => fitting.includes(column))];
  const further = all.filter((column) => !shown.includes(column));
  const withDecimals = (column: CellColumn): CellColumn => {
    if (column.kind !== "number") return column;
    const most = Math.max(0, ...items.map((item) => decimalsOf(cellValue(column, item))));
    return most === 0 ? column : { ...column, decimals: Math.min(most, maxDecimals) };
  };
  return { shown: shown.map(withDecimals), further: further.map(withDecimals), fields: fields.length };
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || String(value) === "";

/** The width of the largest picture in a row, in characters. */
const maxPictureLength = 14;

/** The length of nine values in ten, or of the head. */
function lengthIn({ path, to, ...column }: CellColumn, items: readonly Item[]): number {
  if (column.kind === "file") return maxPictureLength;
  const lengths = items.map((item) => String(cellValue({ path, ...column }, item) ?? "").length);
  const usual = lengths.sort((one, other) => one - other)[Math.floor(0.9 * (lengths.length - 1))] ?? 0;
  const wanted = Math.max(path.length, usual) + (to === undefined ? 0 : minLength);
  return Math.min(Math.max(wanted, minLength), maxLength) + 2;
}

/** The column of a field, or the columns of the fields of an object. None if the field is nested deeper. */
function columnsOf(site: Site, operation: ListOperation, field: string, schema: Schema): readonly CellColumn[] {
  if (operation.assets.some((asset) => asset.field === field)) return [{ path: field, kind: "file" }];
  if (operation.filters.some((filter) => filter.field === field && filter.by === "names")) {
    return [{ path: field, isRecord: true, to: listReferredTo(site, operation, field) }];
  }
  const columnOf = (path: string, form: Schema): CellColumn => ({
    path,
    kind: kindOf(operation, path, form),
    tones: ownField(operation.tones, path),
    to: listReferredTo(site, operation, path),
    words: wordsOf(form),
  });
  if (isShown(schema)) return [columnOf(field, schema)];
  return kindsOf(schema)
    .flatMap((shape) => (shape.kind === "object" ? Object.entries(shape.fields) : []))
    .filter(([, inner]) => isShown(inner))
    .map(([name, inner]) => columnOf(`${field}.${name}`, inner));
}

function kindOf({ key }: ListOperation, field: string, schema: Schema): CellColumn["kind"] {
  const kinds = shapesIn(kindsOf(schema));
  const areNumbers = kinds.length > 0 && kinds.every(({ kind }) => kind === "integer" || kind === "number");
  return areNumbers && field !== key ? "number" : undefined;
}

/** The values of an enum of texts, in its order. */
function wordsOf(schema: Schema): readonly string[] | undefined {
  const kinds = shapesIn(kindsOf(schema));
  const values = kinds.flatMap((shape) => (shape.kind === "known" ? shape.values : [undefined]));
  const words = values.filter((value) => typeof value === "string");
  return words.length > 1 && words.length === values.length ? words : undefined;
}

/** Undefined if the values of a field are not keys, or are keys of several collections. */
function listReferredTo(site: Site, operation: ListOperation, field: string): string | undefined {
  const ofReferences = operation.references.filter((reference) => reference.field.replace(/\[\]$/, "") === field);
  const accepts = operation.filters.find((filter) => filter.field === field)?.accepts;
  const targets = new Set(ofReferences.map(({ to }) => to));
  if (accepts?.kind === "keys") targets.add(accepts.of);
  const [name = ""] = targets;
  return targets.size === 1 && isServed(site, name) ? name : undefined;
}

/** Whether a cell can show the values of a schema: scalars, and lists of scalars. */
const isShown = (schema: Schema): boolean =>
  kindsOf(schema).every((shape) => (shape.kind === "array" ? kindsOf(shape.element).every(isScalar) : isScalar(shape)));

const isScalar = ({ kind }: Kind): boolean => ["text", "integer", "number", "boolean", "known", "null"].includes(kind);
