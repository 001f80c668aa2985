// What a table shows, in the address: `?region=iad1&sort=-capacity&q=berlin&page=2`.
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

/** A parameter of the table itself. A filter may have the same name. */
const ownName = ({ filters }: TableData, name: "sort" | "q" | "page"): string =>
  filters.some(({ param }) => param === name) ? `${name}_` : name;

/** A page without a script has its number, or a filter and its value, in the path. */
export function stateAt(data: TableData, { pathname, search }: URL): TableState {
  const { table = "", filters } = data;
  const [first = "", value] = pathname.slice(table.length + 1).split("/");
  const sent = new URLSearchParams(search);
  const chosen = filters
    .map(({ param }) => [param, sent.get(param) ?? (param === first ? value : undefined) ?? ""] as const)
    .filter(([, each]) => each !== "");
  const own = (name: Parameters<typeof ownName>[1]) => sent.get(ownName(data, name)) ?? "";
  const page = Number(own("page") || first);
  return {
    chosen: new Map(chosen),
    sort: own("sort"),
    find: own("q"),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function addressOf(data: TableData, { chosen, sort, find, page }: TableState): string {
  const query = new URLSearchParams([...chosen]);
  const own = { sort, q: find, page: page === 1 ? "" : String(page) } as const;
  for (const name of ["sort", "q", "page"] as const) if (own[name] !== "") query.set(ownName(data, name), own[name]);
  return [data.table ?? "", String(query)].filter(Boolean).join("?");
}

/** The request with the same items, if there is one: no request sorts or finds, or sends any filters together. */
export function requestFor({ request, together }: TableData, { chosen, sort, find }: TableState): string | undefined {
  const params = [...chosen.keys()];
  const isAnswered = params.length < 2 || together.some((group) => params.every((param) => group.includes(param)));
  if (sort !== "" || find !== "" || !isAnswered) return undefined;
  return [request, [...chosen].map((pair) => pair.join("=")).join("&")].filter(Boolean).join("?");
}

/** The state after a value is chosen or, if it is undefined, given up. The table starts over. */
export function withChoice(state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  return { ...state, chosen, page: 1 };
}
