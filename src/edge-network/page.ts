// The network page: the status, a map and tables, without a script.
import { type Html, html, type PageDeclaration } from "../index.ts";
import type { EdgeStatus } from "./collections.ts";
import { mapFigure } from "./map.ts";
import { groupsOf, type Network, type NetworkData, networkOf, worstFirst } from "./network.ts";
import { bySeverity, countsOf, stateName, toneOf } from "./states.ts";
import { statusChanges } from "./status-changes.ts";
import { style } from "./style.ts";
import { type NetworkSummary, summaryOf } from "./summary.ts";
import { changeTable, nodeTable, zoneSection } from "./tables.ts";
import { capacityText, counted, heading, numberText, statesText, timeHtml, toneMark } from "./text.ts";

/** A page of a deployment that has a status, regions or nodes. */
export const networkPage: PageDeclaration<NetworkData> = {
  title: "Network status",
  style,
  scope: "network",
  main: true,
  render(data) {
    const network = networkOf(data);
    if (network === undefined) return undefined;
    const summary = summaryOf(network);
    const { regions = [], troubled } = network;
    const zones = groupsOf(regions, "zone");
    const changes = statusChanges(data);
    const allNodes = data.page("docs/data/nodes");
    return {
      description: `${[summary.headline, ...summary.details].join(". ")}. The network of ${data.title}.`,
      content: html`${banner(network, summary)}
${data.feed !== undefined && html`<p class="about"><a href="${data.feed}">Subscribe to changes</a> (Atom)</p>\n`}${figures(network, data)}
${components(network)}
${regions.length > 0 && html`${section("map", "Map", mapFigure(network))}\n${section("regions", "Regions by zone", html`${zones.map((zone) => zoneSection(network, zone))}`)}`}
${troubled.length > 0 && section("nodes", "Nodes that are not operational", nodeTable(network, allNodes))}
${changes.length > 0 && section("status-changes", "Changes of status", changeTable(network, changes, allNodes))}`,
    };
  },
};

/** More regions than these are counted, not listed. */
const maxNamed = 8;

function banner({ status, regions = [] }: Network, { tone, headline, details }: NetworkSummary): Html {
  const affected = worstFirst(regions).filter(({ tone }) => tone !== "good");
  const more = affected.length - maxNamed;
  const named = affected
    .slice(0, maxNamed)
    .map(
      (region) =>
        html`<li><span class="state ${region.tone}"><a href="#${region.code}"><bdi>${region.name}</bdi></a> ${stateName(region.status)}</span></li>\n`,
    );
  return html`<div class="banner ${tone}">
<h1>${toneMark(tone, headline)}</h1>
<p>${details.length > 0 && `${details.join(". ")}. `}${status !== undefined && html`Reported from ${status.region}. Updated ${timeHtml(status.updated_at)}`}</p>
${
  named.length > 0 &&
  html`<ul>
${named}${more > 0 && html`<li><a href="#regions">${numberText(more)} more</a></li>`}</ul>`
}
</div>`;
}

function figures({ regions, nodesIn, load }: Network, { page }: Pick<NetworkData, "page">): Html {
  const countries = new Set(regions?.map(({ country }) => country));
  const table = (name: string, count: number) => html`<a href="${page(`docs/data/${name}`)}">${numberText(count)}</a>`;
  const facts = [
    ["Regions", regions && table("regions", regions.length)],
    ["Countries", regions && numberText(countries.size)],
    ["Nodes", nodesIn && table("nodes", load.nodes)],
    ["Capacity", nodesIn && capacityText(load.capacity)],
  ].filter(([, value]) => value !== undefined);
  if (facts.length === 0) return html``;
  return html`<dl class="figures">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

const section = (id: string, title: string, content: Html): Html => html`<section>
${heading(2, id, title)}
${content}
</section>`;

function components({ status }: Network): Html {
  if (status === undefined || status.components.length === 0) return html``;
  const all = status.components.toSorted((one, other) => bySeverity(toneOf(one.status), toneOf(other.status)));
  const good = all.filter((component) => toneOf(component.status) === "good");
  const folded = good.length > maxComponents ? good : [];
  const open = all.slice(0, all.length - folded.length);
  const states = statesText(countsOf(folded.map((component) => component.status)));
  const parts = html`${open.length > 0 && componentList(open)}
${folded.length > 0 && html`<details>\n<summary>${toneMark("good", `${counted(folded.length, "component")}, ${states}`)}</summary>\n${componentList(folded)}\n</details>`}`;
  return section("components", "Components", parts);
}

/** More good components than these are folded. */
const maxComponents = 5;

const componentList = (components: EdgeStatus["components"]): Html => html`<ul class="components">
${components.map(({ name, status }) => html`<li><bdi>${name}</bdi> ${toneMark(toneOf(status), stateName(status))}</li>\n`)}</ul>`;
