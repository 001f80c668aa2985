// The network page: the status, a map and tables, without a script.

import { type Document, minutes } from "../document.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";
import { type Html, heading, html, oneLine } from "./html.ts";
import { countriesOf, type Network, networkOf, worstFirst, zonesOf } from "./network-data.ts";
import { mapFigure } from "./network-map.ts";
import { loadOfAll } from "./network-nodes.ts";
import { byGravity, stateName, toneOf } from "./network-state.ts";
import { type NetworkSummary, summaryOf } from "./network-summary.ts";
import { countryTable, loadTable, zoneList, zoneSections } from "./network-tables.ts";
import { capacityText, numberText, stateMark, timeHtml } from "./network-text.ts";
import { pageHtml } from "./page-html.ts";
import { type DocumentSource, documentPaths, titleOf } from "./source.ts";

type Source = Omit<DocumentSource, "related">;

/** The page, if the deployment has a status, regions or nodes. */
export function networkDocuments(source: Source): readonly Document[] {
  const network = networkOf(source);
  if (network === undefined) return [];
  const page = [encode(String(networkPage(source, network)))];
  const path = documentPaths(source.api.base).network;
  const contentType = "text/html; charset=utf-8";
  return [
    { path, file: `${path.slice(1)}.html`, contentType, cacheControl: minutes, mark: generator, parts: () => page },
  ];
}

function networkPage(source: Source, network: Network): Html {
  const title = titleOf(source);
  const summary = summaryOf(network);
  const description = oneLine(`${[summary.headline, ...summary.details].join(". ")}. The network of ${title}.`);
  const named = `${title} – Network status`;
  const { reference } = documentPaths(source.api.base);
  return pageHtml(source.api, {
    title: named,
    shortTitle: named,
    description,
    body: html`<body class="network">`,
    top: html`<header>
<p class="brand"><a href="${reference}" dir="auto">${title}</a></p>
<nav aria-label="Documents"><a href="${reference}">API reference</a></nav>
</header>`,
    content: html`${banner(network, summary)}
${figures(network)}
${components(network)}
${geography(network)}`,
  });
}

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

function figures({ regions, nodes, loads }: Network): Html {
  const all = loadOfAll([...loads.values()]);
  const facts = [
    ...(regions === undefined
      ? []
      : [
          ["Regions", numberText(regions.length)],
          ["Countries", numberText(new Set(regions.map(({ country }) => country)).size)],
        ]),
    ...(nodes === undefined
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
  const { regions, nodes, loads } = network;
  if (regions === undefined) {
    if (nodes === undefined || loads.size === 0) return html``;
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
