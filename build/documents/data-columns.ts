// The columns of a data page: the key, the fields of the order and of filters, then others that are short. The
// declaration and the items on the page decide, so that no other item changes the page.
import type * as z from "zod";
import { type Filter, valuesIn } from "../../src/filter.ts";
import { type Kind, kindsOf, type Schema } from "../../src/kinds.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";

export type Scalar = string | number | boolean;

export interface TableColumn {
  /** The path of the field: `name.common` is in the object `name`. */
  readonly path: string;
  /** A list or a record has several values, null has none. */
  readonly valuesOf: (item: Item) => readonly Scalar[];
  /** A filter by the field. */
  readonly filter: Filter | undefined;
}

/** The most columns. */
const most = 7;

/** Room for fields that neither the order nor a filter names, such as the name of an item. */
const leastOthers = 2;

/** The most characters of a column: 80 in a cell of a full table. */
const mostCharacters = 8_000;

/** `schema` describes the items in lists. The columns of the key come first, the others in the order of the schema. */
export function tableColumns(
  operation: ListOperation,
  schema: z.ZodType<Item>,
  items: readonly Item[],
): readonly TableColumn[] {
  const [shape] = kindsOf(schema);
  const all =
    shape?.kind === "object" ? Object.entries(shape.fields).flatMap((field) => columnsOf(operation, field)) : [];
  const keys = keyFields(operation.resource);
  const key = keys.flatMap((field) => all.filter(({ path }) => path === field));
  const short = all.filter((each) => !key.includes(each) && isShort(each, items));
  const named = [...new Set([...operation.order, ...operation.filters].map(({ field }) => field))];
  const first = named.flatMap((field) => short.filter(({ path }) => path === field));
  const others = short.filter((each) => !first.includes(each));
  const room = Math.max(0, most - key.length);
  const forFirst = Math.max(0, room - Math.min(leastOthers, others.length));
  const shown = [...first.slice(0, forFirst), ...others].slice(0, room);
  return [...key, ...short.filter((each) => shown.includes(each))];
}

/** Whether a column has values, and not too many characters. */
function isShort({ valuesOf }: TableColumn, items: readonly Item[]): boolean {
  const length = items.flatMap(valuesOf).reduce<number>((sum, value) => sum + String(value).length, 0);
  return length > 0 && length <= mostCharacters;
}

/** The column of a field, or the columns of the fields of an object. None if the field is nested deeper. */
function columnsOf(operation: ListOperation, [field, schema]: readonly [string, Schema]): readonly TableColumn[] {
  const filters = operation.filters.filter((each) => each.field === field);
  const names = filters.find(({ by }) => by === "names");
  if (names !== undefined) {
    return [{ path: field, filter: names, valuesOf: (item) => valuesIn(names, item[field]) }];
  }
  const kinds = valueKinds(schema);
  if (kinds.every(isShown)) {
    return [{ path: field, filter: filters[0], valuesOf: (item) => scalarsIn(item[field]) }];
  }
  return kinds.flatMap((each) =>
    each.kind === "object"
      ? Object.entries(each.fields)
          .filter(([, inner]) => valueKinds(inner).every(isShown))
          .map(([inner]) => ({
            path: `${field}.${inner}`,
            filter: undefined,
            valuesOf: (item: Item) => scalarsIn(Object(item[field])[inner]),
          }))
      : [],
  );
}

const valueKinds = (schema: Schema): readonly Kind[] => kindsOf(schema).filter(({ kind }) => kind !== "null");

/** Whether a cell can show a value: a scalar, or a list of scalars. */
const isShown = (each: Kind): boolean =>
  each.kind === "array" ? valueKinds(each.element).every(isScalar) : isScalar(each) || each.kind === "any";

const isScalar = ({ kind }: Kind): boolean =>
  kind === "text" || kind === "integer" || kind === "number" || kind === "boolean" || kind === "known";

const scalarsIn = (value: unknown): readonly Scalar[] =>
  [value].flat().filter((each) => typeof each === "string" || typeof each === "number" || typeof each === "boolean");
