// The start of the reference: an introduction to the API, a request to copy, and paging.
import type { Api } from "../../src/api.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { maxLimit } from "../../src/paging.ts";
import type { Settings } from "../content/catalog.ts";
import { type Example, exampleOf, exampleSize, walkOf } from "./examples.ts";
import { codeBlock, type Html, heading, html, prose, separated } from "./html.ts";
import { answerHtml, jsonHtml, requestHtml } from "./samples-html.ts";
import {
  type DocumentSource,
  documentPaths,
  hasItems,
  isPaged,
  itemAnchor,
  itemPath,
  operationAnchor,
  requestPath,
  titleOf,
} from "./source.ts";
import { cursorPromise } from "./texts.ts";

export function introduction(source: DocumentSource): Html {
  const { description, url, license, contact, changelog } = source.settings;
  const { base } = source.api;
  const facts = [
    ["Base URL", url === undefined ? unknownBase(base) : html`<code class="copy">${url}${base}</code>`],
    ["Methods", html`<code>GET</code> and <code>HEAD</code>`],
    ["Authentication", "None"],
    ["Format", "JSON, UTF-8"],
    ["OpenAPI", html`<a href="${documentPaths(base).openapi}">openapi.json</a>`],
    ...linksByPurpose(source),
    ...(changelog === undefined ? [] : [["Changes", html`<a href="${changelog}">Changelog</a>`] as const]),
    ...(license === undefined ? [] : [["License", html`<a href="${license.url}">${license.name}</a>`] as const]),
    ...(contact === undefined ? [] : [["Contact", contactHtml(contact)] as const]),
  ] as const;
  const rows = facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  return html`<section class="intro">
<div class="text">
<h1 id="top" dir="auto">${titleOf(source)}</h1>
<p class="lead" dir="auto">${description ?? "A read-only JSON API."}</p>
<dl class="facts">
${rows}</dl>
</div>
<div class="sample">
<p class="caption">Operations</p>
<ul class="endpoints">
${source.operations.map((operation) => endpoints(source, operation))}</ul>
</div>
</section>`;
}

/** The script of the pages inserts the host. */
const unknownBase = (base: string): Html =>
  html`<code class="copy"><var></var>${base}</code><span class="hostless"> on this host</span>`;

/** Documents with the same purpose share a row. */
function linksByPurpose({ related }: DocumentSource): readonly (readonly [string, Html])[] {
  const purposes = [...new Set(related.map(({ purpose }) => purpose))];
  return purposes.map((purpose) => {
    const same = related.filter((each) => each.purpose === purpose);
    return [purpose, html`${separated(same.map(({ path, title }) => html`<a href="${path}">${title}</a>`))}`];
  });
}

const endpoints = ({ api }: DocumentSource, operation: Operation): readonly Html[] => [
  endpoint(operationAnchor(operation), requestPath(api, operation), operation.purpose),
  ...(hasItems(operation)
    ? [endpoint(itemAnchor(operation), itemPath(api, operation), `One ${operation.resource.noun}.`)]
    : []),
];

const endpoint = (
  anchor: string,
  path: string,
  purpose: string,
): Html => html`<li><span class="get">GET</span> <a href="#${anchor}">${path}</a>
<p>${purpose}</p></li>
`;

function contactHtml({ name, url, email }: NonNullable<Settings["contact"]>): Html {
  const label = name ?? email ?? url;
  if (url !== undefined) return html`<a href="${url}">${label}</a>`;
  return email === undefined ? html`${label}` : html`<a href="mailto:${email}">${label}</a>`;
}

export function firstSection(source: DocumentSource): Html {
  const operation = source.operations.find(isPaged) ?? source.operations[0];
  const example = operation && exampleOf(source, operation);
  if (operation === undefined || example === undefined) return html``;
  const path = requestPath(source.api, operation, example.query);
  const host =
    source.settings.url === undefined &&
    html`<p class="hostless"><code>$HOST</code> is the address of the host where you read this, such as <code>https://api.example.com</code>.</p>`;
  return html`<section>
<div class="text">
${heading(2, "first-request", "First request")}
<p>Every operation is a <code>GET</code> request that needs no key. This one lists
<a href="#${operationAnchor(operation)}">${operation.name}</a>; <a href="${path}">open it here</a> to see the full response.</p>
${host}
<p>A list is returned as <code>{"object": "list", "data": […]}</code>${source.operations.some(hasItems) && ", a single item as itself"}. Ignore fields you do not know: more may be added.</p>
</div>
<div class="sample">
${requestHtml(source, "first", operation, example.query)}
${answerHtml(source.api, operation, example)}
</div>
</section>`;
}

/** Empty if no operation is paged. */
export function pagingSection(source: DocumentSource): Html {
  const [first, ...others] = source.operations
    .filter(isPaged)
    .map((operation) => ({ operation, steps: walkOf(source, operation, 3) }));
  if (first === undefined) return html``;
  const { operation, steps } = others.reduce(
    (one, other) => (other.steps.length > one.steps.length ? other : one),
    first,
  );
  const hasSeveralFilters = source.operations.some((each) => filtersOf(each).length > 1);
  return html`<section>
<div class="text">
${heading(2, "paging", "Paging")}
<p>Long lists are returned in pages of at most ${maxLimit} items. While <code>pagination.has_more</code> is true, send
<code>pagination.next_cursor</code> as <code>cursor</code> to get the next page. Following it to the end returns every item
exactly once.</p>
<ul>
<li><code>limit</code> is the maximum number of items per page. Keep it the same for all pages, or leave it out.</li>
<li>Repeat the ${hasSeveralFilters ? "filters" : "filter"} with every cursor: a cursor belongs to the list it came from.</li>
<li>Cursors are opaque: take them from the response, do not build them.</li>
<li>${prose(cursorPromise(source.settings.cursorLifetime))} A cursor that no longer works is answered with
<a href="#error-invalid_cursor"><code>invalid_cursor</code></a>, never with the first page.</li>
</ul>
${loop(source, operation)}
</div>
<div class="sample">
<p class="caption">The first pages of ${operation.name}</p>
<ol class="walk">
${steps.map((step) => walkStep(source.api, operation, step))}</ol>
</div>
</section>`;
}

function walkStep(api: Api, operation: ListOperation, { query, answer }: Example): Html {
  const path = requestPath(api, operation, query);
  return html`<li>
<p class="request"><span class="get">GET</span> <a href="${path}">${path}</a></p>
${codeBlock("Response", jsonHtml({ pagination: answer["pagination"] }, 2))}
</li>
`;
}

function loop({ api, settings, sizesOf }: DocumentSource, operation: ListOperation): Html {
  const size = sizesOf(operation.name).at(-1) ?? exampleSize(sizesOf(operation.name));
  const code = `const list =
  "${settings.url ?? ""}${requestPath(api, operation, `limit=${size}`)}";
let cursor = "";
do {
  const response = await fetch(list + cursor);
  const page = await response.json();
  for (const item of page.data) {
    console.log(item.${operation.resource.key});
  }
  const next = page.pagination.next_cursor;
  cursor = next && \`&cursor=\${next}\`;
} while (cursor);`;
  return html`<p>Reading every item in JavaScript:</p>
${codeBlock("Reading every item in JavaScript", html`<code>${code}</code>`)}`;
}
