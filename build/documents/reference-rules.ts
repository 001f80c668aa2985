// The rules that all operations share: errors, caching, requests from other origins, versions.
import { acceptedBy } from "../../src/api.ts";
import { methodNotAllowed, type ParameterError } from "../../src/errors.ts";
import { filtersOf, type Operation } from "../../src/operation.ts";
import { codeBlock, type Html, heading, html, prose } from "./html.ts";
import { jsonHtml, shellHost } from "./samples-html.ts";
import {
  type DocumentSource,
  durationOf,
  errorAnchor,
  errorsOf,
  hasItems,
  hasVersion,
  isServed,
  missingError,
  operationAnchor,
  requestPath,
} from "./source.ts";

interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
}

export function errorsSection(source: DocumentSource): Html {
  const missing = missingError(source);
  const ofParameters = source.operations.flatMap((operation) =>
    errorsOf(source, operation).map((parameter) => ({ parameter, row: rowOf(source, operation, parameter) })),
  );
  const all = [...ofParameters.map(({ row }) => row), ...sharedRows(source)];
  const rows = new Map(all.map((row) => [row.code, row])).values();
  const example = ofParameters[0]?.parameter.error ?? missing;
  return html`<section>
<div class="text">
${heading(2, "errors", "Errors")}
<p>Errors are JSON too, with the matching HTTP status. Branch on <code>code</code>, which never changes its meaning;
<code>message</code> tells people what is accepted. Unknown parameters are ignored. Errors are not cached, and retrying the
same request does not help.</p>
</div>
<div class="sample">
<p class="caption"><span class="bad">${example.status}</span> Response</p>
${codeBlock("An error", jsonHtml(example, 2))}
</div>
<div class="wide">
<table class="stack">
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Cause</th><th scope="col">Remedy</th></tr></thead>
<tbody>
${[...rows].map(errorRow)}</tbody>
</table>
</div>
</section>`;
}

const errorRow = ({ code, status, cause, remedy }: ErrorRow): Html =>
  html`<tr id="${errorAnchor(code)}"><th scope="row"><code>${code}</code></th><td data-label="Status">${status}</td><td data-label="Cause">${prose(cause)}</td><td data-label="Remedy">${prose(remedy)}</td></tr>
`;

function rowOf(source: DocumentSource, operation: Operation, parameter: ParameterError): ErrorRow {
  const { code, status, param = "" } = parameter.error;
  const malformed = `\`${param}\` is empty, repeated`;
  switch (parameter.kind) {
    case "limit": {
      const remedy = "Send an integer in the range of the operation, or leave it out.";
      return { code, status, cause: `${malformed}, or not an integer in its range.`, remedy };
    }
    case "cursor": {
      const cause = `${malformed}, unknown or expired, or came with another filter or limit.`;
      return { code, status, cause, remedy: "Try again without `limit`, or start over without `cursor`." };
    }
    case "filter": {
      const filter = filtersOf(operation).find((each) => each.param === param);
      if (operation.kind === "document" || filter === undefined) {
        throw new Error(`${operation.name} has no filter ${param}.`);
      }
      const { text, listedBy, isListed } = acceptedBy(source.api, operation, filter);
      const hasList = isListed && isServed(source, listedBy.name);
      const place = hasList ? `at \`${source.api.base}/${listedBy.name}\`` : "with the operation";
      const remedy = filter.accepts.kind === "listed" ? `Send ${text}` : `Use one listed ${place}`;
      const cause =
        parameter.clash === undefined
          ? `${malformed}, or not ${text}.`
          : `${malformed}, not ${text}, or sent with a filter with which it cannot be combined.`;
      return { code, status, cause, remedy: `${remedy}; it is case-sensitive.` };
    }
  }
}

function sharedRows(source: DocumentSource): readonly ErrorRow[] {
  const missing = missingError(source);
  const ofItems = source.operations.some(hasItems) ? ", or there is no item with this key" : "";
  return [
    {
      ...{ code: missing.code, status: missing.status, cause: `There is nothing at this path${ofItems}.` },
      remedy: "Check the spelling and case of the path; it has no trailing slash.",
    },
    {
      ...{ code: methodNotAllowed.code, status: methodNotAllowed.status, cause: "The method is not `GET` or `HEAD`." },
      remedy: "Use `GET`: the API is read-only.",
    },
  ];
}

export function cachingSection({ api, operations, settings }: DocumentSource): Html {
  const rows = operations.map(cachingRow);
  const [first] = operations;
  const url = html`"${settings.url ?? shellHost}${first === undefined ? api.base : requestPath(api, first)}"`;
  return html`<section>
<div class="text">
${heading(2, "caching", "Caching")}
<p>Responses say how long they may be cached and carry an <code>ETag</code>. Send it back as <code>If-None-Match</code>: while
nothing has changed, the response is <code>304</code> without a body. Browsers do this by themselves.</p>
<table class="stack">
<thead><tr><th scope="col">Operation</th><th scope="col">Cache-Control</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
<div class="sample">
<p class="caption">Only if it has changed</p>
${codeBlock("Conditional request with curl", html`<code>curl --etag-save tag --etag-compare tag \\\n  ${url}</code>`)}
</div>
</section>`;
}

const cachingRow = (operation: Operation): Html =>
  html`<tr><th scope="row"><a href="#${operationAnchor(operation)}">${operation.name}</a></th><td data-label="Cache-Control"><code>${operation.cacheControl}</code></td><td data-label="Meaning">${keptFor(operation.cacheControl)}</td></tr>
`;

function keptFor(cacheControl: string): string {
  const [, seconds] = /max-age=(\d+)/.exec(cacheControl) ?? [];
  return seconds === undefined ? "never cached" : `cached for up to ${durationOf(Number(seconds))}`;
}

export const corsSection = html`<section>
<div class="text">
${heading(2, "cors", "CORS")}
<p>Scripts on any website can read the API: every response has <code>Access-Control-Allow-Origin: *</code> and exposes its
<code>ETag</code> and <code>Link</code>. Cookies and keys are not used.</p>
</div>
</section>`;

export const versionsSection = ({ api, settings: { changelog } }: DocumentSource): Html => html`<section>
<div class="text">
${heading(2, "versions", "Versions")}
<p>${hasVersion(api) ? "The version is part of every path:" : "Every path starts with"} <code>${api.base}</code>. Operations, fields, error codes and values of enumerations may be
added at any time, so ignore what you do not know. What exists keeps its name and meaning; a breaking change gets a new
${hasVersion(api) ? "version" : "address"}.${changelog !== undefined && html` The <a href="${changelog}">changelog</a> lists the changes.`}</p>
</div>
</section>`;
