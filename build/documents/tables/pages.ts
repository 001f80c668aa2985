// Tables for browsing: each list in pages of at most a hundred rows, and the items of each value of a filter. A page depends
// on its items, on the first items, which decide the columns, and on the values of filters.
import { filtersPath } from "../../../src/model/api.ts";
import type { Filter } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { listingName } from "../../../src/model/paging.ts";
import type { Document } from "../../files/document.ts";
import { cursorAfter } from "../../files/sha256.ts";
import type { Listing } from "../../pages/listing.ts";
import { counted, integer } from "../../text/words.ts";
import { documentPaths, pageBelow, requestPath } from "../addresses.ts";
import {
  addressCode,
  codeBlock,
  type Html,
  heading,
  html,
  linkHtml,
  noticeHtml,
  pageDocument,
  prose,
  separated,
} from "../html.ts";
import { placesOn } from "../reference/places.ts";
import { originOf } from "../samples.ts";
import { noticeOf, orderWords, upperFirst } from "../sentences.ts";
import type { Site } from "../site.ts";
import { listingOf } from "../site-data.ts";
import { maxRows, pageOfTable, type RowRange, rangesOf } from "../targets.ts";
import { type ListedValue, listedFilters } from "../values.ts";
import type { TargetOf } from "./cells.ts";
import { type TableColumns, tableColumns } from "./columns.ts";
import { type Facet, facetHtml, sortedFacets } from "./data.ts";
import { dataTable, tableData } from "./table.ts";

/** If a filter has more values, they have no pages. */
const maxValues = 200;

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
  /** Whether the script finds, filters and sorts. */
  readonly hasTools: boolean;
  /** The `TableData` of the script. */
  readonly data: Html;
}

interface TableFacet extends Facet {
  readonly filter: Filter;
  readonly values: readonly ListedValue[];
  /** Whether each value has a page. */
  readonly hasPages: boolean;
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
    const links = lists.map(({ path, title }) => {
      const isCurrent = path === tables.path && html` aria-current="page"`;
      return html`<li><a href="${path}"${isCurrent}>${title}</a></li>\n`;
    });
    const navigation =
      links.length > 1 ? html`<nav class="lists" aria-label="Lists"><ul>\n${links}</ul></nav>\n` : html``;
    return [...pagesOf(tables), ...pagesOfValues(tables)].map((page) => document(tables, navigation, page));
  });
}

function tablesOf(site: Site, operation: ListOperation, path: string, listing: Listing): Tables {
  // `Media types` for `media-types`.
  const title = upperFirst(operation.name.replaceAll(/[-_]/g, " "));
  const schema = operation.listed(site.settings.vocabulary);
  const first = { start: 0, end: Math.min(listing.items.count, maxRows) };
  const columns = tableColumns(site, operation, schema, itemsIn(listing, first));
  const data = tableData(site, operation, title, columns.shown);
  const targetOf: TargetOf = ({ to = "" }, key) => site.findTarget(to, key);
  return {
    site,
    operation,
    path,
    title,
    listing,
    columns,
    facets: facetsOf(site, operation),
    tableOf: dataTable(site, operation, columns.shown, targetOf),
    hasTools: data.dump !== undefined,
    data: html`${JSON.stringify(data)}`,
  };
}

/** The filters that have a value with items, and these values, those with most items first. */
const facetsOf = (site: Site, operation: ListOperation): readonly TableFacet[] =>
  listedFilters(site, operation).flatMap(({ filter, values: all }) => {
    const values = all.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    const hasPages = filter.accepts.kind !== "occurring" && values.length <= maxValues;
    const { param, deprecated } = filter;
    return values.length === 0 ? [] : [{ filter, param, isDeprecated: deprecated !== undefined, values, hasPages }];
  });

const itemsIn = (listing: Listing, { start, end }: RowRange): readonly Item[] =>
  JSON.parse(`[${Buffer.from(listing.items.slice(start, end))}]`);

const pagesOf = ({ path, title, listing }: Tables): readonly TablePage[] =>
  pagesWith(path, title, listing, rangesOf(listing));

/** The first page of each value. */
const pagesOfValues = (tables: Tables): readonly TablePage[] =>
  tables.facets.flatMap(({ param, values, hasPages }) =>
    values.flatMap(({ value, name, listing }) => {
      if (!hasPages || listing === undefined) return [];
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

/** The purpose of a list, the number of its items, and links to the JSON. */
function beginning({ site, operation, listing }: Tables): Html {
  const { api, dumps } = site;
  const dump = dumps.get(operation.name);
  const links = [
    linkHtml(requestPath(api, operation), "JSON"),
    ...(dump === undefined ? [] : [linkHtml(dump.path, "all as NDJSON")]),
    linkHtml(placesOn(site).operation(operation), "parameters and fields"),
  ];
  const notice = noticeHtml(noticeOf(api, operation), "p", (code) => (code.startsWith("/") ? code : undefined));
  return html`<p class="lead">${operation.purpose}</p>
${notice}<p>${counted(listing.items.count, operation)}, sorted by ${prose(orderWords(operation.order))}:
${separated(links)}</p>
`;
}

/** The filters with their values. */
function filterBlocks(tables: Tables): Html | undefined {
  const { site, operation, facets } = tables;
  if (facets.length === 0) return undefined;
  const blocks = sortedFacets(facets).map((facet) => {
    const { param, hasPages, isOpen } = facet;
    const hrefOf = (value: string) =>
      hasPages ? pageOfValue(tables, param, value) : requestPath(site.api, operation, { query: `${param}=${value}` });
    return facetHtml(facet, { isOpen, hrefOf, all: filtersPath(site.api.base, operation.name) });
  });
  return html`<div class="facets">\n${blocks}</div>\n`;
}

/** Links to the pages beside one, and behind the last one to the list. */
function pageLinks(tables: Tables, page: TablePage): Html | undefined {
  const { listing, index } = page;
  if (listing.items.count <= maxRows) return undefined;
  return html`<nav class="pages" aria-label="Pages">
${index > 0 && html`<a rel="prev" href="${pageOfTable(tables.path, index)}">Previous</a>\n`}<span>Page ${index + 1}</span>
${nextLink(tables, page)}</nav>`;
}

function nextLink(tables: Tables, { listing, rows: { end }, index, shown }: TablePage): Html | undefined {
  if (index + 1 < shown) return html`<a rel="next" href="${pageOfTable(tables.path, index + 2)}">Next</a>\n`;
  return end < listing.items.count ? html`${following(tables, listing, end)}\n` : undefined;
}

/** A link to the items behind a place, or to the list, if it has no pages. */
function following({ site, operation }: Tables, listing: Listing, end: number): Html {
  const { chosen, items } = listing;
  const name = listingName(operation.name, chosen);
  const cursor = operation.paged && `cursor=${cursorAfter(name, items.orderKey(end - 1))}`;
  const query = [queryOf(listing), cursor].filter(Boolean).join("&");
  return linkHtml(requestPath(site.api, operation, { query }), `The following ${operation.nouns}, as JSON`);
}

const queryOf = ({ chosen }: Listing): string => chosen.map(({ param, value }) => `${param}=${value}`).join("&");

function document(tables: Tables, navigation: Html, page: TablePage): Document {
  const { site, operation } = tables;
  const { path, title } = page;
  const isFirst = path === tables.path;
  // The script fills them.
  const hasTools = tables.hasTools && page.listing.items.count > 0;
  const links = html`<script type="module" src="${documentPaths(site.api.base).tableScript}"></script>\n`;
  return pageDocument(site, { path, title, scope: "data", navigation, links }, () => ({
    description: operation.purpose,
    content: html`<h1>${title}</h1>
${isFirst ? beginning(tables) : html`<p><a href="${tables.path}">All ${operation.nouns}</a></p>\n`}${hasTools && html`<div class="tools"></div>\n`}${isFirst && filterBlocks(tables)}${section(tables, page)}`,
  }));
}

/** The rows and the request that returns the same. Only the first page has the number of all items. */
function section(tables: Tables, page: TablePage): Html {
  const { site, operation, columns, tableOf, data } = tables;
  const { listing, rows } = page;
  const { shown, fields } = columns;
  const { count } = listing.items;
  const some = shown.length < fields && `${shown.length} of ${fields} fields`;
  const request = requestPath(site.api, operation, { query: queryOf(listing) });
  return html`<section id="table" data-table="${data}">
${heading(2, "items", rowsText(operation, page))}
${count === 0 ? html`<p>This list is empty.</p>` : html`<p class="type">${some}</p>\n${tableOf(itemsIn(listing, rows))}`}
${pageLinks(tables, page)}
<div class="same">
<p class="caption">The same as JSON</p>
${codeBlock("Request", addressCode(html`curl "${originOf(site)}${linkHtml(request, request)}"`))}
</div>
</section>`;
}

function rowsText(operation: ListOperation, { listing: { items, cuts }, rows: { start, end } }: TablePage): string {
  const { count } = items;
  if (count <= maxRows) return counted(count, operation);
  if (start === 0) return `The first ${end} of ${integer(count)}`;
  // An edit moves few pages of stable listings, and would change the numbers of the rows on all that follow.
  if (cuts?.kind === "stable") return `${counted(end - start, operation)} on this page`;
  return `${upperFirst(operation.nouns)} ${integer(start + 1)} to ${integer(end)}`;
}
