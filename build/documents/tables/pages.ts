// Tables: each list in pages of a hundred rows, and the items of a value of a filter, for people who would rather look
// than read. A page depends on its items, on the first ones, which decide the columns, and on the values of filters.
import { filtersPath } from "../../../src/api.ts";
import type { Filter } from "../../../src/filter.ts";
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
import { type ListedValue, listedFilters } from "../values.ts";
import type { TargetOf } from "./cells.ts";
import { type TableColumns, tableColumns } from "./columns.ts";
import { type Facet, facetHtml, sortedFacets } from "./data.ts";
import { dataTable, mostPages, mostRows, pageOfTable, tableData, targetsOf } from "./table.ts";

/** The most values of a filter that each have a page of their own. */
const mostValues = 200;

/** A list that has tables. */
interface Tables {
  readonly source: DocumentSource;
  readonly operation: ListOperation;
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
  readonly columns: TableColumns;
  readonly facets: readonly TableFacet[];
  readonly targetOf: TargetOf;
  /** The attribute of the script. */
  readonly data: string;
}

interface TableFacet extends Facet {
  readonly filter: Filter;
  readonly values: readonly ListedValue[];
  /** Whether each value has a page of its own. */
  readonly hasPages: boolean;
}

/** A page of a listing, with the rows from `start` on. */
interface TablePage {
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
  readonly start: number;
  /** What is above the rows and below them. */
  readonly before: () => Html;
  readonly after: () => Html | false;
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
    return [...pagesOf(tables), ...pagesOfValues(tables)].map((page) => document(tables, navigation, page));
  });
}

function tablesOf(source: DocumentSource, operation: ListOperation, path: string, listing: Listing): Tables {
  // `Media types` for `media-types`.
  const title = upperFirst(operation.name.replaceAll(/[-_]/g, " "));
  const schema = operation.listed(source.settings.vocabulary);
  const columns = tableColumns(source, operation, schema, itemsIn(listing, 0));
  return {
    ...{ source, operation, path, title, listing, columns },
    facets: facetsOf(source, operation),
    targetOf: targetsOf(source, operation),
    data: JSON.stringify(tableData(source, operation, title, columns.shown)),
  };
}

/** The filters that have a value with items, and these values, those with most items first. */
const facetsOf = (source: DocumentSource, operation: ListOperation): readonly TableFacet[] =>
  listedFilters(source, operation).flatMap(({ filter, values: all }) => {
    const values = all.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
    const hasPages = filter.accepts.kind !== "occurring" && values.length <= mostValues;
    const { param, deprecated } = filter;
    return values.length === 0 ? [] : [{ filter, param, isDeprecated: deprecated !== undefined, values, hasPages }];
  });

/** The place behind the last row of a page. */
const endOf = ({ items }: Listing, start: number): number => Math.min(start + mostRows, items.count);

const itemsIn = (listing: Listing, start: number): readonly Item[] =>
  JSON.parse(`[${Buffer.from(listing.items.slice(start, endOf(listing, start)))}]`);

/** The pages of all items. Only the first one has the number of all items, which any other item changes. */
function pagesOf(tables: Tables): readonly TablePage[] {
  const { path, title, listing } = tables;
  const pages = Math.max(1, Math.ceil(listing.items.count / mostRows));
  const shown = Math.min(pages, mostPages);
  return Array.from({ length: shown }, (_, index) => ({
    ...{ path: pageOfTable(path, index + 1), listing, start: index * mostRows },
    title: index === 0 ? title : `${title}, page ${index + 1}`,
    before: () => (index === 0 ? beginning(tables) : linkToAll(tables)),
    after() {
      const previous = index > 0 && html`<a rel="prev" href="${pageOfTable(path, index)}">Previous</a>\n`;
      const next = html`<a rel="next" href="${pageOfTable(path, index + 2)}">Next</a>\n`;
      const last = pages > shown && html`${following(tables, listing, index * mostRows)}\n`;
      return (
        pages > 1 &&
        html`<nav class="pages" aria-label="Pages">
${previous}<span>Page ${index + 1}</span>
${index + 1 < shown ? next : last}</nav>`
      );
    },
  }));
}

const pagesOfValues = (tables: Tables): readonly TablePage[] =>
  tables.facets.flatMap(({ param, values, hasPages }) =>
    values.flatMap(({ value, name, listing }) => {
      if (!hasPages || listing === undefined) return [];
      const shown = name === undefined ? value : `${name} (${value})`;
      return {
        ...{
          path: pageOfValue(tables, param, value),
          title: `${tables.title} by ${param}: ${shown}`,
          listing,
          start: 0,
        },
        before: () => linkToAll(tables),
        after: () => listing.items.count > mostRows && html`<p>${following(tables, listing, 0)}</p>`,
      };
    }),
  );

const pageOfValue = ({ path }: Tables, param: string, value: string): string => `${path}/${param}/${value}`;

const linkToAll = ({ path, operation }: Tables): Html =>
  html`<p><a href="${path}">All ${operation.resource.nouns}</a></p>`;

/** The purpose of a list, the number of its items, links to the JSON, and the filters. */
function beginning(tables: Tables): Html {
  const { source, operation, listing, facets } = tables;
  const { api, related } = source;
  const dump = related.find((each) => each.path === dumpPath(api, operation));
  const links = [
    linkHtml(requestPath(api, operation), "JSON"),
    ...(dump === undefined ? [] : [linkHtml(dump.path, "all as NDJSON")]),
    linkHtml(`${documentPaths(api.base).reference}#${anchors.operation(operation)}`, "parameters and fields"),
  ];
  const notice = noticeHtml(noticeOf(source, operation), "p", (code) => (code.startsWith("/") ? code : undefined));
  const blocks = sortedFacets(facets).map((facet) => {
    const { param, hasPages, isOpen } = facet;
    const hrefOf = (value: string) =>
      hasPages ? pageOfValue(tables, param, value) : requestPath(api, operation, { query: `${param}=${value}` });
    return facetHtml(facet, { isOpen, hrefOf, all: filtersPath(api.base, operation.name) });
  });
  return html`<p class="lead">${operation.purpose}</p>
${notice}<p>${counted(listing.items.count, operation.resource)}, sorted by ${prose(orderList(operation))}:
${separated(links)}</p>
${blocks.length > 0 && html`<div class="facets">\n${blocks}</div>`}`;
}

/** A link to the items behind a page, or to the list, if it has no pages. */
function following({ source, operation }: Tables, listing: Listing, start: number): Html {
  const { chosen, items } = listing;
  const key = () => items.orderKey(endOf(listing, start) - 1);
  const cursor = operation.paged && `cursor=${cursorAfter(listingName(operation.name, chosen), key())}`;
  const query = [queryOf(listing), cursor].filter(Boolean).join("&");
  return linkHtml(requestPath(source.api, operation, { query }), `The following ${operation.resource.nouns}, as JSON`);
}

const queryOf = ({ chosen }: Listing): string => chosen.map(({ param, value }) => `${param}=${value}`).join("&");

function document(tables: Tables, navigation: Html, page: TablePage): Document {
  const { source, operation } = tables;
  const { path, title } = page;
  const links = html`<script type="module" src="${documentPaths(source.api.base).tableScript}" blocking="render"></script>\n`;
  return pageDocument(source, { path, title, scope: "data", navigation, links }, () => ({
    description: operation.purpose,
    content: html`<h1>${title}</h1>
${page.before()}
${section(tables, page)}`,
  }));
}

/** The rows, the links to other pages, and the request that returns the same. */
function section({ source, operation, columns, targetOf, data }: Tables, { listing, start, after }: TablePage): Html {
  const { shown, fields } = columns;
  const { count } = listing.items;
  const [from, to] = [integer(start + 1), integer(endOf(listing, start))];
  const whole = count <= mostRows ? counted(count, operation.resource) : `The first ${to} of ${integer(count)}`;
  const some = shown.length < fields && `${shown.length} of ${fields} fields`;
  const request = requestPath(source.api, operation, { query: queryOf(listing) });
  const table = () => dataTable(source, operation, shown, itemsIn(listing, start), targetOf);
  return html`<section id="table" data-table="${data}">
${heading(2, "items", start === 0 ? whole : `${upperFirst(operation.resource.nouns)} ${from} to ${to}`)}
${count === 0 ? html`<p>This list is empty.</p>` : html`<p class="type">${some}</p>\n${table()}`}
${after()}
<div class="same">
<p class="caption">The same as JSON</p>
${codeBlock("Request", html`<code>curl "${originOf(source)}${linkHtml(request, request)}"</code>`)}
</div>
</section>`;
}
