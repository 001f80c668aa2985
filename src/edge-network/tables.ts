// The tables of regions by zone and of countries. They contain everything that the map shows.

import { type Html, html } from "../index.ts";
import type { Load, RegionLoad } from "./loads.ts";
import { countryName, mostApart, type Network, type RegionEntry, type RegionGroup, worstFirst } from "./network.ts";
import { byGravity, countsOf, stateName, toneOf, troubles } from "./states.ts";
import {
  capacityText,
  counted,
  countryAnchor,
  countsText,
  heading,
  nodesAnchor,
  numberText,
  statesText,
  toneMark,
  zoneAnchor,
} from "./text.ts";

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
  return html`<section class="zone" aria-labelledby="${zoneAnchor(name)}">
<div class="row">
${heading(3, zoneAnchor(name), name)}
<span>${counted(regions.length, "region")}</span>
${toneMark(tone, zoneText(states, regions.length))}
${network.nodesIn !== undefined && html`<span>${counted(load.nodes, "node")}</span> <span>${capacityOf(load)}</span>`}
</div>
${open.length > 0 && regionTable(network, `Regions of ${name}`, open)}
${
  folded.length > 0 &&
  html`<details>
<summary>${summary}, ${statesText(countsOfAll(folded), folded.length)}</summary>
${regionTable(network, `Operational regions of ${name}`, folded)}
</details>`
}
</section>
`;
}

/** The states that are not good; all states if none or all are. */
function zoneText(states: RegionGroup["states"], count: number): string {
  const grave = troubles(states);
  return grave.size === 0 || grave.size === states.size ? statesText(states, count) : countsText(grave);
}

const countsOfAll = (regions: readonly RegionEntry[]) => countsOf(regions.map((each) => each.status));

/** There may be thousands of rows, so quotes, end tags and elements that HTML does not need are omitted. */
function regionTable(network: Network, name: string, regions: readonly RegionEntry[]): Html {
  const { nodesIn } = network;
  const rows = regions.map(
    (
      each,
    ) => html`<tr id=${each.code}><th scope=row>${isolated(each.name)} ${codeLink(network, each.code, each.load)}<td>${countryName(each.country)}<td class=${each.tone}>${stateName(each.status)}${nodesIn !== undefined && loadCells(each.load)}
`,
  );
  return html`<table class="regions" aria-label="${name}">
<thead><tr>${heads(["Region", "Country", "State"], nodesIn)}
<tbody>
${rows}</table>`;
}

/** Isolates a name whose direction may differ from the page's. */
const isolated = (name: string): string | Html => (isLatin.test(name) ? name : html`<bdi>${name}</bdi>`);

const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u;

const heads = (own: readonly string[], nodesIn: Network["nodesIn"]): readonly Html[] =>
  [...own, ...(nodesIn === undefined ? [] : ["Nodes", "Capacity"])].map(
    (name) => html`<th scope="col"><span>${name}</span>`,
  );

const loadCells = (load: Load): Html => html`<td>${nodeTroubles(load)}${numberText(load.nodes)}<td>${capacityOf(load)}`;

const capacityOf = ({ nodes, capacity }: Load): string => (nodes === 0 ? "–" : capacityText(capacity));

function nodeTroubles({ states }: Load): Html | false {
  const grave = troubles(states);
  return grave.size > 0 && html`<span class="about">${countsText(grave)} of</span> `;
}

/** A region's code, with a link to its nodes: to their table, or to the JSON if the page lists none. */
function codeLink({ nodesIn }: Network, code: string, { nodes, listed }: RegionLoad): Html {
  if (listed.length > 0) return html`<a href="#${nodesAnchor(code)}">${code}</a>`;
  return nodes === 0 ? html`<code>${code}</code>` : html`<a href="${nodesIn?.(code)}">${code}</a>`;
}

export function countryTable({ nodesIn }: Network, countries: readonly RegionGroup[]): Html {
  const rows = countries.map(
    ({
      name,
      regions,
      states,
      tone,
      load,
    }) => html`<tr id="${countryAnchor(name)}"><th scope="row">${countryName(name)} <span class="about">${name}</span><td>${regionLinks(regions)}<td>${toneMark(tone, statesText(states, regions.length))}${nodesIn !== undefined && loadCells(load)}
`,
  );
  return html`<table class="countries" aria-label="Countries">
<thead><tr>${heads(["Country", "Regions", "State"], nodesIn)}
<tbody>
${rows}</table>`;
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

/** The worst first, then by the code of the region. */
const loadsInOrder = ({ loads }: Network) =>
  [...loads].toSorted(
    ([one, { tone }], [other, { tone: otherTone }]) => byGravity(tone, otherTone) || (one < other ? -1 : 1),
  );

/** For a deployment that lists nodes but no regions, of which only the codes are known. */
export function loadTable(network: Network): Html {
  const rows = loadsInOrder(network).map(
    ([
      code,
      load,
    ]) => html`<tr id="${code}"><th scope="row">${codeLink(network, code, load)}<td>${toneMark(load.tone, statesText(load.states, load.nodes))}${loadCells(load)}
`,
  );
  return html`<table class="loads" aria-label="Nodes by region">
<thead><tr>${heads(["Region", "State"], network.nodesIn)}
<tbody>
${rows}</table>`;
}

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
    ({
      id,
      status,
      capacity,
    }) => html`<tr><th scope=row>${id}<td class=${toneOf(status)}>${stateName(status)}<td>${capacity}
`,
  );
  return html`<section class="nodes" aria-labelledby="${nodesAnchor(code)}">
<div class="row">
${heading(3, nodesAnchor(code), isolated(name))}
<a href="#${code}">${code}</a>
<span>${counted(nodes, "node")}, <a href="${nodesIn?.(code)}">JSON</a></span>
${grave.size > 0 && toneMark(tone, countsText(grave))}
</div>
<table aria-label="Nodes of ${name}">
<thead><tr>${["Node", "State", "Capacity"].map((head) => html`<th scope="col"><span>${head}</span>`)}
<tbody>
${rows}</table>
${more > 0 && html`<p>and ${numberText(more)} more in the <a href="${nodesIn?.(code)}">JSON</a>.</p>`}
</section>
`;
}

/** Links to the zones. */
export const zoneList = (zones: readonly RegionGroup[]): Html => html`<ul class="zones">
${zones.map(({ name, tone, regions }) => html`<li><a href="#${zoneAnchor(name)}"><span class="state ${tone}">${name}</span> <span class="about">${numberText(regions.length)}</span></a></li>\n`)}</ul>`;
