// What a table shows, in the address: `?region=iad1&sort=-capacity&q=berlin&page=2`.
import type { TableData } from "../tables/cells.ts";

export interface TableState {
  /** The chosen values, by the parameters of the filters. */
  readonly chosen: ReadonlyMap<string, string>;
  /** The path of a column, with a minus sign if it descends; empty for the order of the list. */
  readonly sort: string;
  readonly find: string;
  readonly page: number;
  /** The place in a list that is not loaded as a whole. */
  readonly cursor: string;
}

export const everything: TableState = { chosen: new Map(), sort: "", find: "", page: 1, cursor: "" };

/** A parameter of the table itself. A filter may have the same name. */
const ownName = ({ filters }: TableData, name: "sort" | "q" | "page" | "cursor"): string =>
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
    ...{ sort: own("sort"), find: own("q"), cursor: own("cursor") },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function addressOf(data: TableData, { chosen, sort, find, page, cursor }: TableState): string {
  const query = new URLSearchParams([...chosen]);
  const own = { sort, q: find, page: page === 1 ? "" : String(page), cursor } as const;
  for (const name of ["sort", "q", "page", "cursor"] as const) {
    if (own[name] !== "") query.set(ownName(data, name), own[name]);
  }
  return [data.table ?? "", String(query)].filter(Boolean).join("?");
}

/** Whether a request may send all these filters. */
const goTogether = ({ together }: TableData, chosen: TableState["chosen"]): boolean =>
  chosen.size < 2 || together.some((group) => [...chosen.keys()].every((param) => group.includes(param)));

/** The request with the same items, if there is one: no request sorts or finds. */
export function requestFor(data: TableData, { chosen, sort, find, cursor }: TableState): string | undefined {
  if (sort !== "" || find !== "" || !goTogether(data, chosen)) return undefined;
  const pairs = [...chosen, ...(cursor === "" ? [] : [["cursor", cursor]])].map((pair) => pair.join("="));
  return [data.request, pairs.join("&")].filter(Boolean).join("?");
}

/**
 * The state after a value is chosen or, if it is undefined, given up. The table starts over. If the API has to answer and
 * answers no such filters together, the others go.
 */
export function withChoice(data: TableData, state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  const isAnswered = data.dump !== undefined || value === undefined || goTogether(data, chosen);
  return { ...state, chosen: isAnswered ? chosen : new Map([[param, value]]), page: 1, cursor: "" };
}
