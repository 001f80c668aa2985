// The tables of regions by zone, and of the nodes that are not good.
import { type Html, html } from "../index.ts";
import { capacityIn, countryName, type Load, type Network, type RegionEntry, type RegionGroup } from "./network.ts";
import { issuesIn, stateName, toneOf } from "./states.ts";
import type { StatusChange } from "./status-changes.ts";
import { capacityText, counted, countsText, heading, numberText, statesText, timeHtml, toneMark } from "./text.ts";

export const zoneAnchor = (zone: string): string => `zone-${zone}`;

/** A zone whose regions are all good is folded. */
export function zoneSection(network: Network, { name, regions, states, tone, load }: RegionGroup): Html {
  const issues = issuesIn(states);
  // The states that are not good; all states if none or all are.
  const state = issues.size === 0 || issues.size === states.size ? statesText(states) : countsText(issues);
  const id = zoneAnchor(name);
  const row = (title: Html) => html`${title}
<span>${counted(regions.length, "region")}</span>
${toneMark(tone, state)}
${network.nodesIn !== undefined && html`<span>${counted(load.nodes, "node")}</span> <span>${capacityOf(load)}</span>`}`;
  const head =
    tone === "good"
      ? html`<details>\n<summary class="row">${row(html`<h3 id="${id}">${name}</h3>`)}</summary>`
      : html`<div class="row">\n${row(heading(3, id, name))}\n</div>`;
  return html`<section class="zone" aria-labelledby="${id}">
${head}
${regionTable(network, `Regions of ${name}`, regions)}
${tone === "good" && html`</details>\n`}</section>
`;
}

/** There may be thousands of rows, so quotes, end tags and elements that HTML does not need are omitted. */
function regionTable({ nodesIn }: Network, name: string, regions: readonly RegionEntry[]): Html {
  const rows = regions.map(({ code, name, country, status, tone, load }) => {
    const issues = issuesIn(load.states);
    const troubled = issues.size > 0 && html`<span class="about">${countsText(issues)} of</span> `;
    const title = load.nodes === 0 ? html`<bdi>${name}</bdi>` : html`<a dir=auto href="${nodesIn?.(code)}">${name}</a>`;
    const loads = nodesIn !== undefined && html`<td>${troubled}${numberText(load.nodes)}<td>${capacityOf(load)}`;
    return html`<tr id=${code}><th scope=row>${named(title, code)}<td>${countryName(country)}<td class=${tone}>${stateName(status)}${loads}\n`;
  });
  return table("regions", name, ["Region", "Country", "State", ...(nodesIn ? ["Nodes", "Capacity"] : [])], rows);
}

const capacityOf = ({ nodes, capacity }: Load): string => (nodes === 0 ? "–" : capacityText(capacity));

/** The worst first. `allNodes` is the path of the table of all nodes. A region of the page is a link to its row. */
export function nodeTable(network: Network, allNodes: string): Html {
  const names = namesIn(network);
  const rows = network.troubled.map((node) => {
    const { id, pop, status } = node;
    return html`<tr><th scope=row><a href="${allNodes}#row-${id}">${id}</a><td>${regionLink(names, pop)}<td class=${toneOf(status)}>${stateName(status)}<td>${capacityText(capacityIn(node))}\n`;
  });
  return table("nodes", "Nodes that are not operational", ["Node", "Region", "State", "Capacity"], rows);
}

/** The newest first. A region of the page is a link to its row, a node to the table of all nodes. */
export function changeTable(network: Network, changes: readonly StatusChange[], allNodes: string): Html {
  const names = namesIn(network);
  const thing = ({ of, key }: StatusChange) =>
    of === "nodes" ? html`<a href="${allNodes}#row-${key}">${key}</a>` : regionLink(names, key);
  const state = (word: string) => html`<td class=${toneOf(word)}>${stateName(word)}`;
  const rows = changes.map(
    (change) =>
      html`<tr><th scope=row>${thing(change)}${state(change.from)}${state(change.to)}<td>${timeHtml(change.at)}\n`,
  );
  return table("changed", "Changes of status", ["Region or node", "From", "To", "When"], rows);
}

/** The names of the regions by their codes. */
const namesIn = ({ regions = [] }: Network): ReadonlyMap<string, string> =>
  new Map(regions.map(({ code, name }) => [code, name]));

function regionLink(names: ReadonlyMap<string, string>, code: string): Html {
  const name = names.get(code);
  return name === undefined ? html`<code>${code}</code>` : named(html`<a dir=auto href="#${code}">${name}</a>`, code);
}

/** The stylesheet makes the key quiet. */
const named = (name: Html, key: string): Html => html`${name} <code>${key}</code>`;

const table = (kind: string, name: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table class="${kind}" aria-label="${name}">
<thead><tr>${heads.map((head) => html`<th scope="col"><span>${head}</span>`)}
<tbody>
${rows}</table>`;
