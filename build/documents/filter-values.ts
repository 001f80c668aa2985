// The values that a filter accepts, each with the name of its item: as links, and as a field of a form.
import { acceptedBy, listNamed } from "../../src/api.ts";
import type { Filter, ListOperation } from "../../src/operation.ts";
import { allItems, filterValues } from "../content/catalog.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, isServed, requestPath } from "./source.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 200;

/** More values than these are folded. */
const fewValues = 8;

/** Links to the filtered listings, folded if there are many. */
export function valueList(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const values = labelledValues(source, operation, filter);
  const links = values.slice(0, mostValues).map(
    ({
      value,
      label,
    }) => html`<li><a href="${requestPath(source.api, operation, `${filter.param}=${value}`)}"><code>${value}</code>${label !== undefined && html` <bdi>${label}</bdi>`}</a></li>
`,
  );
  const { name } = acceptedBy(source.api, operation, filter).listedBy;
  const more = values.length - links.length;
  const rest =
    more > 0 &&
    html`<p>and ${more} more${isServed(source, name) && html`, all at <a href="${source.api.base}/${name}">${source.api.base}/${name}</a>`}.</p>`;
  const list = html`<ul class="values">
${links}</ul>
${rest}`;
  if (values.length === 0) return html``;
  if (values.length <= fewValues) return list;
  return html`<details><summary>${values.length} values</summary>
${list}</details>`;
}

/** A choice of the values, or a text field if there are too many or none. */
export function filterField(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const { param } = filter;
  const values = labelledValues(source, operation, filter);
  if (values.length > mostValues || values.length === 0) {
    const form = acceptedBy(source.api, operation, filter).form.replace(/^\^|\$$/g, "");
    return html`<label>${param} <input name="${param}" required pattern="${form}" value="${values[0]?.value ?? ""}" autocomplete="off" spellcheck="false"></label>
`;
  }
  const options = values.map(
    ({ value, label }) => html`<option value="${value}">${value}${label !== undefined && html` – ${label}`}</option>
`,
  );
  return html`<label>${param} <select name="${param}" required>
${options}</select></label>
`;
}

interface FilterValue {
  readonly value: string;
  /** The `name` of the item, if that is not its key. */
  readonly label: string | undefined;
}

/** In the order of the operation that lists the items. */
function labelledValues(
  { api, catalog }: DocumentSource,
  operation: ListOperation,
  filter: Filter,
): readonly FilterValue[] {
  if (filter.accepts.kind !== "keys") {
    return filterValues(catalog, operation, filter).map((value) => ({ value, label: undefined }));
  }
  const target = listNamed(api, filter.accepts.of);
  const { key } = target.resource;
  return allItems(catalog.items.get(target.name)).map((item) => {
    const name = key === "name" ? undefined : item["name"];
    return { value: String(item[key]), label: typeof name === "string" ? name : undefined };
  });
}
