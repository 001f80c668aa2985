// The start of the reference: an introduction to the API, a request to copy, and paging.
import type { Api } from "../../src/api.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { maxLimit } from "../../src/paging.ts";
import { itemAnchor, operationAnchor } from "./anchors.ts";
import { type Example, exampleOf, exampleSize, walkOf } from "./examples.ts";
import { type Html, heading, html, prose } from "./html.ts";
import { jsonHtml } from "./json-html.ts";
import { cursorPromise } from "./paging-text.ts";
import { codeBlock, requestHtml } from "./requests-html.ts";
import { type DocumentSource, documentPaths, hasItems, isPaged, itemPath, requestPath, titleOf } from "./source.ts";

/** The number of elements of a list that an answer shows. */
const shown = 2;

export function introduction(source: DocumentSource): Html {
  const { description, url, license, contact, changelog } = source.settings;
  const facts = [
    [
      "Base URL",
      url === undefined ? unknownBase(source.api) : html`<code class="copy">${url}${source.api.base}</code>`,
    ],
    ["Methods", html`<code>GET</code> and <code>HEAD</code>`],
    ["Authentication", "None"],
    ["Format", "JSON, UTF-8"],
    ["OpenAPI", html`<a href="${documentPaths(source.api.base).openapi}">openapi.json</a>`],
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
${source.operations.map((operation) => endpoint(source.api, operation))}</ul>
</div>
</section>`;
}

/** The script of the pages inserts the host. */
const unknownBase = ({ base }: Api): Html =>
  html`<code class="copy"><var></var>${base}</code><span class="hostless"> on this host</span>`;

/** Documents with the same purpose share a row. */
function linksByPurpose({ related }: DocumentSource): readonly (readonly [string, Html])[] {
  const purposes = [...new Set(related.map(({ purpose }) => purpose))];
  return purposes.map((purpose) => {
    const own = related.filter((each) => each.purpose === purpose);
    const links = own.map(({ path, title }, index) => html`${index > 0 && ", "}<a href="${path}">${title}</a>`);
    return [purpose, html`${links}`];
  });
}

const endpoint = (
  api: Api,
  operation: Operation,
): Html => html`<li><span class="get">GET</span> <a href="#${operationAnchor(operation)}">${requestPath(api, operation)}</a>
<p>${operation.purpose}</p></li>
${hasItems(operation) && itemEndpoint(api, operation)}`;

const itemEndpoint = (
  api: Api,
  operation: ListOperation,
): Html => html`<li><span class="get">GET</span> <a href="#${itemAnchor(operation)}">${itemPath(api, operation)}</a>
<p>One ${operation.resource.noun}.</p></li>
`;

type Contact = NonNullable<DocumentSource["settings"]["contact"]>;

function contactHtml({ name, url, email }: Contact): Html {
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
${answerBlock(source.api, operation, example)}
</div>
</section>`;
}

/** An example's answer, with a link from `next_cursor` to the next page. */
export function answerBlock(api: Api, operation: Operation, { query, answer }: Example): Html {
  const linkOf = (field: string, value: string): string | undefined => {
    if (field !== "next_cursor") return undefined;
    const params = query.split("&").filter((param) => param !== "" && !param.startsWith("cursor="));
    return requestPath(api, operation, [...params, `cursor=${value}`].join("&"));
  };
  return html`<p class="caption"><span class="ok">200</span> Response</p>
${codeBlock("Response", jsonHtml(answer, { shown, linkOf }))}`;
}

/** Empty if no operation is paged. */
export function pagingSection(source: DocumentSource): Html {
  const walks = source.operations
    .filter(isPaged)
    .map((operation) => ({ operation, steps: walkOf(source, operation, 3) }));
  const [first, ...others] = walks;
  if (first === undefined) return html``;
  const longest = others.reduce((one, other) => (other.steps.length > one.steps.length ? other : one), first);
  return html`<section>
<div class="text">
${heading(2, "paging", "Paging")}
<p>Long lists are returned in pages of at most ${maxLimit} items. While <code>pagination.has_more</code> is true, send
<code>pagination.next_cursor</code> as <code>cursor</code> to get the next page. Following it to the end returns every item
exactly once.</p>
<ul>
<li><code>limit</code> is the maximum number of items per page. Keep it the same for all pages, or leave it out.</li>
<li>Repeat the ${hasSeveralFilters(source) ? "filters" : "filter"} with every cursor: a cursor belongs to the list it came from.</li>
<li>Cursors are opaque: take them from the response, do not build them.</li>
<li>${prose(cursorPromise(source.settings.cursorLifetime))} A cursor that no longer works is answered with
<a href="#error-invalid_cursor"><code>invalid_cursor</code></a>, never with the first page.</li>
</ul>
${loop(source, longest.operation)}
</div>
<div class="sample">
<p class="caption">The first pages of ${longest.operation.name}</p>
<ol class="walk">
${longest.steps.map((step) => walkStep(source.api, longest.operation, step))}</ol>
</div>
</section>`;
}

const hasSeveralFilters = ({ operations }: DocumentSource): boolean =>
  operations.some((operation) => filtersOf(operation).length > 1);

function walkStep(api: Api, operation: ListOperation, { query, answer }: Example): Html {
  const path = requestPath(api, operation, query);
  const { pagination } = answer;
  return html`<li>
<p class="request"><span class="get">GET</span> <a href="${path}">${path}</a></p>
${codeBlock("Response", jsonHtml({ pagination }, { shown }))}
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
