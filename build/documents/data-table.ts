// The table of a data page: a row for each item, with links to single items and to the items that it refers to.
import { listNamed } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";

import { type Scalar, type TableColumn, tableColumns } from "./data-columns.ts";
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

/** `items` are the first ones of the list. */
export function dataTable(source: DocumentSource, operation: ListOperation, items: readonly Item[]): Html {
  const { resource } = operation;
  const keys = keyFields(resource);
  const columns = tableColumns(operation, operation.listed(source.settings.vocabulary), items);
  const longest = Math.floor(mostInLine / columns.length);
  const cells = columns.map((column) => cellOf(source, operation, column, items, longest));
  const { reference } = documentPaths(source.api.base);
  const title = titleOfResource(operation);
  const heads = cells.map(({ path, attributes }) => {
    const field = html`<a href="${reference}#${fieldAnchor(title, path)}">${path}</a>`;
    return html`<th scope="col"${attributes}>${inLine(field, path.length, longest)}</th>\n`;
  });
  const rows = items.map((item) => {
    const key = keys.map((field) => String(item[field]));
    const row = rowAnchor(key.join("/"));
    const href = hasItems(operation) ? requestPath(source.api, operation, { key }) : `#${row}`;
    const values = cells.map(({ path, attributes, print }) => {
      if (path !== resource.key) return html`<td data-label="${path}"${attributes}>${print(item)}</td>\n`;
      const name = String(item[path]);
      return html`<th scope="row">${inLine(html`<a href="${href}">${name}</a>`, name.length, longest)}</th>\n`;
    });
    return html`<tr id="${row}">\n${values}</tr>\n`;
  });
  return html`<table class="items" aria-label="${resource.nouns}">
<thead><tr>
${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

const rowAnchor = (key: string): string => `row-${key}`;

/** The characters of a row on the narrowest screen that shows a table. */
const mostInLine = 88;

/** A longer text may break anywhere, and the stylesheet cuts it after some lines. */
const inLine = (content: unknown, length: number, longest: number): unknown =>
  length > longest ? html`<span class="long">${content}</span>` : content;

interface Cell {
  readonly path: string;
  readonly attributes: Html | false;
  readonly print: (item: Item) => unknown;
}

function cellOf(
  source: DocumentSource,
  operation: ListOperation,
  column: TableColumn,
  items: readonly Item[],
  longest: number,
): Cell {
  const { path, valuesOf } = column;
  const linkOf = linksOf(source, operation, column);
  const isNumber = items.every((item) => valuesOf(item).every((value) => typeof value === "number"));
  const print = (value: Scalar): unknown => {
    const href = linkOf?.(String(value));
    return href === undefined ? textOf(value) : html`<a href="${href}">${value}</a>`;
  };
  return {
    path,
    attributes: isNumber && path !== operation.resource.key && html` class="number"`,
    print(item) {
      const values = valuesOf(item);
      const [first, second] = values;
      if (first === undefined) return none;
      if (second === undefined) return inLine(print(first), isTime(first) ? 0 : String(first).length, longest);
      const length = values.reduce<number>((sum, value) => sum + String(value).length + 2, 0);
      return inLine(separated(values.map(print)), length, longest);
    },
  };
}

const none = html`<span class="type">–</span>`;

const isTime = (value: Scalar): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);

function textOf(value: Scalar): unknown {
  if (typeof value !== "string") return String(value);
  if (isTime(value)) {
    return html`<time datetime="${value}">${value.slice(0, dateLength)}<wbr>${value.slice(dateLength)}</time>`;
  }
  return isLatin.test(value) ? value : html`<bdi>${value}</bdi>`;
}

const dateLength = 10;

const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u;

/**
 * The address for a key of another item in a column: the item's row on a data page, the single item, the items of this
 * list that refer to it, or the list that has it. Undefined if the column holds no keys.
 */
function linksOf(
  source: DocumentSource,
  operation: ListOperation,
  { path, filter }: TableColumn,
): ((key: string) => string | undefined) | undefined {
  const { references, innerReferences } = operation.resource;
  const named = [...references, ...innerReferences].flatMap(({ field, to }) =>
    field === path || field === `${path}[]` ? [to] : [],
  );
  const targets = [...new Set([...named, ...(filter?.accepts.kind === "keys" ? [filter.accepts.of] : [])])]
    .filter((name) => isServed(source, name))
    .map((name) => listNamed(source.api, name));
  const pages = targets.flatMap((target) => {
    const page = dataPagePath(source, target);
    const names = source.catalog.items.get(target.name)?.names.slice(0, mostRows);
    return page === undefined ? [] : [{ page, rows: new Set(names) }];
  });
  // A key that may be of several collections does not identify one.
  const [target, another] = targets;
  const only = another === undefined ? target : undefined;
  if (target === undefined) return undefined;
  return (key) => {
    const page = pages.find(({ rows }) => rows.has(key))?.page;
    if (page !== undefined) return `${page}#${rowAnchor(key)}`;
    if (only !== undefined && hasItems(only)) return requestPath(source.api, only, { key: key.split("/") });
    if (filter !== undefined) return requestPath(source.api, operation, { query: `${filter.param}=${key}` });
    return only && requestPath(source.api, only);
  };
}
