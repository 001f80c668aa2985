// The values of a table's filters, each with its count and the name of what it refers to, and a link to its items.
import { filtersPath } from "../../../src/api.ts";
import type { Filter } from "../../../src/filter.ts";
import type { ListOperation } from "../../../src/operation.ts";
import type { Listing } from "../../pages/listing.ts";
import { integer } from "../../text/words.ts";
import { deprecationMark, type Html, html } from "../html.ts";
import { type DocumentSource, requestPath } from "../source.ts";
import { listedFilters } from "../values.ts";
import { type FacetValue, valuesHtml } from "./cells.ts";

/** The most values of a filter that each have a page of their own. */
const mostPages = 200;

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 500;

/** As many values of which each has one item are no choice, but a list of the items. */
const mostAlone = 30;

/** The number of filters whose values are shown at first, and how many values they may have. */
const [mostOpen, fewValues] = [3, 12];

/** A value of a filter that has items. */
export interface TableValue extends FacetValue {
  readonly listing: Listing;
}

export interface TableFilter {
  readonly filter: Filter;
  /** Those with most items first. */
  readonly values: readonly TableValue[];
  /** Whether each value has a page of its own. */
  readonly hasPages: boolean;
}

/** The filters that have a value with items. */
export const tableFilters = (source: DocumentSource, operation: ListOperation): readonly TableFilter[] =>
  listedFilters(source, operation).flatMap(({ filter, values: all }) => {
    const values = all
      .flatMap(({ listing, ...value }) => {
        const count = listing?.items.count ?? 0;
        return listing === undefined || count === 0 ? [] : [{ ...value, count, listing }];
      })
      .sort((one, other) => other.count - one.count);
    const hasPages = filter.accepts.kind !== "occurring" && values.length <= mostPages;
    return values.length === 0 ? [] : [{ filter, values, hasPages }];
  });

export const pageOfValue = (path: string, { param }: Filter, value: string): string => `${path}/${param}/${value}`;

/** `path` is the path of the table. The filters with the fewest values come first. */
export function facets(
  { api }: DocumentSource,
  operation: ListOperation,
  path: string,
  filters: readonly TableFilter[],
): Html {
  const sorted = filters.toSorted((one, other) => one.values.length - other.values.length);
  const all = filtersPath(api.base, operation.name);
  return html`<div class="facets">
${sorted.map(({ filter, values, hasPages }, index) => {
  const addressOf = (value: string) =>
    hasPages ? pageOfValue(path, filter, value) : requestPath(api, operation, { query: `${filter.param}=${value}` });
  const isOpen = index < mostOpen && values.length <= fewValues;
  return html`<details${isOpen && html` open`}><summary>${filter.param} <span class="type">${integer(values.length)}</span>${deprecationMark(filter.deprecated)}</summary>
${areListed(values) ? valuesHtml(values, addressOf) : html`<p>All values are at <a href="${all}">${all}</a>.</p>\n`}</details>
`;
})}</div>`;
}

const areListed = (values: readonly TableValue[]): boolean =>
  values.length <= mostValues && (values.length <= mostAlone || values.some(({ count }) => count > 1));
