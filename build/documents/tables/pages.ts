// Tables for browsing: a page for each list, with its first hundred rows, a menu for each filter, and links to all items. The
// script of the page shows the other rows. The page depends on its rows, and on the numbers of the items.

import { trusted } from "../../../src/declare/html.ts";
import { filtersPath } from "../../../src/model/api.ts";
import type { Item } from "../../../src/model/key.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import type { Document } from "../../files/document.ts";
import { scriptDocument } from "../../files/script.ts";
import type { Listing } from "../../pages/listing.ts";
import { counted, integer } from "../../text/words.ts";
import { documentPaths, requestPath } from "../describe/addresses.ts";
import { placesOn } from "../describe/reference-places.ts";
import { noticeOf, orderWords, titleOf, titleOfTable } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { listingOf } from "../describe/site-data.ts";
import { maxRows } from "../describe/targets.ts";
import { curlCode } from "../frame/code.ts";
import { credentialCode } from "../frame/credentials.ts";
import { header } from "../frame/header.ts";
import {
  changeOf,
  codeBlock,
  deprecationMark,
  freshnessOf,
  type Html,
  heading,
  html,
  linkHtml,
  noticeHtml,
  pageDocument,
  prose,
  publisherWords,
  separated,
} from "../frame/html.ts";
import { codeHtml } from "../frame/samples.ts";
import { listedFilters } from "../programs/filters.ts";
import { type TableColumns, tableColumns } from "./columns.ts";
import { facetHtml, menuHtml } from "./data.ts";
import { dataTable } from "./table.ts";
import { isOrdered, tableData } from "./table-data.ts";

/** More lists than these are in a menu. */
const maxLists = 8;

/** A list that has a table. */
interface Table {
  readonly site: Site;
  readonly operation: ListOperation;
  readonly path: string;
  readonly title: string;
  readonly listing: Listing;
}

export function dataPages(site: Site): readonly Document[] {
  const tables = site.api.lists.flatMap((operation): readonly Table[] => {
    const path = site.tables.get(operation.name);
    const listing = listingOf(site, operation.name);
    if (path === undefined || listing === undefined) return [];
    return [{ site, operation, path, title: titleOfTable(operation.name), listing }];
  });
  const pages = tables.map((table) => tablePage(table, listLinks(tables, table)));
  return tables.length === 0 ? [] : [...pages, ...tableScripts(site)];
}

function tableScripts({ api }: Site): readonly Document[] {
  const { tableScript, tableWorker } = documentPaths(api.base);
  return [
    scriptDocument(tableScript, "documents/tables/browser/table.ts"),
    scriptDocument(tableWorker, "documents/tables/browser/table-worker.ts"),
  ];
}

/** Links to the tables of all lists. */
function listLinks(tables: readonly Table[], shown: Table): Html {
  const links = tables.map(({ path, title, operation: { deprecated } }) => {
    const isCurrent = path === shown.path && html` aria-current="page"`;
    return html`<li><a href="${path}"${isCurrent}>${title}${deprecationMark(deprecated)}</a></li>\n`;
  });
  if (links.length < 2) return html``;
  const list = html`<ul>\n${links}</ul>`;
  const isLong = links.length > maxLists;
  return html`<nav class="lists" aria-label="Lists">${isLong ? menuHtml("", html`Lists <span class="type">${links.length}</span>`, list) : list}</nav>\n`;
}

function tablePage(table: Table, navigation: Html): Document {
  const { site, operation, path, title } = table;
  const links = html`<script type="module" src="${documentPaths(site.api.base).tableScript}"></script>\n${dataset(table)}`;
  const top = header(site, { path: site.dataIndex }, navigation);
  return pageDocument(site, { path, title, scope: "data", top, links }, () => ({
    description: operation.purpose,
    content: html`<h1>${title}${deprecationMark(operation.deprecated)}</h1>
${beginning(table)}${section(table)}`,
  }));
}

/**
 * The list as a data set for search engines (https://schema.org/Dataset), which want its address and license. It runs
 * nothing, so that no policy forbids it.
 */
function dataset({ site, operation, path, title }: Table): Html | undefined {
  const { url, license } = site.settings;
  if (url === undefined || license === undefined) return undefined;
  const { changes, dumps } = site;
  const dump = dumps.get(operation.name);
  const described = {
    "@context": "https://schema.org",
    "@type": "Dataset",
    name: `${title} – ${titleOf(site)}`,
    description: operation.purpose,
    url: url + path,
    license: license.url,
    dateModified: changes && changeOf(changes, operation.name)?.at,
    distribution: dump && [{ "@type": "DataDownload", encodingFormat: dump.contentType, contentUrl: url + dump.path }],
  };
  return html`<script type="application/ld+json">${trusted(JSON.stringify(described).replaceAll("<", "\\u003c"))}</script>\n`;
}

/** The purpose of a list, and its deprecation. */
function beginning({ site, operation }: Table): Html {
  const notice = noticeHtml(noticeOf(site.api, operation), (code) => (code.startsWith("/") ? code : undefined));
  return html`<p class="lead">${publisherWords(site, operation.purpose)}</p>
${notice}`;
}

/** The rows, and the ways to get the same as data. */
function section(table: Table): Html {
  const { site, operation, title, listing } = table;
  const { count } = listing.items;
  const items = firstItems(listing);
  const schema = operation.listed(site.settings.vocabulary);
  const columns = tableColumns(site, operation, schema, items);
  const data = tableData(site, operation, title, columns, listing.items);
  return html`<section id="table" data-table="${JSON.stringify(data)}">
<div class="about">
${heading(2, "items", counted(count, operation))}
${facts(table, columns)}</div>
${data.maxItems !== undefined && tooMany(table)}${count === 0 ? html`<p>This list is empty.</p>` : html`${bar(table)}${order(operation)}${dataTable(site, operation, columns.shown, items)}`}
${count > maxRows && firstRows(count)}
${same(table)}
</section>`;
}

const firstItems = ({ items }: Listing): readonly Item[] =>
  JSON.parse(`[${Buffer.from(items.slice(0, Math.min(items.count, maxRows)))}]`);

/** The numbers of the rows, and the room of the links that the script adds. */
const firstRows = (count: number): Html =>
  html`<nav class="pages" aria-label="Pages"><span>1 to ${maxRows} of ${integer(count)}</span> <span class="room">Next</span> <span class="room">Last</span></nav>`;

/** The time of the last change, and the number of columns. */
function facts({ site, operation }: Table, { shown, fields }: TableColumns): Html {
  const freshness = freshnessOf(site, operation.name);
  const parts = [
    ...(freshness === undefined ? [] : [html`${freshness.words} ${freshness.time}`]),
    ...(shown.length < fields ? [`${shown.length} of ${fields} fields`] : []),
  ];
  return html`<p class="type">${separated(parts, " · ")}</p>\n`;
}

/** A line of which the script makes the place of the chosen values, so that they move nothing. */
const order = (operation: ListOperation): Html =>
  html`<div class="shown type"><span data-order>Sorted by ${prose(orderWords(operation.order))}</span></div>\n`;

/** The place of the script's tools, and a menu for each filter that has values, and for the orders. */
function bar({ site, operation, path }: Table): Html {
  const action = site.api.addressing.parametersIn === "query" ? requestPath(site.api, operation) : undefined;
  const all = filtersPath(site.api.base, operation.name);
  const menus = listedFilters(site, operation).map(({ filter, values: accepted }) => {
    const { param, deprecated } = filter;
    const values = accepted.filter(({ count }) => count > 0);
    if (values.length === 0) return undefined;
    const facet = { param, isDeprecated: deprecated !== undefined, isOrdered: isOrdered(filter), values };
    return facetHtml(facet, { hrefOf: (value) => `${path}?${new URLSearchParams({ [param]: value })}`, action, all });
  });
  return html`<div class="bar">
<div class="tools"></div>
<div class="facets">
${menus}${orderMenu(site, operation)}</div>
</div>
`;
}

/** The further orders, as JSON. The script shows them as tables. */
function orderMenu(site: Site, operation: ListOperation): Html | undefined {
  if (operation.orders.length === 0) return undefined;
  const links = operation.orders.map(({ name }) => {
    const request = requestPath(site.api, operation, { query: `${sortParam}=${name}` });
    return html`<li><a href="${request}" data-sort="${name}">${name}</a></li>\n`;
  });
  return menuHtml(sortParam, "order", html`<ul>\n${links}</ul>`);
}

/** What a reader of a list that is too large to load has to know. The script hides it while it shows all rows of a value. */
function tooMany({ site, operation }: Table): Html {
  const dump = site.dumps.get(operation.name);
  const size = integer(Math.ceil((dump?.length ?? 0) / 1_000_000));
  const ways = [
    html`in ${linkHtml(placesOn(site).operation(operation), "the console")}`,
    html`by ${linkHtml(filtersPath(site.api.base, operation.name), "the numbers of each filter")}`,
    ...(dump === undefined ? [] : [html`in ${linkHtml(dump.path, "one file")} (${size} MB)`]),
  ];
  const choose = operation.filters.length > 0 && "Choose a value of a filter, or find them ";
  return html`<p class="type" data-many>These are too many to search and sort here. ${choose || "Find them "}${separated(ways.slice(0, -1))} or ${ways.at(-1)}.</p>\n`;
}

/** The rows as JSON, all items as NDJSON, the place of the script's CSV, and a command. */
function same({ site, operation }: Table): Html {
  const { api, dumps } = site;
  const dump = dumps.get(operation.name);
  const request = requestPath(api, operation);
  const links = [
    html`<a href="${request}" data-same>JSON</a>`,
    ...(dump === undefined ? [] : [linkHtml(dump.path, "all as NDJSON")]),
    linkHtml(placesOn(site).operation(operation), "parameters and fields"),
  ];
  return html`<div class="same">
<p class="as"><span class="caption">The same as</span> ${separated(links)} <span class="csv"></span></p>
${codeBlock("Request", codeHtml(site, curlCode(request, credentialCode(site.settings))), "curl")}
</div>`;
}
