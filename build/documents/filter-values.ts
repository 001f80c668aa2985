// Links to filtered lists and to single items, and the field of a form for the values of a filter. Each value is shown with
// the name of its item.
import { acceptedBy, listNamed } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { filtersPath } from "../../src/paths.ts";
import { filterValues, itemAt } from "../content/catalog.ts";
import { integer } from "../words.ts";
import { type Html, html } from "./html.ts";
import { type DocumentSource, requestPath } from "./source.ts";

/** More values than these are counted, not listed: a page with all values would load slowly. */
const mostValues = 200;

/** More values than these are folded. */
const fewValues = 8;

/** Links to the filtered lists, at most `most`, folded if there are many. */
export function valueList(
  source: DocumentSource,
  operation: ListOperation,
  filter: Filter,
  most: number = mostValues,
): Html {
  const values = filterValues(source.catalog, operation, filter);
  const labelAt = labelsOf(source, filter);
  const links = values.slice(0, most).map((value, index) => {
    const label = labelAt(index);
    const path = requestPath(source.api, operation, { query: `${filter.param}=${value}` });
    return html`<li><a href="${path}"><code>${value}</code>${label !== undefined && html` <bdi>${label}</bdi>`}</a></li>\n`;
  });
  return folded(links, values.length, "values", filtersPath(source.api.base, operation.name));
}

/** Links to single items, folded if there are many. */
export function itemList(source: DocumentSource, operation: ListOperation): Html {
  const names = source.catalog.items.get(operation.name)?.names ?? [];
  const links = names.slice(0, mostValues).map((name) => {
    const path = requestPath(source.api, operation, { key: name.split("/") });
    return html`<li><a href="${path}"><code>${name}</code></a></li>\n`;
  });
  return folded(links, names.length, operation.resource.nouns, requestPath(source.api, operation));
}

/** The first links of `count`. All targets are at `path`. */
function folded(links: readonly Html[], count: number, nouns: string, path: string): Html {
  if (count === 0) return html``;
  const more = count - links.length;
  const rest = html`<p>and ${integer(more)} more, all at <a href="${path}">${path}</a>.</p>\n`;
  const list = html`<ul class="values">
${links}</ul>
${more > 0 && rest}`;
  return count <= fewValues ? list : html`<details><summary>${integer(count)} ${nouns}</summary>\n${list}</details>`;
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
    return html`<label>${param} <input name="${param}" required pattern="${form}" value="${values[0] ?? ""}" autocomplete="off" spellcheck="false"></label>\n`;
  }
  const labelAt = labelsOf(source, filter);
  const options = values.map((value, index) => {
    const label = labelAt(index);
    return html`<option value="${value}">${value}${label !== undefined && html` – ${label}`}</option>\n`;
  });
  return html`<label>${param} <select name="${param}" required>
${options}</select></label>\n`;
}

/** A longer name does not fit beside a value. */
const longestLabel = 100;

/** The `name` of the item whose key is a value of a filter, by the index of the value. None if `name` is the key. */
export function labelsOf({ api, catalog }: DocumentSource, { accepts }: Filter): (index: number) => string | undefined {
  const target = accepts.kind === "keys" ? listNamed(api, accepts.of) : undefined;
  const items = target && catalog.items.get(target.name);
  if (items === undefined || target?.resource.key === "name") return () => undefined;
  return (index) => {
    const { name } = itemAt(items, index);
    return typeof name === "string" && name.length <= longestLabel ? name : undefined;
  };
}
