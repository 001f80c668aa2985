// The index of what readers look for: operations, parameters, fields, errors, headers, pages, values of filters and keys of
// short lists. The script of the pages loads it when somebody searches for the first time.
import { keyFields } from "../../src/resource.ts";
import { filterValues, itemAt } from "../content/catalog.ts";
import { type Document, json, textDocument } from "../document.ts";
import { endpointsOf } from "./endpoints.ts";
import { isListedInForms, labelled } from "./filter-values.ts";
import { titleOfEndpoint } from "./reference/endpoint.ts";
import { startLinks, toolLinks } from "./reference/reference.ts";
import { answerFields, resourcesOf, titleOfResource } from "./reference/resource.ts";
import { errorRows, headerRows } from "./reference/rules.ts";
import {
  type DocumentSource,
  dataPagePath,
  documentPaths,
  errorAnchor,
  fieldAnchor,
  hasItems,
  headerAnchor,
  operationAnchor,
  parameterAnchor,
  requestPath,
} from "./source.ts";
import { keyText, nameOf } from "./tables/cells.ts";
import { mostRows, pageOfTable } from "./tables/table.ts";

/** Places whose addresses are `at`, the end or else the text of an entry, and `to`. */
interface Group {
  readonly kind: string;
  readonly at?: string;
  readonly to?: string;
  readonly entries: readonly (readonly [text: string, note?: string, end?: string])[];
}

/** In bytes. A group that does not fit is left out; the groups of values and keys come last. */
const mostBytes = 50_000;

/** A list with more items than these is found by its operation and table alone. */
const mostKeys = 500;

export function findDocument(source: DocumentSource): Document {
  const kept: Group[] = [];
  let length = JSON.stringify({ object: "index", groups: [] }).length;
  for (const group of [...referenceGroups(source), ...valueGroups(source), ...keyGroups(source)]) {
    const added = Buffer.byteLength(JSON.stringify(group)) + 1;
    if (group.entries.length === 0 || length + added > mostBytes) continue;
    kept.push(group);
    length += added;
  }
  return textDocument(documentPaths(source.api.base).find, json, JSON.stringify({ object: "index", groups: kept }));
}

function referenceGroups(source: DocumentSource): readonly Group[] {
  const { api, operations, related } = source;
  const at = documentPaths(api.base).reference;
  const endpoints = operations.flatMap((operation) => endpointsOf(source, operation));
  const parameters = endpoints.flatMap((endpoint) =>
    endpoint.parameters.map(({ name }) => {
      return [name, titleOfEndpoint(endpoint), `#${parameterAnchor(endpoint.anchor, name)}`] as const;
    }),
  );
  const fields = resourcesOf(source).flatMap((operation) => {
    const title = titleOfResource(operation);
    return answerFields(source, operation).map(({ path }) => [path, title, `#${fieldAnchor(title, path)}`] as const);
  });
  const pages = operations.flatMap((operation) => {
    const path = dataPagePath(source, operation);
    return path === undefined ? [] : [[operation.name, "Table", path] as const];
  });
  return [
    {
      ...{ kind: "Operation", at },
      entries: endpoints.map((each) => [titleOfEndpoint(each), `GET ${each.path}`, `#${each.anchor}`]),
    },
    {
      kind: "Section",
      at,
      entries: [...startLinks(source), ...toolLinks(source)].map(([id, text]) => [text, "", `#${id}`]),
    },
    { kind: "Parameter", at, entries: parameters },
    {
      kind: "Error",
      at,
      entries: errorRows(source).map(({ code, status }) => [code, `${status}`, `#${errorAnchor(code)}`]),
    },
    { kind: "Header", at, entries: headerRows.map(({ name }) => [name, "", `#${headerAnchor(name)}`]) },
    { kind: "Page", entries: [...related.map(({ title, kind, path }) => [title, kind, path] as const), ...pages] },
    { kind: "Field", at, entries: fields },
  ];
}

/** The values of each filter, which lead to the filled form of the operation. */
const valueGroups = (source: DocumentSource): readonly Group[] =>
  source.api.lists.flatMap((operation) => {
    const filters = source.operations.includes(operation) ? operation.filters : [];
    return filters
      .filter((filter) => isListedInForms(source, operation, filter))
      .map((filter) => ({
        kind: `${operation.name} by ${filter.param}`,
        at: `${documentPaths(source.api.base).reference}?${filter.param}=`,
        to: `#${operationAnchor(operation)}`,
        entries: labelled(source, filter, filterValues(source.catalog, operation, filter)).map(entryOf),
      }));
  });

const entryOf = ([key, name]: readonly [string, string | undefined]): readonly [string, string?] =>
  name === undefined || name === key ? [key] : [key, name];

/** The items of each short list, page by page of its table. */
const keyGroups = (source: DocumentSource): readonly Group[] =>
  source.operations.flatMap((operation) => {
    const items = source.catalog.items.get(operation.name);
    if (operation.kind === "document" || items === undefined || items.count > mostKeys) return [];
    const table = dataPagePath(source, operation);
    if (table === undefined && !hasItems(operation)) return [];
    const keys = Array.from({ length: items.count }, (_, index) => {
      const item = itemAt(items, index);
      return entryOf([keyText(keyFields(operation.resource), item), nameOf(item)]);
    });
    return Array.from({ length: Math.ceil(keys.length / mostRows) }, (_, page) => ({
      kind: titleOfResource(operation),
      at: table === undefined ? `${requestPath(source.api, operation)}/` : `${pageOfTable(table, page + 1)}#row-`,
      entries: keys.slice(page * mostRows, (page + 1) * mostRows),
    }));
  });
