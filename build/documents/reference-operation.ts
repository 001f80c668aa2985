// One operation of the reference, and its single items: parameters, an answer, errors, and forms to try it.
import { acceptedBy, articleOf } from "../../src/api.ts";
import { bodiesOf, type ErrorBody } from "../../src/errors.ts";
import type { Filter } from "../../src/filter.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { defaultLimit, maxLimit } from "../../src/paging.ts";
import { integerForm } from "../../src/resource.ts";
import { exampleOf, exampleSize, filteredExampleOf, type ItemExample, itemExampleOf } from "./examples.ts";
import { filterField, itemList, valueList } from "./filter-values.ts";
import { type Html, heading, html, prose } from "./html.ts";
import { answerFields, isListed, titleOfResource } from "./reference-resource.ts";
import { answerHtml, itemRequestHtml, requestHtml, responseHtml } from "./samples-html.ts";
import {
  type DocumentSource,
  dataPagePath,
  errorAnchor,
  errorsOf,
  fieldAnchor,
  isServed,
  itemAnchor,
  itemPath,
  missingError,
  operationAnchor,
  requestPath,
  resourceAnchor,
} from "./source.ts";
import { aroundField, cursorPromise, limitMeaning, orderList, waysToSend } from "./texts.ts";

export function operationSection(source: DocumentSource, operation: Operation): Html {
  const anchor = operationAnchor(operation);
  const filtered = operation.kind === "list" ? filteredExampleOf(source, operation) : undefined;
  const example = filtered ?? exampleOf(source, operation);
  const path = requestPath(source.api, operation);
  const data = dataPagePath(source, operation);
  const errors = errorsOf(source, operation).flatMap(bodiesOf);
  return section(anchor, {
    title: `${operation.kind === "list" ? "List" : "Get"} ${operation.name}`,
    path,
    about: html`${operation.purpose} ${orderText(operation)}${data !== undefined && html` <a href="${data}">Look at them as a table</a>.`}`,
    parameters: parameterList(parameters(source, operation)),
    answer: answerText(source, operation),
    errors: errors.length > 0 && errorList(anchor, errors),
    tryIt: html`${heading(4, `${anchor}-try`, "Try it")}
${tryIt(source, operation)}`,
    request: requestHtml(source, anchor, operation, example?.query),
    response: example !== undefined && answerHtml(source.api, operation, example),
  });
}

export function itemSection(source: DocumentSource, operation: ListOperation): Html {
  const anchor = itemAnchor(operation);
  const { noun, meaning } = operation.resource;
  const example = itemExampleOf(source, operation);
  const title = titleOfResource(operation);
  const article = articleOf(title.toLowerCase()) === "an" ? "An" : "A";
  const all = operation.brief === undefined ? "" : " with all fields";
  return section(anchor, {
    title: `One ${noun}`,
    path: breakable(itemPath(source.api, operation)),
    about: prose(meaning),
    parameters: parameterList(keyParameters(source, operation, example)),
    answer: html`<p>${article} ${resourceLink(title)}${all}. It has:</p>
${fieldList(title, answerFields(source, operation))}`,
    errors: errorList(anchor, [missingError(source)]),
    tryIt:
      example !== undefined &&
      html`${heading(4, `${anchor}-try`, "Try it")}
${openButton(itemPath(source.api, operation, example.key))}
${itemList(source, operation)}`,
    request: example !== undefined && itemRequestHtml(source, anchor, operation, example.key),
    response: example !== undefined && responseHtml(example.answer),
  });
}

type Part = "title" | "path" | "about" | "parameters" | "answer" | "errors" | "tryIt" | "request" | "response";

const section = (anchor: string, parts: Readonly<Record<Part, unknown>>): Html => html`<section>
<div class="text">
${heading(3, anchor, parts.title)}
<p class="endpoint"><span class="get">GET</span> <code>${parts.path}</code></p>
<p>${parts.about}</p>
${heading(4, `${anchor}-parameters`, "Parameters")}${parts.parameters}
${heading(4, `${anchor}-response`, "Response")}
${parts.answer}
${parts.errors}
${parts.tryIt}
</div>
<div class="sample">
${parts.request}
${parts.response}
</div>
</section>
`;

function orderText(operation: Operation): readonly unknown[] | undefined {
  if (operation.kind === "document") return undefined;
  const ascends = operation.order.every(({ descending }) => !descending);
  const order = `${orderList(operation)}${ascends ? ", ascending" : ""}`;
  return prose(`Sorted by ${order}.${operation.paged ? "" : " Returns all of them at once."}`);
}

function parameters(source: DocumentSource, operation: Operation): readonly Html[] {
  if (operation.kind === "document") return [];
  const filters = filtersOf(operation).map((filter) => filterEntry(source, operation, filter));
  if (!operation.paged) return filters;
  const [smallest = defaultLimit] = source.sizesOf(operation.name);
  const limit = html`${prose(limitMeaning(source, operation))} Defaults to ${defaultLimit}.`;
  const cursor = html`${prose("The `next_cursor` of the previous page, sent with the same other parameters. Without it, the first page is returned.")} ${cursorPromise(source.settings.cursorLifetime)} See <a href="#paging">Paging</a>.`;
  return [
    entry("limit", smallest === maxLimit ? `${maxLimit}` : `integer from ${smallest} to ${maxLimit}`, limit),
    ...filters,
    entry("cursor", "string", cursor),
  ];
}

const parameterList = (entries: readonly Html[]): Html =>
  entries.length === 0 ? html`<p>None.</p>` : html`\n<dl class="fields">\n${entries}</dl>`;

const entry = (name: string, type: string, about: Html): Html => html`<div>
<dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${about}</dd>
</div>
`;

function filterEntry(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const { text, listedBy } = acceptedBy(source.api, operation, filter);
  const { name } = listedBy;
  const isKnown = filter.accepts.kind === "keys" && isServed(source, name);
  const [before, after] = aroundField(filter);
  const about = html`Returns only the items ${before} ${fieldLink(titleOfResource(operation), filter.field)}${after}. Without it, all of them.${isKnown && html` See <a href="#list-${name}">${name}</a>.`}${prose(waysToSend(operation, filter))}
${valueList(source, operation, filter)}`;
  return entry(filter.param, text.replace(/^the /, ""), about);
}

/** The parameters in the path of a single item. */
function keyParameters(
  { api }: DocumentSource,
  operation: ListOperation,
  example: ItemExample | undefined,
): readonly Html[] {
  const { resource, item } = operation;
  const title = titleOfResource(operation);
  const path = example?.alias === undefined ? undefined : itemPath(api, operation, [example.alias]);
  const alias =
    item?.aliases !== undefined &&
    html`, or one of its ${fieldLink(title, item.aliases)}${path !== undefined && html`: <a href="${path}">${path}</a> is the same ${resource.noun}`}`;
  return [...resource.scope, { field: resource.key, form: resource.keyForm }].map(({ field, form }) =>
    entry(
      field,
      `${form === integerForm ? "integer" : "string"}, in the path`,
      html`The ${fieldLink(title, field)} of the ${resource.noun}${alias}.`,
    ),
  );
}

function answerText(source: DocumentSource, operation: Operation): Html {
  const title = titleOfResource(operation);
  const fields = answerFields(source, operation).filter(({ path }) => isListed(operation, path));
  return html`<p>${answerStart(operation, title)}</p>
${fieldList(title, fields)}`;
}

function answerStart(operation: Operation, title: string): Html {
  if (operation.kind === "document") return html`A ${resourceLink(title)}. It has:`;
  const paging = operation.paged && html`, with <a href="#paging"><code>pagination</code></a>`;
  const each =
    operation.brief === undefined
      ? `Each ${title} has:`
      : html`Lists have these fields, and <a href="#${itemAnchor(operation)}">single items</a> all of them:`;
  return html`A list of ${resourceLink(title)} objects in <code>data</code>${paging}. ${each}`;
}

const resourceLink = (title: string): Html => html`<a href="#${resourceAnchor(title)}">${title}</a>`;

const fieldLink = (title: string, path: string): Html =>
  html`<a href="#${fieldAnchor(title, path)}"><code>${path}</code></a>`;

const fieldList = (title: string, fields: readonly { readonly path: string }[]): Html => html`<ul class="values">
${fields.map(({ path }) => html`<li>${fieldLink(title, path)}</li>\n`)}</ul>`;

const errorList = (anchor: string, all: readonly ErrorBody[]): Html => html`${heading(4, `${anchor}-errors`, "Errors")}
<ul class="errors">
${all.map(
  ({ code, message }) => html`<li><a href="#${errorAnchor(code)}"><code>${code}</code></a> <span>${message}</span></li>
`,
)}</ul>`;

/** A form sends all its fields, even empty ones, so each form has only required fields. */
function tryIt(source: DocumentSource, operation: Operation): Html {
  const path = requestPath(source.api, operation);
  const filters = filtersOf(operation);
  if (operation.kind === "document" || (!operation.paged && filters.length === 0)) {
    return html`<p class="try"><a class="button" href="${path}">Open ${path}</a></p>`;
  }
  const limit = operation.paged ? [limitField(source, operation)] : [];
  const together = operation.together.map((params) => filters.filter(({ param }) => params.includes(param)));
  const forms = [...filters.map((filter) => [filter]), ...together].map((chosen) => {
    const names = chosen.map(({ param }) => param).join(" and ");
    return form(path, `Get by ${names}`, [...chosen.map((filter) => filterField(source, operation, filter)), ...limit]);
  });
  return html`${form(path, `Get ${operation.name}`, limit)}
${forms}`;
}

const form = (
  path: string,
  button: string,
  fields: readonly Html[],
): Html => html`<form class="try" method="get" action="${path}">
${fields}<button>${button}</button>
</form>
`;

function limitField({ sizesOf }: DocumentSource, { name }: ListOperation): Html {
  const sizes = sizesOf(name);
  return html`<label>limit <input name="limit" type="number" inputmode="numeric" required min="${sizes[0] ?? maxLimit}" max="${maxLimit}" step="1" value="${exampleSize(sizes)}"></label>
`;
}

const openButton = (path: string): Html =>
  html`<p class="try"><a class="button" href="${path}">Open ${breakable(path)}</a></p>`;

/** A line may break after each slash, because a path may be longer than a line. */
const breakable = (path: string): readonly Html[] =>
  path.split("/").map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
