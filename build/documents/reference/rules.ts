// The rules that all operations share: errors, caching, requests from other origins, versions.
import { methodNotAllowed } from "../../../src/errors.ts";
import { codeBlock, type Html, heading, html, prose, section, stackedTable } from "../html.ts";
import { jsonHtml, originOf } from "../samples.ts";
import {
  type DocumentSource,
  durationOf,
  errorAnchor,
  errorsOf,
  hasItems,
  hasVersion,
  headerAnchor,
  missingError,
  operationAnchor,
  requestPath,
} from "../source.ts";

interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
}

export function errorRows(source: DocumentSource): readonly ErrorRow[] {
  const ofParameters = source.operations.flatMap((operation) => errorsOf(source, operation));
  const kinds = new Map(ofParameters.map(({ kind, error }) => [error.code, { kind, ...error }]));
  const noItem = source.operations.some(hasItems) ? ", or no item has this key" : "";
  return [
    ...[...kinds.values()].map(({ kind, code, status, param }) => {
      const { cause, remedy } = parameterErrors[kind];
      return { code, status, cause: `\`${param}\` is empty, repeated, ${cause}.`, remedy };
    }),
    {
      ...missingError(source),
      cause: `Nothing is at this path${noItem}.`,
      remedy: "Check the spelling and case of the path; it has no trailing slash.",
    },
    {
      ...methodNotAllowed,
      cause: "The method is not `GET` or `HEAD`.",
      remedy: "Use `GET`: the API is read-only.",
    },
  ];
}

export function errorsSection(source: DocumentSource): Html {
  const rows = errorRows(source).map(({ code, status, cause, remedy }) => ({
    id: errorAnchor(code),
    cells: [html`<code>${code}</code>`, status, prose(cause), prose(remedy)],
  }));
  const [example = missingError(source)] = source.operations
    .flatMap((operation) => errorsOf(source, operation))
    .map(({ error }) => error);
  return section(
    html`${heading(2, "errors", "Errors")}
<p>Errors are JSON too, with the matching HTTP status. Branch on <code>code</code>, which never changes its meaning;
<code>message</code> tells people what is accepted. Unknown parameters are ignored. Errors are not cached, and retrying the
same request does not help.</p>`,
    html`<p class="caption"><span class="bad">${example.status}</span> Response</p>
${codeBlock("An error", jsonHtml(example, 2))}`,
    stackedTable(["Code", "Status", "Cause", "Remedy"], rows),
  );
}

/** By the kind of a parameter, the words after "is empty, repeated". */
const parameterErrors = {
  limit: {
    cause: "or not an integer in its range",
    remedy: "Send an integer in the range of the operation, or leave it out.",
  },
  filter: {
    cause: "not a known value, or combined with a filter that it cannot be combined with",
    remedy: "Send one of the values of the operation. They are case-sensitive.",
  },
  cursor: {
    cause: "unknown or expired, or came with another filter or limit",
    remedy: "Try again without `limit`, or start over without `cursor`.",
  },
};

export function cachingSection(source: DocumentSource): Html {
  const { api, operations } = source;
  const [first] = operations;
  const path = first === undefined ? api.base : requestPath(api, first);
  const rows = operations.map((operation) => ({
    cells: [
      html`<a href="#${operationAnchor(operation)}">${operation.name}</a>`,
      html`<code>${operation.cacheControl}</code>`,
      keptFor(operation.cacheControl),
    ],
  }));
  return section(
    html`${heading(2, "caching", "Caching")}
<p>Responses say how long they may be cached and carry an <code>ETag</code>. Send it back as <code>If-None-Match</code>: while
nothing has changed, the response is <code>304</code> without a body. Browsers do this by themselves.</p>
${stackedTable(["Operation", "Cache-Control", "Meaning"], rows)}`,
    html`<p class="caption">Only if it has changed</p>
${codeBlock("Conditional request with curl", html`<code>curl --etag-save tag --etag-compare tag \\\n  "${originOf(source)}${path}"</code>`)}`,
  );
}

function keptFor(cacheControl: string): string {
  const [, seconds] = /max-age=(\d+)/.exec(cacheControl) ?? [];
  return seconds === undefined ? "never cached" : `cached for up to ${durationOf(Number(seconds))}`;
}

export const corsSection = section(html`${heading(2, "cors", "CORS")}
<p>Scripts on any website can read the API: every response has <code>Access-Control-Allow-Origin: *</code> and exposes its
<code>ETag</code> and <code>Link</code>. Cookies and keys are not used.</p>`);

/** The headers of requests and responses that mean something to consumers. */
export const headerRows = [
  {
    name: "Content-Type",
    value: "application/json",
    meaning: "Of every response with a body; documents have types of their own.",
  },
  {
    name: "Cache-Control",
    value: "public, max-age=60",
    meaning: "How long the response may be kept; the table above has the value of each operation.",
  },
  { name: "ETag", value: '"45c4a9be"', meaning: "Names the response's bytes. It changes when they do." },
  {
    name: "If-None-Match",
    value: '"45c4a9be"',
    meaning: "In a request: an `ETag`. The response is `304` while nothing has changed.",
  },
  {
    name: "Link",
    value: '<…>; rel="service-desc"',
    meaning: "The addresses of the OpenAPI document and of this reference.",
  },
  { name: "Allow", value: "GET, HEAD, OPTIONS", meaning: "The methods that are allowed, with status `405`." },
  { name: "Access-Control-Allow-Origin", value: "*", meaning: "Scripts on any website may read the response." },
  { name: "X-Content-Type-Options", value: "nosniff", meaning: "Browsers keep to the `Content-Type`." },
] as const;

export const headersSection = section(
  html`${heading(2, "headers", "Headers")}
<p>These headers are worth knowing. All others belong to the host.</p>`,
  undefined,
  stackedTable(
    ["Header", "For example", "Meaning"],
    headerRows.map(({ name, value, meaning }) => ({
      id: headerAnchor(name),
      cells: [html`<code>${name}</code>`, html`<code>${value}</code>`, prose(meaning)],
    })),
  ),
);

export const versionsSection = ({ api, settings: { changelog } }: DocumentSource): Html =>
  section(html`${heading(2, "versions", "Versions")}
<p>${hasVersion(api) ? "The version is part of every path:" : "Every path starts with"} <code>${api.base}</code>. Operations, fields, error codes and values of enumerations may be
added at any time, so ignore what you do not know.${changelog !== undefined && html` The <a href="${changelog}">changelog</a> lists the changes.`}</p>`);
