// One operation of the reference: its parameters, its answer, and forms to try it.

import { acceptedBy } from "../../src/api.ts";
import { bodiesOf, type ErrorBody } from "../../src/errors.ts";
import type { Filter } from "../../src/filter.ts";
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { defaultLimit, maxLimit } from "../../src/paging.ts";
import { pagingOf } from "../content/catalog.ts";
import { errorAnchor, fieldAnchor, itemAnchor, operationAnchor, resourceAnchor } from "./anchors.ts";
import { exampleOf, exampleSize, filteredExampleOf } from "./examples.ts";
import type { Field } from "./fields.ts";
import { filterField, valueList } from "./filter-values.ts";
import { type Html, heading, html, prose } from "./html.ts";
import { aroundField, cursorPromise, limitMeaning, orderList } from "./paging-text.ts";
import { answerFields, isListed, titleOfResource } from "./reference-resource.ts";
import { answerBlock } from "./reference-start.ts";
import { requestHtml } from "./requests-html.ts";
import { type DocumentSource, dataPagePath, errorsOf, isServed, requestPath, waysToSend } from "./source.ts";

export function operationSection(source: DocumentSource, operation: Operation): Html {
  const anchor = operationAnchor(operation);
  const filtered = operation.kind === "list" ? filteredExampleOf(source, operation) : undefined;
  const example = filtered ?? exampleOf(source, operation);
  return html`<section>
<div class="text">
${heading(3, anchor, `${operation.kind === "list" ? "List" : "Get"} ${operation.name}`)}
<p class="endpoint"><span class="get">GET</span> <code>${requestPath(source.api, operation)}</code></p>
<p>${operation.purpose} ${orderText(operation)}${dataLink(source, operation)}</p>
${parameters(source, operation)}
${answerText(source, operation)}
${errors(source, operation)}
${tryIt(source, operation)}
</div>
<div class="sample">
${requestHtml(source, anchor, operation, example?.query)}
${example === undefined ? "" : answerBlock(source.api, operation, example)}
</div>
</section>
`;
}

function dataLink(source: DocumentSource, operation: Operation): Html | undefined {
  const path = dataPagePath(source, operation);
  return path === undefined ? undefined : html` <a href="${path}">Look at them as a table</a>.`;
}

function orderText(operation: Operation): readonly unknown[] | undefined {
  if (operation.kind === "document") return undefined;
  const ascends = operation.order.every(({ descending }) => !descending);
  const order = `${orderList(operation)}${ascends ? ", ascending" : ""}`;
  return prose(`Sorted by ${order}.${operation.paged ? "" : " Returns all of them at once."}`);
}

function parameters(source: DocumentSource, operation: Operation): Html {
  const title = heading(4, `${operationAnchor(operation)}-parameters`, "Parameters");
  if (operation.kind === "document") return html`${title}<p>None.</p>`;
  const filters = filtersOf(operation).map((filter) => filterEntry(source, operation, filter));
  const own = operation.paged ? [limitEntry(source, operation), ...filters, cursorEntry(source)] : filters;
  if (own.length === 0) return html`${title}<p>None.</p>`;
  return html`${title}
<dl class="fields">
${own}</dl>`;
}

export const entry = (name: string, type: string, about: unknown): Html => html`<div>
<dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${about}</dd>
</div>
`;

function limitEntry(source: DocumentSource, operation: ListOperation): Html {
  const sizes = source.sizesOf(operation.name);
  const about = html`${prose(limitMeaning(sizes, pagingOf(source.settings, operation.name)))} Defaults to ${defaultLimit}.`;
  return entry("limit", `integer from ${sizes[0] ?? defaultLimit} to ${maxLimit}`, about);
}

const cursorEntry = ({ settings }: DocumentSource): Html =>
  entry(
    "cursor",
    "string",
    html`${prose("The `next_cursor` of the previous page, sent with the same other parameters. Without it, the first page is returned.")} ${cursorPromise(settings.cursorLifetime)} See <a href="#paging">Paging</a>.`,
  );

function filterEntry(source: DocumentSource, operation: ListOperation, filter: Filter): Html {
  const { text, listedBy } = acceptedBy(source.api, operation, filter);
  const { name } = listedBy;
  const field = fieldAnchor(titleOfResource(operation), filter.field);
  const where =
    filter.accepts.kind === "keys" && isServed(source, name) ? html` See <a href="#list-${name}">${name}</a>.` : "";
  const ways = waysToSend(operation, filter);
  const [before, after] = aroundField(filter);
  const sent = ways === undefined ? "" : html` Of the filters, it can be sent ${prose(ways)}.`;
  const about = html`Returns only the items ${before} <a href="#${field}"><code>${filter.field}</code></a>${after}. Without it, all of them.${where}${sent}
${valueList(source, operation, filter)}`;
  return entry(filter.param, text.replace(/^the /, ""), about);
}

function answerText(source: DocumentSource, operation: Operation): Html {
  const title = titleOfResource(operation);
  const resource = html`<a href="#${resourceAnchor(title)}">${title}</a>`;
  const fields = fieldList(
    title,
    answerFields(source, operation).filter(({ path }) => isListed(operation, path)),
  );
  const paging = html`, with <a href="#paging"><code>pagination</code></a>`;
  const isPaged = operation.kind === "list" && operation.paged;
  const what =
    operation.kind === "document"
      ? html`A ${resource}. It has:`
      : html`A list of ${resource} objects in <code>data</code>${isPaged && paging}. ${
          operation.brief === undefined
            ? `Each ${title} has:`
            : html`Lists have these fields, and <a href="#${itemAnchor(operation)}">single items</a> all of them:`
        }`;
  return html`${heading(4, `${operationAnchor(operation)}-response`, "Response")}
<p>${what}</p>
${fields}`;
}

/** Links to fields of a resource. */
export const fieldList = (title: string, fields: readonly Pick<Field, "path">[]): Html => html`<ul class="values">
${fields.map(
  ({ path }) => html`<li><a href="#${fieldAnchor(title, path)}"><code>${path}</code></a></li>
`,
)}</ul>`;

function errors(source: DocumentSource, operation: Operation): Html {
  const all = errorsOf(source, operation).flatMap((each) => bodiesOf(each));
  return all.length === 0 ? html`` : errorList(operationAnchor(operation), all);
}

/** `anchor` is that of the operation. */
export const errorList = (
  anchor: string,
  all: readonly ErrorBody[],
): Html => html`${heading(4, `${anchor}-errors`, "Errors")}
<ul class="errors">
${all.map(
  ({ code, message }) => html`<li><a href="#${errorAnchor(code)}"><code>${code}</code></a> <span>${message}</span></li>
`,
)}</ul>`;

/** A form sends all its fields, even empty ones, so each form has only required fields. */
function tryIt(source: DocumentSource, operation: Operation): Html {
  const title = heading(4, `${operationAnchor(operation)}-try`, "Try it");
  const path = requestPath(source.api, operation);
  const filters = filtersOf(operation);
  if (operation.kind === "document" || (!operation.paged && filters.length === 0)) {
    return html`${title}
<p class="try"><a class="button" href="${path}">Open ${path}</a></p>`;
  }
  const limit = operation.paged ? [limitField(source, operation)] : [];
  const together = operation.together.map((params) => filters.filter(({ param }) => params.includes(param)));
  const forms = [...filters.map((filter) => [filter]), ...together].map((chosen) => {
    const names = chosen.map(({ param }) => param).join(" and ");
    return form(path, `Get by ${names}`, [...chosen.map((filter) => filterField(source, operation, filter)), ...limit]);
  });
  return html`${title}
${form(path, `Get ${operation.name}`, limit)}
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
