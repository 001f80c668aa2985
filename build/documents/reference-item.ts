// The single items of an operation in the reference: the parameters in their path, an answer, and items to open.
import { articleOf } from "../../src/api.ts";
import { notFound } from "../../src/errors.ts";
import type { ListOperation } from "../../src/operation.ts";
import { integerForm } from "../../src/resource.ts";
import { fieldAnchor, itemAnchor, resourceAnchor } from "./anchors.ts";
import { type ItemExample, itemExampleOf } from "./examples.ts";
import { itemList } from "./filter-values.ts";
import { type Html, heading, html, prose } from "./html.ts";
import { jsonHtml } from "./json-html.ts";
import { entry, errorList, fieldList } from "./reference-operation.ts";
import { answerFields, titleOfResource } from "./reference-resource.ts";
import { codeBlock, itemRequestHtml } from "./requests-html.ts";
import { type DocumentSource, itemPath } from "./source.ts";

export function itemSection(source: DocumentSource, operation: ListOperation): Html {
  const anchor = itemAnchor(operation);
  const { noun, meaning } = operation.resource;
  const example = itemExampleOf(source, operation);
  const names = source.operations.map(({ name }) => name);
  return html`<section>
<div class="text">
${heading(3, anchor, `One ${noun}`)}
<p class="endpoint"><span class="get">GET</span> <code>${breakable(itemPath(source.api, operation))}</code></p>
<p>${prose(meaning)}</p>
${parameters(source, operation, example)}
${answerText(source, operation)}
${errorList(anchor, [notFound(source.api, names)])}
${tryIt(source, operation, example)}
</div>
<div class="sample">
${example !== undefined && itemRequestHtml(source, anchor, operation, example.key)}
${
  example !== undefined &&
  html`<p class="caption"><span class="ok">200</span> Response</p>
${codeBlock("Response", jsonHtml(example.answer, { shown: 2 }))}`
}
</div>
</section>
`;
}

function parameters(source: DocumentSource, operation: ListOperation, example: ItemExample | undefined): Html {
  const { resource, item } = operation;
  const title = titleOfResource(operation);
  const link = (field: string) => html`<a href="#${fieldAnchor(title, field)}"><code>${field}</code></a>`;
  const parts = [...resource.scope, { field: resource.key, form: resource.keyForm }];
  const aliases = item?.aliases;
  const path = example?.alias === undefined ? undefined : itemPath(source.api, operation, [example.alias]);
  const alias =
    aliases !== undefined &&
    html`, or one of its ${link(aliases)}${path !== undefined && html`: <a href="${path}">${path}</a> is the same ${resource.noun}`}`;
  const own = parts.map(({ field, form }) =>
    entry(
      field,
      form === integerForm ? "integer, in the path" : "string, in the path",
      html`The ${link(field)} of the ${resource.noun}${alias}.`,
    ),
  );
  return html`${heading(4, `${itemAnchor(operation)}-parameters`, "Parameters")}
<dl class="fields">
${own}</dl>`;
}

function answerText(source: DocumentSource, operation: ListOperation): Html {
  const title = titleOfResource(operation);
  const all = operation.brief === undefined ? "" : " with all fields";
  return html`${heading(4, `${itemAnchor(operation)}-response`, "Response")}
<p>${articleOf(title.toLowerCase()) === "an" ? "An" : "A"} <a href="#${resourceAnchor(title)}">${title}</a>${all}. It has:</p>
${fieldList(title, answerFields(source, operation))}`;
}

function tryIt(source: DocumentSource, operation: ListOperation, example: ItemExample | undefined): Html {
  if (example === undefined) return html``;
  const path = itemPath(source.api, operation, example.key);
  return html`${heading(4, `${itemAnchor(operation)}-try`, "Try it")}
<p class="try"><a class="button" href="${path}">Open ${breakable(path)}</a></p>
${itemList(source, operation)}`;
}

/** A line may break behind each slash, because a path may be longer than a line. */
const breakable = (path: string): readonly Html[] =>
  path.split("/").map((part, index) => html`${index > 0 && html`/<wbr>`}${part}`);
