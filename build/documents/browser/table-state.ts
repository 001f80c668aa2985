// What a table shows, in the address: `?region=iad1&sort=-capacity&q=berlin&page=2`.
import type { TableData } from "../tables/shape.ts";

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

/** The table's own parameters. A filter may have the same name. */
const ownNames = ({ filters }: TableData) =>
  ["sort", "q", "page", "cursor"].map((name) => (filters.some(({ param }) => param === name) ? `${name}_` : name));

/** A page without a script has its number, or a filter and its value, in the path. */
export function stateAt(data: TableData, { pathname, search }: URL): TableState {
  const { table = "", filters } = data;
  const [param = "", value] = pathname.slice(table.length + 1).split("/");
  const sent = new URLSearchParams(search);
  const chosen = filters.flatMap((filter) => {
    const text = sent.get(filter.param) ?? (filter.param === param ? value : undefined);
    return text === undefined || text === "" ? [] : [[filter.param, text] as const];
  });
  const [sort, find, page, cursor] = ownNames(data).map((name) => sent.get(name) ?? "");
  const number = Number(page || (value === undefined ? param : ""));
  return {
    chosen: new Map(chosen),
    ...{ sort: sort ?? "", find: find ?? "", cursor: cursor ?? "" },
    page: Number.isSafeInteger(number) && number > 0 ? number : 1,
  };
}

export function addressOf(data: TableData, { chosen, sort, find, page, cursor }: TableState): string {
  const values = [sort, find, page === 1 ? "" : String(page), cursor];
  const own = ownNames(data).map((name, index) => [name, values[index] ?? ""]);
  const sent = [...chosen, ...own].filter(([, value]) => value !== "").map(([name = "", value = ""]) => [name, value]);
  return `${data.table ?? ""}${sent.length === 0 ? "" : "?"}${new URLSearchParams(sent)}`;
}

/** The state with another value of a filter; undefined for none. The table starts over. */
function withFilter(state: TableState, param: string, value: string | undefined): TableState {
  const chosen = new Map(state.chosen);
  if (value === undefined) chosen.delete(param);
  else chosen.set(param, value);
  return { ...state, chosen, page: 1, cursor: "" };
}

/** Whether a request may send all these filters. */
const goTogether = ({ together }: TableData, params: readonly string[]): boolean =>
  params.length < 2 || together.some((group) => params.every((param) => group.includes(param)));

/** The request with the same items, if there is one: no request sorts or finds. */
export function requestFor(data: TableData, { chosen, sort, find, cursor }: TableState): string | undefined {
  if (sort !== "" || find !== "" || !goTogether(data, [...chosen.keys()])) return undefined;
  const query = [...chosen, ...(cursor === "" ? [] : [["cursor", cursor]])].map((pair) => pair.join("=")).join("&");
  return query === "" ? data.request : `${data.request}?${query}`;
}

/** The state after a value is chosen or given up. The API answers few filters together, so the others may have to go. */
export function withChoice(data: TableData, state: TableState, param: string, value: string | undefined): TableState {
  const next = withFilter(state, param, value);
  const isAnswered = data.dump !== undefined || value === undefined || requestFor(data, next) !== undefined;
  return isAnswered ? next : { ...next, chosen: new Map([[param, value]]) };
}
