// One resource of the reference: its fields, with their meaning and form.
import { articleOf, referenced } from "../../src/api.ts";
import type { Operation } from "../../src/operation.ts";
import type { Item } from "../../src/resource.ts";
import { itemAt } from "../content/catalog.ts";
import { fieldAnchor, operationAnchor, resourceAnchor } from "./anchors.ts";
import { type Field, fieldsOf, hasFurtherFields } from "./fields.ts";
import { type Html, heading, html, prose } from "./html.ts";
import { jsonHtml } from "./json-html.ts";
import { codeBlock } from "./requests-html.ts";
import type { DocumentSource } from "./source.ts";

export interface NamedResource {
  readonly title: string;
  /** The operations that return the resource. */
  readonly operations: readonly [Operation, ...Operation[]];
}

/** The resources of the operations, each once, in the order of the operations. */
export function resourcesOf({ operations }: Pick<DocumentSource, "operations">): readonly NamedResource[] {
  const named = new Map<string, NamedResource>();
  for (const operation of operations) {
    const title = titleOfResource(operation);
    const others = named.get(title)?.operations ?? [];
    named.set(title, { title, operations: [...others, operation] as [Operation, ...Operation[]] });
  }
  return [...named.values()];
}

/** The title of an operation's resource: `Node`. */
export function titleOfResource(operation: Operation): string {
  const name = operation.kind === "list" ? operation.resource.noun : operation.name.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The fields of an operation's items, or of its document. */
export function answerFields(source: DocumentSource, operation: Operation): readonly Field[] {
  const { schema, meanings } = operation.resource;
  return fieldsOf(schema(source.settings.vocabulary), meanings, exampleValues(source, operation));
}

/** The most items that are searched for a value. */
const mostSearched = 100;

/** The example item, with the first values of fields that it lacks. */
function exampleValues(source: DocumentSource, operation: Operation): Item {
  const example = exampleItem(source, operation);
  const items = source.catalog.items.get(operation.name);
  const found = new Map(Object.entries(example).filter(([, value]) => value !== null));
  const fields = Object.keys(operation.resource.meanings).filter((path) => /^[^.[*]+$/.test(path));
  for (let index = 0; index < Math.min(items?.count ?? 0, mostSearched); index++) {
    if (items === undefined || fields.every((field) => found.has(field))) break;
    for (const [field, value] of Object.entries(itemAt(items, index))) {
      if (value !== null && !found.has(field)) found.set(field, value);
    }
  }
  return { ...example, ...Object.fromEntries(found) };
}

/** An item of the API, else the resource's example. */
function exampleItem({ catalog, deployment }: DocumentSource, operation: Operation): Item {
  const { resource } = operation;
  if (operation.kind === "document") {
    return operation.resource.documentOf(deployment.documents.get(operation.name) ?? resource.example);
  }
  const items = catalog.items.get(operation.name);
  return items === undefined || items.count === 0 ? resource.example : itemAt(items, 0);
}

export function resourceSection(source: DocumentSource, { title, operations }: NamedResource): Html {
  const [operation] = operations;
  const fields = answerFields(source, operation).map((field) => fieldEntry(source, operation, title, field));
  const further = hasFurtherFields(operation.resource.schema(source.settings.vocabulary));
  const from = operations.map(
    (each, index) => html`${index > 0 && ", "}<a href="#${operationAnchor(each)}">${each.name}</a>`,
  );
  return html`<section>
<div class="text">
${heading(3, resourceAnchor(title), title)}
<p>${prose(operation.resource.meaning)} Returned by ${from}.${further && " Further fields are possible."}</p>
<dl class="fields">
${fields}</dl>
</div>
<div class="sample">
<p class="caption">${title}</p>
${codeBlock(title, jsonHtml(exampleItem(source, operation), { shown: 3 }))}
</div>
</section>
`;
}

function fieldEntry(source: DocumentSource, operation: Operation, title: string, field: Field): Html {
  const { path, type, isOptional, form, words, meaning, example } = field;
  const id = fieldAnchor(title, path);
  const choice = words.map((word) => html`<code>${word}</code> `);
  return html`<div id="${id}">
<dt><a href="#${id}"><code>${path}</code></a> <span class="type">${type}${isOptional && ", optional"}${!isListed(operation, path) && ", not in lists"}</span></dt>
<dd>${prose(meaning)}${referenceText(source, operation, path)}</dd>
${words.length > 0 && html`<dd class="form">${words.length === 1 ? "Always" : "One of"} ${choice}</dd>\n`}${form !== undefined && html`<dd class="form">${upperFirst(form)}. ${exampleText(example)}</dd>\n`}</div>
`;
}

/** Whether a field is in the lists of an operation. The fields within it are as well. */
export const isListed = (operation: Operation, path: string): boolean =>
  operation.kind === "document" || operation.brief?.includes(path.replace(/[[.].*$/, "")) !== false;

const exampleText = (example: unknown): Html | undefined =>
  example === undefined || typeof example === "object"
    ? undefined
    : html`Example: <code>${JSON.stringify(example)}</code>`;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A link to the resource that a field refers to, if the deployment has it. */
function referenceText({ api, operations }: DocumentSource, operation: Operation, path: string): Html | undefined {
  if (operation.kind === "document") return undefined;
  const { references, innerReferences } = operation.resource;
  const refers = (to: string) => [...references, ...innerReferences].some((each) => each.field === to);
  // A list or record of keys has no fields of its own.
  const at = [path, `${path}[]`, `${path}.*`].find(refers);
  if (at === undefined) return undefined;
  const { name, resource } = referenced(api, operation.resource, at);
  const target = operations.find((each) => each.name === name);
  if (target === undefined) return undefined;
  const title = titleOfResource(target);
  const one = html`the <a href="#${fieldAnchor(title, resource.key)}"><code>${resource.key}</code></a> of ${articleOf(title.toLowerCase())} <a href="#${resourceAnchor(title)}">${title}</a>`;
  return at === path ? html` It is ${one}.` : html` Each is ${one}.`;
}
