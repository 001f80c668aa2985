// The data of the script of a table.
import { filtersPath, listNamed } from "../../../src/model/api.ts";
import type { Filter } from "../../../src/model/filter.ts";
import { keyFields } from "../../../src/model/key.ts";
import { hasItems, type ListOperation } from "../../../src/model/operation.ts";
import type { ItemView } from "../../pages/items.ts";
import { requestPath } from "../describe/addresses.ts";
import { placesOn } from "../describe/reference-places.ts";
import type { Site } from "../describe/site.ts";
import { isServed } from "../describe/site-data.ts";
import { maxRows } from "../describe/targets.ts";
import type { TableColumns } from "./columns.ts";
import type { ListData, Referrer, TableData } from "./data.ts";

export function tableData(
  site: Site,
  operation: ListOperation,
  title: string,
  { shown, further }: TableColumns,
  { count, length }: ItemView,
): TableData {
  const { api } = site;
  const { name, filters, together, orders } = operation;
  const ofFilters = filters.map(
    ({ field = "", accepts }) => [field, accepts.kind === "keys" ? accepts.of : ""] as const,
  );
  const ofFields = operation.references.map(({ field, to }) => [field.replace(/\[\]$/, ""), to] as const);
  const references = Object.fromEntries([...ofFields, ...ofFilters].filter(([, to]) => isServed(site, to)));
  const lists = new Set([...Object.values(references), ...[...shown, ...further].flatMap(({ to }) => to ?? [])]);
  const all = listData(site, operation);
  return {
    ...all,
    title,
    noun: operation.noun,
    nouns: operation.nouns,
    columns: shown,
    further,
    reference: placesOn(site).field(operation, ""),
    rows: maxRows,
    total: count,
    maxItems: all.dump === undefined ? fewEnough(count, length(0, count)) : undefined,
    together,
    references,
    referrers: referrersOf(site, name),
    filters: filters.map((filter) => {
      const { param, field, steps, by, deprecated } = filter;
      return { param, field, steps, by, isDeprecated: deprecated !== undefined, isOrdered: isOrdered(filter) };
    }),
    values: filtersPath(api.base, name),
    orders: orders.map(({ name, fields }) => ({ name, fields })),
    lists: Object.fromEntries([...lists].map((to) => [to, listData(site, listNamed(api, to))])),
  };
}

/** Whether the values of a filter have an order of their own. */
export const isOrdered = ({ accepts }: Pick<Filter, "accepts">): boolean =>
  accepts.kind === "listed" || accepts.kind === "words" || (accepts.kind === "occurring" && accepts.type === "integer");

/** The filters of lists with tables that take the keys of a list. */
function referrersOf({ api, tables }: Site, name: string): readonly Referrer[] {
  const referrers: Referrer[] = [];
  for (const { name: referring, filters, noun, nouns } of api.lists) {
    const table = tables.get(referring);
    if (table === undefined) continue;
    const values = filtersPath(api.base, referring);
    for (const { param, accepts } of filters) {
      if (accepts.kind === "keys" && accepts.of === name) referrers.push({ table, param, values, noun, nouns });
    }
  }
  return referrers;
}

/** The limit of what a browser loads of a list, in bytes. */
const maxBytes = 10_000_000;

/** About the number of items that are few enough to load, to two digits, so that it seldom changes with the items. */
const fewEnough = (count: number, bytes: number): number => Number((maxBytes / (bytes / count)).toPrecision(2));

/** The path of all items of a list, if the script of its table loads them, to search and sort them. */
export function loadedDump({ dumps }: Pick<Site, "dumps">, list: string): string | undefined {
  const dump = dumps.get(list);
  return dump !== undefined && dump.length <= maxBytes ? dump.path : undefined;
}

function listData(site: Site, operation: ListOperation): ListData {
  const { api, tables } = site;
  return {
    request: requestPath(api, operation),
    hasItems: hasItems(operation),
    table: tables.get(operation.name),
    dump: loadedDump(site, operation.name),
    keys: keyFields(operation),
  };
}
