// The documents with the numbers of items: for each list, in all and for every choice of filters that a request may send.
// The listings know these numbers.
import type { Filters } from "../../../src/answers/answers.ts";
import { filtersPath } from "../../../src/model/api.ts";
import { combinationsOf } from "../../../src/model/filter.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { type Document, jsonType, textDocument } from "../../files/document.ts";
import { groupBy } from "../../values/group-by.ts";
import type { Site } from "../describe/site.ts";

/** A document for each list. A list without filters has one as well: clients request the number of its items there. */
export const filterDocuments = (site: Site): readonly Document[] =>
  site.operations.flatMap((operation) => {
    if (operation.kind === "document") return [];
    const body = JSON.stringify(filtersOf(site, operation));
    return [textDocument(filtersPath(site.api.base, operation.name), jsonType, body)];
  });

/** Each filter of a list with its values, and the numbers of their items. */
export function listedFilters(site: Site, operation: ListOperation) {
  const counts = new Map(
    site.listings
      .filter(({ operation: { name }, order, filters }) => name === operation.name && !order && filters.length === 1)
      .map(({ filters: [chosen], items }) => [`${chosen?.param}=${chosen?.value}`, items.count]),
  );
  return operation.filters.map((filter) => ({
    filter,
    values: site.namedValues(operation, filter).map(({ value, name }) => ({
      value,
      count: counts.get(`${filter.param}=${value}`) ?? 0,
      name,
    })),
  }));
}

function filtersOf(site: Site, operation: ListOperation): Filters {
  const { name, together, paged } = operation;
  return {
    object: "filters",
    total: site.catalog.items.get(name)?.count ?? 0,
    filters: listedFilters(site, operation).map(({ filter, values }) => ({
      param: filter.param,
      // Without a name, JSON lacks the member.
      values: filter.label === undefined ? values : values.map(({ name: label, ...value }) => ({ ...value, label })),
      deprecated: filter.deprecated,
    })),
    together,
    combinations: countsTogether(site, operation),
    page_sizes: paged ? pageSizesOf(site.settings, name) : undefined,
  };
}

/** The numbers of items of each combination of filters. Sets of values that no item has are left out: there may be many. */
function countsTogether({ listings }: Site, operation: ListOperation): Filters["combinations"] {
  const counted = listings.filter(
    ({ operation: { name }, order, items }) => name === operation.name && !order && items.count > 0,
  );
  const byParams = groupBy(counted, ({ filters }) => filters.map(({ param }) => param).join());
  return combinationsOf(operation).flatMap((combined) => {
    const params = combined.map(({ param }) => param);
    const counts = (byParams.get(params.join()) ?? []).map(({ filters, items: { count } }) => ({
      values: filters.map(({ value }) => value),
      count,
    }));
    return params.length < 2 ? [] : [{ params, counts }];
  });
}
