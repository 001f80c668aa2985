// The page for people who ask for what does not exist. Hosts send it with the status 404, below the reference and, if
// the API has the front page, outside of the API.
import { type Document, lazyDocument } from "../../files/document.ts";
import { notFoundPage } from "../../routing/paths.ts";
import { documentPaths, pagePath } from "../describe/addresses.ts";
import { titleOfTable } from "../describe/sentences.ts";
import { pagesIn, type Site } from "../describe/site.ts";
import { header } from "./header.ts";
import { html, linkHtml, pageHtml } from "./html.ts";

/** None for a host that only serves files, which has one answer for all that does not exist. */
export function notFoundDocuments(site: Site): readonly Document[] {
  const { api } = site;
  if (!api.addressing.answersErrors) return [];
  const path = pagePath(api, notFoundPage);
  const title = "Page not found";
  const text = () =>
    pageHtml(site, {
      path: undefined,
      title,
      description: "There is nothing at this address.",
      scope: "page",
      top: header(site, { path }),
      // The script adds what was asked for.
      content: html`<h1>${title}</h1>
<p>There is nothing at this address.</p>
<p class="asked"></p>
<h2>What is here</h2>
<ul>
${placesIn(site).map((place) => html`<li>${place}</li>\n`)}</ul>`,
    });
  const contentType = "text/html; charset=utf-8";
  // Like errors, it is not stored, because something may be at the address soon.
  const head = { path, file: `${path.slice(1)}.html`, contentType, cacheControl: "no-store" };
  return [lazyDocument(head, () => String(text()))];
}

const placesIn = ({ api, dataIndex, navigation, tables }: Site) => {
  return [
    linkHtml(documentPaths(api.base).reference, "Reference"),
    ...(dataIndex === undefined ? [] : [linkHtml(dataIndex, "Data")]),
    ...pagesIn(navigation).map(({ path, title }) => linkHtml(path, title)),
    ...Array.from(tables, ([name, path]) => linkHtml(path, titleOfTable(name))),
  ];
};
