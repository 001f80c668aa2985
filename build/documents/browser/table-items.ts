// The items of a table: loaded as a whole, and then found, filtered, sorted and counted here; or a page at a time by the
// API's cursors, if they are too many.
import { valuesIn } from "../../../src/filter.ts";
import type { Item } from "../../../src/resource.ts";
import { keyText, nameOf, rowHtml, type TargetOf, valueAt } from "../tables/cells.ts";
import { type CellColumn, type ListData, rowAnchor, type TableData } from "../tables/shape.ts";
import { openedRow } from "./table-row.ts";
import { requestFor, type TableState } from "./table-state.ts";

export interface TableView {
  readonly items: readonly Item[];
  /** The number of the first item on the page, and of all; undefined if they are unknown. */
  readonly first: number | undefined;
  readonly total: number | undefined;
  readonly facets: readonly Facet[];
  readonly previous: TableState | undefined;
  readonly next: TableState | undefined;
}

export interface Facet {
  readonly param: string;
  /** The values with their counts, those with most items first. */
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  readonly value: string;
  readonly count: number;
  readonly name: string | undefined;
}

export interface TableItems {
  /** Whether items can be found and sorted. */
  readonly isWhole: boolean;
  readonly view: (state: TableState) => Promise<TableView>;
  /** The item with a key, and its number among those that match. */
  readonly find: (
    key: string,
    state: TableState,
  ) => Promise<{ readonly item: Item; readonly index: number } | undefined>;
  /** The rows as HTML. */
  readonly rows: (items: readonly Item[]) => string;
  readonly openedRow: (item: Item, width: number) => HTMLTableRowElement;
  /** All items that match (RFC 4180), with the names of the fields in the first line. */
  readonly csv: (state: TableState) => string;
}

/** What the items of a table are asked for, however they are loaded. */
interface Source extends Pick<TableItems, "isWhole" | "view" | "find"> {
  readonly matching: (state: TableState) => readonly Item[];
  readonly nameOf: NameIn;
}

export async function openItems(data: TableData): Promise<TableItems> {
  const { columns, keys, lists, dump } = data;
  const { isWhole, view, find, matching, nameOf } =
    dump === undefined ? pagedItems(data) : await loadedItems(data, dump);
  const targetOf: TargetOf = ({ to = "" }, key) => {
    const table = lists[to]?.table;
    return table === undefined ? undefined : { href: `${table}#${rowAnchor(key)}`, name: nameOf(to, key) };
  };
  const row = (item: Item) => rowHtml(columns, keys, item, `#${rowAnchor(keyText(keys, item))}`, targetOf);
  return {
    ...{ isWhole, view, find },
    rows: (items) => items.map(row).join(""),
    openedRow: (item, width) => openedRow(data, item, targetOf, width),
    csv: (state) => csvOf(columns, matching(state)),
  };
}

function csvOf(columns: readonly CellColumn[], items: readonly Item[]): string {
  const cell = (value: unknown): string => {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = [
    columns.map(({ path }) => cell(path)),
    ...items.map((item) => columns.map((column) => cell(valueAt(column, item)))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

async function answerOf(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with the status ${response.status}.`);
  return response;
}

async function load(dump: string): Promise<readonly Item[]> {
  const text = await (await answerOf(dump)).text();
  const lines = text.trimEnd();
  return lines === "" ? [] : JSON.parse(`[${lines.replaceAll("\n", ",")}]`);
}

/** An item with what is computed once. */
interface Row {
  readonly item: Item;
  /** What a person finds it by: its key and its name, and all texts. */
  readonly heads: readonly string[];
  readonly text: string;
  /** The values of each filter. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

type Names = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function loadedItems(data: TableData, dump: string): Promise<Source> {
  const [items, names] = await Promise.all([load(dump), loadNames(data)]);
  const nameIn = (list: string, key: string) => names.get(list)?.get(key);
  const filters = data.filters.filter(({ by }) => by !== "function");
  const rows = items.map((item): Row => {
    const shown = data.columns.flatMap((column) => textOf(column, item, nameIn));
    return {
      item,
      heads: [keyText(data.keys, item), nameOf(item) ?? ""].map(folded),
      text: folded(
        [...shown, nameOf(item) ?? "", ...Object.values(item).filter((each) => typeof each === "string")].join("\n"),
      ),
      values: new Map(filters.map((filter) => [filter.param, valuesIn(filter, item[filter.field ?? ""])])),
    };
  });
  let sorted: { readonly by: string; readonly rows: readonly Row[] } = { by: "", rows };

  const inOrder = (sort: string): readonly Row[] => {
    if (sorted.by !== sort) sorted = { by: sort, rows: sortedBy(data, rows, sort, nameIn) };
    return sorted.rows;
  };
  const found = ({ sort, find }: TableState): readonly Row[] => {
    const words = folded(find)
      .split(/\s+/)
      .filter((word) => word !== "");
    if (words.length === 0) return inOrder(sort);
    const matches = inOrder(sort).filter(({ text }) => words.every((word) => text.includes(word)));
    return sort === "" ? nearest(matches, words.join(" ")) : matches;
  };
  const has = (row: Row, [param, value]: readonly [string, string]) => row.values.get(param)?.includes(value) ?? true;
  const matching = (state: TableState) => {
    const chosen = [...state.chosen];
    return found(state).filter((row) => chosen.every((pair) => has(row, pair)));
  };
  return {
    isWhole: true,
    nameOf: nameIn,
    matching: (state) => matching(state).map(({ item }) => item),
    async find(key, state) {
      const index = matching(state).findIndex(({ item }) => keyText(data.keys, item) === key);
      const item = rows.find((row) => keyText(data.keys, row.item) === key)?.item;
      return item && { item, index };
    },
    async view(state) {
      const all = matching(state);
      const pages = Math.max(1, Math.ceil(all.length / data.rows));
      const page = Math.min(state.page, pages);
      const start = (page - 1) * data.rows;
      const candidates = found(state);
      return {
        items: all.slice(start, start + data.rows).map(({ item }) => item),
        first: start,
        total: all.length,
        facets: filters.map(({ param, field }) => {
          // The counts of a filter are those of the items that the others leave.
          const others = [...state.chosen].filter(([other]) => other !== param);
          const list = data.references.find(([own]) => own === field)?.[1];
          const nameOfValue = (value: string) => (list === undefined ? undefined : nameIn(list, value));
          const left = candidates.filter((row) => others.every((pair) => has(row, pair)));
          return {
            param,
            values: counted(
              left.flatMap((row) => row.values.get(param) ?? []),
              nameOfValue,
            ),
          };
        }),
        previous: page > 1 ? { ...state, page: page - 1 } : undefined,
        next: page < pages ? { ...state, page: page + 1 } : undefined,
      };
    },
  };
}

async function loadNames({ columns, lists, filters, references }: TableData): Promise<Names> {
  const shown = [
    ...columns.map(({ to }) => to),
    ...references.filter(([own]) => filters.some(({ field }) => field === own)).map(([, list]) => list),
  ];
  const wanted = Object.entries(lists).filter(([list, { dump }]) => dump !== undefined && shown.includes(list));
  return new Map(await Promise.all(wanted.map(async ([list, about]) => [list, await namesIn(about)] as const)));
}

async function namesIn({ dump = "", keys }: ListData): Promise<ReadonlyMap<string, string>> {
  const items = await load(dump);
  return new Map(
    items.flatMap((item) => {
      const name = nameOf(item);
      return name === undefined ? [] : [[keyText(keys, item), name] as const];
    }),
  );
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

type NameIn = (list: string, key: string) => string | undefined;

/** The texts of a cell. */
const textOf = (column: CellColumn, item: Item, nameIn: NameIn): readonly string[] =>
  [valueAt(column, item)].flat().flatMap((value) => {
    if (value === undefined || value === null || typeof value === "object") return [];
    const name = column.to === undefined ? undefined : nameIn(column.to, String(value));
    return name === undefined ? [String(value)] : [name, String(value)];
  });

/** Items whose key or name is the text, starts with it, or has a word that does, come before the others. */
function nearest(rows: readonly Row[], text: string): readonly Row[] {
  const groups: Row[][] = [[], [], [], []];
  for (const row of rows) {
    const ranks = row.heads.map((head) =>
      head === text ? 0 : head.startsWith(text) ? 1 : head.includes(` ${text}`) ? 2 : 3,
    );
    groups[Math.min(...ranks)]?.push(row);
  }
  return groups.flat();
}

/** Numbers by value and texts as people sort them; what is missing or empty comes last. */
function sortedBy({ columns }: TableData, rows: readonly Row[], sort: string, nameIn: NameIn): readonly Row[] {
  const column = columns.find(({ path }) => path === sort.replace(/^-/, ""));
  if (column === undefined) return rows;
  const direction = sort.startsWith("-") ? -1 : 1;
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  return rows
    .map((row) => {
      const value = valueAt(column, row.item);
      return { row, value: typeof value === "number" ? value : textOf(column, row.item, nameIn).join("\n") };
    })
    .sort(({ value: one }, { value: other }) => {
      if (one === "" || other === "") return Number(one === "") - Number(other === "");
      const isNumeric = typeof one === "number" && typeof other === "number";
      return direction * (isNumeric ? one - other : compare(String(one), String(other)));
    })
    .map(({ row }) => row);
}

function counted(values: readonly string[], name: (value: string) => string | undefined): readonly FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([one, fewer], [other, more]) => more - fewer || (one < other ? -1 : 1))
    .map(([value, count]) => ({ value, count, name: name(value) }));
}

/** The API finds the items of a filter, and leads from page to page. */
function pagedItems(data: TableData): Source {
  let facets: Promise<readonly Facet[]> | undefined;
  return {
    isWhole: false,
    nameOf: () => undefined,
    matching: () => [],
    async find(key) {
      const address = [data.request, ...key.split("/")].join("/");
      return data.hasItems ? { item: await (await answerOf(address)).json(), index: -1 } : undefined;
    },
    async view(state) {
      facets ??= answerOf(data.values).then(facetsIn);
      const request = requestFor(data, { ...state, sort: "", find: "" });
      if (request === undefined) throw new Error("no request has these filters together.");
      const answer = await (await answerOf(request)).json();
      const cursor: unknown = answer.pagination?.next_cursor;
      return {
        items: answer.data,
        ...{ first: undefined, total: undefined, facets: await facets },
        previous: state.cursor === "" ? undefined : { ...state, cursor: "" },
        next: typeof cursor === "string" ? { ...state, cursor } : undefined,
      };
    },
  };
}

async function facetsIn(response: Response): Promise<readonly Facet[]> {
  const { filters } = await response.json();
  return filters.map(({ param, values }: Facet) => ({
    param,
    values: values.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count),
  }));
}
