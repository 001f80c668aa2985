// The values of a filter, as links to the filtered lists and as the field of a form. A value that is the key of an item is
// shown with the name of the item.
import { filtersPath, listNamed } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { filterValues, itemAt } from "../content/catalog.ts";
import { integer } from "../text/words.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, requestPath } from "./source.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 200;

/** More values than these are typed in a form, not chosen. */
const mostOptions = 500;

/** More values than these are folded. */
const fewValues = 8;

/** A longer name does not fit beside a value. */
const longestLabel = 100;

/** Links to the filtered lists, folded if there are many. */
export function valueList(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const values = filterValues(source.catalog, operation, filter);
  if (values.length === 0) return html``;
  const links = labelled(source, filter, values.slice(0, mostValues)).map(([value, label]) => {
    const path = requestPath(source.api, operation, { query: `${filter.param}=${value}` });
    return html`<li><a href="${path}"><code>${value}</code>${label !== undefined && html` <bdi>${label}</bdi>`}</a></li>\n`;
  });
  const all = filtersPath(source.api.base, operation.name);
  const more = html`<p>and ${integer(values.length - links.length)} more, all at <a href="${all}">${all}</a>.</p>\n`;
  const list = html`<ul class="values">
${links}</ul>
${links.length < values.length && more}`;
  if (values.length <= fewValues) return list;
  return html`<details><summary>${integer(values.length)} values</summary>\n${list}</details>`;
}

/** Whether the form of an operation lists the values of a filter. */
export function isListedInForms({ catalog }: DocumentSource, operation: ListOperation, filter: Filter): boolean {
  const { length } = filterValues(catalog, operation, filter);
  return length > 0 && length <= mostOptions;
}

/** A choice of the values, or a text field if there are too many or none. Browsers do not send a disabled option. */
export function filterField(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const { param } = filter;
  const values = filterValues(source.catalog, operation, filter);
  if (!isListedInForms(source, operation, filter)) {
    return html`<label>${param} <input name="${param}" required autocomplete="off" spellcheck="false"></label>\n`;
  }
  const options = labelled(source, filter, values).map(
    ([value, label]) => html`<option value="${value}">${value}${label !== undefined && html` – ${label}`}</option>\n`,
  );
  return html`<label>${param} <select name="${param}">
<option value="" disabled selected>any</option>
${options}</select></label>\n`;
}

/** The first values of a filter, each with the `name` of the item whose key it is, unless the name is the key. */
export function labelled(
  { api, catalog }: DocumentSource,
  { accepts }: Filter,
  values: readonly string[],
): readonly (readonly [value: string, label: string | undefined])[] {
  const target = accepts.kind === "keys" ? listNamed(api, accepts.of) : undefined;
  const items = target?.resource.key === "name" ? undefined : target && catalog.items.get(target.name);
  return values.map((value, index) => {
    const name = items && itemAt(items, index)["name"];
    return [value, typeof name === "string" && name.length <= longestLabel ? name : undefined];
  });
}
