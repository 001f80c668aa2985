// All items of a table: loaded when they are first needed, and then found, filtered, sorted and counted here.
import { writtenValuesOf } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import { type CellColumn, keyText, nameOf, rowAnchor, rowHtml, type TargetOf, valueAt } from "../tables/cells.ts";
import type { Facet, TableData } from "../tables/data.ts";
import { plainOf, rank } from "./matches.ts";
import { everything, type TableState } from "./table-state.ts";

/** The names of the items to which a list refers. */
export interface Names {
  /** The name of the item of a list with a key. */
  readonly nameIn: (list: string | undefined, key: string) => string | undefined;
  readonly targetOf: TargetOf;
}

export interface TableItems extends Names {
  readonly rows: readonly Row[];
  /** The rows sorted by a column, as a state names it. Undefined if there is no such column. */
  readonly sorted: (sort: string) => readonly Row[] | undefined;
}

/** An item with the values that are computed once. */
export interface Row {
  readonly item: Item;
  readonly key: string;
  /** The key and the name: a match here ranks a row. */
  readonly heads: readonly string[];
  /** All texts. A row is found by them. */
  readonly text: string;
  /** The values of each filter. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export async function loadNames({ lists }: TableData): Promise<Names> {
  const names = new Map<string, ReadonlyMap<string, string | undefined>>();
  await Promise.all(
    Object.entries(lists).map(async ([list, { dump, keys }]) => {
      const others = dump === undefined ? [] : await load(dump);
      names.set(list, new Map(others.map((item) => [keyText(keys, item), nameOf(item)])));
    }),
  );
  const nameIn: Names["nameIn"] = (list = "", key) => names.get(list)?.get(key);
  const targetOf: TargetOf = ({ to = "" }, key) => {
    const table = lists[to]?.table;
    return table === undefined ? undefined : { href: `${table}#${rowAnchor(key)}`, name: nameIn(to, key) };
  };
  return { nameIn, targetOf };
}

export async function loadItems(data: TableData, { nameIn, targetOf }: Names): Promise<TableItems> {
  const { dump = "", keys, filters } = data;
  const columns = [...data.columns, ...data.further];
  const items = await load(dump);
  const rows = items.map((item): Row => {
    const key = keyText(keys, item);
    const name = nameOf(item) ?? "";
    const shown = columns.flatMap((column) => textsOf(column, item, nameIn));
    const texts = Object.values(item).filter((value) => typeof value === "string");
    return {
      item,
      key,
      heads: [key, name].map(plainOf),
      text: plainOf([...shown, name, ...texts].join("\n")),
      values: new Map(fieldFilters(filters).map((filter) => [filter.param, writtenValuesOf(filter, item)])),
    };
  });
  // Kept, so that turning a page does not sort again: 70,000 rows take 0.2 s.
  let last: { readonly sort: string; readonly rows: readonly Row[] } | undefined;
  const sorted: TableItems["sorted"] = (sort) => {
    const column = columns.find(({ path }) => path === sort.replace(/^-/, ""));
    if (column === undefined) return undefined;
    if (last?.sort !== sort) last = { sort, rows: sortedBy(column, sort.startsWith("-") ? -1 : 1, rows, nameIn) };
    return last.rows;
  };
  return { rows, sorted, nameIn, targetOf };
}

async function load(dump: string): Promise<readonly Item[]> {
  const lines = (await (await answerOf(dump)).text()).trimEnd();
  return lines === "" ? [] : JSON.parse(`[${lines.replaceAll("\n", ",")}]`);
}

export async function answerOf(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with the status ${response.status}.`);
  return response;
}

/** The rows that have the chosen values, except for one filter, and every word of the search. */
function matching(rows: readonly Row[], { chosen, find }: TableState, except?: string): readonly Row[] {
  const words = plainOf(find).split(/\s+/);
  const wanted = [...chosen].filter(([param]) => param !== except);
  return rows.filter(
    ({ text, values }) =>
      words.every((word) => text.includes(word)) &&
      wanted.every(([param, value]) => values.get(param)?.includes(value) === true),
  );
}

/** The rows of a state on all pages. If no column sorts them, the best matches come first. */
export function rowsOf(items: TableItems, state: TableState): readonly Row[] {
  const sorted = items.sorted(state.sort);
  const rows = matching(sorted ?? items.rows, state);
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
    const value = valueAt(column, row.item);
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

/** The texts of a cell. */
const textsOf = (column: CellColumn, item: Item, nameIn: Names["nameIn"]): readonly string[] =>
  [valueAt(column, item)].flat().flatMap((value) => {
    if (value === undefined || value === null || typeof value === "object") return [];
    return [nameIn(column.to, String(value)) ?? [], String(value)].flat();
  });

/** A state that shows the row of a key: `state` if possible. Undefined if there is no such row. */
export function stateWith(data: TableData, items: TableItems, key: string, state: TableState): TableState | undefined {
  for (const candidate of [state, everything]) {
    const index = rowsOf(items, candidate).findIndex((row) => row.key === key);
    if (index >= 0) return { ...candidate, page: Math.floor(index / data.rows) + 1 };
  }
  return undefined;
}

/** The values of each filter by a field, in their order. The items are those that the other filters leave. */
export function facetsOf(data: TableData, items: TableItems, state: TableState): readonly Facet[] {
  const { filters, references, columns, further } = data;
  return fieldFilters(filters).map(({ param, field = "", isDeprecated, isOrdered }) => {
    const words = [...columns, ...further].find(({ path }) => path === field)?.words ?? [];
    const counts = new Map<string, number>();
    for (const value of matching(items.rows, state, param).flatMap(({ values }) => values.get(param) ?? [])) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = [...counts]
      .sort(([one], [other]) => words.indexOf(one) - words.indexOf(other) || numeric(one, other))
      .map(([value, count]) => ({ value, count, name: items.nameIn(references[field], value) }));
    return { param, isDeprecated, isOrdered, values };
  });
}

const { compare: numeric } = new Intl.Collator("en", { numeric: true });

/** The filters whose values an item tells. */
const fieldFilters = (filters: TableData["filters"]) => filters.filter(({ by }) => by !== "function");

export interface Exclusion {
  /** The parameter of a filter; undefined for the search. */
  readonly param: string | undefined;
  /** The number of rows without it. */
  readonly count: number;
}

/** The filters and the search of a state without rows, each with the rows that there are without it. */
export function exclusionsOf({ rows }: TableItems, state: TableState): readonly Exclusion[] {
  const ofFilters = [...state.chosen.keys()].map((param) => ({ param, count: matching(rows, state, param).length }));
  if (state.find === "") return ofFilters;
  return [{ param: undefined, count: matching(rows, { ...state, find: "" }).length }, ...ofFilters];
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
  const lines = items.map((item) => columns.map((column) => valueAt(column, item)));
  return [columns.map(({ path }) => path), ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
