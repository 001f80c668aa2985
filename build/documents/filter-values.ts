// The values that a filter accepts, each with the name of its item: as links, and as a field of a form. Links to items.
import { acceptedBy, listNamed } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { filterValues, itemAt } from "../content/catalog.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, isServed, itemPath, requestPath } from "./source.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 200;

/** More values than these are folded. */
const fewValues = 8;

/** Links to the filtered listings, at most `most`, folded if there are many. */
export function valueList(
  source: DocumentSource,
  operation: ListOperation,
  filter: Filter,
  most: number = mostValues,
): Html {
  const values = filterValues(source.catalog, operation, filter);
  const labelAt = labelsOf(source, filter);
  const { listedBy, isListed } = acceptedBy(source.api, operation, filter);
  return linksTo(source, isListed ? listedBy.name : "", "values", values.length, most, (index) => {
    const value = values[index] ?? "";
    const label = labelAt(index);
    return [
      requestPath(source.api, operation, `${filter.param}=${value}`),
      html`<code>${value}</code>${label !== undefined && html` <bdi>${label}</bdi>`}`,
    ];
  });
}

/** Links to single items, folded if there are many. */
export function itemList(source: DocumentSource, operation: ListOperation): Html {
  const names = source.catalog.items.get(operation.name)?.names ?? [];
  return linksTo(source, operation.name, operation.resource.nouns, names.length, mostValues, (index) => {
    const name = names[index] ?? "";
    return [itemPath(source.api, operation, name.split("/")), html`<code>${name}</code>`];
  });
}

/** `listedBy` is the operation that lists all of them; empty if none does. */
function linksTo(
  source: DocumentSource,
  listedBy: string,
  nouns: string,
  count: number,
  most: number,
  linkAt: (index: number) => readonly [path: string, text: Html],
): Html {
  if (count === 0) return html``;
  const links = Array.from({ length: Math.min(count, most) }, (_, index) => {
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
  const values = filterValues(source.catalog, operation, filter);
  if (values.length > mostValues || values.length === 0) {
    // Browsers compile the pattern with the flag v, with which a hyphen in a class is escaped.
    const form = acceptedBy(source.api, operation, filter)
      .form.replace(/^\^|\$$/g, "")
      .replaceAll("-]", "\\-]");
    return html`<label>${param} <input name="${param}" required pattern="${form}" value="${values[0] ?? ""}" autocomplete="off" spellcheck="false"></label>
`;
  }
  const labelAt = labelsOf(source, filter);
  const options = values.map((value, index) => {
    const label = labelAt(index);
    return html`<option value="${value}">${value}${label !== undefined && html` – ${label}`}</option>
`;
  });
  return html`<label>${param} <select name="${param}" required>
${options}</select></label>
`;
}

/** A longer name does not fit beside a value. */
const longestLabel = 100;

/** The `name` of the item whose key is a value of a filter, by the index of the value, if that is not its key. */
function labelsOf({ api, catalog }: DocumentSource, { accepts }: Filter): (index: number) => string | undefined {
  const target = accepts.kind === "keys" ? listNamed(api, accepts.of) : undefined;
  const items = target && catalog.items.get(target.name);
  if (items === undefined || target?.resource.key === "name") return () => undefined;
  return (index) => {
    const { name } = itemAt(items, index);
    return typeof name === "string" && name.length <= longestLabel ? name : undefined;
  };
}
