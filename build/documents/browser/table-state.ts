// The state of a table in its address: `?region=iad1&sort=-capacity&q=berlin&page=2`.
import { fileOfQuery } from "../../routing/paths.ts";
import type { TableData } from "../tables/data.ts";

export interface TableState {
  /** The chosen values, by the parameters of the filters. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The path of a column, with a minus sign if it descends; empty for the order of the list. */
  readonly sort: string;
  readonly find: string;
  readonly page: number;
}

export const everything: TableState = { chosen: new Map(), sort: "", find: "", page: 1 };

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
  return {
    chosen: new Map(chosen),
    sort: sentAs("sort"),
    find: sentAs("q"),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function addressOf(data: TableData, { chosen, sort, find, page }: TableState): string {
  const query = new URLSearchParams([...chosen]);
  const values = { sort, q: find, page: page === 1 ? "" : String(page) } as const;
  for (const name of ["sort", "q", "page"] as const) {
    if (values[name] !== "") query.set(paramOf(data, name), values[name]);
  }
  return [data.table ?? "", String(query)].filter(Boolean).join("?");
}

/** The request with the same items, if there is one: requests cannot sort or search, nor combine all filters. */
export function requestFor(
  { request, together, filters }: TableData,
  { chosen, sort, find }: TableState,
): string | undefined {
  const params = [...chosen.keys()];
  const isAnswered = params.length < 2 || together.some((group) => params.every((param) => group.includes(param)));
  if (sort !== "" || find !== "" || !isAnswered) return undefined;
  // In the order of their parts in a path.
  const sent = filters.flatMap(({ param }) => {
    const value = chosen.get(param);
    return value === undefined ? [] : [[param, value] as const];
  });
  if (request.endsWith(".json")) return `/${fileOfQuery(request.replace(/\.json$/, ""), sent)}`;
  return [request, sent.map((pair) => pair.join("=")).join("&")].filter(Boolean).join("?");
}

/** The state after a value is chosen, or removed if it is undefined. The table goes back to the first page. */
export function withChoice(state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  return { ...state, chosen, page: 1 };
}
