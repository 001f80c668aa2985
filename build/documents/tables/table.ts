// The table of a data page: a row for each item, with links to single items and to the items that it refers to; and what
// the script of the page knows about the list.
import { filtersPath, listNamed } from "../../../src/model/api.ts";
import { type Item, keyFields } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { itemAt } from "../../content/catalog.ts";
import { deprecationMark, type Html, html } from "../html.ts";
import {
  anchors,
  type DocumentSource,
  dataPagePath,
  documentPaths,
  dumpPath,
  hasItems,
  isServed,
  requestPath,
  titleOfResource,
} from "../source.ts";
import { type CellColumn, type CellLink, keyText, nameOf, rowAnchor, rowHtml, type TargetOf } from "./cells.ts";
import type { ListData, TableData } from "./data.ts";

/** The most rows on a page. */
export const mostRows = 100;

/** The most pages of a table. Whoever wants more takes the dump. */
export const mostPages = 200;

/** `docs/data/nodes`, `docs/data/nodes/2`. */
export const pageOfTable = (path: string, number: number): string => (number === 1 ? path : `${path}/${number}`);

/** The table scrolls sideways in its box on narrow screens. */
export function dataTable(
  { api }: DocumentSource,
  operation: ListOperation,
  columns: readonly CellColumn[],
  items: readonly Item[],
  targetOf: TargetOf,
): Html {
  const keys = keyFields(operation);
  const { reference } = documentPaths(api.base);
  const hrefOf = (item: Item) =>
    hasItems(operation)
      ? requestPath(api, operation, { key: keys.map((field) => String(item[field])) })
      : `#${rowAnchor(keyText(keys, item))}`;
  const heads = columns.map(({ path, kind }) => {
    const field = `${reference}#${anchors.field(titleOfResource(operation), path)}`;
    const mark = deprecationMark(operation.deprecatedFields[path]);
    return html`<th scope="col"${kind === "number" && html` class="number"`}><a href="${field}">${path}</a>${mark}</th>\n`;
  });
  return html`<div class="scroll" role="region" aria-label="${operation.nouns}" tabindex="0">
<table class="items">
<thead><tr>
${heads}</tr></thead>
<tbody>
${items.map((item) => rowHtml(columns, keys, item, hrefOf(item), targetOf))}</tbody>
</table>
</div>`;
}

/** Finds the item of a collection with a key: its row on its page of the table, or else the single item, if it has one. */
export function finderOf({ api, catalog, operations }: DocumentSource): (collection: string, key: string) => CellLink {
  const lists = new Map<
    string,
    { readonly rows: ReadonlyMap<string, number>; readonly found: Map<string, CellLink> }
  >();
  return (collection, key) => {
    const items = catalog.items.get(collection);
    const known = lists.get(collection) ?? {
      rows: new Map(items?.names.map((each, index) => [each, index])),
      found: new Map<string, CellLink>(),
    };
    lists.set(collection, known);
    const row = known.rows.get(key);
    if (row === undefined || items === undefined) return { href: "", name: undefined };
    const target = listNamed(api, collection);
    const page = dataPagePath({ api, operations }, target);
    const isShown = page !== undefined && row < mostRows * mostPages;
    const item = hasItems(target) ? requestPath(api, target, { key: key.split("/") }) : "";
    const href = isShown ? `${pageOfTable(page, Math.floor(row / mostRows) + 1)}#${rowAnchor(key)}` : item;
    const own = known.found.get(key) ?? { href, name: nameOf(itemAt(items, row)) };
    known.found.set(key, own);
    return own;
  };
}

/** What the script of a table knows about its list. */
export function tableData(
  source: DocumentSource,
  operation: ListOperation,
  title: string,
  columns: readonly CellColumn[],
): TableData {
  const { api } = source;
  const { name, filters, together } = operation;
  const ofFilters = filters.map(
    ({ field = "", accepts }) => [field, accepts.kind === "keys" ? accepts.of : ""] as const,
  );
  const ofFields = operation.references.map(({ field, to }) => [field.replace(/\[\]$/, ""), to] as const);
  const references = Object.fromEntries([...ofFields, ...ofFilters].filter(([, to]) => isServed(source, to)));
  const lists = new Set([...Object.values(references), ...columns.flatMap(({ to }) => to ?? [])]);
  const referrers = api.lists.flatMap((each) => {
    const table = dataPagePath(source, each);
    const own = each.filters.filter(({ accepts }) => accepts.kind === "keys" && accepts.of === name);
    const { noun, nouns } = each;
    const values = filtersPath(api.base, each.name);
    return table === undefined ? [] : own.map(({ param }) => ({ table, param, values, noun, nouns }));
  });
  return {
    ...listData(source, operation),
    request: requestPath(api, operation),
    title,
    noun: operation.noun,
    nouns: operation.nouns,
    columns,
    rows: mostRows,
    together,
    references,
    referrers,
    hasItems: hasItems(operation),
    filters: filters.flatMap(({ param, field, by, deprecated }) =>
      by === "function" ? [] : [{ param, field, by, isDeprecated: deprecated !== undefined }],
    ),
    values: filtersPath(api.base, name),
    lists: Object.fromEntries([...lists].map((to) => [to, listData(source, listNamed(api, to))])),
  };
}

/** The most bytes that a browser loads at once. */
const mostBytes = 10_000_000;

function listData(source: DocumentSource, operation: ListOperation): ListData {
  const path = dumpPath(source.api, operation);
  const dump = source.related.find((each) => each.path === path && (each.length ?? 0) <= mostBytes);
  return { table: dataPagePath(source, operation), dump: dump?.path, keys: keyFields(operation) };
}
