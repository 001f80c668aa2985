// The addresses of the items to which keys refer: the row of the item in its table, otherwise the single item.
import { listNamed } from "../../src/model/api.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { hasItems } from "../../src/model/operation.ts";
import { cutPages, defaultLimit, indexAfter } from "../../src/model/paging.ts";
import { type Items, itemAt } from "../content/catalog.ts";
import type { Listing } from "../pages/listing.ts";
import { pageBelow, requestPath, type SiteApi } from "./addresses.ts";
import { listingOf, type SiteData } from "./site-data.ts";
import { type CellLink, nameOf, rowAnchor } from "./tables/cells.ts";

/** The limit of rows on a page of a table. Every paged list has pages of this size. */
export const maxRows = defaultLimit;

/** The limit of pages of a table. The dump has the items of longer lists. */
const maxPages = 200;

/** The rows of a page of a table: from `start` to `end`, excluding `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** The pages of a listing's table. They end where the pages of the answers end, so that an edit changes few of them. */
export function rangesOf({ cuts, items: { count } }: Pick<Listing, "cuts" | "items">): readonly RowRange[] {
  const { starts } = cuts ?? cutPages("exact", { count, rankAt: () => 0 }, [maxRows]);
  const positions = starts.get(maxRows) ?? Uint32Array.of(0);
  return Array.from(positions.subarray(0, maxPages), (start, index) => ({
    start,
    end: positions[index + 1] ?? count,
  }));
}

/** `docs/data/nodes`, `docs/data/nodes/2`. */
export const pageOfTable = (path: string, number: number): string =>
  number === 1 ? path : pageBelow(path, String(number));

/** Finds the item of a collection with a key. */
export type FindTarget = (collection: string, key: string) => CellLink;

const nowhere: CellLink = { href: "", name: undefined };

/** `tables` are the paths of the first pages of tables, by the names of lists. Names are indexed on demand, once. */
export function targetsOf(data: SiteData, tables: ReadonlyMap<string, string>): FindTarget {
  const { api, catalog } = data;
  const lists = new Map<string, (key: string) => CellLink>();
  return (collection, key) => {
    const items = catalog.items.get(collection);
    if (items === undefined) return nowhere;
    let find = lists.get(collection);
    if (find === undefined) {
      const listing = listingOf(data, collection);
      const ranges = listing === undefined ? [] : rangesOf(listing);
      find = targetsIn(api, listNamed(api, collection), items, tables.get(collection), ranges);
      lists.set(collection, find);
    }
    return find(key);
  };
}

function targetsIn(
  api: SiteApi,
  operation: ListOperation,
  items: Items,
  table: string | undefined,
  ranges: readonly RowRange[],
) {
  const rows = new Map(items.names.map((name, row) => [name, row]));
  const links = new Map<string, CellLink>();
  const starts = ranges.map(({ start }) => start);
  const shown = ranges.at(-1)?.end ?? 0;
  const hrefOf = (row: number, key: string): string => {
    if (table !== undefined && row < shown) return `${pageOfTable(table, indexAfter(starts, row))}#${rowAnchor(key)}`;
    return hasItems(operation) ? requestPath(api, operation, { key: key.split("/") }) : "";
  };
  return (key: string): CellLink => {
    const row = rows.get(key);
    if (row === undefined) return nowhere;
    const link = links.get(key) ?? { href: hrefOf(row, key), name: nameOf(itemAt(items, row)) };
    links.set(key, link);
    return link;
  };
}
