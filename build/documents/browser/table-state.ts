// The state of a table in its address: `?region=iad1&sort=-capacity&q=berlin&page=2`.
import { sortParam } from "../../../src/model/order.ts";
import { fileOfQuery, itemFile } from "../../routing/paths.ts";
import type { DataOrder, TableData } from "../tables/data.ts";

export interface TableState {
  /** The chosen values, by the parameters of the filters. */
  readonly chosen: ReadonlyMap<string, string>;
  /**
   * The path of a column, with a minus sign if it descends, or the name of an order of the list; empty for the order that
   * requests have without `sort`.
   */
  readonly sort: string;
  /** In a list that is too large to load, the key of an item. */
  readonly find: string;
  readonly page: number;
  /** The cursor of the page, if its rows are requested. */
  readonly cursor: string;
}

export const everything: TableState = { chosen: new Map(), sort: "", find: "", page: 1, cursor: "" };

/** The parameter for a part of the state. A filter may have the same name. */
const paramOf = ({ filters }: TableData, name: "sort" | "q" | "page"): string =>
  filters.some(({ param }) => param === name) ? `${name}_` : name;

/** A page without a script has its number, or a filter and its value, in the path. */
export function stateAt(data: TableData, { pathname, search }: URL): TableState {
  const { table = "", filters } = data;
  const stemOf = (path: string): string => path.replace(/\.html$/, "");
  const [first = "", value] = stemOf(pathname)
    .slice(stemOf(table).length + 1)
    .split("/");
  const sent = new URLSearchParams(search);
  const chosen = filters
    .map(({ param }) => [param, sent.get(param) ?? (param === first ? value : undefined) ?? ""] as const)
    .filter(([, text]) => text !== "");
  const sentAs = (name: Parameters<typeof paramOf>[1]) => sent.get(paramOf(data, name)) ?? "";
  const page = Number(sentAs("page") || first);
  return possible(data, {
    chosen: new Map(chosen),
    sort: sentAs("sort"),
    find: sentAs("q"),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    cursor: sent.get("cursor") ?? "",
  });
}

/** A state without the parts that no request sends. */
function possible(data: TableData, state: TableState): TableState {
  if (!isRequested(data, state) || requestFor(data, state) !== undefined) return state;
  if (data.dump !== undefined) return { ...withFind(data, state, state.find), page: state.page };
  const isOrder = orderNamed(data, state.sort) !== undefined;
  const [first] = state.chosen;
  return state.find === ""
    ? { ...state, sort: isOrder ? state.sort : "", chosen: new Map(first === undefined ? [] : [first]) }
    : withFind(data, state, state.find);
}

export function addressOf(data: TableData, { chosen, sort, find, page, cursor }: TableState): string {
  const query = new URLSearchParams([...chosen]);
  const values = { sort, q: find, page: page === 1 || cursor !== "" ? "" : String(page) } as const;
  for (const name of ["sort", "q", "page"] as const) {
    if (values[name] !== "") query.set(paramOf(data, name), values[name]);
  }
  if (cursor !== "") query.set("cursor", cursor);
  return [data.table ?? "", String(query)].filter(Boolean).join("?");
}

export const orderNamed = ({ orders }: TableData, sort: string): DataOrder | undefined =>
  orders.find(({ name }) => name === sort);

const isByFunction = ({ filters }: TableData, param: string): boolean =>
  filters.some((filter) => filter.param === param && filter.by === "function");

/** Whether the rows are requested page by page: their order or filter is a function, or there are too many to load. */
export const isRequested = (data: TableData, { chosen, sort, cursor }: TableState): boolean =>
  data.dump === undefined ||
  cursor !== "" ||
  orderNamed(data, sort) !== undefined ||
  [...chosen.keys()].some((param) => isByFunction(data, param));

/** Whether requests can send the filters together. */
const canSend = ({ together }: TableData, params: readonly string[]): boolean =>
  params.length < 2 || together.some((group) => params.every((param) => group.includes(param)));

/** The request with the same items, if there is one: requests cannot search, sort by any field, nor combine all filters. */
export function requestFor(data: TableData, state: TableState): string | undefined {
  const { request, filters } = data;
  const { chosen, sort, find, cursor } = state;
  const order = orderNamed(data, sort);
  const isSorted = sort !== "" && order === undefined;
  if (isSorted || find !== "" || !canSend(data, [...chosen.keys()])) return undefined;
  // In the order of their parts in a path.
  const sent = filters.flatMap(({ param }) => {
    const value = chosen.get(param);
    return value === undefined ? [] : [[param, value] as const];
  });
  if (order !== undefined) sent.unshift([sortParam, order.name]);
  if (cursor !== "") sent.push(["cursor", cursor]);
  if (request.endsWith(".json")) return `/${fileOfQuery(request.replace(/\.json$/, ""), sent)}`;
  return [request, sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")]
    .filter(Boolean)
    .join("?");
}

/** The path of a single item. */
export const itemAddress = ({ request }: TableData, key: string): string =>
  request.endsWith(".json") ? `/${itemFile(request.replace(/\.json$/, ""), key)}` : `${request}/${key}`;

/** The state after a value is chosen, or removed if it is undefined. The table goes back to the first page. */
export function withChoice(data: TableData, state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  const after = { ...state, chosen, page: 1, cursor: "" };
  if (!isRequested(data, after)) return after;
  // Requests combine few filters, do not search, and sort by the orders of the list.
  const others = [...chosen.keys()].filter((other) => other === param || canSend(data, [other, param]));
  const sendable = canSend(data, others) ? others : [param];
  return {
    ...after,
    chosen: new Map([...chosen].filter(([other]) => sendable.includes(other))),
    find: "",
    sort: orderNamed(data, state.sort) === undefined ? "" : state.sort,
  };
}

/** The state after the order is changed. A list that is loaded sorts by any column, but not by what a function derives. */
export function withSort(data: TableData, state: TableState, sort: string): TableState {
  const after = { ...state, sort, page: 1, cursor: "" };
  if (orderNamed(data, sort) === undefined) return { ...after, chosen: chosenFields(data, state) };
  const params = [...state.chosen.keys()];
  return { ...after, find: "", chosen: canSend(data, params) ? state.chosen : new Map() };
}

/** The state after the search is changed. In a list that is too large to load, a search is for one key. */
export function withFind(data: TableData, state: TableState, find: string): TableState {
  if (data.dump === undefined) return { ...everything, find };
  const sort = orderNamed(data, state.sort) === undefined ? state.sort : "";
  return { chosen: chosenFields(data, state), sort, find, page: 1, cursor: "" };
}

/** Without the filters by functions, whose values a loaded item does not tell. */
const chosenFields = (data: TableData, { chosen }: TableState): ReadonlyMap<string, string> =>
  data.dump === undefined ? chosen : new Map([...chosen].filter(([param]) => !isByFunction(data, param)));
