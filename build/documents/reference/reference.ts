// The reference: explains the API to people, on HTML pages that need no script; and the stylesheet, scripts and images that
// all pages share.
import type { Operation } from "../../../src/model/operation.ts";
import { bundled } from "../../files/asset.ts";
import { type Document, minutes, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { isReferenceSplit } from "../../routing/paths.ts";
import { documentPaths, markdownOf, referencePageOf } from "../addresses.ts";
import { header } from "../header.ts";
import { deprecationMark, type Html, html, htmlFile, pageHtml, section } from "../html.ts";
import { scriptDocument } from "../scripts.ts";
import { titleOf, titleOfTable } from "../sentences.ts";
import type { Site } from "../site.ts";
import { contents } from "./contents.ts";
import { endpointSection } from "./endpoint.ts";
import { placesOn, type ReferencePlaces } from "./places.ts";
import { resourceSection } from "./resource.ts";
import { errorsSection, furtherSections } from "./rules.ts";
import { aboutSection, firstSection, introduction, pagingSection } from "./start.ts";

/**
 * The start, at the path of the reference and at the root, the pages of lists, and the stylesheet, scripts and images of all
 * pages.
 */
export function referenceDocuments(site: Site): readonly Document[] {
  const page = String(referenceStart(site));
  const type = "text/html; charset=utf-8";
  const { reference: path, front } = documentPaths(site.api.base);
  return [
    textDocument(path, type, page, `${path.slice(1)}index.html`),
    textDocument(front, type, page, "index.html"),
    ...collectionPages(site),
    ...sharedAssets(site),
  ];
}

/** The start: the whole reference, or what all lists share with a line for each of them. */
export function referenceStart(site: Site): Html {
  const title = titleOf(site);
  const { reference: page, openapi } = documentPaths(site.api.base);
  const places = placesOn(site, page);
  return pageHtml(site, {
    title: "Reference",
    description: site.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
    links: html`<link rel="service-desc" type="application/json" href="${openapi}">\n${alternate(page)}`,
    path: page,
    top: html`${header(site, { path: page })}\n${contents(site, page)}`,
    content: html`${introduction(site, places)}
${aboutSection(site)}${firstSection(site, places)}
${pagingSection(site)}
${errorsSection(site)}
${sectionsOn(site, places)}
${furtherSections(site, places)}`,
  });
}

/** The operations and resources of a page; undefined if all have pages of their own. */
function sectionsOn(site: Site, places: ReferencePlaces): Html | undefined {
  const isHere = (operation: Operation) => referencePageOf(site, operation) === places.page;
  const endpoints = site.endpoints.filter(({ operation }) => isHere(operation));
  const resources = site.operations.filter(isHere);
  if (endpoints.length === 0) return undefined;
  return html`${groupHeading("operations", "Operations")}
${endpoints.map((endpoint) => endpointSection(site, places, endpoint))}
${groupHeading("resources", "Resources")}
${resources.map((operation) => resourceSection(site, places, operation))}`;
}

/** The page as Markdown. */
const alternate = (page: string): Html =>
  html`<link rel="alternate" type="text/markdown" href="${markdownOf(page)}">\n`;

const groupHeading = (id: string, text: string): Html =>
  html`<h2 class="group" id="${id}"><a href="#${id}">${text}</a></h2>`;

function collectionPages(site: Site): readonly Document[] {
  const { reference } = documentPaths(site.api.base);
  if (!isReferenceSplit(site.operations)) return [];
  return site.operations
    .filter(({ kind }) => kind === "list")
    .map((operation) => {
      const path = referencePageOf(site, operation);
      const places = placesOn(site, path);
      const text = () =>
        pageHtml(site, {
          title: titleOfTable(operation.name),
          description: operation.purpose,
          links: alternate(path),
          path,
          top: html`${header(site, { path: reference })}\n${contents(site, path)}`,
          content: html`${section(html`<h1 id="top">${titleOfTable(operation.name)}${deprecationMark(operation.deprecated)}</h1>\n<p class="lead">${operation.purpose}</p>`)}
${sectionsOn(site, places)}`,
        });
      return htmlFile(path, () => String(text()));
    });
}

function sharedAssets(site: Site): readonly Document[] {
  const { api, settings, tables } = site;
  const { style, script, tableScript, tableWorker, icon } = documentPaths(api.base);
  return [
    textDocument(style, "text/css", `/* ${generator} */\n\n${stylesheet(site)}`),
    scriptDocument(script, "page"),
    ...(tables.size > 0 ? [scriptDocument(tableScript, "table"), scriptDocument(tableWorker, "table-worker")] : []),
    textDocument(icon, "image/svg+xml", iconOf(settings.accent ?? usualAccent)),
    ...logoOf(site),
  ];
}

/** As in style.css. */
const usualAccent = "#0a5bc2";
const usualAccentDark = "#7db8ff";

/** The rules for all pages, then those of the declared pages, then those for paper. */
function stylesheet({ api: { pages }, settings: { accent, accent_dark: accentDark } }: Site): string {
  const isOwn = accent !== undefined || accentDark !== undefined;
  const colours = `:root{--accent:light-dark(${accent ?? usualAccent},${accentDark ?? usualAccentDark});--tint:color-mix(in srgb,var(--accent) 10%,var(--ground))}\n`;
  const styles = pages.flatMap(({ style }) => (style === "" ? [] : [`${style.trimEnd()}\n`]));
  return [bundled("documents/style.css"), ...(isOwn ? [colours] : []), ...styles, bundled("documents/print.css")].join(
    "",
  );
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
