// A section of the reference for each endpoint: parameters, an answer, errors, and forms to try it.
import { articleOf } from "../../src/api.ts";
import { filtersOf, type Operation } from "../../src/operation.ts";
import { maxLimit } from "../../src/paging.ts";
import type { Endpoint, Parameter } from "./endpoints.ts";
import { exampleSize } from "./examples.ts";
import { filterField, valueList } from "./filter-values.ts";
import { type Html, heading, html, prose, section } from "./html.ts";
import { answerFields, isListed, titleOfResource } from "./reference-resource.ts";
import { answerHtml, requestHtml } from "./samples.ts";
import {
  type DocumentSource,
  dataPagePath,
  errorAnchor,
  fieldAnchor,
  missingError,
  operationAnchor,
  requestPath,
  resourceAnchor,
} from "./source.ts";

export function endpointSection(source: DocumentSource, endpoint: Endpoint): Html {
  const { operation, isItem, anchor, purpose, rules } = endpoint;
  const example = endpoint.filtered ?? endpoint.example;
  const table = isItem ? undefined : dataPagePath(source, operation);
  const paths = answerFields(source, operation).map(({ path }) => path);
  const linkOf = linksIn(source, operation, paths);
  const parameters = endpoint.parameters.map((each) => parameterEntry(source, endpoint, each, linkOf));
  const errors = isItem ? [missingError(source)] : endpoint.errors;
  return section(
    html`${heading(3, anchor, isItem ? `One ${nounOf(operation)}` : `${operation.kind === "list" ? "List" : "Get"} ${operation.name}`)}
<p class="endpoint"><span class="get">GET</span> <code>${breakable(endpoint.path)}</code></p>
<p>${prose(isItem ? operation.resource.meaning : purpose)} ${prose(rules)}${table !== undefined && html` <a href="${table}">View as a table</a>.`}</p>
${heading(4, `${anchor}-parameters`, "Parameters")}
${parameters.length === 0 ? html`<p>None.</p>` : html`<dl class="fields">\n${parameters}</dl>`}
${heading(4, `${anchor}-response`, "Response")}
${responseText(endpoint, paths)}
${
  errors.length > 0 &&
  html`${heading(4, `${anchor}-errors`, "Errors")}
<ul class="errors">
${errors.map(({ code, message }) => html`<li><a href="#${errorAnchor(code)}"><code>${code}</code></a> <span>${message}</span></li>\n`)}</ul>`
}
${(!isItem || example !== undefined) && html`${heading(4, `${anchor}-try`, "Try it")}\n${tryIt(source, endpoint)}`}`,
    (!isItem || example !== undefined) &&
      html`${requestHtml(source, anchor, operation, example ?? { query: "" })}
${example !== undefined && answerHtml(source, operation, example)}`,
  );
}

const nounOf = (operation: Operation): string => (operation.kind === "list" ? operation.resource.noun : operation.name);

/** The addresses of the fields and paths that texts of an operation name. */
function linksIn(
  source: DocumentSource,
  operation: Operation,
  paths: readonly string[],
): (code: string) => string | undefined {
  const { api, operations } = source;
  const title = titleOfResource(operation);
  const links = new Map([
    ...operations.map((each) => [requestPath(api, each), `#${operationAnchor(each)}`] as const),
    ...paths.map((path) => [path, `#${fieldAnchor(title, path)}`] as const),
  ]);
  return (code) => links.get(code) ?? (code.startsWith(`${api.base}/`) ? code : undefined);
}

function parameterEntry(
  source: DocumentSource,
  { operation }: Endpoint,
  { name, in: place, meaning, schema, filter }: Parameter,
  linkOf: (code: string) => string | undefined,
): Html {
  const fallback = schema.default === undefined ? "" : ` Defaults to ${schema.default}.`;
  const values = filter !== undefined && operation.kind === "list" && valueList(source, operation, filter);
  return html`<div>
<dt><code>${name}</code> <span class="type">${schema.type}${place === "path" && ", in the path"}</span></dt>
<dd>${prose(`${meaning}${fallback}`, linkOf)}${values}</dd>
</div>
`;
}

function responseText({ operation, isItem }: Endpoint, paths: readonly string[]): Html {
  const title = titleOfResource(operation);
  const link = html`<a href="#${resourceAnchor(title)}">${title}</a>`;
  const isList = operation.kind === "list" && !isItem;
  const shown = paths.filter((path) => !isList || isListed(operation, path));
  const article = articleOf(title.toLowerCase()) === "an" ? "An" : "A";
  const paging = isList && operation.paged && html`, with <a href="#paging"><code>pagination</code></a>`;
  const start = isList
    ? html`A list of ${link} objects in <code>data</code>${paging}. Each has these fields:`
    : html`${article} ${link} with these fields:`;
  return html`<p>${start}</p>
<ul class="values">
${shown.map((path) => html`<li><a href="#${fieldAnchor(title, path)}"><code>${path}</code></a></li>\n`)}</ul>`;
}

/** A form sends all its fields, even empty ones, so each form has only required fields. */
function tryIt(source: DocumentSource, { operation, isItem, path, example }: Endpoint): Html {
  const filters = filtersOf(operation);
  if (isItem || operation.kind === "document" || (!operation.paged && filters.length === 0)) {
    const href = isItem && example !== undefined ? requestPath(source.api, operation, example) : path;
    return html`<p class="try"><a class="button" href="${href}">Open ${breakable(href)}</a></p>`;
  }
  const [smallest = maxLimit, ...larger] = source.sizesOf(operation.name);
  const limit =
    operation.paged &&
    html`<label>limit <input name="limit" type="number" inputmode="numeric" required min="${smallest}" max="${maxLimit}" step="1" value="${exampleSize([smallest, ...larger])}"></label>\n`;
  const form = (button: string, fields: readonly Html[]): Html => html`<form class="try" method="get" action="${path}">
${fields}${limit}<button>${button}</button>
</form>
`;
  const together = operation.together.map((params) => filters.filter(({ param }) => params.includes(param)));
  const forms = [...filters.map((filter) => [filter]), ...together].map((chosen) =>
    form(
      `Get by ${chosen.map(({ param }) => param).join(" and ")}`,
      chosen.map((filter) => filterField(source, operation, filter)),
    ),
  );
  return html`${form(`Get ${operation.name}`, [])}${forms}`;
}

/** A line may break after each slash, because a path may be longer than a line. */
const breakable = (path: string): readonly Html[] =>
  path.split("/").map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
