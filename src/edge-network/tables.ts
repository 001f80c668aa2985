// The tables of regions by zone and of countries. They contain everything that the map shows.

import { type Html, html } from "../index.ts";
import type { Load } from "./loads.ts";
import { countryName, type Network, type RegionEntry, type RegionGroup, worstFirst } from "./network.ts";
import { byGravity, countsOf, stateName, troubles } from "./states.ts";
import {
  capacityText,
  counted,
  countryAnchor,
  countsText,
  heading,
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
    ) => html`<tr id=${each.code}><th scope=row>${isolated(each.name)} ${codeLink(network, each.code)}<td>${countryName(each.country)}<td class=${each.tone}>${stateName(each.status)}${nodesIn !== undefined && loadCells(each.load)}
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

/** A region's code, with a link to its nodes. */
const codeLink = ({ nodesIn }: Network, code: string): Html =>
  nodesIn === undefined ? html`<code>${code}</code>` : html`<a href="${nodesIn(code)}">${code}</a>`;

export function countryTable({ nodesIn }: Network, countries: readonly RegionGroup[]): Html {
  const rows = countries.map(
    ({
      name,
      regions,
      states,
      tone,
      load,
    }) => html`<tr id="${countryAnchor(name)}"><th scope="row">${countryName(name)} <span class="about">${name}</span><td>${zoneLinks(regions)}<td>${toneMark(tone, statesText(states, regions.length))}<td>${numberText(regions.length)}${nodesIn !== undefined && loadCells(load)}
`,
  );
  return html`<table class="countries" aria-label="Countries">
<thead><tr>${heads(["Country", "Zones", "State", "Regions"], nodesIn)}
<tbody>
${rows}</table>`;
}

const zoneLinks = (regions: readonly RegionEntry[]): readonly Html[] =>
  [...new Set(regions.map(({ zone }) => zone))]
    .toSorted()
    .map((zone, index) => html`${index > 0 && ", "}<a href="#${zoneAnchor(zone)}">${zone}</a>`);

/** For a deployment that lists nodes but no regions, of which only the codes are known. */
export function loadTable(network: Network): Html {
  const { nodesIn, loads } = network;
  const ordered = [...loads].toSorted(
    ([one, { tone }], [other, { tone: otherTone }]) => byGravity(tone, otherTone) || (one < other ? -1 : 1),
  );
  const rows = ordered.map(
    ([
      code,
      load,
    ]) => html`<tr id="${code}"><th scope="row">${codeLink(network, code)}<td>${toneMark(load.tone, statesText(load.states, load.nodes))}${loadCells(load)}
`,
  );
  return html`<table class="loads" aria-label="Nodes by region">
<thead><tr>${heads(["Region", "State"], nodesIn)}
<tbody>
${rows}</table>`;
}

/** Links to the zones. */
export const zoneList = (zones: readonly RegionGroup[]): Html => html`<ul class="zones">
${zones.map(({ name, tone, regions }) => html`<li><a href="#${zoneAnchor(name)}"><span class="state ${tone}">${name}</span> <span class="about">${numberText(regions.length)}</span></a></li>\n`)}</ul>`;
