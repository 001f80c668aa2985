// The page for people who ask for what does not exist. Hosts send it with the status 404, below the reference and, if
// the API has the front page, outside of the API.
import type { Document } from "../../files/document.ts";
import { notFoundPage } from "../../routing/paths.ts";
import { pagePath } from "../describe/addresses.ts";
import { titleOfTable } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { header, headerPages } from "./header.ts";
import { html, htmlFile, linkHtml, pageHtml } from "./html.ts";

/** None for a host that only serves files, which has one answer for all that does not exist. */
export function notFoundDocuments(site: Site): readonly Document[] {
  const { api } = site;
  if (!api.addressing.answersErrors) return [];
  const path = pagePath(api, notFoundPage);
  const tables = Array.from(site.tables, ([name, table]) => ({ path: table, title: titleOfTable(name) }));
  const places = [...headerPages(site), ...tables];
  const title = "Page not found";
  const page = () =>
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
${places.map((place) => html`<li>${linkHtml(place.path, place.title)}</li>\n`)}</ul>`,
    });
  // Like errors, it is not stored, because something may be at the address soon.
  return [htmlFile(path, page, "no-store")];
}
