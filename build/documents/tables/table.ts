// The table of a data page: a row for each item, with links to single items and to the items that it refers to.
import { listNamed } from "../../../src/api.ts";
import type { ListOperation } from "../../../src/operation.ts";
import { type Item, keyFields } from "../../../src/resource.ts";
import { type Items, itemAt } from "../../content/catalog.ts";
import { deprecationMark } from "../deprecation.ts";
import { type Html, html } from "../html.ts";
import { titleOfResource } from "../reference/resource.ts";
import { type DocumentSource, dataPagePath, documentPaths, fieldAnchor, hasItems, requestPath } from "../source.ts";
import { type CellColumn, keyText, nameOf, rowAnchor, rowHtml, type Target, type TargetOf } from "./cells.ts";
import type { TableColumns } from "./columns.ts";

/** The most rows on a page. */
export const mostRows = 100;

/** The most pages of a table. Whoever wants more takes the dump. */
export const mostPages = 200;

/** `docs/data/nodes`, `docs/data/nodes/2`. */
export const pageOfTable = (path: string, number: number): string => (number === 1 ? path : `${path}/${number}`);

/** The table scrolls sideways in its box on narrow screens. */
export function dataTable(
  source: DocumentSource,
  operation: ListOperation,
  { shown }: TableColumns,
  items: readonly Item[],
  targetOf: TargetOf,
): Html {
  const { resource } = operation;
  const keys = keyFields(resource);
  const hrefOf = (item: Item) =>
    hasItems(operation)
      ? requestPath(source.api, operation, { key: keys.map((field) => String(item[field])) })
      : `#${rowAnchor(keyText(keys, item))}`;
  return html`<div class="scroll" role="region" aria-label="${resource.nouns}" tabindex="0">
<table class="items">
<thead><tr>
${shown.map((column) => headHtml(source, operation, column))}</tr></thead>
<tbody>
${items.map((item) => rowHtml(shown, keys, item, hrefOf(item), targetOf))}</tbody>
</table>
</div>`;
}

function headHtml({ api }: DocumentSource, operation: ListOperation, { path, kind }: CellColumn): Html {
  const mark = deprecationMark(operation.resource.deprecated[path]);
  const field = `${documentPaths(api.base).reference}#${fieldAnchor(titleOfResource(operation), path)}`;
  return html`<th scope="col"${kind === "number" && html` class="number"`}><a href="${field}">${path}</a>${mark}</th>\n`;
}

/**
 * Finds what a key in a column refers to: the item's row on its page of a table, or else the single item, the items of
 * the list that refer to it, or the list that has it.
 */
export function targetsOf(source: DocumentSource, operation: ListOperation): TargetOf {
  const finders = new Map<string, (key: string) => Target>();
  return ({ path, to = "" }, key) => {
    const finder = finders.get(to) ?? finderOf(source, to);
    finders.set(to, finder);
    const { href, name } = finder(key);
    const filter = operation.filters.find(({ field }) => field === path);
    const list = requestPath(source.api, operation, { query: `${filter?.param}=${key}` });
    return { href: href !== "" ? href : filter === undefined ? requestPath(source.api, { name: to }) : list, name };
  };
}

/** Finds the item of a collection with a key: its row on its page of the table, or else the single item. */
export function finderOf(source: DocumentSource, name: string): (key: string) => Target {
  const target = listNamed(source.api, name);
  const page = dataPagePath(source, target);
  const items = source.catalog.items.get(name);
  const rows = new Map(items?.names.map((key, index) => [key, index]));
  const found = new Map<string, Target>();
  const find = (key: string): Target => {
    const row = rows.get(key);
    const isShown = page !== undefined && row !== undefined && row < mostRows * mostPages;
    const item = hasItems(target) && row !== undefined ? requestPath(source.api, target, { key: key.split("/") }) : "";
    const href = isShown ? `${pageOfTable(page, Math.floor(row / mostRows) + 1)}#${rowAnchor(key)}` : item;
    return { href, name: row === undefined ? undefined : nameIn(items, row) };
  };
  return (key) => {
    const target = found.get(key) ?? find(key);
    found.set(key, target);
    return target;
  };
}

const nameIn = (items: Items | undefined, row: number): string | undefined => items && nameOf(itemAt(items, row));
