// The reference: explains the API to people, on one HTML page that needs no script.
import { asset } from "../asset.ts";
import { type Accent, schemes, tintOf } from "../colour.ts";
import { type Document, minutes, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { dataScope } from "./data-pages.ts";
import { brand, type Html, html, pageHtml } from "./html.ts";
import { itemSection, operationSection } from "./reference-operation.ts";
import { resourceSection, resourcesOf, titleOfResource } from "./reference-resource.ts";
import { cachingSection, corsSection, errorsSection, versionsSection } from "./reference-rules.ts";
import { firstSection, introduction, pagingSection } from "./reference-start.ts";
import {
  type DocumentSource,
  documentPaths,
  hasItems,
  isPaged,
  itemAnchor,
  operationAnchor,
  resourceAnchor,
  titleOf,
  versionOf,
} from "./source.ts";

/** The page, at the path of the reference and at the root, with the stylesheet, script and images of all pages. */
export function referenceDocuments(source: DocumentSource): readonly Document[] {
  const page = String(reference(source));
  const type = "text/html; charset=utf-8";
  const { reference: path, front, style, script, icon } = documentPaths(source.api.base);
  return [
    textDocument(path, type, page, `${path.slice(1)}index.html`),
    textDocument(front, type, page, "index.html"),
    textDocument(style, "text/css", `/* ${generator} */\n\n${stylesheet(source)}`),
    textDocument(script, "text/javascript; charset=utf-8", `/* ${generator} */\n\n${scriptText()}`),
    textDocument(icon, "image/svg+xml", iconOf(source.settings.accent)),
    ...logoOf(source),
  ];
}

/** The rules for all pages, then the rules of the declared pages, then the rules for paper. */
function stylesheet({ api: { pages, hasDataPages }, settings: { accent } }: DocumentSource): string {
  const names = new Set([...pages.map(({ scope }) => scope), ...(hasDataPages ? [dataScope] : [])]);
  const scopes = [...names].map((name) => `.${name}`);
  const [scope = ".page", ...others] = scopes;
  const styles = pages.flatMap(({ style }) => (style === "" ? [] : [`${style.trimEnd()}\n`]));
  return coloured(asset("documents/style.css"), accent)
    .replaceAll(/\.page\b/g, others.length === 0 ? scope : `:is(${scopes.join(", ")})`)
    .replace("/* The styles of the API's pages. */\n", () => styles.join("\n"));
}

/** Without its comments, which are a tenth of it. */
const scriptText = (): string =>
  asset("documents/page.js")
    .replaceAll(/^ *\/\/.*\n/gm, "")
    .trimStart();

/** Replaces the accents of the stylesheet: the first one is for light pages, the second one for dark pages. */
function coloured(style: string, accent: Accent | undefined): string {
  if (accent === undefined) return style;
  let scheme = 0;
  return style.replaceAll(/--accent: [^;]+;(\s+)--tint: [^;]+;/g, (_, space) => {
    const each = schemes[scheme++] ?? "dark";
    return `--accent: ${accent[each]};${space}--tint: ${tintOf(accent[each], each)};`;
  });
}

function logoOf({ api: { base }, settings: { logo } }: DocumentSource): readonly Document[] {
  if (logo === undefined) return [];
  const path = `${base}/docs/${logo.file}`;
  const contentType = logo.file === "logo.png" ? "image/png" : "image/svg+xml";
  return [{ path, file: path.slice(1), contentType, cacheControl: minutes, parts: () => [logo.bytes] }];
}

/** Without an icon, browsers request a favicon that the host does not have. */
const iconOf = (
  accent: Accent | undefined,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><!-- ${generator} --><rect width="32" height="32" rx="8" fill="${accent?.light ?? "#0a5bc2"}"/><g fill="none" stroke="#fff" stroke-width="2.5"><circle cx="16" cy="16" r="9"/><path d="M7 16h18M16 7c-6 5-6 13 0 18M16 7c6 5 6 13 0 18"/></g></svg>
`;

export function reference(source: DocumentSource): Html {
  const title = titleOf(source);
  return pageHtml(source.api, {
    title: `${title} – Reference`,
    shortTitle: title,
    description: source.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
    links: html`<link rel="service-desc" type="application/json" href="${documentPaths(source.api.base).openapi}">\n`,
    body: html`<body>`,
    top: contents(source),
    content: html`${introduction(source)}
${firstSection(source)}
${pagingSection(source)}
${errorsSection(source)}
${cachingSection(source)}
${corsSection}
${versionsSection(source)}
<h2 class="group" id="operations"><a href="#operations">Operations</a></h2>
${source.operations.map((operation) => html`${operationSection(source, operation)}${hasItems(operation) && itemSection(source, operation)}`)}
<h2 class="group" id="resources"><a href="#resources">Resources</a></h2>
${resourcesOf(source).map((operation) => resourceSection(source, operation))}`,
  });
}

/** The table of contents: beside the page on wide screens, folded above it on narrow ones. */
function contents(source: DocumentSource): Html {
  const start: readonly Link[] = [
    ["top", "Introduction"],
    ["first-request", "First request"],
    ...(source.operations.some(isPaged) ? [["paging", "Paging"] as const] : []),
    ["errors", "Errors"],
    ["caching", "Caching"],
    ["cors", "CORS"],
    ["versions", "Versions"],
  ];
  const operations = source.operations.flatMap((each): readonly Link[] => [
    [operationAnchor(each), html`<span class="get">GET</span> ${each.name}`],
    ...(hasItems(each)
      ? [[itemAnchor(each), html`<span class="get">GET</span> one ${each.resource.noun}`] as const]
      : []),
  ]);
  const resources = resourcesOf(source).map((each): Link => {
    const title = titleOfResource(each);
    return [resourceAnchor(title), title];
  });
  const list = html`${linkList("Start", start)}
${linkList("Operations", operations)}
${linkList("Resources", resources)}`;
  return html`<nav class="side" aria-label="Contents">
<p class="brand">${brand(source, "#top")} <span class="tag">${versionOf(source)}</span></p>
${list}
</nav>
<details class="folded">
<summary>Contents</summary>
<nav aria-label="Contents">
${list}
</nav>
</details>`;
}

type Link = readonly [id: string, text: string | Html];

const linkList = (title: string, links: readonly Link[]): Html => html`<p class="list-title">${title}</p>
<ul>
${links.map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>\n`)}</ul>`;
