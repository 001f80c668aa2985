// One resource of the reference: its fields, with their meaning and form.

import { articleOf, listNamed } from "../../../src/model/api.ts";
import { ownField } from "../../../src/model/fields.ts";
import type { Item } from "../../../src/model/key.ts";
import type { Operation } from "../../../src/model/operation.ts";
import { itemAt } from "../../content/table/items.ts";
import { anchors } from "../describe/addresses.ts";
import { documentedFields, type Field, hasFurtherFields } from "../describe/fields.ts";
import type { ReferencePage } from "../describe/reference-places.ts";
import { noticeText, titleOfResource, upperFirst } from "../describe/sentences.ts";
import type { Site } from "../describe/site.ts";
import {
  deprecationMark,
  type Html,
  heading,
  html,
  linkHtml,
  noticeHtml,
  prose,
  publisherWords,
  scrolledBlock,
  section,
} from "../frame/html.ts";
import { jsonHtml } from "../frame/samples.ts";

/** The fields of an operation's items, or of its document, with their values in an example. */
export function answerFields(site: Site, operation: Operation, example: Item = {}): readonly Field[] {
  const { schema, meanings } = operation;
  return documentedFields(schema(site.settings.vocabulary), meanings, example);
}

/** An item of the API, else the resource's example. */
function exampleItem({ catalog, deployment }: Site, operation: Operation): Item {
  if (operation.kind === "document") {
    return operation.documentOf(deployment.documents.get(operation.name) ?? operation.example);
  }
  const items = catalog.items.get(operation.name);
  return items === undefined || items.count === 0 ? operation.example : itemAt(items, 0);
}

export function resourceSection(page: ReferencePage, operation: Operation): Html {
  const title = titleOfResource(page, operation);
  const further = hasFurtherFields(operation.schema(page.settings.vocabulary));
  const from = linkHtml(page.places.operation(operation), operation.name);
  const fields = answerFields(page, operation, exampleItem(page, operation));
  const text = html`${heading(3, anchors.resource(operation), title)}
<p>${publisherWords(page, prose(operation.meaning))} Returned by ${from}.${further && " Further fields are possible."}</p>
<dl class="fields">
${fields.map((field) => fieldEntry(page, operation, field))}</dl>`;
  const sample = scrolledBlock(title, jsonHtml(exampleItem(page, operation), 3));
  return section(text, { sample });
}

/** The limit of a value that is an example. */
const maxCharacters = 1_000;

function fieldEntry(page: ReferencePage, operation: Operation, field: Field): Html {
  const { path, type, isOptional, form, words, meaning, example } = field;
  const id = anchors.field(operation, path);
  const deprecated = ownField(operation.deprecatedFields, path);
  const linkOf = (code: string) => (code === deprecated?.use ? page.places.field(operation, code) : undefined);
  const choice = html`${words.length === 1 ? "Always" : "One of"} ${words.map((word) => html`<code>${word}</code> `)}`;
  const isScalar = example !== undefined && typeof example !== "object" && String(example).length <= maxCharacters;
  const isShown = isScalar && form?.includes("such as") === false;
  const exampleText = isShown && html` Example: <code>${JSON.stringify(example)}</code>`;
  const forms = [words.length > 0 && choice, form !== undefined && html`${upperFirst(form)}.${exampleText}`];
  const typeText = html`${type}${isOptional && ", optional"}${!isListed(operation, path) && ", not in lists"}`;
  const notice = noticeHtml(noticeText(deprecated), linkOf);
  return html`<div id="${id}">
<dt><a href="#${id}"><code>${path}</code></a> <span class="type">${typeText}</span>${deprecationMark(deprecated)}</dt>
<dd>${publisherWords(page, prose(meaning))}${referenceText(page, operation, path)}</dd>
${notice && html`<dd>${notice}</dd>\n`}${forms.map((text) => text && html`<dd class="form">${text}</dd>\n`)}</div>
`;
}

/** Whether a field is in the lists of an operation. The fields within it are as well. */
export const isListed = (operation: Operation, path: string): boolean =>
  operation.kind === "document" || operation.brief?.includes(path.replace(/[[.].*$/, "")) !== false;

/** A link to the resource that a field refers to, if the deployment has it. */
function referenceText(page: ReferencePage, operation: Operation, path: string): Html | undefined {
  if (operation.kind === "document") return undefined;
  // The elements of a list or record of keys are no fields.
  const [reference] = [path, `${path}[]`, `${path}.*`].flatMap(
    (candidate) => operation.references.find(({ field }) => field === candidate) ?? [],
  );
  if (reference === undefined) return undefined;
  const target = listNamed(page.api, reference.to);
  if (!page.operations.includes(target)) return undefined;
  const title = titleOfResource(page, target);
  const { key } = target;
  return html` ${reference.field === path ? "This" : "Each"} is the <a href="${page.places.field(target, key)}"><code>${key}</code></a> of ${articleOf(title.toLowerCase())} <a href="${page.places.resource(target)}">${title}</a>.`;
}
