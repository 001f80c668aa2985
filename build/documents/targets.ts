// The addresses of the items to which keys refer: the row of the item in its table, otherwise the single item.
import { listNamed } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { hasItems } from "../../src/model/operation.ts";
import { type Items, itemAt } from "../content/catalog.ts";
import { requestPath } from "./addresses.ts";
import type { SiteData } from "./site-data.ts";
import { type CellLink, nameOf, rowAnchor } from "./tables/cells.ts";

/** The limit of rows on a page of a table. */
export const maxRows = 100;

/** The limit of pages of a table. The dump has the items of longer lists. */
export const maxPages = 200;

/** `docs/data/nodes`, `docs/data/nodes/2`. */
export const pageOfTable = (path: string, number: number): string => (number === 1 ? path : `${path}/${number}`);

/** Finds the item of a collection with a key. */
export type FindTarget = (collection: string, key: string) => CellLink;

const nowhere: CellLink = { href: "", name: undefined };

/** `tables` are the paths of the first pages of tables, by the names of lists. Names are indexed on demand, once. */
export function targetsOf({ api, catalog }: SiteData, tables: ReadonlyMap<string, string>): FindTarget {
  const lists = new Map<string, (key: string) => CellLink>();
  return (collection, key) => {
    const items = catalog.items.get(collection);
    if (items === undefined) return nowhere;
    const find =
      lists.get(collection) ?? targetsIn(api.base, listNamed(api, collection), items, tables.get(collection));
    lists.set(collection, find);
    return find(key);
  };
}

function targetsIn(base: string, operation: ListOperation, items: Items, table: string | undefined) {
  const rows = new Map(items.names.map((name, row) => [name, row]));
  const links = new Map<string, CellLink>();
  const hrefOf = (row: number, key: string): string => {
    if (table !== undefined && row < maxRows * maxPages) {
      return `${pageOfTable(table, Math.floor(row / maxRows) + 1)}#${rowAnchor(key)}`;
    }
    return hasItems(operation) ? requestPath({ base }, operation, { key: key.split("/") }) : "";
  };
  return (key: string): CellLink => {
    const row = rows.get(key);
    if (row === undefined) return nowhere;
    const link = links.get(key) ?? { href: hrefOf(row, key), name: nameOf(itemAt(items, row)) };
    links.set(key, link);
    return link;
  };
}
