// The tables of regions by zone, of countries, and of nodes. They contain everything that the map shows.
import { type Html, html } from "../index.ts";
import {
  countryName,
  type Load,
  mostApart,
  type Network,
  type RegionEntry,
  type RegionGroup,
  type RegionLoad,
  worstFirst,
} from "./network.ts";
import { byGravity, countsOf, stateName, toneOf, troubles } from "./states.ts";
import { capacityText, counted, countryAnchor, countsText, heading, numberText, statesText, toneMark } from "./text.ts";

const zoneAnchor = (zone: string): string => `zone-${zone}`;

/** The anchor of the nodes of a region. */
const nodesAnchor = (region: string): string => `nodes-${region}`;

/** In a network with more regions, each zone with more than a few good ones folds these away. */
const mostOpen = 60;
const few = 5;

export function zoneSections(network: Network, zones: readonly RegionGroup[]): readonly Html[] {
  const isLong = zones.reduce((sum, { regions }) => sum + regions.length, 0) > mostOpen;
  return zones.map((zone) => zoneSection(network, zone, isLong));
}

function zoneSection(network: Network, { name, regions, states, tone, load }: RegionGroup, isLong: boolean): Html {
  const ordered = worstFirst(regions);
  const well = ordered.filter((each) => each.tone === "good");
  const folded = isLong && well.length > few ? well : [];
  const open = folded.length === 0 ? ordered : ordered.filter((each) => each.tone !== "good");
  const summary = open.length === 0 ? counted(folded.length, "region") : `${numberText(folded.length)} more`;
  const grave = troubles(states);
  // The states that are not good; all states if none or all are.
  const state = grave.size === 0 || grave.size === states.size ? statesText(states) : countsText(grave);
  return html`<section class="zone" aria-labelledby="${zoneAnchor(name)}">
<div class="row">
${heading(3, zoneAnchor(name), name)}
<span>${counted(regions.length, "region")}</span>
${toneMark(tone, state)}
${network.nodesIn !== undefined && html`<span>${counted(load.nodes, "node")}</span> <span>${capacityOf(load)}</span>`}
</div>
${open.length > 0 && regionTable(network, `Regions of ${name}`, open)}
${
  folded.length > 0 &&
  html`<details>
<summary>${summary}, ${statesText(countsOf(folded.map(({ status }) => status)))}</summary>
${regionTable(network, `Operational regions of ${name}`, folded)}
</details>`
}
</section>
`;
}

/** There may be thousands of rows, so quotes, end tags and elements that HTML does not need are omitted. */
function regionTable(network: Network, name: string, regions: readonly RegionEntry[]): Html {
  const rows = regions.map(
    (each) =>
      html`<tr id=${each.code}><th scope=row>${isolated(each.name)} ${codeLink(network, each.code, each.load)}<td>${countryName(each.country)}<td class=${each.tone}>${stateName(each.status)}${loadCells(network, each.load)}\n`,
  );
  return table(network, "regions", name, ["Region", "Country", "State"], rows);
}

/** A table with columns for the loads if the deployment lists nodes. */
function table(
  { nodesIn }: Network,
  kind: string,
  name: string,
  heads: readonly string[],
  rows: readonly Html[],
): Html {
  const all = nodesIn === undefined ? heads : [...heads, "Nodes", "Capacity"];
  return html`<table class="${kind}" aria-label="${name}">
<thead><tr>${all.map(columnHead)}
<tbody>
${rows}</table>`;
}

const columnHead = (name: string): Html => html`<th scope="col"><span>${name}</span>`;

const loadCells = ({ nodesIn }: Network, load: Load): Html | false =>
  nodesIn !== undefined && html`<td>${nodeTroubles(load)}${numberText(load.nodes)}<td>${capacityOf(load)}`;

const capacityOf = ({ nodes, capacity }: Load): string => (nodes === 0 ? "–" : capacityText(capacity));

function nodeTroubles({ states }: Load): Html | false {
  const grave = troubles(states);
  return grave.size > 0 && html`<span class="about">${countsText(grave)} of</span> `;
}

/** Isolates a name whose direction may differ from the page's. */
const isolated = (name: string): string | Html => (isLatin.test(name) ? name : html`<bdi>${name}</bdi>`);

const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u;

/** A region's code, with a link to its nodes: to their table, or to the JSON if the page lists none. */
function codeLink({ nodesIn }: Network, code: string, { nodes, listed }: RegionLoad): Html {
  if (listed.length > 0) return html`<a href="#${nodesAnchor(code)}">${code}</a>`;
  return nodes === 0 ? html`<code>${code}</code>` : html`<a href="${nodesIn?.(code)}">${code}</a>`;
}

export function countryTable(network: Network, countries: readonly RegionGroup[]): Html {
  const rows = countries.map(
    ({ name, ...group }) =>
      html`<tr id="${countryAnchor(name)}"><th scope="row">${countryName(name)} <span class="about">${name}</span><td>${regionLinks(group.regions)}<td>${toneMark(group.tone, statesText(group.states))}${loadCells(network, group.load)}\n`,
  );
  return table(network, "countries", "Countries", ["Country", "Regions", "State"], rows);
}

function regionLinks(regions: readonly RegionEntry[]): Html {
  if (regions.length > mostApart) return html`${numberText(regions.length)} in ${zoneLinks(regions)}`;
  const links = regions.map(({ code, name }, index) => {
    const isRepeated = regions.some((other) => other.name === name && other.code !== code);
    return html`${index > 0 && ", "}<a href="#${code}">${isolated(name)}${isRepeated && ` ${code}`}</a>`;
  });
  return html`${links}`;
}

const zoneLinks = (regions: readonly RegionEntry[]): readonly Html[] =>
  [...new Set(regions.map(({ zone }) => zone))]
    .toSorted()
    .map((zone, index) => html`${index > 0 && ", "}<a href="#${zoneAnchor(zone)}">${zone}</a>`);

/** For a deployment with nodes but without regions: only the codes of the regions are known. */
export function loadTable(network: Network): Html {
  const rows = loadsInOrder(network).map(
    ([code, load]) =>
      html`<tr id="${code}"><th scope="row">${codeLink(network, code, load)}<td>${toneMark(load.tone, statesText(load.states))}${loadCells(network, load)}\n`,
  );
  return table(network, "loads", "Nodes by region", ["Region", "State"], rows);
}

/** The worst first, then by the code of the region. */
const loadsInOrder = ({ loads }: Network) =>
  [...loads].toSorted(
    ([one, { tone }], [other, { tone: otherTone }]) => byGravity(tone, otherTone) || (one < other ? -1 : 1),
  );

/** The nodes of each region, in the order of the table of regions. Empty if none are listed. */
export function nodeSections(network: Network): readonly Html[] {
  const { regions } = network;
  const names = new Map(regions?.map(({ code, name }) => [code, name]));
  const ordered =
    regions === undefined ? loadsInOrder(network) : worstFirst(regions).map(({ code, load }) => [code, load] as const);
  return ordered
    .filter(([, { listed }]) => listed.length > 0)
    .map(([code, load]) => nodeSection(network, code, load, names.get(code)));
}

function nodeSection({ nodesIn }: Network, code: string, load: RegionLoad, name = code): Html {
  const { listed, nodes, tone, states } = load;
  const grave = troubles(states);
  const more = nodes - listed.length;
  const rows = listed.map(
    ({ id, status, capacity }) =>
      html`<tr><th scope=row>${id}<td class=${toneOf(status)}>${stateName(status)}<td>${capacity}\n`,
  );
  return html`<section class="nodes" aria-labelledby="${nodesAnchor(code)}">
<div class="row">
${heading(3, nodesAnchor(code), isolated(name))}
<a href="#${code}">${code}</a>
<span>${counted(nodes, "node")}, <a href="${nodesIn?.(code)}">JSON</a></span>
${grave.size > 0 && toneMark(tone, countsText(grave))}
</div>
<table aria-label="Nodes of ${name}">
<thead><tr>${["Node", "State", "Capacity"].map(columnHead)}
<tbody>
${rows}</table>
${more > 0 && html`<p>and ${numberText(more)} more in the <a href="${nodesIn?.(code)}">JSON</a>.</p>`}
</section>
`;
}

/** Links to the zones. */
export const zoneList = (zones: readonly RegionGroup[]): Html => html`<ul class="zones">
${zones.map(({ name, tone, regions }) => html`<li><a href="#${zoneAnchor(name)}"><span class="state ${tone}">${name}</span> <span class="about">${numberText(regions.length)}</span></a></li>\n`)}</ul>`;
