// The items of a table: loaded when they are first needed, and then found, filtered, sorted and counted here.
import { writtenValuesOf } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import { type CellColumn, keyText, nameOf, rowAnchor, rowHtml, type TargetOf, valueAt } from "../tables/cells.ts";
import type { Facet, TableData } from "../tables/data.ts";
import { plainOf, rank } from "./elements.ts";
import { everything, type TableState } from "./table-state.ts";

export interface TableItems {
  readonly rows: readonly Row[];
  /** The rows sorted by a column, as a state names it. Undefined if there is no such column. */
  readonly sorted: (sort: string) => readonly Row[] | undefined;
  /** The name of the item of a list with a key. */
  readonly nameIn: (list: string | undefined, key: string) => string | undefined;
  readonly targetOf: TargetOf;
}

/** An item with the values that are computed once. */
interface Row {
  readonly item: Item;
  readonly key: string;
  /** The key and the name: a match here ranks a row. */
  readonly heads: readonly string[];
  /** All texts. A row is found by them. */
  readonly text: string;
  /** The values of each filter. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Loads the items, and the names of those to which they refer. */
export async function loadItems({ dump = "", keys, columns, filters, lists }: TableData): Promise<TableItems> {
  const names = new Map<string, ReadonlyMap<string, string | undefined>>();
  const [items] = await Promise.all([
    load(dump),
    ...Object.entries(lists).map(async ([list, { dump, keys }]) => {
      const others = dump === undefined ? [] : await load(dump);
      names.set(list, new Map(others.map((item) => [keyText(keys, item), nameOf(item)])));
    }),
  ]);
  const nameIn: TableItems["nameIn"] = (list = "", key) => names.get(list)?.get(key);
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
      values: new Map(filters.map((filter) => [filter.param, writtenValuesOf(filter, item)])),
    };
  });
  const targetOf: TargetOf = ({ to = "" }, key) => {
    const table = lists[to]?.table;
    return table === undefined ? undefined : { href: `${table}#${rowAnchor(key)}`, name: nameIn(to, key) };
  };
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

/** Numbers by value and texts in alphabetical order; missing and empty values come last. */
function sortedBy(column: CellColumn, direction: 1 | -1, rows: readonly Row[], nameIn: TableItems["nameIn"]) {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const sorted = rows.map((row) => {
    const value = valueAt(column, row.item);
    return { row, value: typeof value === "number" ? value : textsOf(column, row.item, nameIn).join("\n") };
  });
  return sorted
    .sort(({ value: one }, { value: other }) => {
      if (one === "" || other === "") return Number(one === "") - Number(other === "");
      const isNumeric = typeof one === "number" && typeof other === "number";
      return direction * (isNumeric ? one - other : compare(String(one), String(other)));
    })
    .map(({ row }) => row);
}

/** The texts of a cell. */
const textsOf = (column: CellColumn, item: Item, nameIn: TableItems["nameIn"]): readonly string[] =>
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

/** The values of each filter, those with most items first. The items are those that the other filters leave. */
export const facetsOf = ({ filters, references }: TableData, items: TableItems, state: TableState): readonly Facet[] =>
  filters.map(({ param, field = "", isDeprecated }) => {
    const counts = new Map<string, number>();
    for (const value of matching(items.rows, state, param).flatMap(({ values }) => values.get(param) ?? [])) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const values = [...counts]
      .sort(([one, fewer], [other, more]) => more - fewer || (one < other ? -1 : 1))
      .map(([value, count]) => ({ value, count, name: items.nameIn(references[field], value) }));
    return { param, isDeprecated, values };
  });

export const rowsHtml = ({ columns, keys }: TableData, { targetOf }: TableItems, rows: readonly Row[]): string =>
  rows.map(({ item, key }) => rowHtml(columns, keys, item, `#${rowAnchor(key)}`, targetOf)).join("");

/** RFC 4180, with the names of the fields in the first line. */
export function csvOf({ columns }: TableData, rows: readonly Row[]): string {
  const cell = (value: unknown): string => {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = rows.map(({ item }) => columns.map((column) => valueAt(column, item)));
  return [columns.map(({ path }) => path), ...lines].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
