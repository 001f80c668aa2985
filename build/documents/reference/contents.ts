// The contents of the reference, which all of its pages have.
import { isPaged } from "../../../src/model/operation.ts";
import { isReferenceSplit } from "../../routing/paths.ts";
import { referencePageOf } from "../describe/addresses.ts";
import type { ReferencePage, ReferencePlaces } from "../describe/reference-places.ts";
import { titleOfResource } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { deprecationMark, type Html, html, linkHtml } from "../frame/html.ts";
import { toolsOf } from "./rules.ts";

/** To a section of the start. */
type Link = readonly [id: string, text: string];

/** The sections before the operations. */
export const startLinks = (site: Site): readonly Link[] => [
  ["top", "Introduction"],
  ...(site.settings.introduction === undefined ? [] : [["about", "About"] as const]),
  ["first-request", "First request"],
  ...(site.operations.some(isPaged) ? [["paging", "Paging"] as const] : []),
  ["errors", "Errors"],
];

/** The sections behind the operations. */
export const furtherLinks = (site: Site): readonly Link[] => [
  ["caching", "Caching"],
  ["cors", "CORS"],
  ["headers", "Headers"],
  ["versions", "Versions"],
  ...toolsOf(site).map(({ id, title }) => [id, title] as const),
];

/** The table of contents: beside the page on wide screens, folded above it on narrow ones. */
export function contents(page: ReferencePage): Html {
  const { places } = page;
  const list = html`${linkList("Start", startLinks(page), places)}
${operationLists(page)}
${linkList("More", furtherLinks(page), places)}`;
  return html`<nav class="side" aria-label="Contents">
${list}
</nav>
<details class="folded">
<summary>Contents</summary>
<nav aria-label="Contents">
${list}
</nav>
</details>`;
}

/** More links than these are folded, but for the group that is read. */
const maxUnfolded = 24;

/** A group for each operation: its endpoints and its resource. Those of another page are one link to it. */
function operationLists(page: ReferencePage): Html {
  const isSplit = isReferenceSplit(page.operations);
  const isFolded = !isSplit && page.endpoints.length + page.operations.length > maxUnfolded;
  const groups = page.operations.map((operation) => {
    const path = referencePageOf(page, operation);
    const mark = deprecationMark(operation.deprecated);
    if (path !== page.places.page) return html`<p>${linkHtml(path, html`${operation.name}${mark}`)}</p>\n`;
    const links = page.endpoints
      .filter((endpoint) => endpoint.operation === operation)
      .map(({ anchor, title }) => linkHtml(`#${anchor}`, html`<span class="get">GET</span> ${title}`));
    links.push(linkHtml(page.places.resource(operation), titleOfResource(page, operation)));
    return html`<details${!isFolded && html` open`}><summary><span>${operation.name}${mark}</span></summary>
<ul>
${listItems(links)}</ul></details>\n`;
  });
  return html`<p class="list-title">Operations</p>\n${groups}`;
}

const linkList = (title: string, links: readonly Link[], places: ReferencePlaces): Html =>
  html`<p class="list-title">${title}</p>
<ul>
${listItems(links.map(([id, text]) => linkHtml(places.start(id), text)))}</ul>`;

const listItems = (links: readonly Html[]): readonly Html[] => links.map((link) => html`<li>${link}</li>\n`);
