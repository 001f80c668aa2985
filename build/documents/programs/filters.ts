// The documents with the numbers of items: for each list, in all and for every choice of filters that a request may send.
// The listings know these numbers.
import type { Filters } from "../../../src/answers/answers.ts";
import { filtersPath } from "../../../src/model/api.ts";
import { combinationsOf } from "../../../src/model/filter.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { type Document, jsonType, textDocument } from "../../files/document.ts";
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
  const counts = new Map<string, { readonly values: readonly string[]; readonly count: number }[]>();
  for (const {
    operation: { name },
    order,
    filters,
    items,
  } of listings) {
    if (name !== operation.name || order !== undefined || filters.length < 2 || items.count === 0) continue;
    const params = filters.map(({ param }) => param).join();
    const count = { values: filters.map(({ value }) => value), count: items.count };
    const others = counts.get(params);
    if (others === undefined) counts.set(params, [count]);
    else others.push(count);
  }
  return combinationsOf(operation).flatMap((combined) => {
    const params = combined.map(({ param }) => param);
    return params.length < 2 ? [] : [{ params, counts: counts.get(params.join()) ?? [] }];
  });
}
