// What a table shows of a state: of all items, if they are loaded, or of a page that is requested. It runs in a worker, so that
// the page stays quick however many rows there are.
import type { Filters, FilterValue } from "../../../src/answers/answers.ts";
import type { Item } from "../../../src/model/key.ts";
import { type CellColumn, keyText } from "../tables/cells.ts";
import type { Facet, TableData } from "../tables/data.ts";
import { openedHtml } from "../tables/opened.ts";
import {
  answerOf,
  csvOf,
  type Exclusion,
  exclusionsOf,
  facetsOf,
  loadItems,
  loadNames,
  rowsHtml,
  rowsOf,
  stateWith,
} from "./table-items.ts";
import { isRequested, itemAddress, requestFor, type TableState } from "./table-state.ts";

/** What a table shows of a state. */
export interface View {
  /** The rows, as HTML. */
  readonly rows: string;
  readonly shown: number;
  /** The number of rows on all pages; undefined if it is not known. */
  readonly count: number | undefined;
  /** The number of the page; undefined if its rows are requested. */
  readonly page: number | undefined;
  /** The cursor of the next page, if rows are requested and there is one. */
  readonly next: string | undefined;
  readonly facets: readonly Facet[];
  /** If there are no rows: what excludes them. */
  readonly exclusions: readonly Exclusion[];
}

/** Each method rejects with an error that readers see. */
export interface TableWork {
  /** Loads all items. */
  readonly load: () => Promise<void>;
  readonly view: (state: TableState, columns: readonly CellColumn[]) => Promise<View>;
  /** The filters with the values that have items, of the whole list. */
  readonly facets: () => Promise<readonly Facet[]>;
  /** The content of the row that opens below the row of a key; undefined if there is no such item. */
  readonly opened: (key: string, state: TableState) => Promise<string | undefined>;
  /** A state that shows the row of a key, the given one if possible; undefined if there is no such row. */
  readonly stateWith: (key: string, state: TableState) => Promise<TableState | undefined>;
  /** The rows of a state, those on all pages if they are loaded. */
  readonly csv: (state: TableState, columns: readonly CellColumn[]) => Promise<string>;
}

export function workOn(data: TableData): TableWork {
  const names = kept(() => loadNames(data));
  const items = kept(async () => loadItems(data, await names()));
  const values = kept(async (): Promise<Filters> => (await answerOf(data.values)).json());
  const facets = async () => facetsIn(data, await values());
  let last: Promise<Requested> | undefined;
  let lastState = "";

  /** The last page is kept, of which rows are opened. */
  function requested(state: TableState): Promise<Requested> {
    const text = JSON.stringify([requestFor(data, state), state.find]);
    if (text !== lastState || last === undefined) last = request(data, state);
    lastState = text;
    return last;
  }

  const view: TableWork["view"] = async (state, columns) => {
    if (isRequested(data, state)) {
      const [{ items, next }, filters, { targetOf }] = await Promise.all([requested(state), values(), names()]);
      const rows = rowsHtml(data, columns, targetOf, items);
      const count = state.find === "" ? countIn(filters, state) : items.length;
      const shown = items.length;
      return { rows, shown, count, page: undefined, next, facets: facetsIn(data, filters), exclusions: [] };
    }
    const loaded = await items();
    const all = rowsOf(loaded, state);
    const page = Math.min(state.page, Math.max(1, Math.ceil(all.length / data.rows)));
    const shown = all.slice((page - 1) * data.rows, page * data.rows).map(({ item }) => item);
    // Of filters by functions, the numbers in the whole list are known.
    const isWhole = state.find === "" && state.chosen.size === 0;
    const ofFunctions = data.filters.some(({ by }) => by === "function")
      ? (await facets()).map((facet) => (isWhole ? facet : withoutCounts(facet)))
      : [];
    const ofFields = facetsOf(data, loaded, state);
    return {
      rows: rowsHtml(data, columns, loaded.targetOf, shown),
      shown: shown.length,
      count: all.length,
      page,
      next: undefined,
      facets: data.filters.flatMap(
        ({ param }) => [...ofFields, ...ofFunctions].find((facet) => facet.param === param) ?? [],
      ),
      exclusions: all.length === 0 ? exclusionsOf(loaded, state) : [],
    };
  };

  const opened: TableWork["opened"] = async (key, state) => {
    const { targetOf } = await names();
    const item = await itemOf(key, state);
    const address = data.hasItems ? itemAddress(data, key) : undefined;
    return item && String(openedHtml(data, item, targetOf, address));
  };

  async function itemOf(key: string, state: TableState): Promise<Item | undefined> {
    if (data.dump !== undefined) return (await items()).rows.find((row) => row.key === key)?.item;
    if (data.hasItems) return (await request(data, { ...state, find: key })).items[0];
    return (await requested(state)).items.find((item) => keyText(data.keys, item) === key);
  }

  return {
    async load() {
      await items();
    },
    view,
    facets,
    opened,
    async stateWith(key, state) {
      if (data.dump !== undefined) return stateWith(data, await items(), key, state);
      return data.hasItems ? { ...state, chosen: new Map(), sort: "", cursor: "", page: 1, find: key } : undefined;
    },
    async csv(state, columns) {
      if (isRequested(data, state)) return csvOf(columns, (await requested(state)).items);
      return csvOf(
        columns,
        rowsOf(await items(), state).map(({ item }) => item),
      );
    },
  };
}

/** Loads once. After a failure, the next use tries again. */
function kept<Value>(of: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () => {
    loading ??= of().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

interface Requested {
  readonly items: readonly Item[];
  readonly next: string | undefined;
}

/** A page of the list, or the item of the key that is sought. */
async function request(data: TableData, state: TableState): Promise<Requested> {
  if (state.find !== "") {
    const response = await fetch(itemAddress(data, encodeURI(state.find)));
    const isAnswered = response.ok && response.headers.get("Content-Type")?.includes("json") === true;
    return { items: isAnswered ? [await response.json()] : [], next: undefined };
  }
  const address = requestFor(data, state) ?? data.request;
  const body = await (await answerOf(address)).json();
  return { items: body.data, next: body.pagination?.next_cursor ?? undefined };
}

/** The filters with the values that have items, from the document of the list's filters. */
const facetsIn = (data: TableData, { filters }: Filters): readonly Facet[] =>
  data.filters.map(({ param, isDeprecated, isOrdered }) => {
    const all = filters.find((filter) => filter.param === param)?.values ?? [];
    const values = all.filter(({ count }) => count > 0).map(named);
    return { param, isDeprecated, isOrdered, values };
  });

const named = ({ value, count, name, label }: FilterValue) => ({ value, count, name: name ?? label });

const withoutCounts = (facet: Facet): Facet => ({
  ...facet,
  values: facet.values.map(({ value, name }) => ({ value, name })),
});

/** The number of items with the chosen values. */
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
