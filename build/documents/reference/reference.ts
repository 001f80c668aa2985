// The reference: explains the API to people, on one HTML page that needs no script; and the stylesheet, scripts and images
// that all pages share.
import { isPaged } from "../../../src/model/operation.ts";
import { asset } from "../../files/asset.ts";
import { type Document, minutes, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { referencePath } from "../../routing/paths.ts";
import { tintOf } from "../../values/colour.ts";
import { anchors, documentPaths } from "../addresses.ts";
import { brand, finder, type Html, html, linkHtml, pageHtml } from "../html.ts";
import { scriptDocument } from "../scripts.ts";
import { titleOf, titleOfResource, versionOf } from "../sentences.ts";
import type { Site } from "../site.ts";
import { endpointSection } from "./endpoint.ts";
import { resourceSection, resourcesOf } from "./resource.ts";
import { rules, toolsOf } from "./rules.ts";
import { aboutSection, firstSection, introduction, pagingSection } from "./start.ts";

/** The page, at the path of the reference and at the root, with the stylesheet, script and images of all pages. */
export function referenceDocuments(site: Site): readonly Document[] {
  const page = String(reference(site));
  const type = "text/html; charset=utf-8";
  const { reference: path, front } = documentPaths(site.api.base);
  return [
    textDocument(path, type, page, `${path.slice(1)}index.html`),
    textDocument(front, type, page, "index.html"),
    ...sharedAssets(site),
  ];
}

export function reference(site: Site): Html {
  const title = titleOf(site);
  return pageHtml(site, {
    title: `${title} – Reference`,
    description: site.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
    links: html`<link rel="service-desc" type="application/json" href="${documentPaths(site.api.base).openapi}">\n`,
    top: contents(site),
    content: html`${introduction(site)}
${aboutSection(site)}${firstSection(site)}
${pagingSection(site)}
${rules(site)}
<h2 class="group" id="operations"><a href="#operations">Operations</a></h2>
${site.endpoints.map((endpoint) => endpointSection(site, endpoint))}
<h2 class="group" id="resources"><a href="#resources">Resources</a></h2>
${resourcesOf(site).map((operation) => resourceSection(site, operation))}`,
  });
}

/** Within the page. */
type Link<Text> = readonly [id: string, text: Text];

/** The sections before the operations. */
export const startLinks = (site: Site): readonly Link<string>[] => [
  ["top", "Introduction"],
  ...(site.settings.introduction === undefined ? [] : [["about", "About"] as const]),
  ["first-request", "First request"],
  ...(site.operations.some(isPaged) ? [["paging", "Paging"] as const] : []),
  ["errors", "Errors"],
  ["caching", "Caching"],
  ["cors", "CORS"],
  ["headers", "Headers"],
  ["versions", "Versions"],
];

export const toolLinks = (site: Site): readonly Link<string>[] => toolsOf(site).map(({ id, title }) => [id, title]);

/** The table of contents: beside the page on wide screens, folded above it on narrow ones. */
function contents(site: Site): Html {
  const pages = site.navigation.map(({ path, title }) => linkHtml(path, title));
  const { mount } = site.settings;
  const others = (site.catalog.placement?.others ?? []).map(
    ({ base, title }) => html`${linkHtml(referencePath(mount + base), title ?? "API")} <code>${mount + base}</code>`,
  );
  const list = html`${linkList("Start", anchored(startLinks(site)))}
${linkList("Pages", pages)}
${linkList("Client, types and data", anchored(toolLinks(site)))}
${operationLists(site)}${others.length > 0 && html`\n${linkList("Other APIs", others)}`}`;
  return html`<nav class="side" aria-label="Contents">
<p class="brand">${brand(site, "#top")} <span class="tag">${versionOf(site.api)}</span></p>
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

/** More links than these are folded, but for the group that is read. */
const maxUnfolded = 24;

/** A group for each operation: its endpoints and its resource. */
function operationLists(site: Site): Html {
  const resources = resourcesOf(site);
  const isFolded = site.endpoints.length + resources.length > maxUnfolded;
  const groups = site.operations.map((operation) => {
    const links: Link<Html>[] = site.endpoints
      .filter((endpoint) => endpoint.operation === operation)
      .map(({ anchor, title }) => [anchor, html`<span class="get">GET</span> ${title}`]);
    if (resources.includes(operation)) {
      const title = titleOfResource(operation);
      links.push([anchors.resource(title), html`${title}`]);
    }
    return html`<details${!isFolded && html` open`}><summary>${operation.name}</summary>
<ul>
${listItems(anchored(links))}</ul></details>\n`;
  });
  return html`<p class="list-title">Operations</p>\n${groups}`;
}

const anchored = (links: readonly Link<string | Html>[]): readonly Html[] =>
  links.map(([id, text]) => linkHtml(`#${id}`, text));

/** Nothing without a link. */
const linkList = (title: string, links: readonly Html[]): Html | undefined =>
  links.length === 0
    ? undefined
    : html`<p class="list-title">${title}</p>
<ul>
${listItems(links)}</ul>`;

const listItems = (links: readonly Html[]): readonly Html[] => links.map((link) => html`<li>${link}</li>\n`);

function sharedAssets(site: Site): readonly Document[] {
  const { api, settings, tables } = site;
  const { style, script, tableScript, icon } = documentPaths(api.base);
  return [
    textDocument(style, "text/css", `/* ${generator} */\n\n${stylesheet(site)}`),
    scriptDocument(script, "page"),
    ...(tables.size > 0 ? [scriptDocument(tableScript, "table")] : []),
    textDocument(icon, "image/svg+xml", iconOf(settings.accent?.light ?? "#0a5bc2")),
    ...logoOf(site),
  ];
}

/** The rules for all pages, then the rules of the declared pages, then the rules for paper. */
function stylesheet({ api: { pages }, settings: { accent } }: Site): string {
  const styles = pages.flatMap(({ style }) => (style === "" ? [] : [`${style.trimEnd()}\n`])).join("\n");
  const whole = asset("documents/style.css").replace("/* The styles of the API's pages. */\n", () => styles);
  if (accent === undefined) return whole;
  const { light, dark } = accent;
  return whole
    .replace(/--accent: [^;]+;/, `--accent: light-dark(${light}, ${dark});`)
    .replace(/--tint: [^;]+;/, `--tint: light-dark(${tintOf(light, "light")}, ${tintOf(dark, "dark")});`);
}

function logoOf({ api: { base }, settings: { logo } }: Site): readonly Document[] {
  if (logo === undefined) return [];
  const path = `${base}/docs/${logo.file}`;
  const contentType = logo.file === "logo.png" ? "image/png" : "image/svg+xml";
  const { bytes } = logo;
  return [
    {
      path,
      file: path.slice(1),
      contentType,
      cacheControl: minutes,
      length: bytes.length,
      parts: () => [bytes],
    },
  ];
}

/** Without an icon, browsers request a favicon that the host does not have. */
const iconOf = (
  colour: string,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- ${generator} --><rect width="32" height="32" rx="8" fill="${colour}"/><g fill="none" stroke="#fff" stroke-width="2.5"><circle cx="16" cy="16" r="9"/><path d="M7 16h18M16 7c-6 5-6 13 0 18M16 7c6 5 6 13 0 18"/></g></svg>
`;
