// The reference: explains the API to people, on HTML pages that need no script.
import { type Document, textDocument } from "../../files/document.ts";
import { documentPaths, markdownOf } from "../describe/addresses.ts";
import { explainedOn, pagesOfLists, type ReferencePage, referencePageAt } from "../describe/reference-places.ts";
import { titleOf, titleOfTable } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { header } from "../frame/header.ts";
import { deprecationMark, type Html, html, htmlFile, pageHtml, section } from "../frame/html.ts";
import { contents } from "./contents.ts";
import { endpointSection } from "./endpoint.ts";
import { resourceSection } from "./resource.ts";
import { errorsSection, furtherSections } from "./rules.ts";
import { aboutSection, firstSection, introduction, pagingSection } from "./start.ts";

/** The start, at the path of the reference and at the root, and the pages of lists. */
export function referenceDocuments(site: Site): readonly Document[] {
  const text = String(referenceStart(site));
  const type = "text/html; charset=utf-8";
  const { reference: path, front } = documentPaths(site.api.base);
  return [
    textDocument(path, type, text, `${path.slice(1)}index.html`),
    textDocument(front, type, text, "index.html"),
    ...collectionPages(site),
  ];
}

/** The start: the whole reference, or what all lists share with a line for each of them. */
export function referenceStart(site: Site): Html {
  const title = titleOf(site);
  const { reference: path, openapi } = documentPaths(site.api.base);
  const page = referencePageAt(site, path);
  return pageHtml(site, {
    title: "Reference",
    description: site.settings.description ?? `The reference of ${title}: operations, fields and errors.`,
    links: html`<link rel="service-desc" type="application/json" href="${openapi}">\n${alternate(path)}`,
    path,
    top: html`${header(site, { path })}\n${contents(page)}`,
    content: html`${introduction(page)}
${aboutSection(page)}${firstSection(page)}
${pagingSection(page)}
${errorsSection(page)}
${sectionsOn(page)}
${furtherSections(page)}`,
  });
}

/** The operations and resources of a page; undefined if all have pages of their own. */
function sectionsOn(page: ReferencePage): Html | undefined {
  const { operations, endpoints } = explainedOn(page, page.places.page);
  if (endpoints.length === 0) return undefined;
  return html`${groupHeading("operations", "Operations")}
${endpoints.map((endpoint) => endpointSection(page, endpoint))}
${groupHeading("resources", "Resources")}
${operations.map((operation) => resourceSection(page, operation))}`;
}

/** The page as Markdown. */
const alternate = (path: string): Html =>
  html`<link rel="alternate" type="text/markdown" href="${markdownOf(path)}">\n`;

const groupHeading = (id: string, text: string): Html =>
  html`<h2 class="group" id="${id}"><a href="#${id}">${text}</a></h2>`;

function collectionPages(site: Site): readonly Document[] {
  const { reference } = documentPaths(site.api.base);
  return pagesOfLists(site).map(({ operation, path }) => {
    const page = referencePageAt(site, path);
    return htmlFile(path, () =>
      pageHtml(site, {
        title: titleOfTable(operation.name),
        description: operation.purpose,
        links: alternate(path),
        path,
        top: html`${header(site, { path: reference })}\n${contents(page)}`,
        content: html`${section(html`<h1 id="top">${titleOfTable(operation.name)}${deprecationMark(operation.deprecated)}</h1>`)}
${sectionsOn(page)}`,
      }),
    );
  });
}
