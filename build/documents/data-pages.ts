// Data pages: the first items of each list as a table, for people who would rather look than read. A page depends on the
// items that it shows, on the number of all items, and on the values of filters.
import { filtersOf, type ListOperation } from "../../src/operation.ts";
import { listingName } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { cursorAfter } from "../cursor.ts";
import type { Document } from "../document.ts";
import type { Listing } from "../pages/listing.ts";
import { dataTable, mostRows } from "./data-table.ts";
import { pageDocument } from "./declared-pages.ts";
import { valueList } from "./filter-values.ts";
import { type Html, heading, html, prose, separated } from "./html.ts";
import {
  type DocumentSource,
  dataPagePath,
  documentPaths,
  listingOf,
  numberText,
  operationAnchor,
  orderList,
  requestPath,
  upperFirst,
} from "./source.ts";

/** The class of the body. */
export const dataScope = "data";

/** The most values of a filter that are listed. */
const mostValues = 30;

export const dataPages = (source: DocumentSource): readonly Document[] =>
  source.api.lists.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    const listing = listingOf(source, operation.name);
    if (path === undefined || listing === undefined) return [];
    const title = nameOf(operation);
    const page = { path, title, scope: dataScope, navigation: otherPages(source, path) };
    const content = html`<h1>${title}</h1>
<p class="lead">${operation.purpose}</p>
${about(source, operation, listing)}
${filters(source, operation)}
${items(source, operation, listing)}`;
    return [pageDocument(source, page, { description: operation.purpose, content })];
  });

/** `Media types` for `media-types`. */
const nameOf = ({ name }: ListOperation): string => upperFirst(name.replaceAll(/[-_]/g, " "));

/** Links to the pages of all lists, if there are several. */
function otherPages(source: DocumentSource, current: string): Html {
  const links = source.api.lists.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    if (path === undefined) return [];
    return [
      html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${nameOf(operation)}</a></li>\n`,
    ];
  });
  if (links.length < 2) return html``;
  return html`<nav class="lists" aria-label="Lists"><ul>
${links}</ul></nav>
`;
}

/** The number of items, and links to the JSON. */
function about(source: DocumentSource, operation: ListOperation, listing: Listing): Html {
  const { count } = listing.items;
  const { noun, nouns } = operation.resource;
  const dump = source.related.find(({ path }) => path === `${source.api.base}/dumps/${operation.name}.ndjson`);
  const links = [
    [requestPath(source.api, operation), "JSON"],
    ...(dump === undefined ? [] : [[dump.path, "all as NDJSON"] as const]),
    [`${documentPaths(source.api.base).reference}#${operationAnchor(operation)}`, "parameters and fields"],
  ] as const;
  return html`<p>${numberText(count)} ${count === 1 ? noun : nouns}, sorted by ${prose(orderList(operation))}:
${separated(links.map(([path, text]) => html`<a href="${path}">${text}</a>`))}</p>`;
}

function filters(source: DocumentSource, operation: ListOperation): Html {
  const entries = filtersOf(operation).flatMap((filter) => {
    const values = valueList(source, operation, filter, mostValues);
    return String(values) === "" ? [] : [html`<div><dt><code>${filter.param}</code></dt><dd>${values}</dd></div>\n`];
  });
  if (entries.length === 0) return html``;
  return html`<section>
${heading(2, "filters", "Filters")}
<p>Each value leads to the JSON of the ${operation.resource.nouns} that have it.</p>
<dl class="filters">
${entries}</dl>
</section>`;
}

function items(source: DocumentSource, operation: ListOperation, listing: Listing): Html {
  const { count } = listing.items;
  const shown = Math.min(count, mostRows);
  const all: readonly Item[] = JSON.parse(`[${Buffer.from(listing.items.slice(0, shown))}]`);
  const title = count > shown ? `The first ${shown} of ${numberText(count)}` : "Items";
  const next = cursorAfter(listingName(operation.name, []), listing.items.orderKey(shown - 1));
  return html`<section>
${heading(2, "items", title)}
${all.length === 0 ? html`<p>This list is empty.</p>` : dataTable(source, operation, all)}
${operation.paged && count > shown && html`<p><a href="${requestPath(source.api, operation, { query: `cursor=${next}` })}">The following items, as JSON</a></p>`}
</section>`;
}
