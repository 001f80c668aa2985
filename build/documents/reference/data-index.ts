// The table of what there is: each operation, with the ways to its data. It is on the start of the reference, and on a page of
// its own with the times of the last changes.
import { filtersPath } from "../../../src/model/api.ts";
import { hasItems, type Operation } from "../../../src/model/operation.ts";
import type { Document } from "../../files/document.ts";
import { anchors, referencePageOf, requestPath } from "../describe/addresses.ts";
import { numberText } from "../describe/cells.ts";
import { placesOn, type ReferencePage } from "../describe/reference-places.ts";
import type { Site } from "../describe/site.ts";
import { listingOf } from "../describe/site-data.ts";
import { header } from "../frame/header.ts";
import {
  deprecationMark,
  freshnessOf,
  type Html,
  html,
  linkHtml,
  pageDocument,
  publisherWords,
} from "../frame/html.ts";

/** One of the columns behind the purpose. */
interface Column {
  readonly title: string;
  /** The permanent anchor of the head. */
  readonly id?: string | undefined;
  /** The class of its cells. */
  readonly kind?: "number" | "when";
  /** Undefined if the operation has none. */
  readonly cellOf: (operation: Operation) => unknown;
}

/** The table on the start. The rows of operations that have a page bear their anchors, which are permanent. */
export const startIndex = (page: ReferencePage): Html =>
  indexTable(page, [items(page), ...ways(page)], (operation) => {
    const path = referencePageOf(page, operation);
    if (path === page.places.page) return linkHtml(page.places.operation(operation), operation.name);
    const further = operation.kind === "list" && hasItems(operation) ? [anchors.item(operation)] : [];
    return html`<a id="${anchors.operation(operation)}" href="${path}" data-page="${path}">${operation.name}</a>${[
      ...further,
      anchors.resource(operation),
    ].map((id) => html`<span id="${id}" data-page="${path}"></span>`)}`;
  });

/** The page that has the table, if there are tables of lists. */
export function dataIndexPage(site: Site): readonly Document[] {
  const path = site.dataIndex;
  if (path === undefined) return [];
  const places = placesOn(site);
  const freshness = freshnessOf(site);
  const title = "Data";
  const table = () =>
    indexTable(site, [items(site), lastChanges(site), ...ways(site)], (operation) =>
      linkHtml(places.operation(operation), operation.name),
    );
  return [
    pageDocument(site, { path, title, scope: "data", top: header(site, { path }) }, () => ({
      description: `All data of ${site.settings.title ?? "the API"}: tables, JSON and downloads.`,
      content: html`<h1>${title}</h1>
${freshness && html`<p class="type">${freshness.words} ${freshness.time}</p>\n`}${table()}`,
    })),
  ];
}

/** `nameOf` returns an operation's name, with a link to what is said of it. */
function indexTable(site: Site, columns: readonly Column[], nameOf: (operation: Operation) => Html): Html {
  const shown = columns.filter(({ cellOf }) => site.operations.some((operation) => cellOf(operation) !== undefined));
  const heads = shown.map(
    (column) =>
      html`<th scope="col"${column.id !== undefined && html` id="${column.id}"`}${column.kind !== undefined && html` class="${column.kind}"`}>${column.title}</th>`,
  );
  const rows = site.operations.map((operation) => {
    const cells = shown.map((column) => {
      const cell = column.cellOf(operation);
      const classes = [column.kind, cell === undefined && "none"].filter(Boolean).join(" ");
      return html`<td${classes !== "" && html` class="${classes}"`}>${cell ?? "–"}</td>`;
    });
    return html`<tr><th scope="row">${nameOf(operation)}${deprecationMark(operation.deprecated)}</th><td>${publisherWords(site, operation.purpose)}</td>${cells}</tr>\n`;
  });
  return html`<table class="index">
<thead><tr><th scope="col">List</th><th scope="col">Purpose</th>${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

const items = (site: Site): Column => ({
  title: "Items",
  kind: "number",
  cellOf: ({ kind, name }) => (kind === "list" ? numberText(listingOf(site, name)?.items.count ?? 0) : undefined),
});

/** Left out if no list has changed. */
function lastChanges(site: Site): Column {
  const isUnchanged = site.changes?.data.length === 0;
  return {
    title: "Last change",
    kind: "when",
    cellOf: ({ kind, name }) => {
      const freshness = kind === "list" && !isUnchanged ? freshnessOf(site, name) : undefined;
      return freshness?.words === "Unchanged since" ? html`none since ${freshness.time}` : freshness?.time;
    },
  };
}

function ways({ api, tables, dumps }: Site): readonly Column[] {
  const way = (title: string, addressOf: (operation: Operation) => string | undefined, id?: string): Column => ({
    title,
    id,
    cellOf: (operation) => {
      const address = addressOf(operation);
      return address === undefined ? undefined : linkHtml(address, title);
    },
  });
  return [
    way("Table", ({ name }) => tables.get(name), "tables"),
    way("JSON", (operation) => requestPath(api, operation)),
    way("NDJSON", ({ name }) => dumps.get(name)?.path, "dumps"),
    way("Schema", ({ name }) => `${api.base}/schemas/${name}.json`, "schemas"),
    way("Counts", ({ kind, name }) => (kind === "list" ? filtersPath(api.base, name) : undefined), "counts"),
  ];
}
