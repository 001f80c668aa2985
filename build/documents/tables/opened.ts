// An opened row of a table: all fields of its item, also those that no column shows, and its JSON.
import { type Html, html } from "../../../src/declare/html.ts";
import { fieldOf, ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import {
  type CellColumn,
  cellHtml,
  fileHtml,
  keyText,
  numberText,
  rowAnchor,
  type TargetOf,
} from "../describe/cells.ts";
import type { TableData } from "./data.ts";

/** The content of the row below. `address` is that of the item's JSON; undefined if it has none. */
export function openedHtml(data: TableData, item: Item, targetOf: TargetOf, address: string | undefined): Html {
  const key = keyText(data.keys, item);
  const fields = Object.entries(item).map(
    ([field, value]) =>
      html`<div><dt><code>${field}</code></dt><dd>${fieldHtml(data, field, value, targetOf)}</dd></div>\n`,
  );
  const single = address !== undefined && html`, <a href="${address}">as JSON</a>`;
  return html`<div class="item"><dl class="facts">${fields}</dl>
<p lang="en" dir="ltr"><a href="#${rowAnchor(key)}">Address of this row</a>${single}</p>
<p class="referrers" lang="en" dir="ltr" hidden>Referred to by </p>
<details><summary>JSON</summary><pre tabindex="0" role="group" aria-label="JSON"><code>${JSON.stringify(item, null, 2)}</code></pre></details></div>`;
}

function fieldHtml(data: TableData, path: string, value: unknown, targetOf: TargetOf): unknown {
  const { columns, further, references } = data;
  const column = [...columns, ...further].find((shown) => shown.path === path);
  if (column?.kind === "file") return fileHtml(value);
  return nestedHtml(value, column ?? { path, to: ownField(references, path) }, targetOf);
}

const isObject = (value: unknown): value is Item =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A scalar or a list of scalars as in a cell, an object or a list of objects as a table. */
function nestedHtml(value: unknown, column: CellColumn, targetOf: TargetOf): unknown {
  if (typeof value === "number") return html`<span class="number">${numberText(value)}</span>`;
  if (isFile(value)) return fileHtml(value);
  if (isObject(value)) return objectHtml(value, column, targetOf);
  if (!Array.isArray(value) || !value.some((element) => typeof element === "object" && element !== null)) {
    return cellHtml(value, column, targetOf);
  }
  if (value.every(isObject)) return tableHtml(value, column, targetOf);
  return html`<ol>${value.map((element) => html`<li>${nestedHtml(element, column, targetOf)}</li>`)}</ol>`;
}

/** Of a file beside the data. */
const isFile = (value: unknown): boolean =>
  typeof fieldOf(value, "url") === "string" && typeof fieldOf(value, "content_type") === "string";

const inner = ({ path }: CellColumn, name: string): CellColumn => ({ path: `${path}.${name}` });

/** A row for each field. */
const objectHtml = (value: Item, column: CellColumn, targetOf: TargetOf): Html | string =>
  Object.keys(value).length === 0
    ? html`<span class="type">{}</span>`
    : html`<table class="nested"><tbody>${Object.entries(value).map(
        ([name, field]) =>
          html`<tr><th scope="row">${name}</th><td>${nestedHtml(field, inner(column, name), targetOf)}</td></tr>`,
      )}</tbody></table>`;

/** A row for each object, a column for each field that one of them has. */
function tableHtml(values: readonly Item[], column: CellColumn, targetOf: TargetOf): Html {
  const names = [...new Set(values.flatMap(Object.keys))];
  const rows = values.map(
    (value) =>
      html`<tr>${names.map((name) => html`<td>${nestedHtml(ownField(value, name), inner(column, name), targetOf)}</td>`)}</tr>`,
  );
  return html`<table class="nested"><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`;
}
