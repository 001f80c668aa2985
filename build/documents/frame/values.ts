// The values of filters: as links to the filtered lists, and as fields of forms.
import { filtersPath } from "../../../src/model/api.ts";
import type { Filter } from "../../../src/model/filter.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import { filterValues } from "../../content/catalog.ts";
import { integer } from "../../text/words.ts";
import { requestPath } from "../describe/addresses.ts";
import type { Site } from "../describe/site.ts";
import { type Html, html } from "./html.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const maxValues = 200;

/** More values than these are typed in a form, not chosen. */
const maxOptions = 500;

/** More values than these are folded. */
const fewValues = 8;

/** Links to the filtered lists, folded if there are many. */
export function valueLinks(site: Site, operation: ListOperation, filter: Filter): Html | undefined {
  const values = site.namedValues(operation, filter);
  const { length } = values;
  if (length === 0) return undefined;
  const links = values.slice(0, maxValues).map(({ value, name }) => {
    const path = requestPath(site.api, operation, { query: `${filter.param}=${value}` });
    const beside = name !== undefined && name !== value && html` <bdi>${name}</bdi>`;
    return html`<li><a href="${path}"><code>${value}</code>${beside}</a></li>\n`;
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
  html`<label>${filter.param} <select name="${filter.param}">
<option value="" disabled selected>any</option>
${site.namedValues(operation, filter).map(({ value, name }) => {
  const beside = name !== undefined && name !== value && html` \u2013 ${name}`;
  return html`<option value="${value}">${value}${beside}</option>\n`;
})}</select>${note}</label>\n`;
