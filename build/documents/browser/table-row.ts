// A row that is opened: all fields of its item, its JSON, and what refers to it.
import { html } from "../../../src/html.ts";
import type { Item } from "../../../src/resource.ts";
import { integer } from "../../text/words.ts";
import { cellHtml, keyText, type TargetOf } from "../tables/cells.ts";
import { type CellColumn, type Referrer, rowAnchor, type TableData } from "../tables/shape.ts";
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
function fieldHtml(data: TableData, field: string, value: unknown, targetOf: TargetOf): unknown {
  const column = data.columns.find(({ path }) => path === field) ?? columnOf(data, field);
  const isNested = [value].flat().some((each) => typeof each === "object" && each !== null);
  if (!isNested) return cellHtml(value, column, targetOf);
  const references = data.references
    .filter(([path]) => path.startsWith(`${field}.`))
    .flatMap(([path, to]) => keysAt(value, path.slice(field.length + 1).split(".")).map((key) => [to, key] as const))
    .map(([to, key]) => html` ${cellHtml(key, { path: field, to }, targetOf)}`);
  return html`<code>${JSON.stringify(value, null, 1)}</code>${references}`;
}

const columnOf = ({ references }: TableData, field: string): CellColumn => ({
  path: field,
  to: references.find(([path]) => path === field)?.[1],
});

/** The keys at a path, in every element of the lists and records on it. */
function keysAt(value: unknown, [step, ...rest]: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysAt(each, step === undefined ? [] : [step, ...rest]));
  if (step === undefined) return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  const inner = step === "*" ? Object.values(Object(value)) : Object(value)[step];
  return inner === undefined || inner === null ? [] : keysAt(inner, rest);
}

/** `15 nodes`: the items of each list that refers to this one by a filter. */
async function showReferrers({ referrers }: TableData, key: string, place: HTMLElement): Promise<void> {
  const counts = await Promise.all(referrers.map((each) => countOf(each, key)));
  const found = referrers.flatMap((each, index) => {
    const { table, param, noun, nouns } = each;
    const count = counts[index] ?? 0;
    const href = `${table}?${new URLSearchParams({ [param]: key })}`;
    return count === 0 ? [] : [make("a", { href }, `${integer(count)} ${count === 1 ? noun : nouns}`)];
  });
  place.hidden = found.length === 0;
  place.append(...found.flatMap((link, index) => (index === 0 ? [link] : [", ", link])));
}

const known = new Map<string, Promise<ReadonlyMap<string, number>>>();

async function countOf({ values, param }: Referrer, key: string): Promise<number> {
  const address = `${values}#${param}`;
  const counts = known.get(address) ?? countsIn(values, param);
  known.set(address, counts);
  return (await counts).get(key) ?? 0;
}

interface Filters {
  readonly filters: readonly {
    readonly param: string;
    readonly values: readonly { readonly value: string; readonly count: number }[];
  }[];
}

async function countsIn(address: string, param: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with the status ${response.status}.`);
  const { filters }: Filters = await response.json();
  const values = filters.find((each) => each.param === param)?.values ?? [];
  return new Map(values.map(({ value, count }) => [value, count]));
}
