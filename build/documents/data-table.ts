// The table of a data page: a row for each item, with links to single items and to the items that it refers to.
import { listNamed } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";
import { integer } from "../words.ts";
import { type TableColumn, tableColumns } from "./data-columns.ts";
import { type Html, html, separated } from "./html.ts";
import { titleOfResource } from "./reference-resource.ts";
import {
  type DocumentSource,
  dataPagePath,
  documentPaths,
  fieldAnchor,
  hasItems,
  isServed,
  requestPath,
} from "./source.ts";

/** The most items on a page. */
export const mostRows = 100;

/** A longer text may break anywhere, and the stylesheet cuts it after some lines. */
const mostInLine = 12;

/** `items` are the first ones of the list. Narrow screens scroll the table sideways. */
export function dataTable(source: DocumentSource, operation: ListOperation, items: readonly Item[]): Html {
  const { resource } = operation;
  const columns = tableColumns(operation, operation.listed(source.settings.vocabulary), items);
  const { reference } = documentPaths(source.api.base);
  const title = titleOfResource(operation);
  const cells = columns.map((column) => {
    const { path, read } = column;
    const isNumber = path !== resource.key && items.every((item) => isNumeric(read(item)));
    // In a column without large numbers, 2024 may be a year.
    const isLarge = isNumber && items.some((item) => Number(read(item)) >= 10_000);
    const linkOf = linksOf(source, operation, column);
    const name = inLine(html`<a href="${reference}#${fieldAnchor(title, path)}">${path}</a>`, path.length);
    return { path, read, linkOf, isLarge, name, className: isNumber && html` class="number"` };
  });
  const rows = items.map((item) => {
    const key = keyFields(resource).map((field) => String(item[field]));
    const row = rowAnchor(key.join("/"));
    const href = hasItems(operation) ? requestPath(source.api, operation, { key }) : `#${row}`;
    const values = cells.map(({ path, read, linkOf, isLarge, className }) => {
      const value = read(item);
      const shown = isLarge && Number.isInteger(value) ? integer(Number(value)) : value;
      if (path !== resource.key) return html`<td${className}>${cellText(shown, linkOf)}</td>\n`;
      const name = String(value);
      return html`<th scope="row">${inLine(html`<a href="${href}">${name}</a>`, name.length)}</th>\n`;
    });
    return html`<tr id="${row}">\n${values}</tr>\n`;
  });
  return html`<div class="scroll" role="region" aria-label="${resource.nouns}" tabindex="0">
<table class="items">
<thead><tr>
${cells.map(({ name, className }) => html`<th scope="col"${className}>${name}</th>\n`)}</tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>`;
}

const rowAnchor = (key: string): string => `row-${key}`;

const isNumeric = (value: unknown): boolean => typeof value === "number" || value === null || value === undefined;

const inLine = (content: unknown, length: number): unknown =>
  length > mostInLine ? html`<span class="long">${content}</span>` : content;

type LinkOf = ((key: string) => string | undefined) | undefined;

/** Tells apart what is missing, null, and empty. */
function cellText(value: unknown, linkOf: LinkOf): unknown {
  if (value === undefined) return "";
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) {
    return html`<span class="type">${JSON.stringify(value)}</span>`;
  }
  if (typeof value === "string" && time.test(value)) {
    return html`<time datetime="${value}">${value.slice(0, dateLength)}<wbr>${value.slice(dateLength)}</time>`;
  }
  const values = [value].flat().map((each) => {
    const href = linkOf?.(String(each));
    if (href !== undefined) return html`<a href="${href}">${each}</a>`;
    return isLatin.test(String(each)) ? String(each) : html`<bdi>${each}</bdi>`;
  });
  return inLine(separated(values), [value].flat().join(", ").length);
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const dateLength = 10;

const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

/**
 * The address for a key of another item in a column: the item's row on a data page, the single item, the items of this
 * list that refer to it, or the list that has it. Undefined if the column has no keys, or those of several collections.
 */
function linksOf(source: DocumentSource, operation: ListOperation, { path, filter }: TableColumn): LinkOf {
  const named = operation.resource.references.filter(({ field }) => field === path || field === `${path}[]`);
  const targets = new Set([
    ...named.map(({ to }) => to),
    ...(filter?.accepts.kind === "keys" ? [filter.accepts.of] : []),
  ]);
  const [name, another] = targets;
  if (name === undefined || another !== undefined || !isServed(source, name)) return undefined;
  const target = listNamed(source.api, name);
  const page = dataPagePath(source, target);
  const rows = new Set(source.catalog.items.get(name)?.names.slice(0, mostRows));
  return (key) => {
    if (page !== undefined && rows.has(key)) return `${page}#${rowAnchor(key)}`;
    if (hasItems(target)) return requestPath(source.api, target, { key: key.split("/") });
    if (filter !== undefined) return requestPath(source.api, operation, { query: `${filter.param}=${key}` });
    return requestPath(source.api, target);
  };
}
