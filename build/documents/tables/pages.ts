// Tables for browsing: each list in pages of at most a hundred rows, and the items of each value of a filter. A page depends
// on its items, and on the first items, which decide the columns. Only the first page has counts, values that occur, the time
// of the last change and the number of pages, so that a change of one item changes few files.
import { filtersPath } from "../../../src/model/api.ts";
import type { Item } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import type { Document } from "../../files/document.ts";
import type { Listing } from "../../pages/listing.ts";
import { counted, integer } from "../../text/words.ts";
import { documentPaths, pageBelow, requestPath } from "../addresses.ts";
import { header } from "../header.ts";
import {
  addressCode,
  codeBlock,
  type Html,
  heading,
  html,
  languageOf,
  linkHtml,
  noticeHtml,
  pageDocument,
  prose,
  separated,
  timeHtml,
} from "../html.ts";
import { placesOn } from "../reference/places.ts";
import { originOf } from "../samples.ts";
import { noticeOf, orderWords, titleOfTable, upperFirst } from "../sentences.ts";
import type { Site } from "../site.ts";
import { listingOf } from "../site-data.ts";
import { maxRows, pageOfTable, type RowRange, rangesOf } from "../targets.ts";
import { type ListedValue, listedFilters } from "../values.ts";
import type { TargetOf } from "./cells.ts";
import { type TableColumns, tableColumns } from "./columns.ts";
import { type Facet, facetHtml, isListed, menuHtml } from "./data.ts";
import { dataTable, isOrdered, tableData } from "./table.ts";

/** The limit of values of a filter that have pages. The script shows the items of any other. */
const maxValues = 200;

/** More lists than these are in a menu. */
const maxLists = 8;

/** A list that has tables. */
interface Tables {
  readonly site: Site;
  readonly operation: ListOperation;
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
  readonly columns: TableColumns;
  readonly facets: readonly TableFacet[];
  readonly tableOf: (items: readonly Item[]) => Html;
  /** Whether the script finds, filters and sorts all items. Otherwise it requests pages of the list. */
  readonly isLoaded: boolean;
  /** The `TableData` of the script. */
  readonly data: Html;
}

interface TableFacet extends Facet {
  readonly values: readonly ListedValue[];
  /** The values that have a page. */
  readonly pages: readonly ListedValue[];
  /** Whether the declaration lists the values. */
  readonly isDeclared: boolean;
}

/** A page of a listing. */
interface TablePage {
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
  readonly rows: RowRange;
  /** From 0. */
  readonly index: number;
  /** The number of pages of the listing. */
  readonly shown: number;
}

export function dataPages(site: Site): readonly Document[] {
  const lists = site.api.lists.flatMap((operation) => {
    const path = site.tables.get(operation.name);
    const listing = listingOf(site, operation.name);
    return path === undefined || listing === undefined ? [] : [tablesOf(site, operation, path, listing)];
  });
  return lists.flatMap((tables) => {
    const navigation = listLinks(lists, tables);
    return [...pagesOf(tables), ...pagesOfValues(tables)].map((page) => document(tables, navigation, page));
  });
}

/** Links to the tables of all lists. */
function listLinks(lists: readonly Tables[], shown: Tables): Html {
  const links = lists.map(({ path, title }) => {
    const isCurrent = path === shown.path && html` aria-current="page"`;
    return html`<li><a href="${path}"${isCurrent}>${title}</a></li>\n`;
  });
  if (links.length < 2) return html``;
  const list = html`<ul>\n${links}</ul>`;
  const isLong = links.length > maxLists;
  return html`<nav class="lists" aria-label="Lists">${isLong ? menuHtml("", html`Lists <span class="type">${links.length}</span>`, list) : list}</nav>\n`;
}

function tablesOf(site: Site, operation: ListOperation, path: string, listing: Listing): Tables {
  const title = titleOfTable(operation.name);
  const schema = operation.listed(site.settings.vocabulary);
  const first = { start: 0, end: Math.min(listing.items.count, maxRows) };
  const columns = tableColumns(site, operation, schema, itemsIn(listing, first));
  const data = tableData(site, operation, title, columns);
  const targetOf: TargetOf = ({ to = "" }, key) => site.findTarget(to, key);
  return {
    site,
    operation,
    path,
    title,
    listing,
    columns,
    facets: listing.items.count === 0 ? [] : facetsOf(site, operation),
    tableOf: dataTable(site, operation, columns.shown, targetOf),
    isLoaded: data.dump !== undefined,
    data: html`${JSON.stringify(data)}`,
  };
}

/** The filters with their values that have items. */
const facetsOf = (site: Site, operation: ListOperation): readonly TableFacet[] =>
  listedFilters(site, operation).map(({ filter, values: all }) => {
    const { param, deprecated } = filter;
    const isDeclared = filter.accepts.kind === "listed";
    const values = all.filter(({ count }) => count > 0);
    // Every value that the declaration lists has a page, so that a page of it does not depend on the items.
    const withPages = isDeclared ? all : values;
    return {
      param,
      isDeprecated: deprecated !== undefined,
      isOrdered: isOrdered(filter),
      isDeclared,
      values,
      pages: isDeclared || isListed({ values }) ? withPages.slice(0, maxValues) : [],
    };
  });

const itemsIn = (listing: Listing, { start, end }: RowRange): readonly Item[] =>
  JSON.parse(`[${Buffer.from(listing.items.slice(start, end))}]`);

const pagesOf = ({ path, title, listing }: Tables): readonly TablePage[] =>
  pagesWith(path, title, listing, rangesOf(listing));

/** The first page of each value. */
const pagesOfValues = (tables: Tables): readonly TablePage[] =>
  tables.facets.flatMap(({ param, pages }) =>
    pages.flatMap(({ value, name, listing }) => {
      if (listing === undefined) return [];
      const title = `${tables.title} by ${param}: ${name === undefined ? value : `${name} (${value})`}`;
      return pagesWith(pageOfValue(tables, param, value), title, listing, rangesOf(listing).slice(0, 1));
    }),
  );

const pagesWith = (path: string, title: string, listing: Listing, ranges: readonly RowRange[]): readonly TablePage[] =>
  ranges.map((rows, index) => ({
    path: pageOfTable(path, index + 1),
    title: index === 0 ? title : `${title}, page ${index + 1}`,
    listing,
    rows,
    index,
    shown: ranges.length,
  }));

const pageOfValue = ({ path }: Tables, param: string, value: string): string => pageBelow(path, param, value);

/** The purpose of a list, and its deprecation. */
function beginning({ site, operation }: Tables): Html {
  const notice = noticeHtml(noticeOf(site.api, operation), "p", (code) => (code.startsWith("/") ? code : undefined));
  return html`<p class="lead"${languageOf(site.settings.language)}>${operation.purpose}</p>
${notice}`;
}

/** The order and the number of columns, and on the first page the time of the last change. */
function facts({ site, operation, columns: { shown, fields } }: Tables, isFirst: boolean): Html {
  const change = site.changes?.data.find(({ collections }) => Object.hasOwn(collections, operation.name));
  const parts = [
    html`<span data-order>Sorted by ${prose(orderWords(operation.order))}</span>`,
    ...(shown.length < fields ? [`${shown.length} of ${fields} fields`] : []),
    ...(isFirst && change !== undefined ? [html`last change ${timeHtml(change.at)}`] : []),
  ];
  return html`<p class="type">${separated(parts, " · ")}</p>\n`;
}

/** The place of the script's tools, and a menu for each filter and for the orders. */
function bar(tables: Tables, isFirst: boolean): Html {
  const { site, operation, facets, path } = tables;
  const request = requestPath(site.api, operation);
  const action = site.api.addresses === "queries" ? request : undefined;
  const menus = facets.flatMap((facet) => {
    const { param, pages, values, isDeclared } = facet;
    const hrefOf = (value: string) => pageOfValue(tables, param, value);
    if (isFirst && values.length === 0) return [];
    if (isFirst) {
      const shown = pages.filter(({ count }) => count > 0);
      const rest = values.length - shown.length;
      const all = filtersPath(site.api.base, operation.name);
      const more = rest > 0 && html`<p><a href="${all}">${integer(values.length)} values</a></p>`;
      return facetHtml({ ...facet, values: shown }, { hrefOf, action, more: more || undefined });
    }
    if (isDeclared) return facetHtml({ ...facet, values: pages.map(({ value }) => ({ value })) }, { hrefOf, action });
    const more = html`<p><a href="${path}">Values, on the first page</a></p>`;
    return facetHtml({ ...facet, values: [] }, { hrefOf, action: undefined, more });
  });
  return html`<div class="bar">
<div class="tools"></div>
<div class="facets">
${menus}${orderMenu(tables)}</div>
</div>
`;
}

/** The further orders, as JSON. The script shows them as tables. */
function orderMenu({ site, operation }: Tables): Html | undefined {
  if (operation.orders.length === 0) return undefined;
  const links = operation.orders.map(({ name }) => {
    const request = requestPath(site.api, operation, { query: `${sortParam}=${name}` });
    return html`<li><a href="${request}" data-sort="${name}">${name}</a></li>\n`;
  });
  return menuHtml(sortParam, "order", html`<ul class="values">\n${links}</ul>`);
}

/** Links to the pages beside one. The last page leads to the JSON, which the script shows as further pages. */
function pageLinks(tables: Tables, page: TablePage): Html | undefined {
  const { path } = tables;
  const { listing, rows, index, shown } = page;
  const { count } = listing.items;
  if (count <= maxRows) return undefined;
  const hasAll = listing === tables.listing;
  const isLast = index + 1 >= shown;
  const previous = index > 0 && html`<a rel="prev" href="${pageOfTable(path, index)}">Previous</a>\n`;
  const next = !isLast && html`<a rel="next" href="${pageOfTable(path, index + 2)}">Next</a>\n`;
  const further = isLast && rows.end < count && html`${following(tables, listing, rows.end)}\n`;
  const number = hasAll && index === 0 && ` of ${integer(numberOfPages(listing))}`;
  return html`<nav class="pages" aria-label="Pages">
${previous}<span>Page ${integer(index + 1)}${number}</span>
${next}${hasAll && index === 0 && lastLink(tables, listing)}${further}</nav>`;
}

const numberOfPages = ({ cuts, items }: Listing): number =>
  cuts?.starts.get(maxRows)?.length ?? Math.ceil(items.count / maxRows);

/** The last page of a list, which is JSON if the list has more pages than tables. */
function lastLink(tables: Tables, listing: Listing): Html | undefined {
  const { site, operation, path } = tables;
  const pages = numberOfPages(listing);
  const ranges = rangesOf(listing);
  if (pages <= ranges.length) return html`<a href="${pageOfTable(path, pages)}">Last</a>\n`;
  const start = listing.cuts?.starts.get(maxRows)?.at(-1);
  if (start === undefined) return undefined;
  const cursor = cursorAt(listing, start);
  const request = requestPath(site.api, operation, { query: `cursor=${cursor}` });
  return html`<a href="${request}" data-cursor="${cursor}">Last</a>\n`;
}

/** The cursor of the page that starts at a position. */
const cursorAt = (listing: Listing, start: number): string => listing.cursorAfter(listing.items.orderKey(start - 1));

/** A link to the items behind a place, or to the list, if it has no pages. */
function following({ site, operation }: Tables, listing: Listing, end: number): Html {
  const cursor = operation.paged ? cursorAt(listing, end) : "";
  const query = [queryOf(listing), cursor && `cursor=${cursor}`].filter(Boolean).join("&");
  const mark = cursor !== "" && html` data-cursor="${cursor}"`;
  return html`<a href="${requestPath(site.api, operation, { query })}"${mark}>The following ${operation.nouns}, as JSON</a>`;
}

const queryOf = ({ chosen }: Listing): string => chosen.map(({ param, value }) => `${param}=${value}`).join("&");

function document(tables: Tables, navigation: Html, page: TablePage): Document {
  const { site, operation } = tables;
  const { path, title } = page;
  const isFirst = path === tables.path;
  const links = html`<script type="module" src="${documentPaths(site.api.base).tableScript}"></script>\n`;
  return pageDocument(site, { path, title, scope: "data", top: header(site, "tables", navigation), links }, () => ({
    description: operation.purpose,
    content: html`<h1>${title}</h1>
${isFirst ? beginning(tables) : html`<p><a href="${tables.path}">All ${operation.nouns}</a></p>\n`}${section(tables, page)}`,
  }));
}

/** The rows, and the ways to get the same as data. Only the first page has the number of all items. */
function section(tables: Tables, page: TablePage): Html {
  const { operation, tableOf, data, isLoaded } = tables;
  const { listing, rows, index } = page;
  const { count } = listing.items;
  const isFirst = page.path === tables.path;
  const isEmpty = tables.listing.items.count === 0;
  // The script of a list that is not loaded requests the rows of the page.
  const cursor = !isLoaded && operation.paged && index > 0 && html` data-cursor="${cursorAt(listing, rows.start)}"`;
  const nothing = isEmpty
    ? html`<p>This list is empty.</p>`
    : html`<p>No ${operation.nouns} have this value. <a href="${tables.path}">All ${operation.nouns}</a></p>`;
  return html`<section id="table" data-table="${data}"${cursor}>
<div class="about">
${heading(2, "items", rowsText(operation, page))}
${facts(tables, isFirst)}</div>
${!isEmpty && bar(tables, isFirst)}${count === 0 ? nothing : tableOf(itemsIn(listing, rows))}
${pageLinks(tables, page)}
${isFirst && tooMany(tables)}${same(tables, listing)}
</section>`;
}

/** What a reader of a list that is too large to load has to know. */
function tooMany({ isLoaded, listing, site, operation }: Tables): Html | undefined {
  const dump = site.dumps.get(operation.name);
  if (isLoaded || dump === undefined) return undefined;
  const size = `${integer(Math.ceil(dump.length / 1_000_000))} MB`;
  return html`<p class="type">These ${counted(listing.items.count, operation)} are too many to search and sort here: <a href="${dump.path}">all of them</a> are ${size}.</p>\n`;
}

/** The rows as JSON, all items as NDJSON, the place of the script's CSV, and a command. */
function same({ site, operation }: Tables, listing: Listing): Html {
  const { api, dumps } = site;
  const dump = dumps.get(operation.name);
  const request = requestPath(api, operation, { query: queryOf(listing) });
  const links = [
    html`<a href="${request}" data-same>JSON</a>`,
    ...(dump === undefined ? [] : [linkHtml(dump.path, "all as NDJSON")]),
    linkHtml(placesOn(site).operation(operation), "parameters and fields"),
  ];
  return html`<div class="same">
<p class="as"><span class="caption">The same as</span> ${separated(links)} <span class="csv"></span></p>
${codeBlock("Request", addressCode(html`curl "${originOf(site)}${linkHtml(request, request)}"`))}
</div>`;
}

function rowsText(
  operation: ListOperation,
  { listing: { items, cuts, chosen }, rows: { start, end } }: TablePage,
): string {
  const { count } = items;
  if (start === 0 || chosen.length > 0) return counted(count, operation);
  // An edit moves few pages of stable listings, and would change the numbers of the rows on all that follow.
  if (cuts?.kind === "stable") return `${counted(end - start, operation)} on this page`;
  return `${upperFirst(operation.nouns)} ${integer(start + 1)} to ${integer(end)}`;
}
