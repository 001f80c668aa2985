// A section of the reference for each endpoint: its text with the parameters, the samples beside it, its fields and errors,
// and a form to try it. `section` of the frame arranges them.
import type { ErrorBody } from "../../../src/answers/answers.ts";
import { articleOf } from "../../../src/model/api.ts";
import { ownField } from "../../../src/model/fields.ts";
import { combinationsOf } from "../../../src/model/filter.ts";
import { hasOrders, type Operation } from "../../../src/model/operation.ts";
import { defaultLimit, maxLimit } from "../../../src/model/paging.ts";
import { pageSizesOf } from "../../content/settings/chosen-settings.ts";
import { groupBy } from "../../values/group-by.ts";
import { type Addressing, anchors, requestPath } from "../describe/addresses.ts";
import type { Endpoint, Parameter } from "../describe/endpoints.ts";
import { type Example, exampleSize } from "../describe/examples.ts";
import type { Field } from "../describe/fields.ts";
import type { ReferencePage, ReferencePlaces } from "../describe/reference-places.ts";
import { titleOfResource } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import {
  deprecationMark,
  type Html,
  heading,
  html,
  type LinkOf,
  noticeHtml,
  prose,
  publisherWords,
  section,
  separated,
} from "../frame/html.ts";
import { answerHtml, requestHtml } from "../frame/samples.ts";
import { choiceField, filtersInForms, orderField, valueLinks } from "../frame/values.ts";
import { exclusionOf } from "./exclusion.ts";
import { answerFields, isListed } from "./resource.ts";
import { bodiesOfErrors } from "./rules.ts";

export function endpointSection(page: ReferencePage, endpoint: Endpoint): Html {
  const { operation, isItem, anchor, purpose, rules } = endpoint;
  const example = endpoint.filtered ?? endpoint.example;
  const table = isItem ? undefined : page.tables.get(operation.name);
  const fields = answerFields(page, operation);
  const linkOf = linksIn(
    page,
    operation,
    fields.map(({ path }) => path),
  );
  const parameters = endpoint.parameters.map((parameter) => parameterEntry(page, endpoint, parameter, linkOf));
  const form = consoleForm(page, endpoint, example);
  const errors = bodiesOfErrors(page, endpoint);
  const inPath = page.api.addressing.parametersIn === "path" && !isItem && parameters.length > 0;
  const rest = html`${heading(4, anchors.section(anchor, "parameters"), "Parameters")}
${inPath && html`<p>Each is two parts of the path, <code>/NAME/VALUE</code>, before <code>.json</code>, in this order. Pages of ${defaultLimit} items have no part for the limit.</p>\n`}${parameters.length === 0 ? html`<p>None.</p>` : html`<dl class="fields">\n${parameters}</dl>`}
${heading(4, anchors.section(anchor, "response"), "Response")}
${responseText(page, endpoint, fields)}
${
  errors.length > 0 &&
  html`${heading(4, anchors.section(anchor, "errors"), "Errors")}
<ul class="errors">
${[...groupBy(errors, ({ code }) => code)].map(([code, bodies]) => errorEntry(page.places, code, bodies))}</ul>`
}`;
  const tableLink = table !== undefined && html` <a href="${table}">View as a table</a>.`;
  const description = html`${publisherWords(page, prose(isItem ? operation.meaning : purpose))} ${prose(rules)}${tableLink}`;
  const text = html`${heading(3, anchor, endpoint.title)}
<p class="endpoint"><span class="get">GET</span> <code>${breakable(endpoint.path)}</code>${deprecationMark(operation.deprecated)}</p>
${noticeHtml(endpoint.notice, linkOf)}<p>${description}</p>
${form !== undefined && html`${heading(4, anchors.section(anchor, "try"), "Try it")}\n${form}`}`;
  const sample =
    form !== undefined &&
    html`${requestHtml(page, anchor, operation, example ?? { query: "" })}
<div class="answer">${example !== undefined && answerHtml(page, operation, example)}</div>`;
  return section(text, { sample, rest });
}

/** A code, with the message of each of its causes. */
const errorEntry = (places: ReferencePlaces, code: string, bodies: readonly ErrorBody[]): Html =>
  html`<li><a href="${places.start(anchors.error(code))}"><code>${code}</code></a> ${separated(
    bodies.map(({ message }) => html`<span>${message}</span>`),
    " ",
  )}</li>\n`;

/** The addresses of the fields and paths that texts of an operation name. */
function linksIn({ api, operations, places }: ReferencePage, operation: Operation, paths: readonly string[]): LinkOf {
  const links = new Map([
    ...operations.map((served) => [requestPath(api, served), places.operation(served)] as const),
    ...paths.map((path) => [path, places.field(operation, path)] as const),
  ]);
  return (code) => links.get(code) ?? (code.startsWith(`${api.base}/`) ? code : undefined);
}

function parameterEntry(
  site: Site,
  { operation, anchor }: Endpoint,
  { name, in: place, meaning, schema, filter }: Parameter,
  linkOf: LinkOf,
): Html {
  const fallback = schema.default === undefined ? "" : ` Defaults to ${schema.default}.`;
  const values = filter !== undefined && operation.kind === "list" && valueLinks(site, operation, filter);
  const id = anchors.parameter(anchor, name);
  return html`<div id="${id}">
<dt><a href="#${id}"><code>${name}</code></a> <span class="type">${schema.type}${(place === "path" || site.api.addressing.parametersIn === "path") && ", in the path"}</span>${deprecationMark(filter?.deprecated)}</dt>
<dd>${prose(`${meaning}${fallback}`, linkOf)}${values}</dd>
</div>
`;
}

/** The fields of an answer: those within a field are folded, and so are those of a single item, which repeat the list's. */
function responseText(page: ReferencePage, { operation, isItem }: Endpoint, fields: readonly Field[]): Html {
  const title = titleOfResource(page, operation);
  const link = html`<a href="${page.places.resource(operation)}">${title}</a>`;
  const isList = operation.kind === "list" && !isItem;
  // The elements of a list are shown if there is something to say of them.
  const shown = fields.filter(
    ({ path, meaning }) => (!isList || isListed(operation, path)) && (meaning !== "" || !/[\]*]$/.test(path)),
  );
  const article = articleOf(title.toLowerCase()) === "an" ? "An" : "A";
  const paging =
    isList && operation.paged && html`, with <a href="${page.places.start("paging")}"><code>pagination</code></a>`;
  const start = isList
    ? html`A list of ${link} objects in <code>data</code>${paging}. Each has these fields:`
    : html`${article} ${link} with these fields:`;
  const list = fieldList(page, operation, shown);
  const count = `${shown.length} ${shown.length === 1 ? "field" : "fields"}`;
  return html`<p>${start}</p>
${isItem ? html`<details><summary>${count}</summary>\n${list}</details>` : list}`;
}

/** Fields in short, each with a link to all that is known of it. */
function fieldList(page: ReferencePage, operation: Operation, fields: readonly Field[]): Html {
  const groups = [...groupBy(fields, ({ path }) => path.replace(/[[.].*$/, ""))];
  const markOf = (path: string) => deprecationMark(ownField(operation.deprecatedFields, path));
  const entryOf = ({ path, type, meaning }: Field) =>
    html`<dt><a href="${page.places.field(operation, path)}"><code>${path}</code></a> <span class="type">${type}</span>${markOf(path)}</dt>
<dd>${publisherWords(page, prose(meaning))}</dd>\n`;
  return html`<dl class="brief">
${groups.map(([, [field, ...inner]]) => {
  const within =
    inner.length > 0 &&
    html`<dd><details><summary>${inner.length} within <code>${field?.path}</code></summary>\n<dl class="brief">\n${inner.map(entryOf)}</dl></details></dd>\n`;
  return field && html`${entryOf(field)}${within}`;
})}</dl>`;
}

/** A line may break after each slash, because a path may be longer than a line. */
const breakable = (path: string): readonly Html[] =>
  path.split("/").map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);

/**
 * The form of an endpoint: one field for each filter, all optional. Without a script, it sends the chosen fields, because
 * browsers do not send a disabled option; with one, the answer takes the place of the sample beside it. `example` is the
 * request beside the form. Undefined if the endpoint has nothing to ask for.
 */
function consoleForm(
  site: Site,
  { operation, isItem, path, parameters }: Endpoint,
  example: Example | undefined,
): Html | undefined {
  const request = requestPath(site.api, operation, example);
  const address = html`<p class="request"><span class="get">GET</span> <a href="${request}">${request}</a></p>`;
  if (isItem) {
    // Without a script, it asks for the item of the example.
    const fields = parameters.map(({ name, schema }, index) => {
      const type = schema.type === "integer" ? "number" : "text";
      return textField(name, html` type="${type}" value="${example?.key?.[index]}" required`);
    });
    return example && formHtml({ action: request, fields, address, data: html` data-path="${path}"` });
  }
  if (operation.kind === "document") return formHtml({ action: path, address });
  const listed = filtersInForms(site, operation);
  const sets = combinationsOf(operation).map((set) => set.map(({ param }) => param));
  const preset = new URLSearchParams(example?.query);
  const fields = operation.filters.map((filter) => {
    const { param } = filter;
    const others = operation.filters.map((other) => other.param).filter((name) => name !== param && preset.has(name));
    const reason = exclusionOf(param, others, sets);
    // The script fills in the example, so that the field cannot be sent. It shows the reason.
    const note = preset.has(param) || reason === undefined ? undefined : html` <small>${reason}</small>`;
    return listed.includes(filter) ? choiceField(site, operation, filter, note) : textField(param, undefined, note);
  });
  if (hasOrders(operation)) fields.unshift(orderField(operation));
  const { parametersIn } = site.api.addressing;
  if (operation.paged) fields.push(limitField(pageSizesOf(site.settings, operation.name), parametersIn));
  if (fields.length === 0) return formHtml({ action: path, address });
  const combinations = sets.map((set) => set.join());
  // Without a script, a form sends a query.
  const files = parametersIn === "path" && html` data-files="${path.replace(/\.json$/, "")}" hidden`;
  const data = html`${files} data-combinations="${combinations.join(" ")}" data-preset="${example?.query}"`;
  const clear = html`<button type="reset" class="plain">Clear</button>\n`;
  return formHtml({ action: path, fields, address, data, clear });
}

/** Disabled until a script starts: an empty field would be sent. */
const textField = (name: string, more?: Html, note?: Html): Html =>
  html`<label>${name} <input name="${name}"${more} disabled autocomplete="off" spellcheck="false">${note}</label>\n`;

interface FormParts {
  readonly action: string;
  readonly fields?: readonly Html[];
  /** The request that the form sends. */
  readonly address: Html;
  /** Attributes for the script. Absent without fields. */
  readonly data?: Html;
  /** The button that clears the fields. */
  readonly clear?: Html;
}

const formHtml = ({ action, fields, address, data, clear }: FormParts): Html =>
  html`<form class="console" method="get" action="${action}"${data}>
${data && html`<div class="grid">\n${fields}</div>\n`}${address}
<p><button>Send</button>
${clear}</p>
</form>
`;

function limitField(sizes: readonly number[], parametersIn: Addressing["parametersIn"]): Html {
  if (parametersIn === "path") {
    const options = sizes.map(
      (size) => html`<option value="${size}"${size === exampleSize(sizes) && html` selected`}>${size}</option>\n`,
    );
    return html`<label>limit <select name="limit">\n${options}</select></label>\n`;
  }
  const [smallest = maxLimit] = sizes;
  return html`<label>limit <input name="limit" type="number" required min="${smallest}" max="${maxLimit}" value="${exampleSize(sizes)}"></label>\n`;
}
