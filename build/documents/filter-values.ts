// The values that a filter accepts, each with the name of its item: as links, and as a field of a form. Links to items.
import { acceptedBy, listNamed } from "../../src/api.ts";
import type { Filter, ListOperation } from "../../src/operation.ts";
import { allItems, filterValues } from "../content/catalog.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, isServed, itemPath, requestPath } from "./source.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 200;

/** More values than these are folded. */
const fewValues = 8;

/** Links to the filtered listings, folded if there are many. */
export function valueList(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const values = labelledValues(source, operation, filter);
  const { name } = acceptedBy(source.api, operation, filter).listedBy;
  return linksTo(source, name, "values", values.length, (index) => {
    const { value = "", label } = values[index] ?? {};
    return [
      requestPath(source.api, operation, `${filter.param}=${value}`),
      html`<code>${value}</code>${label !== undefined && html` <bdi>${label}</bdi>`}`,
    ];
  });
}

/** Links to single items, folded if there are many. */
export function itemList(source: DocumentSource, operation: ListOperation): Html {
  const names = source.catalog.items.get(operation.name)?.names ?? [];
  return linksTo(source, operation.name, operation.resource.nouns, names.length, (index) => {
    const name = names[index] ?? "";
    return [itemPath(source.api, operation, name.split("/")), html`<code>${name}</code>`];
  });
}

/** `listedBy` is the operation that lists all of them, if the deployment has it. */
function linksTo(
  source: DocumentSource,
  listedBy: string,
  nouns: string,
  count: number,
  linkAt: (index: number) => readonly [path: string, text: Html],
): Html {
  if (count === 0) return html``;
  const links = Array.from({ length: Math.min(count, mostValues) }, (_, index) => {
    const [path, text] = linkAt(index);
    return html`<li><a href="${path}">${text}</a></li>
`;
  });
  const more = count - links.length;
  const all = requestPath(source.api, { name: listedBy });
  const rest =
    more > 0 &&
    html`<p>and ${more} more${isServed(source, listedBy) && html`, all at <a href="${all}">${all}</a>`}.</p>`;
  const list = html`<ul class="values">
${links}</ul>
${rest}`;
  if (count <= fewValues) return list;
  return html`<details><summary>${count} ${nouns}</summary>
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
