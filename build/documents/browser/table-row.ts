// A row that is opened: all fields of its item, its JSON, and what refers to it.
import { html } from "../../../src/html.ts";
import type { Item } from "../../../src/resource.ts";
import { integer } from "../../text/words.ts";
import {
  type CellColumn,
  cellHtml,
  type FacetValue,
  keyText,
  type Referrer,
  rowAnchor,
  type TableData,
  type TargetOf,
} from "../tables/cells.ts";
import { make } from "./elements.ts";

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

/** A scalar or a list of scalars as in a cell; what is nested as JSON, with the items to which it refers. */
function fieldHtml({ columns, references }: TableData, field: string, value: unknown, targetOf: TargetOf): unknown {
  const isNested = [value].flat().some((each) => typeof each === "object" && each !== null);
  if (!isNested) {
    const to = references.find(([path]) => path === field)?.[1];
    const column: CellColumn = columns.find(({ path }) => path === field) ?? { path: field, to };
    return cellHtml(value, column, targetOf);
  }
  const inside = references.filter(([path]) => path.startsWith(`${field}.`));
  const links = inside.flatMap(([path, to]) =>
    keysAt(value, path.split(".").slice(1)).map((key) => html` ${cellHtml(key, { path: field, to }, targetOf)}`),
  );
  return html`<code>${JSON.stringify(value, null, 1)}</code>${links}`;
}

/** The keys at a path, in every element of the lists and records on it. */
function keysAt(value: unknown, steps: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysAt(each, steps));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  const inner = step === "*" ? Object.values(Object(value)) : Object(value)[step];
  return keysAt(inner, rest);
}

/** `15 nodes`: the items of each list that refers to this one by a filter. */
async function showReferrers({ referrers }: TableData, key: string, place: HTMLElement): Promise<void> {
  const counts = await Promise.all(referrers.map((each) => countOf(each, key)));
  const links = referrers.flatMap(({ table, param, noun, nouns }, index) => {
    const count = counts[index] ?? 0;
    const href = `${table}?${new URLSearchParams({ [param]: key })}`;
    return count === 0 ? [] : [make("a", { href }, `${integer(count)} ${count === 1 ? noun : nouns}`)];
  });
  place.hidden = links.length === 0;
  place.append(...links.flatMap((link, index) => (index === 0 ? [link] : [", ", link])));
}

/** A filter of a list with its values, as the document of the filters has them. */
export interface Facet {
  readonly param: string;
  readonly values: readonly FacetValue[];
}

/** Each document is loaded once. */
const known = new Map<string, Promise<readonly Facet[]>>();

export function facetsAt(address: string): Promise<readonly Facet[]> {
  const facets = known.get(address) ?? answerOf(address).then(async (response) => (await response.json()).filters);
  known.set(address, facets);
  return facets;
}

async function countOf({ values, param }: Referrer, key: string): Promise<number> {
  const facets = await facetsAt(values);
  return facets.find((each) => each.param === param)?.values.find(({ value }) => value === key)?.count ?? 0;
}

export async function answerOf(address: string): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with the status ${response.status}.`);
  return response;
}
