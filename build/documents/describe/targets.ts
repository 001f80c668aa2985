// The addresses of the items to which keys refer: the row of the item in its table, or the single item if the row is not on
// the page and only its script would find it.
import { listNamed } from "../../../src/model/api.ts";
import { hasItems, type ListOperation } from "../../../src/model/operation.ts";
import { defaultLimit } from "../../../src/model/paging.ts";
import { type Items, itemAt } from "../../content/table/items.ts";
import { requestPath, type SiteApi } from "./addresses.ts";
import { type CellLink, rowAnchor, usualNameOf } from "./cells.ts";
import type { SiteData } from "./site-data.ts";

/** The number of rows of a table without its script. */
export const maxRows = defaultLimit;

/** Finds the item of a collection with a key. */
export type FindTarget = (collection: string, key: string) => CellLink;

const nowhere: CellLink = { href: "", name: undefined };

/** `tables` are the paths of tables, by the names of lists. Names are indexed on demand, once. */
export function targetsOf({ api, catalog }: SiteData, tables: ReadonlyMap<string, string>): FindTarget {
  const lists = new Map<string, (key: string) => CellLink>();
  return (collection, key) => {
    const items = catalog.items.get(collection);
    if (items === undefined) return nowhere;
    const find = lists.get(collection) ?? targetsIn(api, listNamed(api, collection), items, tables.get(collection));
    lists.set(collection, find);
    return find(key);
  };
}

function targetsIn(api: SiteApi, operation: ListOperation, items: Items, table: string | undefined) {
  const rows = new Map(items.keys.map((key, row) => [key, row]));
  const links = new Map<string, CellLink>();
  const hrefOf = (row: number, key: string): string => {
    const hasItem = hasItems(operation);
    if (table !== undefined && (row < maxRows || !hasItem)) return `${table}#${rowAnchor(key)}`;
    return hasItem ? requestPath(api, operation, { key: key.split("/") }) : "";
  };
  return (key: string): CellLink => {
    const row = rows.get(key);
    if (row === undefined) return nowhere;
    const link = links.get(key) ?? { href: hrefOf(row, key), name: usualNameOf(itemAt(items, row)) };
    links.set(key, link);
    return link;
  };
}
