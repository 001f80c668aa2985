// The rules that all operations share: errors, caching, requests from other origins, versions. And the offers beside the
// operations: a client, types, a description for programs, and what the publisher declares.
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { listNamed } from "../../../src/model/api.ts";
import { cacheFor } from "../../../src/model/audience.ts";
import { hasItems } from "../../../src/model/operation.ts";
import { missingError } from "../../pages/answers.ts";
import { bodiesOf, methodNotAllowed } from "../../routing/errors.ts";
import { groupBy } from "../../values/group-by.ts";
import { anchors, documentPaths, outputAddress, requestPath } from "../describe/addresses.ts";
import { scriptWords } from "../describe/audience.ts";
import { type Endpoint, headersFor } from "../describe/endpoints.ts";
import type { ReferencePage } from "../describe/reference-places.ts";
import { cacheWords, hasVersion, noticeText } from "../describe/sentences.ts";
import { pagesIn, type Site } from "../describe/site.ts";
import { originMark } from "../frame/code.ts";
import { credentialCode } from "../frame/credentials.ts";
import {
  codeBlock,
  deprecationMark,
  type Html,
  heading,
  html,
  linkHtml,
  prose,
  section,
  separated,
  stackedTable,
} from "../frame/html.ts";
import { codeHtml, jsonHtml, moduleCode } from "../frame/samples.ts";

/** The sections behind the operations. */
export const furtherSections = (page: ReferencePage): Html => html`${cachingSection(page)}
${corsSection(page)}
${headersSection(page)}
${versionsSection(page)}
${toolsSection(page)}`;

/** The codes of one cause. */
interface ErrorRow {
  readonly codes: readonly string[];
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
}

/** The error of what does not exist. */
const missingIn = (site: Site): ErrorBody => missingError(site, site.api.addressing.kind);

/** The errors with which an endpoint answers requests. */
export const bodiesOfErrors = (site: Site, { isItem, errors }: Endpoint): readonly ErrorBody[] =>
  isItem ? [missingIn(site)] : errors.flatMap(bodiesOf);

export function errorRows(site: Site): readonly ErrorRow[] {
  const ofParameters = groupBy(
    site.endpoints.flatMap(({ errors }) => errors),
    ({ kind }) => kind,
  );
  const missing = missingIn(site);
  const noItem = site.operations.some(hasItems) ? ", or no item has this key" : "";
  const { answersErrors } = site.api.addressing;
  return [
    ...Array.from(ofParameters, ([kind, errors]): ErrorRow => {
      const [cause, remedy] = parameterErrors[kind];
      const codes = [...new Set(errors.map(({ error }) => error.code))];
      const params = [...new Set(errors.map(({ error }) => `\`${error.param}\``))];
      const subject = params.length === 1 ? params[0] : "The parameter";
      return { codes, status: 400, cause: `${subject} is empty, repeated, ${cause}.`, remedy };
    }),
    {
      codes: [missing.code],
      status: missing.status,
      cause: `Nothing is at this path${noItem}${answersErrors ? "" : ", a value is not known, or a cursor has expired"}.`,
      remedy: "Check the spelling and case of the path; it has no trailing slash.",
    },
    // A host that only serves files chooses its own answer.
    ...(answersErrors ? [wrongMethod] : []),
  ];
}

const wrongMethod: ErrorRow = {
  codes: [methodNotAllowed.code],
  status: methodNotAllowed.status,
  cause: "The method is not `GET` or `HEAD`.",
  remedy: "Use `GET`: the API is read-only.",
};

/** By the kind of a parameter, the words after "is empty, repeated", and the remedy. */
const parameterErrors = {
  limit: ["or not an integer in its range", "Send an integer in the range of the operation, or leave it out."],
  filter: [
    "not a known value, or combined with a filter that it cannot be combined with",
    "Send one of the values of the operation. They are case-sensitive.",
  ],
  cursor: [
    "unknown or expired, or came with another filter or limit",
    "Try again without `limit`, or start over without `cursor`.",
  ],
} as const;

export function errorsSection(site: Site): Html {
  const rows = errorRows(site).map(({ codes, status, cause, remedy }) => ({
    cells: [
      separated(codes.map((code) => html`<code id="${anchors.error(code)}">${code}</code>`)),
      status,
      prose(cause),
      prose(remedy),
    ],
  }));
  const [first] = site.endpoints.flatMap(({ errors }) => errors);
  const example = first?.error ?? missingIn(site);
  const text = html`${heading(2, "errors", "Errors")}
${errorsText(site)}`;
  const name = html`<span class="bad">${example.status}</span> Response`;
  const sample = codeBlock("An error", jsonHtml(example, 2), name);
  return section(text, { sample, wide: stackedTable(["Code", "Status", "Cause", "Remedy"], rows) });
}

/** A host that only serves files answers errors as pages. */
const errorsText = ({ api }: Site): Html =>
  api.addressing.answersErrors
    ? html`<p>Errors are JSON too, with the matching HTTP status. Branch on <code>code</code>, which never changes its meaning;
<code>message</code> tells people what is accepted. Unknown parameters are ignored. Errors are not cached, and retrying the
same request does not help.</p>`
    : html`<p>There is one error. Branch on the HTTP status: some hosts send a page of their own in place of this body.</p>`;

function cachingSection(page: ReferencePage): Html {
  const { api, operations } = page;
  const { setsHeaders } = api.addressing;
  const [first] = operations;
  const path = first === undefined ? api.base : requestPath(api, first);
  const rows = operations.map((operation) => ({
    cells: [
      linkHtml(page.places.operation(operation), operation.name),
      html`<code>${cacheFor(page.settings, operation.cache)}</code>`,
      cacheWords(operation.cache),
    ],
  }));
  const text = html`${heading(2, "caching", "Caching")}
<p>Responses ${setsHeaders && "say how long they may be cached and "}carry an <code>ETag</code>. Send it back as <code>If-None-Match</code>: while
nothing has changed, the response is <code>304</code> without a body. Browsers do this by themselves.</p>
${setsHeaders && stackedTable(["Operation", "Cache-Control", "Meaning"], rows)}`;
  const { curl = "" } = credentialCode(page.settings);
  const command = `curl --etag-save tag --etag-compare tag \\\n${curl}  "${originMark}${path}"`;
  const sample = codeBlock("Conditional request with curl", codeHtml(page, command), "Only if it has changed");
  return section(text, { sample });
}

const corsSection = (page: ReferencePage): Html =>
  section(html`${heading(2, "cors", "CORS")}
<p>${prose(scriptWords(page))}</p>`);

const headersSection = ({ settings }: Site): Html =>
  section(
    html`${heading(2, "headers", "Headers")}
<p>These headers are worth knowing. All others belong to the host.</p>`,
    {
      wide: stackedTable(
        ["Header", "For example", "Meaning"],
        Object.entries(headersFor(settings)).map(([name, { example, meaning }]) => ({
          id: anchors.header(name),
          cells: [html`<code>${name}</code>`, html`<code>${example}</code>`, prose(meaning)],
        })),
      ),
    },
  );

const versionsSection = ({ api }: Site): Html =>
  section(html`${heading(2, "versions", "Versions")}
<p>${hasVersion(api) ? "The version is part of every path:" : "Every path starts with"} <code>${api.base}</code>. Operations, fields, error codes and values of enumerations may be
added at any time, so ignore what you do not know.</p>`);

interface Tool {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** In the order of the page. Their anchors are permanent. */
export function toolsOf(site: Site): readonly Tool[] {
  const { api } = site;
  const { openapi, client, clientTypes } = documentPaths(api.base);
  const { curl = "" } = credentialCode(site.settings);
  const isOpen = curl === "";
  const download = (path: string) => `curl -O \\\n${curl}  "${originMark}${path}"`;
  const pages = pagesIn(site).map(({ path, title }) => linkHtml(path, title));
  const outputs = site.outputs.map(({ output: { contentType, each, deprecated }, route }) => {
    const path = outputAddress(api, site.settings.mount, route);
    const notice = deprecated && html`${deprecationMark(deprecated)} (${prose(noticeText(deprecated))})`;
    return each === undefined
      ? html`${linkHtml(path, path)} (${contentType})${notice}`
      : html`<code>${path}</code> (${contentType}), one for each ${listNamed(api, each).noun}${notice}`;
  });
  /** Nothing without a link. */
  const lineOf = (id: string, title: string, links: readonly Html[]): readonly Tool[] =>
    links.length === 0 ? [] : [{ id, title, content: html`<p>${separated(links)}</p>` }];
  return [
    {
      id: "client",
      title: "Client",
      content: html`<p>Every request is a plain <code>GET</code>, so <code>fetch</code> is enough. This module without imports walks pages, retries,
and keeps copies; <a href="${clientTypes}">client.d.ts</a> has its types.${!isOpen && html` An <code>import</code> cannot say who reads, so download it.`}</p>
${!isOpen && html`${codeBlock("Download of the client", codeHtml(site, download(client)), "curl")}\n`}${codeBlock("Client", moduleCode(site), "JavaScript")}`,
    },
    {
      id: "types",
      title: "TypeScript types",
      content: codeBlock(
        "TypeScript types",
        codeHtml(
          site,
          isOpen
            ? `npx openapi-typescript -o api.d.ts \\\n  "${originMark}${openapi}"`
            : `${download(openapi)}\nnpx openapi-typescript -o api.d.ts \\\n  openapi.json`,
        ),
        "npm",
      ),
    },
    {
      id: "openapi",
      title: "OpenAPI",
      content: html`<p><a href="${openapi}">openapi.json</a> describes every operation, parameter and error, for generators of clients
and for tools such as Postman.</p>`,
    },
    ...lineOf("pages", "Pages", pages),
    ...lineOf("files", "Files", outputs),
  ];
}

const toolsSection = (site: Site): Html =>
  section(
    html`${heading(2, "tools", "Client and types")}
<dl class="fields">
${toolsOf(site).map(({ id, title, content }) => html`<div id="${id}"><dt><a href="#${id}">${title}</a></dt>\n<dd>${content}</dd></div>\n`)}</dl>`,
  );
