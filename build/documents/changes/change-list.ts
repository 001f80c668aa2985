// What a build changed, for the page about changes and for the feed: a line that sums it up, what it announced, and each item
// with a mark and, if it changed, its fields before and after.

import type { Change, CollectionChanges, FieldChanges } from "../../../src/answers/answers.ts";
import type { Tones } from "../../../src/declare/marks.ts";
import { ownField } from "../../../src/model/fields.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { shownValue } from "../../text/quote.ts";
import { integer } from "../../text/words.ts";
import { fieldChanges } from "../../values/field-changes.ts";
import { requestPath } from "../describe/addresses.ts";
import { announcedCounts, announcements } from "../describe/announcements.ts";
import { rowAnchor, stateHtml } from "../describe/cells.ts";
import type { Site } from "../describe/site.ts";
import { isServed } from "../describe/site-data.ts";
import { type Html, html, linkHtml, prose } from "../frame/html.ts";

/** The items of each kind that are shown of a list, and the fields that are shown of an item. */
const maxShown = 10;

/** The lists of which a change names items. */
export const listsOf = ({ collections }: Change): readonly (readonly [name: string, changes: CollectionChanges])[] =>
  Object.entries(collections).flatMap(([name, changes]) => (changes === undefined ? [] : [[name, changes] as const]));

const anotherKey = "have another key than before";

/** `2 nodes added, 1 changed, 3 removed; status changed`. */
export function summaryOf({ api }: Pick<Site, "api">, change: Change): string {
  const ofLists = listsOf(change).map(([name, changes]) => {
    const list = api.lists.find((candidate) => candidate.name === name);
    const counts = kindsOf(changes).map(([kind, keys], index) => {
      const noun = keys.length === 1 ? (list?.noun ?? `item of ${name}`) : (list?.nouns ?? `items of ${name}`);
      return `${integer(keys.length)} ${index === 0 ? `${noun} ` : ""}${kind}`;
    });
    if (changes.reset) return `the items of ${name} ${anotherKey}`;
    if (changes.more === undefined) return counts.join(", ");
    return [...counts, `${integer(changes.more)} more changes${counts.length === 0 ? ` of ${name}` : ""}`].join(", ");
  });
  const ofDocuments = change.documents.map((name) => `${name} changed`);
  const declared = change.declared === undefined ? [] : [`declaration: ${announcedCounts(change.declared)}`];
  return [...declared, ...ofLists, ...ofDocuments].join("; ");
}

const kindsOf = ({ added, changed, removed }: CollectionChanges) =>
  [
    ["added", added],
    ["changed", changed],
    ["removed", removed],
  ].filter((kind): kind is [Kind, readonly string[]] => kind[1] !== undefined && kind[1].length > 0);

type Kind = keyof typeof marks;

const marks = {
  added: { sign: "+", tone: "good" },
  changed: { sign: "~", tone: "warn" },
  removed: { sign: "−", tone: "down" },
} as const;

const markHtml = (kind: Kind): Html =>
  html`<span class="mark ${marks[kind].tone}" role="img" aria-label="${kind}">${marks[kind].sign}</span> `;

/** Lists the changes of a build. Addresses start with `origin`. */
export function changeList(site: Site, origin: string): (change: Change) => Html {
  const { api, catalog, tables, findTarget } = site;
  const linkTo = (path: string | undefined, text: unknown) =>
    path === undefined ? html`${text}` : linkHtml(`${origin}${path}`, text);
  /** An item of this build, by its name. */
  const itemOf = (collection: string, key: string) => {
    const { href, name = key } = findTarget(collection, key);
    // The rows of keys are only known of collections that others refer to. The script of the table finds the others.
    const page = catalog.items.get(collection)?.keys.length === 0 ? tables.get(collection) : undefined;
    const path = page === undefined ? href : `${page}#${rowAnchor(key)}`;
    const isLinked = isServed(site, collection) && path !== "";
    const code = html`<code>${key}</code>`;
    if (!isLinked) return code;
    return name === key ? linkTo(path, code) : html`${linkTo(path, name)} ${code}`;
  };
  const itemsOf = (name: string, changes: CollectionChanges) => {
    const tones = api.lists.find((list) => list.name === name)?.tones ?? {};
    const fieldsOf = new Map(Object.entries(changes.fields ?? {}));
    return kindsOf(changes).flatMap(([kind, keys]) => [
      ...keys.slice(0, maxShown).map((key) => {
        const item = kind === "removed" ? html`<code>${key}</code>` : itemOf(name, key);
        const fields = kind === "changed" && fieldsHtml(fieldsOf.get(key), tones);
        return html`<li>${markHtml(kind)}${item}${fields}</li>\n`;
      }),
      keys.length > maxShown && html`<li>${markHtml(kind)}${integer(keys.length - maxShown)} more</li>\n`,
    ]);
  };
  return (change) => {
    const announced = change.declared === undefined ? [] : announcements(site, change.declared);
    return html`${announced.map(
      ({ operation, text }) => html`<p class="announced"${ofList(operation)}>${prose(text)}</p>\n`,
    )}${listsOf(change).map(
      ([name, changes]) => html`<section${ofList(name)}>
<h3>${linkTo(tables.get(name), name)}</h3>
<ul class="edits">
${itemsOf(name, changes)}${changes.more !== undefined && html`<li>${integer(changes.more)} more changes</li>\n`}${changes.reset && html`<li>The items ${anotherKey}.</li>\n`}</ul>
</section>
`,
    )}${change.documents.map(
      (name) => html`<section${ofList(name)}>
<h3>${linkTo(isServed(site, name) ? requestPath(api, { name }) : undefined, name)}</h3>
<ul class="edits">
<li>${markHtml("changed")}the document</li>
</ul>
</section>
`,
    )}`;
  };
}

/** The script limits the page to what is about one list. */
const ofList = (name: string | undefined): Html | undefined =>
  name === undefined ? undefined : html` data-list="${name}"`;

/** The fields of an item before and after. */
function fieldsHtml(fields: FieldChanges | undefined, tones: ListOperation["tones"]): Html | undefined {
  if (fields === undefined) return undefined;
  const lines = Object.entries(fields).flatMap(([path, pair]) => {
    if (pair.length === 0)
      return [html`<li>${markHtml("changed")}<code>${path}</code>: values too long to be listed</li>\n`];
    // Null stands for a missing value.
    const [before, after] = pair.map((value) => value ?? undefined);
    return fieldChanges(before, after, path).map(
      ({ field, before: from, after: to }) =>
        html`<li>${lineOf(field, valueHtml(from, ownField(tones, field)), valueHtml(to, ownField(tones, field)))}</li>\n`,
    );
  });
  const more = lines.length - maxShown;
  return html`
<ul>
${lines.slice(0, maxShown)}${more > 0 && html`<li>${integer(more)} more fields</li>\n`}</ul>
`;
}

function lineOf(field: string, before: Html | undefined, after: Html | undefined): Html {
  const name = html`<code>${field}</code>`;
  if (before === undefined) return html`${markHtml("added")}${name} ${after}`;
  if (after === undefined) return html`${markHtml("removed")}${name} ${before}`;
  return html`${markHtml("changed")}${name} ${before} \u2192 ${after}`;
}

/** Undefined if there is no value. States look as in tables. */
function valueHtml(value: unknown, tones: Tones | undefined): Html | undefined {
  if (value === undefined) return undefined;
  if (tones !== undefined && typeof value === "string") return stateHtml(value, tones);
  return html`<b dir="auto">${shownValue(value)}</b>`;
}
