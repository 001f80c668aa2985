// The state of a table in its address: `?region=iad1&by=-capacity&q=berlin&page=2`.
import { type Order, sortParam } from "../../../../src/model/order.ts";
import { fileOfQuery, itemFile } from "../../../routing/paths.ts";
import type { ListData, TableData } from "../data.ts";

export interface TableState {
  /** The chosen values, by the parameters of the filters. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The name of an order of the list; empty for the order that requests have without `sort`. */
  readonly order: string;
  /** The path of the column that sorts instead, with a minus sign if it descends; empty if none does. */
  readonly column: string;
  readonly find: string;
  readonly page: number;
}

export const everything: TableState = { chosen: new Map(), order: "", column: "", find: "", page: 1 };

/** The parameter for a part of the state. A filter may have the same name, but none is called `sort`. */
const paramOf = ({ filters }: TableData, name: "by" | "q" | "page"): string =>
  filters.some(({ param }) => param === name) ? `${name}_` : name;

/** Without the orders and columns that the list does not have. */
export function stateAt(data: TableData, { search }: Pick<URL, "search">): TableState {
  const sent = new URLSearchParams(search);
  const sentAs = (name: Parameters<typeof paramOf>[1]) => sent.get(paramOf(data, name)) ?? "";
  const chosen = data.filters
    .map(({ param }) => [param, sent.get(param) ?? ""] as const)
    .filter(([, value]) => value !== "");
  const order = orderNamed(data, sent.get(sortParam) ?? "")?.name ?? "";
  const column = sentAs("by");
  const isColumn = [...data.columns, ...data.further].some(({ path }) => path === column.replace(/^-/, ""));
  const page = Number(sentAs("page"));
  return {
    chosen: new Map(chosen),
    order,
    column: isColumn && order === "" ? column : "",
    find: sentAs("q"),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function addressOf(data: TableData, { chosen, order, column, find, page }: TableState): string {
  const query = new URLSearchParams([...chosen]);
  if (order !== "") query.set(sortParam, order);
  const values = { by: column, q: find, page: page === 1 ? "" : String(page) } as const;
  for (const name of ["by", "q", "page"] as const) {
    if (values[name] !== "") query.set(paramOf(data, name), values[name]);
  }
  return [data.table ?? "", String(query)].filter(Boolean).join("?");
}

export const orderNamed = ({ orders }: TableData, name: string): Pick<Order, "name" | "fields"> | undefined =>
  orders.find((order) => order.name === name);

/** Whether a function of the declaration derives the values of a filter. A loaded item does not tell them. */
export const isByFunction = ({ filters }: TableData, param: string): boolean =>
  filters.some((filter) => filter.param === param && filter.by === "function");

/** Whether requests can send the filters together. */
const canSend = ({ together }: TableData, params: readonly string[]): boolean =>
  params.length < 2 || together.some((group) => params.every((param) => group.includes(param)));

/** The request with the same items, if there is one: requests cannot search, sort by any field, nor combine all filters. */
export function requestFor(data: TableData, { chosen, order, column, find }: TableState): string | undefined {
  if (column !== "" || find !== "" || !canSend(data, [...chosen.keys()])) return undefined;
  // In the order of their parts in a path.
  const sent = data.filters.flatMap(({ param }) => {
    const value = chosen.get(param);
    return value === undefined ? [] : [[param, value] as const];
  });
  return listAddress(data, order === "" ? sent : [[sortParam, order], ...sent]);
}

/** The path of a page of the list. The parameters are in the order of their parts in a path. */
export function listAddress({ request }: ListData, sent: readonly (readonly [name: string, value: string])[]): string {
  if (request.endsWith(".json")) return `/${fileOfQuery(request.replace(/\.json$/, ""), sent)}`;
  return [request, sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")]
    .filter(Boolean)
    .join("?");
}

/** The path of a single item. */
export const itemAddress = ({ request }: ListData, key: string): string =>
  request.endsWith(".json") ? `/${itemFile(request.replace(/\.json$/, ""), key)}` : `${request}/${key}`;

/** The state after a value is chosen, or removed if it is undefined. Like each of the others, it is on the first page. */
export function withChoice(state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  return { ...state, chosen, page: 1 };
}

/** The state after the search is changed. The best matches come first. */
export const withFind = (state: TableState, find: string): TableState => ({ ...state, find, page: 1 });

export const withOrder = (state: TableState, order: string): TableState => ({ ...state, order, column: "", page: 1 });

export const withColumn = (state: TableState, column: string): TableState => ({ ...state, column, order: "", page: 1 });
