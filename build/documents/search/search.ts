// The index of the search: operations, parameters, fields, errors, headers, pages, values of filters and keys of short lists.
// The script of the pages loads it at the first search.
import { keyFields } from "../../../src/model/key.ts";
import { hasItems } from "../../../src/model/operation.ts";
import { itemAt } from "../../content/table/items.ts";
import { type Document, jsonType, textDocument } from "../../files/document.ts";
import { groupBy } from "../../values/group-by.ts";
import { anchors, documentPaths, referencePageOf, requestPath } from "../describe/addresses.ts";
import { keyText, usualNameOf } from "../describe/cells.ts";
import { dumpName } from "../describe/dumps.ts";
import { type Endpoint, headersFor } from "../describe/endpoints.ts";
import { titleOfResource } from "../describe/sentences.ts";
import { pagesIn, type Site } from "../describe/site.ts";
import { filtersInForms } from "../frame/values.ts";
import { furtherLinks, startLinks } from "../reference/contents.ts";
import { answerFields } from "../reference/resource.ts";
import { errorRows } from "../reference/rules.ts";
import { loadedDump } from "../tables/table-data.ts";

/** A place: the text and the note, which are shown and searched, and the end of its address if that is not the text. */
type Entry = readonly [text: string, note?: string, end?: string];

/** Entries below one heading. The address of an entry is `at`, then its end, then `to`. */
interface Group {
  readonly title: string;
  /** What the entries are, if the heading does not say it. */
  readonly kind?: string;
  readonly at?: string;
  readonly to?: string;
  readonly entries: readonly Entry[];
}

/** In bytes. A group that does not fit is left out; the groups of values and keys come last. */
const maxBytes = 50_000;

/** The items of longer lists are not in the index. */
const maxKeys = 500;

export function searchDocument(site: Site): Document {
  const groups: Group[] = [];
  let length = JSON.stringify({ object: "index", groups }).length;
  for (const group of [...referenceGroups(site), ...valueGroups(site), ...keyGroups(site)]) {
    const added = Buffer.byteLength(JSON.stringify(group)) + 1;
    if (group.entries.length === 0 || length + added > maxBytes) continue;
    groups.push(group);
    length += added;
  }
  groups.sort((one, other) => order.indexOf(one.title) - order.indexOf(other.title));
  return textDocument(documentPaths(site.api.base).search, jsonType, JSON.stringify({ object: "index", groups }));
}

const operationsTitle = "Operations";

/** The titles of the groups, in the order in which equal matches are shown. */
const order = [operationsTitle, "Parameters", "Fields", "Errors", "Headers", "Sections", "Values", "Items", "Pages"];

/** The note of a table whose script searches its rows. */
const searchedTable = "Table with search";

function referenceGroups(site: Site): readonly Group[] {
  const { api, endpoints, dumps, tables, dataIndex } = site;
  const start = documentPaths(api.base).reference;
  const ofStart = {
    Sections: [...startLinks(site), ...furtherLinks(site)].map(([id, text]): Entry => [text, "", id]),
    Errors: errorRows(site).flatMap(({ codes, status }) =>
      codes.map((code): Entry => [code, `${status}`, anchors.error(code)]),
    ),
    Headers: Object.keys(headersFor(site.settings)).map((name): Entry => [name, "", anchors.header(name)]),
  };
  const ofStartGroups = Object.entries(ofStart).map(([title, entries]) => ({ title, at: `${start}#`, entries }));
  const byPage = groupBy(endpoints, ({ operation }) => referencePageOf(site, operation));
  const ofPages = [...byPage].flatMap(([page, ofPage]) => groupsOfPage(site, page, ofPage));
  return [
    ...ofPages.filter(({ title }) => title === operationsTitle),
    ...ofStartGroups,
    ...ofPages.filter(({ title }) => title !== operationsTitle),
    {
      title: "Pages",
      entries: [
        ...(dataIndex === undefined ? [] : [["Data", "Page", dataIndex] as const]),
        ...pagesIn(site).map(({ title, path }): Entry => [title, "Page", path]),
        ...Array.from(dumps, ([name, { path }]): Entry => [dumpName(name), "NDJSON file", path]),
        ...Array.from(tables, ([name, path]): Entry => [name, loadedDump(site, name) ? searchedTable : "Table", path]),
      ],
    },
  ];
}

/** The operations, parameters and fields of a page of the reference. */
function groupsOfPage(site: Site, page: string, endpoints: readonly Endpoint[]): readonly Group[] {
  const entries = {
    [operationsTitle]: endpoints.map(({ title, path, anchor }): Entry => [title, `GET ${path}`, anchor]),
    Parameters: endpoints.flatMap(({ title, anchor, parameters }) =>
      parameters.map(({ name }): Entry => [name, title, anchors.parameter(anchor, name)]),
    ),
    Fields: site.operations
      .filter((operation) => referencePageOf(site, operation) === page)
      .flatMap((operation) => {
        const title = titleOfResource(site, operation);
        return answerFields(site, operation).map(({ path }): Entry => [path, title, anchors.field(operation, path)]);
      }),
  };
  return Object.entries(entries).map(([title, list]) => ({ title, at: `${page}#`, entries: list }));
}

/** The values of each filter, which lead to the filled form of the operation. */
const valueGroups = (site: Site): readonly Group[] =>
  site.operations.flatMap((operation) => {
    if (operation.kind === "document") return [];
    return filtersInForms(site, operation).map((filter) => ({
      title: "Values",
      kind: `${operation.name} by ${filter.param}`,
      at: `${referencePageOf(site, operation)}?${filter.param}=`,
      to: `#${anchors.operation(operation)}`,
      entries: site.namedValues(operation, filter).map(({ value, name }) => entryOf(value, name)),
    }));
  });

const entryOf = (key: string, name: string | undefined): Entry =>
  name === undefined || name === key ? [key] : [key, name];

/** The items of each short list. */
const keyGroups = (site: Site): readonly Group[] =>
  site.operations.flatMap((operation) => {
    const items = site.catalog.items.get(operation.name);
    if (operation.kind === "document" || items === undefined || items.count > maxKeys) return [];
    const table = site.tables.get(operation.name);
    if (table === undefined && !hasItems(operation)) return [];
    const keys = Array.from({ length: items.count }, (_, index) => {
      const item = itemAt(items, index);
      return entryOf(keyText(keyFields(operation), item), usualNameOf(item));
    });
    const [at = "", to = ""] = requestPath(site.api, operation, { key: ["*"] }).split("*");
    const places = table === undefined ? { at, to } : { at: `${table}#row-` };
    return { title: "Items", kind: titleOfResource(site, operation), ...places, entries: keys };
  });
