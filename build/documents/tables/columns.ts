// The columns of a table: the key, the fields of the order and of filters, then others, as many as fit. The declaration
// and the first items decide, so that no other item changes a page.
import type * as z from "zod";
import { type Kind, kindsOf, type Schema } from "../../../src/kinds.ts";
import type { ListOperation } from "../../../src/operation.ts";
import { type Item, keyFields } from "../../../src/resource.ts";
import { type DocumentSource, isServed } from "../source.ts";
import type { CellColumn } from "./cells.ts";
import { leastLarge, valueAt } from "./cells.ts";

/** The characters of a line, of which a column takes as many as its longer values, within bounds. */
const lineLength = 130;
const [leastLength, mostLength] = [6, 40];

/** The most columns: more are hard to read even if they fit. */
const most = 10;

/** Room for fields that neither the order nor a filter names, such as the name of an item. */
const leastOthers = 2;

export interface TableColumns {
  readonly shown: readonly CellColumn[];
  /** The number of fields of an item. */
  readonly fields: number;
}

/** `schema` describes the items in lists. The columns of the key come first, the others in the order of the schema. */
export function tableColumns(
  source: DocumentSource,
  operation: ListOperation,
  schema: z.ZodType<Item>,
  items: readonly Item[],
): TableColumns {
  const [shape] = kindsOf(schema);
  const fields = shape?.kind === "object" ? Object.entries(shape.fields) : [];
  const all = fields.flatMap((field) => columnsOf(source, operation, field));
  const keys = keyFields(operation.resource).flatMap((field) => all.filter(({ path }) => path === field));
  const filled = all.filter((each) => !keys.includes(each) && hasValues(each, items));
  const named = [...new Set([...operation.order, ...operation.filters].map(({ field }) => field))];
  const first = named.flatMap((field) => filled.filter(({ path }) => path === field));
  const others = filled.filter((each) => !first.includes(each));
  const some = first.slice(0, Math.max(0, most - keys.length - Math.min(leastOthers, others.length)));
  const wanted = [...some.slice(0, 3), ...others.slice(0, leastOthers), ...some.slice(3), ...others.slice(leastOthers)];
  let room = lineLength - keys.reduce((sum, each) => sum + lengthIn(each, items), 0);
  const shown = wanted.slice(0, most - keys.length).filter((each, index) => {
    room -= lengthIn(each, items);
    return room >= 0 || index === 0;
  });
  const columns = [...keys, ...filled.filter((each) => shown.includes(each))];
  return { shown: columns.map((each) => withLarge(each, items)), fields: fields.length };
}

const hasValues = (column: CellColumn, items: readonly Item[]): boolean =>
  items.some((item) => {
    const value = valueAt(column, item);
    return value !== null && value !== undefined && value !== "" && String(value) !== "";
  });

/** The length of nine values in ten, or of the head. */
function lengthIn(column: CellColumn, items: readonly Item[]): number {
  const lengths = items.map((item) => String(valueAt(column, item) ?? "").length).sort((one, other) => one - other);
  const usual = Math.max(column.path.length, lengths[Math.floor(0.9 * (lengths.length - 1))] ?? 0);
  const own = column.to === undefined ? usual : usual + leastLength;
  return Math.min(Math.max(own, leastLength), mostLength) + 2;
}

function withLarge(column: CellColumn, items: readonly Item[]): CellColumn {
  const isLarge = column.kind === "number" && items.some((item) => Number(valueAt(column, item)) >= leastLarge);
  return isLarge ? { ...column, isLarge } : column;
}

/** The column of a field, or the columns of the fields of an object. None if the field is nested deeper. */
function columnsOf(
  source: DocumentSource,
  operation: ListOperation,
  [field, schema]: readonly [string, Schema],
): readonly CellColumn[] {
  const to = listReferredTo(source, operation, field);
  if (operation.filters.some((each) => each.field === field && each.by === "names")) {
    return [{ path: field, isRecord: true, to }];
  }
  if (isShown(schema)) return [{ path: field, kind: kindOf(operation, field, schema), to }];
  return kindsOf(schema)
    .flatMap((each) => (each.kind === "object" ? Object.entries(each.fields) : []))
    .filter(([, inner]) => isShown(inner))
    .map(([inner, own]) => {
      const path = `${field}.${inner}`;
      return { path, kind: kindOf(operation, inner, own), to: listReferredTo(source, operation, path) };
    });
}

function kindOf({ resource }: ListOperation, field: string, schema: Schema): CellColumn["kind"] {
  const kinds = kindsOf(schema).filter(({ kind }) => kind !== "null");
  if (field === resource.key || kinds.length === 0) return undefined;
  if (kinds.every(({ kind }) => kind === "integer" || kind === "number")) return "number";
  // Words that no vocabulary limits are texts.
  const isWord = kinds.every(({ kind }) => kind === "known" || kind === "text");
  return isWord && /(?:^|_)(?:status|state|health)$/i.test(field) ? "state" : undefined;
}

/** Undefined if the values of a field are no keys, or those of several collections. */
function listReferredTo(source: DocumentSource, operation: ListOperation, field: string): string | undefined {
  const filter = operation.filters.find((each) => each.field === field);
  const targets = new Set([
    ...operation.resource.references
      .filter((each) => each.field === field || each.field === `${field}[]`)
      .map(({ to }) => to),
    ...(filter?.accepts.kind === "keys" ? [filter.accepts.of] : []),
  ]);
  const [name, another] = targets;
  return name === undefined || another !== undefined || !isServed(source, name) ? undefined : name;
}

/** Whether a cell can show the values of a schema: scalars, and lists of scalars. */
const isShown = (schema: Schema): boolean =>
  kindsOf(schema).every((each) => (each.kind === "array" ? kindsOf(each.element).every(isScalar) : isScalar(each)));

const isScalar = ({ kind }: Kind): boolean => scalars.has(kind);

const scalars: ReadonlySet<string> = new Set(["text", "integer", "number", "boolean", "known", "null"]);
