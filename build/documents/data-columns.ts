// The columns of a data page: the key, the fields of the order and of filters, then others that are short. The
// declaration and the items on the page decide, so that no other item changes the page.
import * as z from "zod";
import { type Filter, valuesIn } from "../../src/filter.ts";
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

/** The most characters of all values of a column, and of all columns apart from the key. */
const mostOfColumn = 8_000;
const mostOfAll = 30_000;

/** `schema` describes the items in lists. The columns of the key come first, the others in the order of the schema. */
export function tableColumns(
  operation: ListOperation,
  schema: z.ZodType<Item>,
  items: readonly Item[],
): readonly TableColumn[] {
  const keys = keyFields(operation.resource);
  const declared = Object.entries(schema instanceof z.ZodObject ? schema.shape : {});
  const all = declared.flatMap(([field, form]) => columnsIn(operation, field, form, items));
  const key = keys.flatMap((field) => all.filter(({ path }) => path === field));
  const others = all
    .filter((column) => !key.includes(column))
    .map((column) => ({ column, ...measure(column, items) }))
    .filter(({ length }) => length <= mostOfColumn);
  const isSorted = ({ path }: TableColumn) => operation.order.some(({ field }) => field === path);
  const rankOf = ({ column, isList }: Measured) =>
    isSorted(column) ? 0 : column.filter !== undefined ? 1 : isList ? 3 : 2;
  const ranked = others.toSorted((one, other) => rankOf(one) - rankOf(other));
  const preferred = ranked.filter((each) => rankOf(each) < 2);
  const rest = ranked.slice(preferred.length);
  const room = Math.max(0, most - key.length - Math.min(leastOthers, rest.length));
  const chosen = withinBudget([...preferred.slice(0, room), ...rest].slice(0, most - key.length));
  return [...key, ...others.filter((each) => chosen.includes(each)).map(({ column }) => column)];
}

interface Measured {
  readonly column: TableColumn;
  /** The characters of all values. */
  readonly length: number;
  /** Whether an item has several values. */
  readonly isList: boolean;
}

function measure({ valuesOf }: TableColumn, items: readonly Item[]): Pick<Measured, "length" | "isList"> {
  let [length, isList] = [0, false];
  for (const item of items) {
    const values = valuesOf(item);
    if (values.length > 1) isList = true;
    for (const value of values) length += String(value).length;
  }
  return { length, isList };
}

/** Leaves out the columns with which the page would grow too long. */
function withinBudget(columns: readonly Measured[]): readonly Measured[] {
  let left = mostOfAll;
  return columns.filter(({ length }) => {
    if (length > left) return false;
    left -= length;
    return true;
  });
}

/** The column of a field, or the columns of the fields of an object. None if it is empty or deeply nested. */
function columnsIn(
  operation: ListOperation,
  field: string,
  form: z.core.$ZodType,
  items: readonly Item[],
): readonly TableColumn[] {
  const filters = operation.filters.filter((each) => each.field === field);
  const [filter] = filters;
  const values = items.map((item) => item[field]).filter((value) => value !== null && value !== undefined);
  if (values.length === 0) return [];
  const names = filters.find(({ by }) => by === "names");
  if (names !== undefined) {
    return [{ path: field, filter: names, valuesOf: (item) => valuesIn(names, item[field]) }];
  }
  if (values.every((value) => scalarsIn(value) !== undefined)) {
    return [{ path: field, filter, valuesOf: (item) => scalarsIn(item[field]) ?? [] }];
  }
  if (values.some((value) => typeof value !== "object" || Array.isArray(value))) return [];
  const isScalarIn = (inner: string) => (value: unknown) =>
    Object.hasOwn(Object(value), inner) && isScalarOrNull(Object(value)[inner]);
  return fieldsOfObject(form)
    .filter((inner) => values.every(isScalarIn(inner)))
    .map((inner) => ({
      path: `${field}.${inner}`,
      filter: undefined,
      valuesOf: (item) => scalarsIn(item[field] && Object(item[field])[inner]) ?? [],
    }));
}

/** The names of the fields of an object, which may be optional or nullable. */
function fieldsOfObject(form: z.core.$ZodType): readonly string[] {
  const { def } = (form as z.core.$ZodTypes)._zod;
  if (def.type === "object") return Object.keys(def.shape);
  return "innerType" in def ? fieldsOfObject(def.innerType) : [];
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

const isScalarOrNull = (value: unknown): boolean => value === null || isScalar(value);

/** A value that is a scalar or null, or a list of them; undefined for all others. */
function scalarsIn(value: unknown): readonly Scalar[] | undefined {
  if (value === null || value === undefined) return [];
  if (isScalar(value)) return [value];
  if (!Array.isArray(value)) return undefined;
  const scalars = value.filter((each) => each !== null);
  return scalars.every(isScalar) ? scalars : undefined;
}
