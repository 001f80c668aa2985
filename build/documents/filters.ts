// The documents with the numbers of items: for each list, in all and for every choice of filters that a request may send.
// The listings know these numbers.
import type { Filters } from "../../src/answers/answers.ts";
import { filtersPath } from "../../src/model/api.ts";
import { combinationsOf, type Filter, slugOf, slugTexts } from "../../src/model/filter.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Items, itemAt, pageSizesOf, valuesAt } from "../content/catalog.ts";
import { type Document, json, textDocument } from "../files/document.ts";
import type { Site } from "./site.ts";
import { type ListedValue, listedFilters } from "./values.ts";

/** A document for each list. A list without filters has one as well: clients request the number of its items there. */
export const filterDocuments = (site: Site): readonly Document[] =>
  site.operations.flatMap((operation) => {
    if (operation.kind === "document") return [];
    const body = JSON.stringify(filtersOf(site, operation));
    return [textDocument(filtersPath(site.api.base, operation.name), json, body)];
  });

function filtersOf(site: Site, operation: ListOperation): Filters {
  const { name, together, paged } = operation;
  const items = site.catalog.items.get(name);
  return {
    object: "filters",
    total: items?.count ?? 0,
    filters: listedFilters(site, operation).map(({ filter, values }) => ({
      param: filter.param,
      values: filter.by === "slug" ? withLabels(values, filter, items) : values.map(withName),
      deprecated: filter.deprecated,
    })),
    together,
    combinations: countsTogether(site, operation),
    page_sizes: paged ? pageSizesOf(site.settings, name) : undefined,
  };
}

/** Without a name, JSON lacks the member. */
const withName = ({ value, count, name }: ListedValue) => ({ value, count, name });

function withLabels(values: readonly ListedValue[], filter: Filter, items: Items | undefined) {
  const labels = items === undefined ? new Map<string, string>() : labelsOf(items, filter);
  return values.map(({ value, count }) => ({ value, count, label: labels.get(value) }));
}

/** By slug, the text that it stands for. Parses no more items than there are slugs. */
function labelsOf(items: Items, filter: Filter): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const values = items.filters.get(filter.param);
  if (values === undefined) return labels;
  for (let index = 0; index < items.count && labels.size < values.known.length; index++) {
    if (valuesAt(values, index).every((slug) => labels.has(slug))) continue;
    for (const text of slugTexts(filter, itemAt(items, index))) {
      const slug = slugOf(text);
      if (slug !== "" && !labels.has(slug)) labels.set(slug, text);
    }
  }
  return labels;
}

/** The numbers of items of each combination of filters. Sets of values that no item has are left out: there may be many. */
function countsTogether({ listings }: Site, operation: ListOperation): Filters["combinations"] {
  const counts = new Map<string, { readonly values: readonly string[]; readonly count: number }[]>();
  for (const {
    operation: { name },
    order,
    chosen,
    items,
  } of listings) {
    if (name !== operation.name || order !== undefined || chosen.length < 2 || items.count === 0) continue;
    const params = chosen.map(({ param }) => param).join();
    const count = { values: chosen.map(({ value }) => value), count: items.count };
    const others = counts.get(params);
    if (others === undefined) counts.set(params, [count]);
    else others.push(count);
  }
  return combinationsOf(operation).flatMap((combined) => {
    const params = combined.map(({ param }) => param);
    return params.length < 2 ? [] : [{ params, counts: counts.get(params.join()) ?? [] }];
  });
}
