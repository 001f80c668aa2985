// The tables: the regions by zone, and the countries. They hold everything that the map shows.
import { type Html, heading, html } from "./html.ts";
import { countryAnchor, zoneAnchor } from "./network-anchors.ts";
import { countryName, type Group, inOrder, type Network, type RegionEntry } from "./network-data.ts";
import type { Load } from "./network-nodes.ts";
import { byGravity, countsOf, troubles } from "./network-state.ts";
import { capacityText, counted, countsText, loadText, stateMark, statesText, toneMark } from "./network-text.ts";
import { requestPath } from "./source.ts";

/** In a network of more regions, those that are well are folded away in each zone. */
const mostOpen = 60;

export function zoneSections(network: Network, zones: readonly Group[]): readonly Html[] {
  const isLong = zones.reduce((sum, { regions }) => sum + regions.length, 0) > mostOpen;
  return zones.map((zone) => zoneSection(network, zone, isLong));
}

function zoneSection(network: Network, { name, regions, states, tone, load }: Group, isLong: boolean): Html {
  const ordered = inOrder(regions);
  const isFolded = (each: RegionEntry): boolean => isLong && each.tone === "good" && each.load.tone === "good";
  const open = ordered.filter((each) => !isFolded(each));
  const folded = ordered.filter(isFolded);
  const about = [counted(regions.length, "region"), ...(network.nodes === undefined ? [] : [loadText(load)])].join(
    ", ",
  );
  const summary = open.length === 0 ? counted(folded.length, "region") : `${folded.length.toLocaleString("en")} more`;
  return html`<section aria-labelledby="${zoneAnchor(name)}">
<div class="title">
${heading(3, zoneAnchor(name), name)}
<p>${toneMark(tone, statesText(states, regions.length))} <span class="about">${about}</span></p>
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

const countsOfAll = (regions: readonly RegionEntry[]) => countsOf(regions.map((each) => each.status));

function regionTable({ nodes }: Network, name: string, regions: readonly RegionEntry[]): Html {
  const rows = regions.map(
    (
      each,
    ) => html`<tr id="${each.code}"><th scope="row"><bdi>${each.name}</bdi> ${codeLink(nodes, each.code)}<td>${countryName(each.country)}<td>${stateMark(each.status)}${nodes !== undefined && loadCells(each.load)}
`,
  );
  return html`<table class="regions" aria-label="${name}">
<thead><tr><th scope="col">Region<th scope="col">Country<th scope="col">State${nodes !== undefined && loadHeads}
<tbody>
${rows}</table>`;
}

const loadHeads = html`<th scope="col">Nodes<th scope="col">Capacity`;

const loadCells = ({ nodes, states, capacity }: Load): Html =>
  html`<td>${nodes.toLocaleString("en")}${nodeTroubles(states)}<td>${nodes === 0 ? "–" : capacityText(capacity)}`;

const nodeTroubles = (states: Load["states"]): Html | false => {
  const grave = troubles(states);
  return grave.size > 0 && html` <span class="about">${countsText(grave)}</span>`;
};

/** To the nodes of the region, where the API can list them. */
function codeLink(nodes: Network["nodes"], code: string): Html {
  const filter = nodes?.filter;
  if (nodes === undefined || filter === undefined) return html`<code>${code}</code>`;
  return html`<a href="${requestPath(nodes, `${filter.param}=${code}`)}">${code}</a>`;
}

export function countryTable({ nodes }: Network, countries: readonly Group[]): Html {
  const rows = countries.map(
    ({
      name,
      regions,
      states,
      tone,
      load,
    }) => html`<tr id="${countryAnchor(name)}"><th scope="row">${countryName(name)} <span class="about">${name}</span><td>${zoneLinks(regions)}<td>${toneMark(tone, statesText(states, regions.length))}<td>${regions.length.toLocaleString("en")}${nodes !== undefined && loadCells(load)}
`,
  );
  return html`<table class="countries" aria-label="Countries">
<thead><tr><th scope="col">Country<th scope="col">Zones<th scope="col">State<th scope="col">Regions${nodes !== undefined && loadHeads}
<tbody>
${rows}</table>`;
}

const zoneLinks = (regions: readonly RegionEntry[]): readonly Html[] =>
  [...new Set(regions.map(({ zone }) => zone))]
    .toSorted()
    .map((zone, index) => html`${index > 0 && ", "}<a href="#${zoneAnchor(zone)}">${zone}</a>`);

/** Of a deployment that lists nodes and no regions: all that is known of those is their codes. */
export function loadTable({ nodes, loads }: Network): Html {
  const ordered = [...loads].toSorted(
    ([one, { tone }], [other, { tone: otherTone }]) => byGravity(tone, otherTone) || (one < other ? -1 : 1),
  );
  const rows = ordered.map(
    ([
      code,
      load,
    ]) => html`<tr id="${code}"><th scope="row">${codeLink(nodes, code)}<td>${toneMark(load.tone, statesText(load.states, load.nodes))}<td>${load.nodes.toLocaleString("en")}<td>${capacityText(load.capacity)}
`,
  );
  return html`<table class="loads" aria-label="Nodes by region">
<thead><tr><th scope="col">Region<th scope="col">State${loadHeads}
<tbody>
${rows}</table>`;
}

/** Links to the zones. */
export const zoneList = (zones: readonly Group[]): Html => html`<ul class="zones">
${zones.map(({ name, tone, regions }) => html`<li><a href="#${zoneAnchor(name)}"><span class="state ${tone}">${name}</span> <span class="about">${regions.length.toLocaleString("en")}</span></a></li>\n`)}</ul>`;
