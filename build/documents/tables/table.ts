// The table of a data page: a row for each item, with links to single items and to the items that it refers to.
import { isRightToLeft } from "../../../src/declare/language.ts";
import { ownField } from "../../../src/model/fields.ts";
import { type Item, keyFields } from "../../../src/model/key.ts";
import { hasItems, type ListOperation } from "../../../src/model/operation.ts";
import { requestPath } from "../describe/addresses.ts";
import { type CellColumn, keyText, rowAnchor, rowHtml, type TargetOf } from "../describe/cells.ts";
import { placesOn } from "../describe/reference-places.ts";
import type { Site } from "../describe/site.ts";
import { deprecationMark, type Html, html } from "../frame/html.ts";

/** The table of some items. It scrolls sideways in its box on narrow screens. */
export function dataTable(
  site: Site,
  operation: ListOperation,
  columns: readonly CellColumn[],
  items: readonly Item[],
): Html {
  const keys = keyFields(operation);
  const places = placesOn(site);
  const { language } = site.settings;
  const direction = language !== undefined && isRightToLeft(language) && html` dir="rtl"`;
  const hrefOf = (item: Item) =>
    hasItems(operation)
      ? requestPath(site.api, operation, { key: keys.map((field) => String(ownField(item, field))) })
      : `#${rowAnchor(keyText(keys, item))}`;
  const heads = columns.map(({ path, kind }) => {
    const field = places.field(operation, path);
    const mark = deprecationMark(ownField(operation.deprecatedFields, path));
    return html`<th scope="col"${kind === "number" && html` class="number"`}><a href="${field}">${path}</a>${mark}</th>\n`;
  });
  const targetOf: TargetOf = ({ to = "" }, key) => site.findTarget(to, key);
  // The box is scrolled to the first column at first.
  return html`<div class="scroll" role="region" aria-label="${operation.nouns}" tabindex="0"${direction}>
<table class="items">
<thead><tr>
${heads}</tr></thead>
<tbody${language !== undefined && html` lang="${language}"`}>
${items.map((item) => rowHtml(columns, keys, item, hrefOf(item), targetOf))}</tbody>
</table>
</div>`;
}
