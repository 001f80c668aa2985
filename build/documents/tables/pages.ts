// Tables: each list in pages of a hundred rows, and the items of a value of a filter, for people who would rather look
// than read. A page depends on its items, on the first ones, which decide the columns, and on the values of filters.
import type { ListOperation } from "../../../src/operation.ts";
import { listingName } from "../../../src/paging.ts";
import type { Item } from "../../../src/resource.ts";
import type { Document } from "../../document.ts";
import type { Listing } from "../../pages/listing.ts";
import { cursorAfter } from "../../sha256.ts";
import { counted, integer } from "../../text/words.ts";
import { noticeOf } from "../endpoints.ts";
import { codeBlock, type Html, heading, html, linkHtml, noticeHtml, pageDocument, prose, separated } from "../html.ts";
import { originOf } from "../samples.ts";
import {
  anchors,
  type DocumentSource,
  dataPagePath,
  documentPaths,
  dumpPath,
  listingOf,
  orderList,
  requestPath,
  upperFirst,
} from "../source.ts";
import type { TargetOf } from "./cells.ts";
import { type TableColumns, tableColumns } from "./columns.ts";
import { facets, pageOfValue, type TableFilter, type TableValue, tableFilters } from "./filters.ts";
import { dataTable, mostPages, mostRows, pageOfTable, tableData, targetsOf } from "./table.ts";

/** A list that has tables. */
interface Tables {
  readonly source: DocumentSource;
  readonly operation: ListOperation;
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
  readonly columns: TableColumns;
  readonly filters: readonly TableFilter[];
  readonly targetOf: TargetOf;
  /** The attribute of the script. */
  readonly data: string;
}

export function dataPages(source: DocumentSource): readonly Document[] {
  const lists = source.api.lists.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    const listing = listingOf(source, operation.name);
    return path === undefined || listing === undefined ? [] : [tablesOf(source, operation, path, listing)];
  });
  return lists.flatMap((tables) => {
    const links = lists.map(({ path, title }) => {
      const isCurrent = path === tables.path && html` aria-current="page"`;
      return html`<li><a href="${path}"${isCurrent}>${title}</a></li>\n`;
    });
    const navigation =
      links.length > 1 ? html`<nav class="lists" aria-label="Lists"><ul>\n${links}</ul></nav>\n` : html``;
    const withPages = tables.filters.filter(({ hasPages }) => hasPages);
    return [
      ...pagesOf(tables, navigation),
      ...withPages.flatMap((each) => each.values.map((value) => filteredPage(tables, navigation, each, value))),
    ];
  });
}

function tablesOf(source: DocumentSource, operation: ListOperation, path: string, listing: Listing): Tables {
  // `Media types` for `media-types`.
  const title = upperFirst(operation.name.replaceAll(/[-_]/g, " "));
  const schema = operation.listed(source.settings.vocabulary);
  const columns = tableColumns(source, operation, schema, itemsIn(listing, 0, mostRows));
  return {
    ...{ source, operation, path, title, listing, columns },
    filters: tableFilters(source, operation),
    targetOf: targetsOf(source, operation),
    data: JSON.stringify(tableData(source, operation, title, columns.shown)),
  };
}

const itemsIn = ({ items }: Listing, start: number, end: number): readonly Item[] =>
  JSON.parse(`[${Buffer.from(items.slice(start, Math.min(end, items.count)))}]`);

/** The page with the filters, and the further ones. */
function pagesOf(tables: Tables, navigation: Html): readonly Document[] {
  const { operation, path, title, listing } = tables;
  const { count } = listing.items;
  const { nouns } = operation;
  const pages = Math.max(1, Math.ceil(count / mostRows));
  const shown = Math.min(pages, mostPages);
  return Array.from({ length: shown }, (_, index) => {
    const start = index * mostRows;
    const end = Math.min(start + mostRows, count);
    const isLast = index + 1 === shown;
    const name = index === 0 ? title : `${title}, page ${index + 1}`;
    return document(tables, navigation, pageOfTable(path, index + 1), name, () => {
      // Only the first page has the number of all items, which any other item changes.
      const [from, to] = [integer(start + 1), integer(end)];
      const first = pages === 1 ? "Items" : `The first ${to} of ${integer(count)}`;
      const range = index === 0 ? first : `${upperFirst(nouns)} ${from} to ${to}`;
      const before =
        index === 0 ? beginning(tables) : html`<p><a href="${path}">All ${nouns}, and their filters</a></p>`;
      const others =
        pages > 1 &&
        html`<nav class="pages" aria-label="Pages">
${index > 0 && html`<a rel="prev" href="${pageOfTable(path, index)}">Previous</a>\n`}<span>Page ${index + 1}</span>
${!isLast && html`<a rel="next" href="${pageOfTable(path, index + 2)}">Next</a>\n`}${isLast && shown < pages && html`${following(tables, listing, end)}\n`}</nav>`;
      return html`<h1>${name}</h1>
${before}
${section(tables, range, listing, start, end, "", others)}`;
    });
  });
}

/** The purpose of a list, the number of its items, links to the JSON, and the filters. */
function beginning({ source, operation, path, listing, filters }: Tables): Html {
  const { api, related } = source;
  const dump = related.find((each) => each.path === dumpPath(api, operation));
  const links = [
    linkHtml(requestPath(api, operation), "JSON"),
    ...(dump === undefined ? [] : [linkHtml(dump.path, "all as NDJSON")]),
    linkHtml(`${documentPaths(api.base).reference}#${anchors.operation(operation)}`, "parameters and fields"),
  ];
  const notice = noticeHtml(noticeOf(source, operation), "p", (code) => (code.startsWith("/") ? code : undefined));
  return html`<p class="lead">${operation.purpose}</p>
${notice}<p>${counted(listing.items.count, operation)}, sorted by ${prose(orderList(operation))}:
${separated(links)}</p>
${filters.length > 0 && facets(source, operation, path, filters)}`;
}

function filteredPage(
  tables: Tables,
  navigation: Html,
  { filter }: TableFilter,
  { value, name, listing }: TableValue,
): Document {
  const { operation, path, title } = tables;
  const { count } = listing.items;
  const shown = name === undefined ? value : `${name} (${value})`;
  const heading = `${title} by ${filter.param}: ${shown}`;
  return document(tables, navigation, pageOfValue(path, filter, value), heading, () => {
    const end = Math.min(count, mostRows);
    const range = count > end ? `The first ${end} of ${integer(count)}` : counted(count, operation);
    const others = count > end && html`<p>${following(tables, listing, end)}</p>`;
    return html`<h1>${heading}</h1>
<p><a href="${path}">All ${operation.nouns}</a></p>
${section(tables, range, listing, 0, end, `${filter.param}=${value}`, others)}`;
  });
}

function document(tables: Tables, navigation: Html, path: string, title: string, content: () => Html): Document {
  const { source, operation } = tables;
  const links = html`<script type="module" src="${documentPaths(source.api.base).tableScript}" blocking="render"></script>\n`;
  const page = { path, title, scope: "data", navigation, links };
  return pageDocument(source, page, () => ({ description: operation.purpose, content: content() }));
}

/** A link to the items behind some, or to the list, if it has no pages. */
function following({ source, operation }: Tables, { chosen, items }: Listing, end: number): Html {
  const query = chosen.map(({ param, value }) => `${param}=${value}`);
  if (operation.paged)
    query.push(`cursor=${cursorAfter(listingName(operation.name, chosen), items.orderKey(end - 1))}`);
  const path = requestPath(source.api, operation, { query: query.join("&") });
  return linkHtml(path, `The following ${operation.nouns}, as JSON`);
}

/** `query` is the one of the request that returns the same. */
function section(
  { source, operation, columns, targetOf, data }: Tables,
  title: string,
  listing: Listing,
  start: number,
  end: number,
  query: string,
  others: Html | false,
): Html {
  const { shown, fields } = columns;
  const some = shown.length < fields && `${shown.length} of ${fields} fields`;
  const request = requestPath(source.api, operation, { query });
  const table = () => dataTable(source, operation, shown, itemsIn(listing, start, end), targetOf);
  return html`<section id="table" data-table="${data}">
${heading(2, "items", title)}
${end === 0 ? html`<p>This list is empty.</p>` : html`<p class="type">${some}</p>\n${table()}`}
${others}
<div class="same">
<p class="caption">The same as JSON</p>
${codeBlock("Request", html`<code>curl "${originOf(source)}${linkHtml(request, request)}"</code>`)}
</div>
</section>`;
}
