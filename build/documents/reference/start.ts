// The start of the reference: an introduction to the API, the publisher's text, a request to copy, and paging.
import { fieldOf } from "../../../src/model/fields.ts";
import { filtersOf, hasItems, hasOrders, isPaged, type ListOperation } from "../../../src/model/operation.ts";
import { sortParam } from "../../../src/model/order.ts";
import { maxLimit } from "../../../src/model/paging.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { anchors, requestPath } from "../describe/addresses.ts";
import { accessWords } from "../describe/audience.ts";
import type { Endpoint } from "../describe/endpoints.ts";
import { exampleSize, walkOf } from "../describe/examples.ts";
import type { ReferencePage } from "../describe/reference-places.ts";
import { cursorPromise, onlyFiles, titleOf } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import { originMark } from "../frame/code.ts";
import { credentialCode } from "../frame/credentials.ts";
import {
  codeBlock,
  contactHtml,
  freshnessOf,
  type Html,
  heading,
  html,
  linkHtml,
  prose,
  publisherWords,
  section,
  toChanges,
} from "../frame/html.ts";
import { answerHtml, codeHtml, jsonHtml, originOf, requestHtml } from "../frame/samples.ts";
import { startIndex } from "./data-index.ts";

export function introduction(page: ReferencePage): Html {
  const { access, description, license, contact } = page.settings;
  const freshness = freshnessOf(page);
  const facts = {
    "Last change": freshness?.words === "Last change" && toChanges(page, freshness.time),
    "Base URL": html`<code class="copy" tabindex="0">${originOf(page)}${page.api.base}</code>`,
    Requests: html`<code>GET</code> and <code>HEAD</code>${access === undefined && ", without a key"}`,
    Authentication: access && prose(accessWords(page)),
    Format: "JSON, UTF-8",
    License: license && linkHtml(license.url, license.name),
    Contact: contact && contactHtml(contact),
  };
  const text = html`<h1 id="top"><bdi>${publisherWords(page, titleOf(page))}</bdi></h1>
<p class="lead"><bdi>${description === undefined ? "A read-only JSON API." : publisherWords(page, description)}</bdi></p>`;
  const sample = html`<dl class="facts">
${Object.entries(facts).map(
  ([name, value]) =>
    value &&
    html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>`;
  return section(text, { sample, wide: startIndex(page) });
}

/** Empty without a text of the publisher. */
export function aboutSection({ texts: { introduction } }: Pick<Site, "texts">): Html {
  if (introduction === undefined) return html``;
  return section(html`${heading(2, "about", "About")}\n${introduction}`);
}

/** Examples for the whole API are of operations that will stay, if there are any. */
const currentFirst = (one: Pick<Endpoint, "operation">, other: Pick<Endpoint, "operation">): number =>
  Number(one.operation.deprecated !== undefined) - Number(other.operation.deprecated !== undefined);

/** Empty if no operation has an example. */
export function firstSection(page: ReferencePage): Html {
  const endpoints = page.endpoints.toSorted(currentFirst);
  const endpoint = endpoints.find(({ operation }) => isPaged(operation)) ?? endpoints[0];
  if (endpoint?.example === undefined) return html``;
  const { operation, example } = endpoint;
  const path = requestPath(page.api, operation, example);
  const { answersErrors } = page.api.addressing;
  const host =
    page.settings.url === undefined &&
    html`<noscript><p>Replace <code>https://HOST</code> by the address of the host where you read this, such as <code>https://api.example.com</code>.</p></noscript>\n`;
  const text = html`${heading(2, "first-request", "First request")}
${!answersErrors && html`<p>${prose(onlyFiles)}</p>\n`}<p>This request lists
<a href="${page.places.operation(operation)}">${operation.name}</a>; <a href="${path}">open it here</a> to see the full response.</p>
${host}<p>A list is returned as <code>{"object": "list", "data": [\u2026]}</code>${page.operations.some(hasItems) && ", a single item as itself"}.</p>`;
  const sample = html`${requestHtml(page, "first", operation, example)}\n${answerHtml(page, operation, example)}`;
  return section(text, { sample });
}

/** Empty if no operation is paged. */
export function pagingSection(site: Site): Html {
  const walks = site.operations.filter(isPaged).map((paged) => ({ operation: paged, steps: walkOf(site, paged, 3) }));
  const [longest] = walks.toSorted((one, other) => other.steps.length - one.steps.length).toSorted(currentFirst);
  if (longest === undefined) return html``;
  const { operation, steps } = longest;
  const filters = site.operations.some((served) => filtersOf(served).length > 1) ? "filters" : "filter";
  const order = site.operations.some(hasOrders) && html`<code>${sortParam}</code> and the `;
  const walk = steps.map((step) => {
    const path = requestPath(site.api, operation, step);
    return html`<li>
<p class="request"><span class="get">GET</span> <a href="${path}">${path}</a></p>
<p class="request"><span class="ok">200</span> <code>${jsonHtml(fieldOf(step.answer["pagination"], "next_cursor"), 1)}</code></p>
</li>
`;
  });
  const { parametersIn, answersErrors } = site.api.addressing;
  const next =
    parametersIn === "path"
      ? html`the next page is at the same path, with <code>/cursor/</code> and <code>pagination.next_cursor</code> before
<code>.json</code>.`
      : html`send <code>pagination.next_cursor</code> as <code>cursor</code> to get the next page.`;
  const error = answersErrors ? "invalid_cursor" : "not_found";
  const text = html`${heading(2, "paging", "Paging")}
<p>Long lists are returned in pages of at most ${maxLimit} items. While <code>pagination.has_more</code> is true, ${next} Following it to the end returns every item
exactly once.</p>
<ul>
<li><code>limit</code> is the maximum number of items per page. Keep it the same for all pages, or leave it out.</li>
<li>Repeat ${order || "the "}${filters} with every cursor: a cursor belongs to the list it came from.</li>
<li>Cursors are opaque: take them from the response, do not build them.</li>
<li>${prose(cursorPromise(site.settings))} A cursor that no longer works is answered with
<a href="#${anchors.error(error)}"><code>${error}</code></a>, never with the first page.</li>
</ul>`;
  const sample = html`<p class="caption">The first pages of ${operation.name}, and the <code>next_cursor</code> of each</p>
<ol class="walk">
${walk}</ol>
${loop(site, operation)}`;
  return section(text, { sample });
}

function loop(site: Site, operation: ListOperation): Html {
  const sizes = pageSizesOf(site.settings, operation.name);
  const path = requestPath(site.api, operation, { query: `limit=${sizes.at(-1) ?? exampleSize(sizes)}` });
  const isInPath = site.api.addressing.parametersIn === "path";
  const start = path.slice(site.api.base.length).replace(/\.json$/, "");
  const parameter = isInPath ? "/cursor/" : "&cursor=";
  const { javascript = "" } = credentialCode(site.settings);
  const code = `${javascript}const api =
  "${originMark}${site.api.base}";
let cursor = "";
do {
  const path = \`${start}\${cursor}${isInPath ? ".json" : ""}\`;
  const response = await fetch(api + path${javascript && ", options"});
  const page = await response.json();
  for (const item of page.data) {
    console.log(item.${operation.key});
  }
  const next = page.pagination.next_cursor;
  cursor = next && \`${parameter}\${next}\`;
} while (cursor);`;
  return codeBlock("Reading every item in JavaScript", codeHtml(site, code));
}
