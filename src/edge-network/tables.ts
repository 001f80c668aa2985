// The tables of regions by zone, and of the nodes that are not good.
import { type Html, html } from "../index.ts";
import type { EdgeNode } from "./collections.ts";
import { countryName, type Load, type Network, type RegionEntry, type RegionGroup } from "./network.ts";
import { countsOf, stateName, toneOf, troubles } from "./states.ts";
import { capacityText, counted, countsText, heading, isolated, numberText, statesText, toneMark } from "./text.ts";

export const zoneAnchor = (zone: string): string => `zone-${zone}`;

/** In a network with more regions, a zone with more than a few good ones folds these away. A good zone is folded. */
const mostOpen = 60;
const few = 5;

export function zoneSections(network: Network, zones: readonly RegionGroup[]): readonly Html[] {
  const isLong = zones.reduce((sum, { regions }) => sum + regions.length, 0) > mostOpen;
  return zones.map((zone) => zoneSection(network, zone, isLong));
}

function zoneSection(network: Network, { name, regions, states, tone, load }: RegionGroup, isLong: boolean): Html {
  const good = regions.filter((each) => each.tone === "good");
  const folded = isLong && good.length > few ? good : [];
  const open = folded.length === 0 ? regions : regions.filter((each) => each.tone !== "good");
  const grave = troubles(states);
  // The states that are not good; all states if none or all are.
  const state = grave.size === 0 || grave.size === states.size ? statesText(states) : countsText(grave);
  const id = zoneAnchor(name);
  const row = (title: Html) => html`${title}
<span>${counted(regions.length, "region")}</span>
${toneMark(tone, state)}
${network.nodesIn !== undefined && html`<span>${counted(load.nodes, "node")}</span> <span>${capacityOf(load)}</span>`}`;
  const parts =
    tone === "good"
      ? html`<details>
<summary class="row">${row(html`<h3 id="${id}">${name}</h3>`)}</summary>
${regionTable(network, `Regions of ${name}`, regions)}
</details>`
      : html`<div class="row">
${row(heading(3, id, name))}
</div>
${regionTable(network, `Regions of ${name}`, open)}
${
  folded.length > 0 &&
  html`<details class="more">
<summary>${numberText(folded.length)} more, ${statesText(countsOf(folded.map(({ status }) => status)))}</summary>
${regionTable(network, `Operational regions of ${name}`, folded)}
</details>`
}`;
  return html`<section class="zone" aria-labelledby="${id}">
${parts}
</section>
`;
}

/** There may be thousands of rows, so quotes, end tags and elements that HTML does not need are omitted. */
function regionTable({ nodesIn }: Network, name: string, regions: readonly RegionEntry[]): Html {
  const rows = regions.map(({ code, name, country, status, tone, load }) => {
    const grave = troubles(load.states);
    const troubled = grave.size > 0 && html`<span class="about">${countsText(grave)} of</span> `;
    const link = load.nodes === 0 ? html`<code>${code}</code>` : html`<a href="${nodesIn?.(code)}">${code}</a>`;
    const loads = nodesIn !== undefined && html`<td>${troubled}${numberText(load.nodes)}<td>${capacityOf(load)}`;
    return html`<tr id=${code}><th scope=row>${isolated(name)} ${link}<td>${countryName(country)}<td class=${tone}>${stateName(status)}${loads}\n`;
  });
  return table("regions", name, ["Region", "Country", "State", ...(nodesIn ? ["Nodes", "Capacity"] : [])], rows);
}

const capacityOf = ({ nodes, capacity }: Load): string => (nodes === 0 ? "–" : capacityText(capacity));

/** The worst first. */
export function nodeTable(nodes: readonly EdgeNode[]): Html {
  const rows = nodes.map(
    ({ id, pop, status, capacity }) =>
      html`<tr><th scope=row>${id}<td>${pop}<td class=${toneOf(status)}>${stateName(status)}<td>${capacity}\n`,
  );
  return table("nodes", "Nodes that are not operational", ["Node", "Region", "State", "Capacity"], rows);
}

const table = (kind: string, name: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<table class="${kind}" aria-label="${name}">
<thead><tr>${heads.map((head) => html`<th scope="col"><span>${head}</span>`)}
<tbody>
${rows}</table>`;
