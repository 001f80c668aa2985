// An opened row: all fields of its item, its JSON, and links to the items that refer to it.
import { html } from "../../../src/declare/html.ts";
import type { Item } from "../../../src/model/key.ts";
import { counted } from "../../text/words.ts";
import { cellHtml, fileHtml, keyText, rowAnchor, type TargetOf } from "../tables/cells.ts";
import type { Facet, Referrer, TableData } from "../tables/data.ts";
import { make } from "./elements.ts";
import { answerOf } from "./table-items.ts";

export function openedRow(data: TableData, item: Item, targetOf: TargetOf, width: number): HTMLTableRowElement {
  const cell = make("td", { colSpan: width });
  const key = keyText(data.keys, item);
  const fields = Object.entries(item).map(
    ([field, value]) =>
      html`<div><dt><code>${field}</code></dt><dd>${fieldHtml(data, field, value, targetOf)}</dd></div>\n`,
  );
  const single = data.hasItems && html`, <a href="${[data.request, key].join("/")}">as JSON</a>`;
  cell.innerHTML = String(html`<div class="item"><dl class="facts">${fields}</dl>
<p><a href="#${rowAnchor(key)}">Address of this row</a>${single}</p>
<p class="referrers" hidden>Referred to by </p>
<details><summary>JSON</summary><pre tabindex="0" role="group" aria-label="JSON"><code>${JSON.stringify(item, null, 2)}</code></pre></details></div>`);
  const referrers = cell.querySelector<HTMLElement>(".referrers");
  if (referrers !== null) showReferrers(data, key, referrers);
  return make("tr", { className: "opened" }, cell);
}

/** A scalar or a list of scalars as in a cell; nested values as JSON. */
function fieldHtml({ columns, references }: TableData, field: string, value: unknown, targetOf: TargetOf): unknown {
  if (columns.some(({ path, kind }) => path === field && kind === "file")) return fileHtml(value);
  const isNested = [value].flat().some((element) => typeof element === "object" && element !== null);
  if (isNested) return html`<code>${JSON.stringify(value, null, 1)}</code>`;
  const column = columns.find(({ path }) => path === field) ?? { path: field, to: references[field] };
  return cellHtml(value, column, targetOf);
}

/** `15 nodes`: the items of each list that refers to this one by a filter. */
async function showReferrers({ referrers }: TableData, key: string, place: HTMLElement): Promise<void> {
  const links = await Promise.all(
    referrers.map(async (referrer) => {
      const count = await countOf(referrer, key);
      const href = `${referrer.table}?${new URLSearchParams({ [referrer.param]: key })}`;
      return count === 0 ? [] : [make("a", { href }, counted(count, referrer))];
    }),
  );
  place.hidden = links.flat().length === 0;
  place.append(...links.flat().flatMap((link, index) => (index === 0 ? [link] : [", ", link])));
}

async function countOf({ values, param }: Referrer, key: string): Promise<number> {
  const { filters }: { readonly filters: readonly Pick<Facet, "param" | "values">[] } = await (
    await answerOf(values)
  ).json();
  return filters.find((filter) => filter.param === param)?.values.find(({ value }) => value === key)?.count ?? 0;
}
