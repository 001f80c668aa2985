// The network page: the status, a map and tables, without a script.

import { type Html, html, type PageDeclaration } from "../index.ts";
import { loadOfAll } from "./loads.ts";
import { mapFigure } from "./map.ts";
import { countriesOf, type Network, type NetworkData, networkOf, worstFirst, zonesOf } from "./network.ts";
import { byGravity, stateName, toneOf } from "./states.ts";
import { style } from "./style.ts";
import { type NetworkSummary, summaryOf } from "./summary.ts";
import { countryTable, loadTable, nodeSections, zoneList, zoneSections } from "./tables.ts";
import { capacityText, heading, numberText, stateMark, timeHtml } from "./text.ts";

/** A page of a deployment that has a status, regions or nodes. */
export const networkPage: PageDeclaration<NetworkData> = {
  title: "Network status",
  style,
  scope: "network",
  render(data) {
    const network = networkOf(data);
    if (network === undefined) return undefined;
    const summary = summaryOf(network);
    return {
      description: `${[summary.headline, ...summary.details].join(". ")}. The network of ${data.title}.`,
      content: html`${banner(network, summary)}
${network.status !== undefined && html`<p class="about" data-watch="${data.request("status")}" data-shown="${JSON.stringify(network.status)}"></p>`}
${figures(network)}
${components(network)}
${geography(network)}
${nodes(network)}`,
    };
  },
};

/** More regions than these are counted, not listed. */
const mostNamed = 8;

function banner({ status, regions = [] }: Network, { tone, headline, details }: NetworkSummary): Html {
  const grave = worstFirst(regions).filter((each) => each.tone !== "good");
  const more = grave.length - mostNamed;
  const named = grave
    .slice(0, mostNamed)
    .map(
      ({ code, name, status: state, tone }) =>
        html`<li><span class="state ${tone}"><a href="#${code}"><bdi>${name}</bdi></a> ${stateName(state)}</span></li>\n`,
    );
  return html`<div class="banner ${tone}">
<h1><span class="state ${tone}">${headline}</span></h1>
<p>${details.length > 0 && `${details.join(". ")}. `}${status !== undefined && html`Updated ${timeHtml(status.updated_at)}, ${status.region}.`}</p>
${
  named.length > 0 &&
  html`<ul>
${named}${more > 0 && html`<li><a href="#regions">${numberText(more)} more</a></li>`}</ul>`
}
</div>`;
}

function figures({ regions, nodesIn, loads }: Network): Html {
  const all = loadOfAll([...loads.values()]);
  const facts = [
    ...(regions === undefined
      ? []
      : [
          ["Regions", numberText(regions.length)],
          ["Countries", numberText(new Set(regions.map(({ country }) => country)).size)],
        ]),
    ...(nodesIn === undefined
      ? []
      : [
          ["Nodes", numberText(all.nodes)],
          ["Capacity", capacityText(all.capacity)],
        ]),
  ];
  if (facts.length === 0) return html``;
  return html`<dl class="figures">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

function components({ status }: Network): Html {
  if (status === undefined || status.components.length === 0) return html``;
  const ordered = status.components.toSorted((one, other) => byGravity(toneOf(one.status), toneOf(other.status)));
  return html`<section>
${heading(2, "components", "Components")}
<ul class="components">
${ordered.map((each) => html`<li><bdi>${each.name}</bdi> ${stateMark(each.status)}</li>\n`)}</ul>
</section>`;
}

function geography(network: Network): Html {
  const { regions, nodesIn, loads } = network;
  if (regions === undefined) {
    if (nodesIn === undefined || loads.size === 0) return html``;
    return html`<section>
${heading(2, "regions", "Nodes by region")}
${loadTable(network)}
</section>`;
  }
  if (regions.length === 0) return html``;
  const [zones, countries] = [zonesOf(regions), countriesOf(regions)];
  return html`<section>
${heading(2, "map", "Map")}
${mapFigure(network, countries)}
</section>
<section>
${heading(2, "regions", "Regions by zone")}
${zones.length > 1 && zoneList(zones)}
${zoneSections(network, zones)}
</section>
<section>
${heading(2, "countries", "Countries")}
${countryTable(network, countries)}
</section>`;
}

function nodes(network: Network): Html {
  const sections = nodeSections(network);
  return sections.length === 0
    ? html``
    : html`<section>
${heading(2, "nodes", "Nodes")}
<div class="machines">
${sections}</div>
</section>`;
}
