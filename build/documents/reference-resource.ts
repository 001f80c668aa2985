// One resource of the reference: its fields, with their meaning and form.
import { articleOf, referenced } from "../../src/api.ts";
import type { Operation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { itemAt } from "../content/catalog.ts";
import { documentedFields, type Field, hasFurtherFields } from "./fields.ts";
import { codeBlock, type Html, heading, html, prose, separated } from "./html.ts";
import { jsonHtml } from "./samples-html.ts";
import { type DocumentSource, fieldAnchor, operationAnchor, resourceAnchor } from "./source.ts";
import { upperFirst } from "./texts.ts";

/** The first operation of each resource. */
export const resourcesOf = ({ operations }: DocumentSource): readonly Operation[] =>
  operations.filter((operation, index) => operations.findIndex(returnsLike(operation)) === index);

/** Whether operations return the same resource as another one. */
const returnsLike = (one: Operation) => (other: Operation) => titleOfResource(other) === titleOfResource(one);

/** The title of an operation's resource: `Node`. */
export function titleOfResource(operation: Operation): string {
  const name = operation.kind === "list" ? operation.resource.noun : operation.name.replaceAll("_", " ");
  return upperFirst(name);
}

/** The fields of an operation's items, or of its document. */
export function answerFields(source: DocumentSource, operation: Operation): readonly Field[] {
  const { schema, meanings } = operation.resource;
  return documentedFields(schema(source.settings.vocabulary), meanings, exampleValues(source, operation));
}

/** The most items that are searched for a value. */
const mostSearched = 100;

/** The example item, with the first values of fields that it lacks. */
function exampleValues(source: DocumentSource, operation: Operation): Item {
  const example = exampleItem(source, operation);
  const items = source.catalog.items.get(operation.name);
  const length = Math.min(items?.count ?? 0, mostSearched);
  const searched = items === undefined ? [] : Array.from({ length }, (_, index) => itemAt(items, index));
  return Object.assign({ ...example }, ...[example, ...searched].toReversed().map(withoutNull));
}

const withoutNull = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

/** An item of the API, else the resource's example. */
function exampleItem({ catalog, deployment }: DocumentSource, operation: Operation): Item {
  const { resource } = operation;
  if (operation.kind === "document") {
    return operation.resource.documentOf(deployment.documents.get(operation.name) ?? resource.example);
  }
  const items = catalog.items.get(operation.name);
  return items === undefined || items.count === 0 ? resource.example : itemAt(items, 0);
}

export function resourceSection(source: DocumentSource, operation: Operation): Html {
  const title = titleOfResource(operation);
  const fields = answerFields(source, operation).map((field) => fieldEntry(source, operation, title, field));
  const further = hasFurtherFields(operation.resource.schema(source.settings.vocabulary));
  const operations = source.operations.filter(returnsLike(operation));
  const from = separated(operations.map((each) => html`<a href="#${operationAnchor(each)}">${each.name}</a>`));
  return html`<section>
<div class="text">
${heading(3, resourceAnchor(title), title)}
<p>${prose(operation.resource.meaning)} Returned by ${from}.${further && " Further fields are possible."}</p>
<dl class="fields">
${fields}</dl>
</div>
<div class="sample">
<p class="caption">${title}</p>
${codeBlock(title, jsonHtml(exampleItem(source, operation), 3))}
</div>
</section>
`;
}

function fieldEntry(source: DocumentSource, operation: Operation, title: string, field: Field): Html {
  const { path, type, isOptional, form, words, meaning, example } = field;
  const id = fieldAnchor(title, path);
  const choice = html`${words.length === 1 ? "Always" : "One of"} ${words.map((word) => html`<code>${word}</code> `)}`;
  const hasExample = example !== undefined && typeof example !== "object";
  const shown = hasExample && html`Example: <code>${JSON.stringify(example)}</code>`;
  const details = [
    ...(words.length > 0 ? [choice] : []),
    ...(form !== undefined ? [html`${upperFirst(form)}. ${shown}`] : []),
  ];
  return html`<div id="${id}">
<dt><a href="#${id}"><code>${path}</code></a> <span class="type">${type}${isOptional && ", optional"}${!isListed(operation, path) && ", not in lists"}</span></dt>
<dd>${prose(meaning)}${referenceText(source, operation, path)}</dd>
${details.map((detail) => html`<dd class="form">${detail}</dd>\n`)}</div>
`;
}

/** Whether a field is in the lists of an operation. The fields within it are as well. */
export const isListed = (operation: Operation, path: string): boolean =>
  operation.kind === "document" || operation.brief?.includes(path.replace(/[[.].*$/, "")) !== false;

/** A link to the resource that a field refers to, if the deployment has it. */
function referenceText({ api, operations }: DocumentSource, operation: Operation, path: string): Html | undefined {
  if (operation.kind === "document") return undefined;
  const { references, innerReferences } = operation.resource;
  const fields = [...references, ...innerReferences].map(({ field }) => field);
  // The elements of a list or record of keys are no fields.
  const at = [path, `${path}[]`, `${path}.*`].find((each) => fields.includes(each));
  if (at === undefined) return undefined;
  const { name, resource } = referenced(api, operation.resource, at);
  const target = operations.find((each) => each.name === name);
  if (target === undefined) return undefined;
  const title = titleOfResource(target);
  const one = html`the <a href="#${fieldAnchor(title, resource.key)}"><code>${resource.key}</code></a> of ${articleOf(title.toLowerCase())} <a href="#${resourceAnchor(title)}">${title}</a>`;
  return at === path ? html` It is ${one}.` : html` Each is ${one}.`;
}
