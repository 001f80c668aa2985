// The values of filters as data: what consumers may send, and how many items each value lists.
import { filtersPath } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { filterValues } from "../content/catalog.ts";
import { type Document, json, textDocument } from "../document.ts";
import { labelled } from "./filter-values.ts";
import type { DocumentSource } from "./source.ts";

/** A document for each list that has filters. */
export const filterDocuments = (source: DocumentSource): readonly Document[] =>
  source.operations.flatMap((operation) =>
    operation.kind === "document" || operation.filters.length === 0 ? [] : [filtersOf(source, operation)],
  );

/**
 * For each filter its values with the number of items and, for keys, the name of what they refer to; the filters that may
 * be sent together; and the page sizes of lists that have pages.
 */
function filtersOf(source: DocumentSource, operation: ListOperation): Document {
  const counts = new Map(
    source.listings
      .filter(({ operation: { name }, chosen }) => name === operation.name && chosen.length === 1)
      .map(({ chosen: [one], items }) => [`${one?.param}=${one?.value}`, items.count]),
  );
  const filters = operation.filters.map((filter) => {
    const { param, deprecated } = filter;
    const values = labelled(source, filter, filterValues(source.catalog, operation, filter));
    const counted = values.map(([value, name]) => ({ value, count: counts.get(`${param}=${value}`) ?? 0, name }));
    return { param, values: counted, ...(deprecated && { deprecated }) };
  });
  const body = {
    object: "filters",
    filters,
    together: operation.together,
    ...(operation.paged && { page_sizes: source.sizesOf(operation.name) }),
  };
  return textDocument(filtersPath(source.api.base, operation.name), json, JSON.stringify(body));
}
