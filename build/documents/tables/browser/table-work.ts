// What a table shows of a state: of all items, or of those of a chosen value if all are too many to load, or else of a page
// that is requested. It runs in a worker, so that the page stays quick however many rows there are.
import type { Filters } from "../../../../src/answers/answers.ts";
import type { Item } from "../../../../src/model/key.ts";
import { type CellColumn, keyText, usualNameOf } from "../../describe/cells.ts";
import type { Facet, TableData } from "../data.ts";
import { openedHtml } from "../opened.ts";
import {
  csvOf,
  type Exclusion,
  exclusionsOf,
  facetsOf,
  type Row,
  rowsFrom,
  rowsHtml,
  rowsOf,
  sorter,
  type TableItems,
} from "./table-items.ts";
import { TableSource } from "./table-source.ts";
import { everything, isByFunction, itemAddress, requestFor, type TableState } from "./table-state.ts";

/** What a table shows of a state. */
export interface View {
  /** The rows, as HTML. */
  readonly rows: string;
  readonly shown: number;
  /** The number of rows on all pages; undefined if it is not known. */
  readonly count: number | undefined;
  readonly page: number;
  readonly facets: readonly Facet[];
  /** If there are no rows: what excludes them. */
  readonly exclusions: readonly Exclusion[];
  /** Whether all rows are loaded. Otherwise only the first ones are shown, and neither searched nor sorted by a column. */
  readonly isLoaded: boolean;
}

/** Where the row of a key is. */
export interface RowPlace {
  /** A state that shows the row, the given one if possible. */
  readonly state: TableState | undefined;
  /** Whether it was sought among all items. */
  readonly isSought: boolean;
}

/** Each method rejects with an error that readers see. */
export interface TableWork {
  /** Loads all items. */
  readonly load: () => Promise<void>;
  readonly view: (state: TableState, columns: readonly CellColumn[]) => Promise<View>;
  /** The row that opens below the row of a key; undefined if there is no such item. */
  readonly opened: (key: string, state: TableState) => Promise<OpenedRow | undefined>;
  readonly placeOf: (key: string, state: TableState) => Promise<RowPlace>;
  /** The rows of a state, those on all pages if they are loaded. */
  readonly csv: (state: TableState, columns: readonly CellColumn[]) => Promise<string>;
}

/** The name of an item, and its fields as HTML. */
export interface OpenedRow {
  readonly name: string;
  readonly content: string;
}

export class LoadingTable implements TableWork {
  readonly #data: TableData;
  readonly #source: TableSource;
  /** The rows that were used last, and the items of which they are made. */
  #last: (Pick<TableItems, "rows" | "sorted"> & { readonly of: readonly Item[] }) | undefined;

  constructor(data: TableData) {
    this.#data = data;
    this.#source = new TableSource(data);
  }

  async load(): Promise<void> {
    await this.#loaded(everything);
  }

  async view(state: TableState, columns: readonly CellColumn[]): Promise<View> {
    const data = this.#data;
    const [loaded, filters, { targetOf }] = await Promise.all([
      this.#loaded(state),
      this.#source.filters(),
      this.#source.names(),
    ]);
    const facets = facetsOf(data, filters, state, loaded);
    if (loaded === undefined) {
      const items = await this.#firstItems(state);
      const rows = rowsHtml(data, columns, targetOf, items);
      const count = countIn(filters, state);
      return { rows, shown: items.length, count, page: 1, facets, exclusions: [], isLoaded: false };
    }
    const all = rowsOf(loaded, state);
    const page = Math.min(state.page, Math.max(1, Math.ceil(all.length / data.rows)));
    const shown = all.slice((page - 1) * data.rows, page * data.rows).map(({ item }) => item);
    return {
      rows: rowsHtml(data, columns, targetOf, shown),
      shown: shown.length,
      count: all.length,
      page,
      facets,
      exclusions: all.length === 0 ? exclusionsOf(loaded, state) : [],
      isLoaded: true,
    };
  }

  async opened(key: string, state: TableState): Promise<OpenedRow | undefined> {
    const data = this.#data;
    const { targetOf } = await this.#source.names();
    const item = await this.#itemOf(key, state);
    const address = data.hasItems ? itemAddress(data, key) : undefined;
    return item && { name: usualNameOf(item) ?? key, content: String(openedHtml(data, item, targetOf, address)) };
  }

  async placeOf(key: string, state: TableState): Promise<RowPlace> {
    let isSought = true;
    for (const candidate of [state, everything]) {
      const loaded = await this.#loaded(candidate);
      if (loaded === undefined) isSought = false;
      const index = loaded === undefined ? -1 : rowsOf(loaded, candidate).findIndex((row) => row.key === key);
      if (index < 0) continue;
      return { state: { ...candidate, page: Math.floor(index / this.#data.rows) + 1 }, isSought };
    }
    return { state: undefined, isSought };
  }

  async csv(state: TableState, columns: readonly CellColumn[]): Promise<string> {
    const loaded = await this.#loaded(state);
    if (loaded === undefined) return csvOf(columns, await this.#firstItems(state));
    return csvOf(
      columns,
      rowsOf(loaded, state).map(({ item }) => item),
    );
  }

  /** The rows among which those of a state are. Undefined if they are too many. */
  async #loaded({ chosen }: TableState): Promise<TableItems | undefined> {
    const data = this.#data;
    const derived = new Map<string, ReadonlySet<string>>();
    let items = await this.#source.all();
    let limitedBy: string | undefined;
    for (const [param, value] of chosen) {
      const isDerived = isByFunction(data, param);
      if (items !== undefined && !isDerived) continue;
      const withValue = await this.#source.withValue(param, value);
      if (isDerived) {
        if (withValue === undefined) return undefined;
        derived.set(`${param}=${value}`, new Set(withValue.map((item) => keyText(data.keys, item))));
      }
      if (items !== undefined || withValue === undefined) continue;
      items = withValue;
      limitedBy = param;
    }
    return items && { ...(await this.#rowsOf(items)), derived, limitedBy };
  }

  async #rowsOf(items: readonly Item[]): Promise<Pick<TableItems, "rows" | "sorted">> {
    const names = await this.#source.names();
    if (this.#last?.of !== items) {
      const rows: readonly Row[] = rowsFrom(this.#data, items, names);
      this.#last = { of: items, rows, sorted: sorter(this.#data, rows, names) };
    }
    return this.#last;
  }

  /** The first items of a state whose rows are too many to load. None if no request has them. */
  async #firstItems(state: TableState): Promise<readonly Item[]> {
    const address = requestFor(this.#data, { ...state, column: "", find: "" });
    return address === undefined ? [] : this.#source.page(address);
  }

  /** Items of a list may lack fields that the single item has. */
  async #itemOf(key: string, state: TableState): Promise<Item | undefined> {
    const { dump, hasItems, keys } = this.#data;
    if (dump === undefined && hasItems) return this.#source.item(key);
    const loaded = await this.#loaded(state);
    const items = loaded === undefined ? await this.#firstItems(state) : loaded.rows.map(({ item }) => item);
    return items.find((item) => keyText(keys, item) === key);
  }
}

/** The number of items with the chosen values. Undefined if it is not known. */
function countIn({ total, filters, combinations }: Filters, { chosen }: TableState): number | undefined {
  const [[param, value] = []] = chosen;
  if (param === undefined) return total;
  if (chosen.size === 1) {
    const values = filters.find((filter) => filter.param === param)?.values ?? [];
    return values.find((one) => one.value === value)?.count ?? 0;
  }
  const combined = combinations.find(
    ({ params }) => params.length === chosen.size && params.every((name) => chosen.has(name)),
  );
  if (combined === undefined) return undefined;
  const wanted = combined.params.map((name) => chosen.get(name)).join();
  return combined.counts.find(({ values }) => values.join() === wanted)?.count ?? 0;
}
