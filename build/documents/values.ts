// The values of filters: as links to the filtered lists, and as fields of forms. A value that is the key of an item is shown
// with the name of the item.
import { filtersPath, listNamed } from "../../src/model/api.ts";
import { type Filter, isTyped } from "../../src/model/filter.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { sortParam } from "../../src/model/order.ts";
import { filterValues, itemAt } from "../content/catalog.ts";
import type { Listing } from "../pages/listing.ts";
import { integer } from "../text/words.ts";
import { requestPath } from "./addresses.ts";
import { type Html, html } from "./html.ts";
import type { Site } from "./site.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const maxValues = 200;

/** More values than these are typed in a form, not chosen. */
const maxOptions = 500;

/** More values than these are folded. */
const fewValues = 8;

/** A longer name does not fit beside a value. */
const longestName = 100;

type NamedValue = readonly [value: string, name: string | undefined];

/** The first values of a filter. A value that is the key of an item has the item's `name`, unless the name is the key. */
export function namedValues(
  { api, catalog }: Site,
  operation: ListOperation,
  filter: Filter,
  maxCount?: number,
): readonly NamedValue[] {
  const target = filter.accepts.kind === "keys" ? listNamed(api, filter.accepts.of) : undefined;
  const items = target?.key === "name" ? undefined : target && catalog.items.get(target.name);
  return filterValues(catalog, operation, filter)
    .slice(0, maxCount)
    .map((value, index) => {
      // The keys of items precede other values.
      const name = items !== undefined && index < items.count ? itemAt(items, index)["name"] : undefined;
      return [value, typeof name === "string" && name.length <= longestName ? name : undefined];
    });
}

/** A value of a filter with its items. */
export interface ListedValue {
  readonly value: string;
  readonly name: string | undefined;
  readonly count: number;
  readonly listing: Listing | undefined;
}

/** Each filter of a list with its values. */
export function listedFilters(site: Site, operation: ListOperation) {
  const listings = new Map(
    site.listings
      .filter(({ operation: { name }, order, chosen }) => name === operation.name && !order && chosen.length === 1)
      .map((listing) => [`${listing.chosen[0]?.param}=${listing.chosen[0]?.value}`, listing]),
  );
  return operation.filters.map((filter) => ({
    filter,
    values: namedValues(site, operation, filter).map(([value, name]): ListedValue => {
      const listing = listings.get(`${filter.param}=${value}`);
      return { value, name, listing, count: listing?.items.count ?? 0 };
    }),
  }));
}

/** Links to the filtered lists, folded if there are many. */
export function valueList(site: Site, operation: ListOperation, filter: Filter): Html | undefined {
  const { length } = filterValues(site.catalog, operation, filter);
  if (length === 0) return undefined;
  const links = namedValues(site, operation, filter, maxValues).map(([value, name]) => {
    const path = requestPath(site.api, operation, { query: `${filter.param}=${value}` });
    return html`<li><a href="${path}"><code>${value}</code>${name !== undefined && html` <bdi>${name}</bdi>`}</a></li>\n`;
  });
  const all = filtersPath(site.api.base, operation.name);
  const more = html`<p>and ${integer(length - links.length)} more, all at <a href="${all}">${all}</a>.</p>\n`;
  const list = html`<ul class="values">
${links}</ul>
${links.length < length && more}`;
  return length <= fewValues ? list : html`<details><summary>${integer(length)} values</summary>\n${list}</details>`;
}

/** The filters of a list whose values a form lists. The others have too many values, or none, and are typed. */
export const filtersInForms = ({ catalog }: Site, operation: ListOperation): readonly Filter[] =>
  operation.filters.filter((filter) => {
    const { length } = filterValues(catalog, operation, filter);
    return length > 0 && length <= maxOptions;
  });

/** A choice of the further orders. */
export const orderField = ({ orders }: ListOperation): Html =>
  html`<label>${sortParam} <select name="${sortParam}">
<option value="" disabled selected>default</option>
${orders.map(({ name, deprecated }) => html`<option value="${name}">${name}${deprecated && " (deprecated)"}</option>\n`)}</select></label>\n`;

/** A choice of the values. Browsers do not send a disabled option. */
export const choiceField = (site: Site, operation: ListOperation, filter: Filter, note?: Html): Html =>
  html`<label>${filter.param} <select name="${filter.param}"${isTyped(filter) && html` data-typed`}>
<option value="" disabled selected>any</option>
${namedValues(site, operation, filter).map(
  ([value, name]) => html`<option value="${value}">${value}${name !== undefined && html` – ${name}`}</option>\n`,
)}</select>${note}</label>\n`;
