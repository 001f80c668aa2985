// The reference: explains the API to people, on one HTML page that needs no script.
import { type Document, textDocument } from "../../document.ts";
import { sharedAssets } from "../assets.ts";
import { type Endpoint, endpointsOf } from "../endpoints.ts";
import { brand, finder, type Html, html, pageHtml } from "../html.ts";
import {
  anchors,
  type DocumentSource,
  documentPaths,
  isPaged,
  titleOf,
  titleOfResource,
  versionOf,
} from "../source.ts";
import { endpointSection } from "./endpoint.ts";
import { resourceSection, resourcesOf } from "./resource.ts";
import {
  cachingSection,
  corsSection,
  errorsSection,
  headersSection,
  toolsOf,
  toolsSection,
  versionsSection,
} from "./rules.ts";
import { aboutSection, firstSection, introduction, pagingSection } from "./start.ts";

/** The page, at the path of the reference and at the root, with the stylesheet, script and images of all pages. */
export function referenceDocuments(source: DocumentSource): readonly Document[] {
  const page = String(reference(source));
  const type = "text/html; charset=utf-8";
  const { reference: path, front } = documentPaths(source.api.base);
  return [
    textDocument(path, type, page, `${path.slice(1)}index.html`),
    textDocument(front, type, page, "index.html"),
    ...sharedAssets(source),
  ];
}

export function reference(source: DocumentSource): Html {
  const title = titleOf(source);
  const endpoints = source.operations.flatMap((operation) => endpointsOf(source, operation));
  return pageHtml(source, {
    title: `${title} – Reference`,
    shortTitle: title,
    description: source.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
    links: html`<link rel="service-desc" type="application/json" href="${documentPaths(source.api.base).openapi}">\n`,
    body: html`<body>`,
    top: contents(source, endpoints),
    content: html`${introduction(source, endpoints)}
${aboutSection(source)}${firstSection(source)}
${pagingSection(source)}
${errorsSection(source)}
${cachingSection(source)}
${corsSection}
${headersSection}
${versionsSection(source)}
${toolsSection(source)}
<h2 class="group" id="operations"><a href="#operations">Operations</a></h2>
${endpoints.map((endpoint) => endpointSection(source, endpoint))}
<h2 class="group" id="resources"><a href="#resources">Resources</a></h2>
${resourcesOf(source).map((operation) => resourceSection(source, operation))}`,
  });
}

type Link<Text> = readonly [id: string, text: Text];

/** The sections before the operations. */
export const startLinks = (source: DocumentSource): readonly Link<string>[] => [
  ["top", "Introduction"],
  ...(source.settings.introduction === undefined ? [] : [["about", "About"] as const]),
  ["first-request", "First request"],
  ...(source.operations.some(isPaged) ? [["paging", "Paging"] as const] : []),
  ["errors", "Errors"],
  ["caching", "Caching"],
  ["cors", "CORS"],
  ["headers", "Headers"],
  ["versions", "Versions"],
];

export const toolLinks = (source: DocumentSource): readonly Link<string>[] =>
  toolsOf(source).map(({ id, title }) => [id, title]);

/** The table of contents: beside the page on wide screens, folded above it on narrow ones. */
function contents(source: DocumentSource, endpoints: readonly Endpoint[]): Html {
  const operations = endpoints.map(
    ({ anchor, label }) => [anchor, html`<span class="get">GET</span> ${label}`] as const,
  );
  const titles = resourcesOf(source).map(titleOfResource);
  const resources = titles.map((title) => [anchors.resource(title), title] as const);
  const list = html`${linkList("Start", startLinks(source))}
${linkList("Client, types and data", toolLinks(source))}
${linkList("Operations", operations)}
${linkList("Resources", resources)}`;
  return html`<nav class="side" aria-label="Contents">
<p class="brand">${brand(source, "#top")} <span class="tag">${versionOf(source)}</span></p>
${finder}
${list}
</nav>
<details class="folded">
<summary>Contents</summary>
<nav aria-label="Contents">
${list}
</nav>
</details>
${finder}`;
}

const linkList = (title: string, links: readonly Link<string | Html>[]): Html => html`<p class="list-title">${title}</p>
<ul>
${links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`;
