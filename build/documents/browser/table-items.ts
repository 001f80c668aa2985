// The items of a table: loaded as a whole, and then found, filtered, sorted and counted here; or a page at a time by the
// API's cursors, if they are too many.
import { valuesIn } from "../../../src/filter.ts";
import type { Item } from "../../../src/resource.ts";
import { counted, integer } from "../../text/words.ts";
import {
  type CellColumn,
  type FacetValue,
  keyText,
  nameOf,
  rowAnchor,
  rowHtml,
  type TableData,
  type TargetOf,
  valueAt,
} from "../tables/cells.ts";
import { plainOf, rank } from "./elements.ts";
import { answerOf, type Facet, facetsAt, openedRow } from "./table-row.ts";
import { everything, requestFor, type TableState } from "./table-state.ts";

export interface TableView {
  readonly items: readonly Item[];
  /** `250 parts`, and `1 to 100 of 250`. */
  readonly title: string;
  readonly range: string;
  readonly facets: readonly Facet[];
  readonly previous: { readonly state: TableState; readonly label: string } | undefined;
  readonly next: TableState | undefined;
}

export interface TableItems extends Source {
  /** The rows as HTML. */
  readonly rows: (items: readonly Item[]) => string;
  readonly openedRow: (item: Item, width: number) => HTMLTableRowElement;
  /** All items that match (RFC 4180), with the names of the fields in the first line. */
  readonly csv: (state: TableState) => string;
}

/** What the items of a table are asked for, however they are loaded. */
interface Source {
  readonly view: (state: TableState) => Promise<TableView>;
  /** The item with a key, and the state that shows it: the given one if possible. Undefined if it cannot be told. */
  readonly find: (
    key: string,
    state: TableState,
  ) => Promise<{ readonly item: Item; readonly at: TableState | undefined } | undefined>;
  readonly matching: (state: TableState) => readonly Item[];
}

/** The name of the item of a list with a key. */
type NameIn = (list: string | undefined, key: string) => string | undefined;

export async function openItems(data: TableData): Promise<TableItems> {
  const { columns, keys, lists, dump } = data;
  const [items, nameIn] = await Promise.all([dump === undefined ? undefined : load(dump), loadNames(data)]);
  const source = items === undefined ? pagedItems(data) : loadedItems(data, items, nameIn);
  const targetOf: TargetOf = ({ to = "" }, key) => {
    const table = lists[to]?.table;
    return table === undefined ? undefined : { href: `${table}#${rowAnchor(key)}`, name: nameIn(to, key) };
  };
  const row = (item: Item) => rowHtml(columns, keys, item, `#${rowAnchor(keyText(keys, item))}`, targetOf);
  return {
    ...source,
    rows: (shown) => shown.map(row).join(""),
    openedRow: (item, width) => openedRow(data, item, targetOf, width),
    csv: (state) => csvOf(columns, source.matching(state)),
  };
}

function csvOf(columns: readonly CellColumn[], items: readonly Item[]): string {
  const cell = (value: unknown): string => {
    const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const rows = items.map((item) => columns.map((column) => valueAt(column, item)));
  return [columns.map(({ path }) => path), ...rows].map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

async function load(dump: string): Promise<readonly Item[]> {
  const lines = (await (await answerOf(dump)).text()).trimEnd();
  return lines === "" ? [] : JSON.parse(`[${lines.replaceAll("\n", ",")}]`);
}

/** The names of what the shown items refer to, unless the items are too many to load. */
async function loadNames({ dump, columns, lists, filters, references }: TableData): Promise<NameIn> {
  const ofFilters = references.filter(([own]) => filters.some(({ field }) => field === own)).map(([, list]) => list);
  const shown = dump === undefined ? [] : [...columns.map(({ to }) => to), ...ofFilters];
  const names = new Map<string, Map<string, string | undefined>>();
  const wanted = Object.entries(lists).filter(([list]) => shown.includes(list));
  await Promise.all(
    wanted.map(async ([list, { dump, keys }]) => {
      const items = dump === undefined ? [] : await load(dump);
      names.set(list, new Map(items.map((item) => [keyText(keys, item), nameOf(item)])));
    }),
  );
  return (list = "", key) => names.get(list)?.get(key);
}

/** An item with what is computed once. */
interface Row {
  readonly item: Item;
  readonly key: string;
  /** What a person finds it by: its key and its name, and all texts. */
  readonly heads: readonly string[];
  readonly text: string;
  /** The values of each filter. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

function loadedItems(data: TableData, items: readonly Item[], nameIn: NameIn): Source {
  const filters = data.filters.filter(({ by }) => by !== "function");
  const rows = items.map((item): Row => {
    const [key, name] = [keyText(data.keys, item), nameOf(item) ?? ""];
    const shown = data.columns.flatMap((column) => textsOf(column, item, nameIn));
    const own = Object.values(item).filter((each) => typeof each === "string");
    return {
      ...{ item, key, heads: [key, name].map(plainOf), text: plainOf([...shown, name, ...own].join("\n")) },
      values: new Map(filters.map((filter) => [filter.param, valuesIn(filter, item[filter.field ?? ""])])),
    };
  });
  let sorted: { readonly by: string; readonly rows: readonly Row[] } = { by: "", rows };

  function found({ sort, find }: TableState): readonly Row[] {
    if (sorted.by !== sort) sorted = { by: sort, rows: sortedBy(data, rows, sort, nameIn) };
    const sought = plainOf(find).trim();
    const words = sought.split(/\s+/);
    const matches = sorted.rows.filter(({ text }) => words.every((word) => text.includes(word)));
    if (sort !== "" || sought === "") return matches;
    // The nearest come first.
    const ranked = matches.map((row) => [Math.min(...row.heads.map((head) => rank(head, sought))), row] as const);
    return ranked.sort(([one], [other]) => one - other).map(([, row]) => row);
  }
  const chosenIn = (candidates: readonly Row[], chosen: readonly (readonly [param: string, value: string])[]) =>
    candidates.filter(({ values }) => chosen.every(([param, value]) => values.get(param)?.includes(value) ?? true));
  const matching = (state: TableState) => chosenIn(found(state), [...state.chosen]);

  function stateWith(key: string, state: TableState): TableState | undefined {
    const index = matching(state).findIndex((row) => row.key === key);
    return index < 0 ? undefined : { ...state, page: Math.floor(index / data.rows) + 1 };
  }

  return {
    matching: (state) => matching(state).map(({ item }) => item),
    async find(key, state) {
      const item = rows.find((row) => row.key === key)?.item;
      return item && { item, at: stateWith(key, state) ?? stateWith(key, everything) };
    },
    async view(state) {
      const candidates = found(state);
      const shown = chosenIn(candidates, [...state.chosen]);
      const pages = Math.max(1, Math.ceil(shown.length / data.rows));
      const page = Math.min(state.page, pages);
      const start = (page - 1) * data.rows;
      const end = Math.min(start + data.rows, shown.length);
      return {
        items: shown.slice(start, end).map(({ item }) => item),
        title: counted(shown.length, data),
        range: `${integer(Math.min(start + 1, end))} to ${integer(end)} of ${integer(shown.length)}`,
        facets: filters.map(({ param, field }) => {
          // The counts of a filter are those of the items that the others leave.
          const left = chosenIn(
            candidates,
            [...state.chosen].filter(([other]) => other !== param),
          );
          const list = data.references.find(([own]) => own === field)?.[1];
          return { param, values: valuesOf(left, param, (value) => nameIn(list, value)) };
        }),
        previous: page > 1 ? { state: { ...state, page: page - 1 }, label: "Previous" } : undefined,
        next: page < pages ? { ...state, page: page + 1 } : undefined,
      };
    },
  };
}

/** The texts of a cell. */
const textsOf = (column: CellColumn, item: Item, nameIn: NameIn): readonly string[] =>
  [valueAt(column, item)].flat().flatMap((value) => {
    if (value === undefined || value === null || typeof value === "object") return [];
    return [nameIn(column.to, String(value)) ?? [], String(value)].flat();
  });

/** Numbers by value and texts as people sort them; what is missing or empty comes last. */
function sortedBy({ columns }: TableData, rows: readonly Row[], sort: string, nameIn: NameIn): readonly Row[] {
  const column = columns.find(({ path }) => path === sort.replace(/^-/, ""));
  if (column === undefined) return rows;
  const direction = sort.startsWith("-") ? -1 : 1;
  const { compare } = new Intl.Collator("en", { numeric: true });
  return rows
    .map((row) => {
      const value = valueAt(column, row.item);
      return { row, value: typeof value === "number" ? value : textsOf(column, row.item, nameIn).join("\n") };
    })
    .sort(({ value: one }, { value: other }) => {
      if (one === "" || other === "") return Number(one === "") - Number(other === "");
      const isNumeric = typeof one === "number" && typeof other === "number";
      return direction * (isNumeric ? one - other : compare(String(one), String(other)));
    })
    .map(({ row }) => row);
}

/** The values of a filter with their counts, those with most items first. */
function valuesOf(
  rows: readonly Row[],
  param: string,
  nameOfValue: (value: string) => string | undefined,
): readonly FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of rows.flatMap(({ values }) => values.get(param) ?? [])) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .sort(([one, fewer], [other, more]) => more - fewer || (one < other ? -1 : 1))
    .map(([value, count]) => ({ value, count, name: nameOfValue(value) }));
}

/** The API finds the items of a filter, and leads from page to page. */
const pagedItems = (data: TableData): Source => ({
  matching: () => [],
  async find(key) {
    const address = [data.request, key].join("/");
    return data.hasItems ? { item: await (await answerOf(address)).json(), at: undefined } : undefined;
  },
  async view(state) {
    const request = requestFor(data, { ...state, sort: "", find: "" });
    if (request === undefined) throw new Error("no request has these filters together.");
    const [facets, answer] = await Promise.all([facetsAt(data.values), answerOf(request)]);
    const page = await answer.json();
    const cursor: unknown = page.pagination?.next_cursor;
    const title = `${counted(page.data.length, data)} on this page`;
    return {
      ...{ items: page.data, title, range: `${integer(page.data.length)} on this page` },
      facets: facets.map(({ param, values }) => ({ param, values: nonEmpty(values) })),
      previous: state.cursor === "" ? undefined : { state: { ...state, cursor: "" }, label: "First page" },
      next: typeof cursor === "string" ? { ...state, cursor } : undefined,
    };
  },
});

const nonEmpty = (values: readonly FacetValue[]): readonly FacetValue[] =>
  [...values].filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
