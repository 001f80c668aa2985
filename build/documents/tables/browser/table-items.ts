// The loaded items of a table: found, filtered, sorted and counted here.
import type { Filters } from "../../../../src/answers/answers.ts";
import { writtenValuesOf } from "../../../../src/model/filter.ts";
import type { Item } from "../../../../src/model/key.ts";
import { orderKey } from "../../../../src/model/order.ts";
import {
  type CellColumn,
  cellValue,
  keyText,
  rowAnchor,
  rowHtml,
  type TargetOf,
  usualNameOf,
} from "../../describe/cells.ts";
import { plainOf, rank } from "../../frame/browser/matches.ts";
import type { Facet, TableData } from "../data.ts";
import type { Names } from "./table-source.ts";
import { isByFunction, orderNamed, type TableState } from "./table-state.ts";

/** The rows of a list, or of a chosen value of a list that is too large to load. */
export interface TableItems {
  readonly rows: readonly Row[];
  /** The filter whose chosen value all rows have because no others are loaded. */
  readonly limitedBy: string | undefined;
  /** The keys of the items with a value of a filter by a function, by `param=value`. */
  readonly derived: ReadonlyMap<string, ReadonlySet<string>>;
  /** The rows sorted by the order or the column of a state. Undefined if it has neither. */
  readonly sorted: (state: TableState) => readonly Row[] | undefined;
}

/** An item with the values that are computed once. */
export interface Row {
  readonly item: Item;
  readonly key: string;
  /** The key and the name: a match here ranks a row. */
  readonly heads: readonly string[];
  /** All texts. A row is found by them. */
  readonly text: string;
  /** The values of each filter by a field. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export function rowsFrom(data: TableData, items: readonly Item[], { nameIn }: Names): readonly Row[] {
  const columns = [...data.columns, ...data.further];
  const byField = data.filters.filter(({ by }) => by !== "function");
  return items.map((item) => {
    const key = keyText(data.keys, item);
    const name = usualNameOf(item) ?? "";
    const shown = columns.flatMap((column) => textsOf(column, item, nameIn));
    const texts = Object.values(item).filter((value) => typeof value === "string");
    return {
      item,
      key,
      heads: [key, name].map(plainOf),
      text: plainOf([...shown, name, ...texts].join("\n")),
      values: new Map(byField.map((filter) => [filter.param, writtenValuesOf(filter, item)])),
    };
  });
}

/** Keeps the last order, so that turning a page does not sort again: 70,000 rows take 0.2 s. */
export function sorter(data: TableData, rows: readonly Row[], { nameIn }: Names): TableItems["sorted"] {
  let last: { readonly by: string; readonly rows: readonly Row[] } | undefined;
  return ({ order, column: path }) => {
    const by = `${order} ${path}`;
    if (last?.by === by) return last.rows;
    const declared = orderNamed(data, order);
    const column = [...data.columns, ...data.further].find((one) => one.path === path.replace(/^-/, ""));
    if (declared !== undefined) {
      const keyed = rows.map((row) => [orderKey(declared.fields, row.item), row] as const);
      last = { by, rows: keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row) };
    } else if (column !== undefined) {
      last = { by, rows: sortedBy(column, path.startsWith("-") ? -1 : 1, rows, nameIn) };
    } else {
      return undefined;
    }
    return last.rows;
  };
}

/** The rows that have the chosen values, except for one filter, and every word of the search. */
function matching(
  { rows, derived }: TableItems,
  { chosen, find }: TableState,
  { except, from = rows }: { readonly except?: string; readonly from?: readonly Row[] } = {},
): readonly Row[] {
  const words = plainOf(find).split(/\s+/);
  const wanted = [...chosen].filter(([param]) => param !== except);
  const has = ({ key, values }: Row, param: string, value: string) =>
    derived.get(`${param}=${value}`)?.has(key) ?? values.get(param)?.includes(value) === true;
  return from.filter(
    (row) => words.every((word) => row.text.includes(word)) && wanted.every(([param, value]) => has(row, param, value)),
  );
}

/** The rows of a state on all pages. If nothing sorts them, the best matches come first. */
export function rowsOf(items: TableItems, state: TableState): readonly Row[] {
  const sorted = items.sorted(state);
  const rows = matching(items, state, { from: sorted ?? items.rows });
  const sought = plainOf(state.find);
  if (sorted !== undefined || sought === "") return rows;
  const ranked = rows.map((row) => [Math.min(...row.heads.map((head) => rank(head, sought))), row] as const);
  return ranked.sort(([one], [other]) => one - other).map(([, row]) => row);
}

/**
 * Numbers by value, the words of an enum in its order, and other texts in alphabetical order; missing and empty values come
 * last.
 */
function sortedBy(column: CellColumn, direction: 1 | -1, rows: readonly Row[], nameIn: Names["nameIn"]) {
  const places = new Map(column.words?.map((word, place) => [word, place]));
  const sorted = rows.map((row) => {
    const value = cellValue(column, row.item);
    const place = typeof value === "string" ? places.get(value) : undefined;
    const number = typeof value === "number" ? value : place;
    return { row, value: number ?? textsOf(column, row.item, nameIn).join("\n") };
  });
  return sorted
    .sort(({ value: one }, { value: other }) => {
      if (one === "" || other === "") return Number(one === "") - Number(other === "");
      const isNumeric = typeof one === "number" && typeof other === "number";
      return direction * (isNumeric ? one - other : numeric(String(one), String(other)));
    })
    .map(({ row }) => row);
}

const { compare: numeric } = new Intl.Collator("en", { numeric: true });

/** The texts of a cell. */
const textsOf = (column: CellColumn, item: Item, nameIn: Names["nameIn"]): readonly string[] =>
  [cellValue(column, item)].flat().flatMap((value) => {
    if (value === undefined || value === null || typeof value === "object") return [];
    return [nameIn(column.to, String(value)) ?? [], String(value)].flat();
  });

/**
 * The filters with their values that have items, in the order of `filters`. The numbers are those of the items that the other
 * filters and the search leave. They are not known if these leave a part, and the items do not tell the values, or not all
 * items are loaded.
 */
export const facetsOf = (
  data: TableData,
  { filters }: Filters,
  state: TableState,
  items: TableItems | undefined,
): readonly Facet[] =>
  data.filters.map(({ param, isDeprecated, isOrdered }) => {
    const all = filters.find((filter) => filter.param === param)?.values ?? [];
    const isWhole = state.find === "" && [...state.chosen.keys()].every((chosen) => chosen === param);
    const isCounted = items !== undefined && items.limitedBy !== param && !isByFunction(data, param);
    const counts = isCounted ? countsOf(matching(items, state, { except: param }), param) : undefined;
    const values = all.flatMap(({ value, name, label, count: whole }) => {
      const count = counts === undefined ? whole : (counts.get(value) ?? 0);
      if (count === 0) return [];
      return { value, name: name ?? label, count: isCounted || isWhole ? count : undefined };
    });
    return { param, isDeprecated, isOrdered, values };
  });

function countsOf(rows: readonly Row[], param: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of rows.flatMap(({ values }) => values.get(param) ?? [])) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

export interface Exclusion {
  /** The parameter of a filter; undefined for the search. */
  readonly param: string | undefined;
  /** The number of rows without it; undefined if they are not loaded. */
  readonly count: number | undefined;
}

/** The filters and the search of a state without rows, each with the rows that there are without it. */
export function exclusionsOf(items: TableItems, state: TableState): readonly Exclusion[] {
  const ofFilters = [...state.chosen.keys()].map((param) => ({
    param,
    count: param === items.limitedBy ? undefined : matching(items, state, { except: param }).length,
  }));
  if (state.find === "") return ofFilters;
  return [{ param: undefined, count: matching(items, { ...state, find: "" }).length }, ...ofFilters];
}

export const rowsHtml = (
  { keys }: TableData,
  columns: readonly CellColumn[],
  targetOf: TargetOf,
  items: readonly Item[],
): string => items.map((item) => rowHtml(columns, keys, item, `#${rowAnchor(keyText(keys, item))}`, targetOf)).join("");

/** RFC 4180, with the names of the fields in the first line. */
export function csvOf(columns: readonly CellColumn[], items: readonly Item[]): string {
  const cell = (value: unknown): string => {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = items.map((item) => columns.map((column) => cellValue(column, item)));
  return [columns.map(({ path }) => path), ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
