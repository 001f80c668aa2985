// The columns of a data page: the key, the fields of the order and of filters, then others that are short. The
// declaration and the items on the page decide, so that no other item changes the page.
import type * as z from "zod";
import { type Filter, valuesIn } from "../../src/filter.ts";
import { type Kind, kindsOf, type Schema } from "../../src/kinds.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";

export interface TableColumn {
  /** The path of the field: `name.common` is in the object `name`. */
  readonly path: string;
  /** A scalar, null, undefined, or a list of these. The names in a record are a list. */
  readonly read: (item: Item) => unknown;
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
function isShort({ read }: TableColumn, items: readonly Item[]): boolean {
  const values = items.flatMap(read).filter((value) => value !== null && value !== undefined);
  const length = values.reduce<number>((sum, value) => sum + String(value).length, 0);
  return length > 0 && length <= mostCharacters;
}

/** The column of a field, or the columns of the fields of an object. None if the field is nested deeper. */
function columnsOf(operation: ListOperation, [field, schema]: readonly [string, Schema]): readonly TableColumn[] {
  const filters = operation.filters.filter((each) => each.field === field);
  const names = filters.find(({ by }) => by === "names");
  if (names !== undefined) {
    return [{ path: field, filter: names, read: (item) => valuesIn(names, item[field]) }];
  }
  if (isShown(schema)) return [{ path: field, filter: filters[0], read: (item) => item[field] }];
  return kindsOf(schema)
    .flatMap((each) => (each.kind === "object" ? Object.entries(each.fields) : []))
    .filter(([, inner]) => isShown(inner))
    .map(([inner]) => ({
      path: `${field}.${inner}`,
      filter: undefined,
      read: (item) => Object(item[field])[inner],
    }));
}

/** Whether a cell can show the values of a schema: scalars, and lists of scalars. */
const isShown = (schema: Schema): boolean =>
  kindsOf(schema).every((each) => (each.kind === "array" ? kindsOf(each.element).every(isScalar) : isScalar(each)));

const isScalar = ({ kind }: Kind): boolean => scalars.has(kind);

const scalars: ReadonlySet<string> = new Set(["text", "integer", "number", "boolean", "known", "null"]);
