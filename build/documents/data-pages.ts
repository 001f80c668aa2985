// Data pages: the first items of each list as a table, for people who would rather look than read. A page depends on the
// items that it shows, on the number of all items, and on the values of filters.
import type { ListOperation } from "../../src/operation.ts";
import { listingName } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { cursorAfter } from "../cursor.ts";
import type { Document } from "../document.ts";
import type { Listing } from "../pages/listing.ts";
import { integer } from "../words.ts";
import { dataTable, mostRows } from "./data-table.ts";
import { pageDocument } from "./declared-pages.ts";
import { valueList } from "./filter-values.ts";
import { type Html, heading, html, prose, separated } from "./html.ts";
import {
  type DocumentSource,
  dataPagePath,
  documentPaths,
  listingOf,
  operationAnchor,
  orderList,
  requestPath,
  upperFirst,
} from "./source.ts";

/** The most values of a filter that are listed. */
const mostValues = 30;

export function dataPages(source: DocumentSource): readonly Document[] {
  const pages = source.api.lists.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    const listing = listingOf(source, operation.name);
    // `Media types` for `media-types`.
    const title = upperFirst(operation.name.replaceAll(/[-_]/g, " "));
    return path === undefined || listing === undefined ? [] : [{ operation, path, listing, title }];
  });
  return pages.map(({ operation, path, listing, title }) => {
    const links = pages.map((each) => {
      const isCurrent = each.path === path && html` aria-current="page"`;
      return html`<li><a href="${each.path}"${isCurrent}>${each.title}</a></li>\n`;
    });
    const navigation =
      links.length > 1 ? html`<nav class="lists" aria-label="Lists"><ul>\n${links}</ul></nav>\n` : html``;
    const content = html`<h1>${title}</h1>
<p class="lead">${operation.purpose}</p>
${about(source, operation, listing)}
${filters(source, operation)}
${items(source, operation, listing)}`;
    const page = { path, title, scope: "data", navigation };
    return pageDocument(source, page, { description: operation.purpose, content });
  });
}

/** The number of items, and links to the JSON. */
function about(source: DocumentSource, operation: ListOperation, { items: { count } }: Listing): Html {
  const { noun, nouns } = operation.resource;
  const dump = source.related.find(({ path }) => path === `${source.api.base}/dumps/${operation.name}.ndjson`);
  const links = [
    [requestPath(source.api, operation), "JSON"],
    ...(dump === undefined ? [] : [[dump.path, "all as NDJSON"] as const]),
    [`${documentPaths(source.api.base).reference}#${operationAnchor(operation)}`, "parameters and fields"],
  ] as const;
  return html`<p>${integer(count)} ${count === 1 ? noun : nouns}, sorted by ${prose(orderList(operation))}:
${separated(links.map(([path, text]) => html`<a href="${path}">${text}</a>`))}</p>`;
}

function filters(source: DocumentSource, operation: ListOperation): Html {
  const entries = operation.filters.flatMap((filter) => {
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

function items(source: DocumentSource, operation: ListOperation, { items: all }: Listing): Html {
  const shown = Math.min(all.count, mostRows);
  const rows: readonly Item[] = JSON.parse(`[${Buffer.from(all.slice(0, shown))}]`);
  const title = all.count > shown ? `The first ${shown} of ${integer(all.count)}` : "Items";
  const cursor = cursorAfter(listingName(operation.name), all.orderKey(shown - 1));
  const next = requestPath(source.api, operation, { query: `cursor=${cursor}` });
  return html`<section>
${heading(2, "items", title)}
${rows.length === 0 ? html`<p>This list is empty.</p>` : dataTable(source, operation, rows)}
${operation.paged && all.count > shown && html`<p><a href="${next}">The following items, as JSON</a></p>`}
</section>`;
}
