// The list of changes: as JSON for consumers who keep a copy, as Atom (RFC 4287), and as a page.
import type { Change, CollectionChanges } from "../../src/answers/answers.ts";
import { type Document, json, lazyDocument, textDocument } from "../files/document.ts";
import { generator } from "../files/file.ts";
import { sha256 } from "../files/sha256.ts";
import { changesFile } from "../routing/paths.ts";
import { integer } from "../text/words.ts";
import { groupBy } from "../values/group-by.ts";
import { documentPaths, requestPath } from "./addresses.ts";
import { announcedCounts, announcements } from "./announcements.ts";
import { type Html, heading, html, linkHtml, pageDocument, prose, separated } from "./html.ts";
import { titleOf } from "./sentences.ts";
import type { Site } from "./site.ts";
import { isServed } from "./site-data.ts";
import { rowAnchor } from "./tables/cells.ts";

/** The builds that the page and the Atom feed show; the JSON has all. */
const maxBuilds = 100;

/** The names of each kind that they show of a collection in a build. */
const maxNames = 10;

export function changesDocuments(site: Site): readonly Document[] {
  const { changes, changesPage, api } = site;
  if (changes === undefined) return [];
  const { since, data } = changes;
  const path = `/${changesFile(api.base)}`;
  return [
    // With no-cache, unlike no-store, asking for an unchanged list again is a 304.
    lazyDocument({ path, file: path.slice(1), contentType: json, cacheControl: "no-cache" }, () =>
      JSON.stringify(changes),
    ),
    textDocument(documentPaths(api.base).feed, "application/atom+xml", atom(site, since, data)),
    ...(changesPage === undefined ? [] : [pageOf(site, changesPage, since, data)]),
  ];
}

function pageOf(site: Site, path: string, since: string, data: readonly Change[]): Document {
  const { feed } = documentPaths(site.api.base);
  const listOf = changesIn(site, "");
  const description = "What each build added, changed and removed.";
  const days = [...groupBy(data.slice(0, maxBuilds), ({ at }) => at.slice(0, 10))];
  const content = html`<h1>Changes</h1>
<p class="lead">${description}</p>
<p><a href="/${changesFile(site.api.base)}">JSON</a>, <a href="${feed}">Atom</a>. The list is complete since ${timeHtml(since)}</p>
${data.length === 0 && html`<p>Nothing has changed since then.</p>`}
${days.map(
  ([day, builds]) => html`<section>
${heading(2, day, day)}
${builds.map(
  (change) => html`<section>
${heading(3, anchorOf(change), timeHtml(change.at, `${change.at.slice(11, 16)} UTC`))}
${listOf(change)}
</section>
`,
)}</section>
`,
)}${data.length > maxBuilds && html`<p>The JSON has ${integer(data.length - maxBuilds)} more.</p>`}`;
  return pageDocument(site, { path, title: "Changes", scope: "changes" }, () => ({ description, content }));
}

/** Builds of one second differ in their content. */
const anchorOf = ({ at, build }: Change): string => `${at}-${build}`;

const timeHtml = (at: string, shown = at): Html => html`<time datetime="${at}">${shown}</time>`;

/** Lists the changes of a build: a line for each collection and document. Addresses start with `origin`. */
function changesIn(site: Site, origin: string): (change: Change) => Html {
  const { api, catalog, tables, findTarget } = site;
  const linkTo = (path: string | undefined, text: string) =>
    path === undefined ? html`${text}` : linkHtml(`${origin}${path}`, text);
  /** An item of this build, by its name. */
  const itemOf = (collection: string, key: string) => {
    const { href, name = key } = findTarget(collection, key);
    // The rows of keys are only known of collections that others refer to. The script of the table finds the others.
    const page = catalog.items.get(collection)?.names.length === 0 ? tables.get(collection) : undefined;
    const path = page === undefined ? href : `${page}#${rowAnchor(key)}`;
    const isLinked = isServed(site, collection) && path !== "";
    return linkTo(isLinked ? path : undefined, isLinked && name !== key ? `${name} (${key})` : key);
  };
  const lineOf = (name: string, path: string | undefined, text: unknown) =>
    html`<li><b>${linkTo(path, name)}</b>: ${text}</li>\n`;
  return (change) => {
    const ofLists = listsOf(change).map(([name, changes]) => {
      const parts = kindsOf(changes).map(([kind, keys]) => {
        const names = keys.slice(0, maxNames).map((key) => (kind === "removed" ? key : itemOf(name, key)));
        const rest = keys.length > maxNames && ` and ${integer(keys.length - maxNames)} more`;
        return html`${integer(keys.length)} ${kind}: ${separated(names)}${rest}`;
      });
      return lineOf(name, tables.get(name), html`${separated(parts, "; ")}${restOf(changes)}`);
    });
    const ofDocuments = change.documents.map((name) =>
      lineOf(name, isServed(site, name) ? requestPath(api, { name }) : undefined, "changed"),
    );
    const announced = change.declared === undefined ? [] : announcements(site, change.declared);
    const lines = announced.map((text) => html`<li>${prose(text)}</li>\n`);
    return html`<ul>
${lines}${ofLists}${ofDocuments}</ul>`;
  };
}

const listsOf = ({ collections }: Change) =>
  Object.entries(collections).flatMap(([name, changes]) => (changes === undefined ? [] : [[name, changes] as const]));

const kindsOf = ({ added, changed, removed }: CollectionChanges) =>
  Object.entries({ added, changed, removed }).filter(([, keys]) => keys.length > 0);

/** The end of the text about a collection: whether its keys are others, or how many changes are left out. */
function restOf({ more, reset }: CollectionChanges): string {
  if (reset) return "the items have other keys than before";
  return more === undefined ? "" : `; and ${integer(more)} more changes`;
}

function atom(site: Site, since: string, data: readonly Change[]): string {
  const { api, settings, deployment, changesPage } = site;
  const { feed, reference } = documentPaths(api.base);
  const { url: origin = "", contact } = settings;
  const listOf = changesIn(site, origin);
  const entries = data.slice(0, maxBuilds).map((change) => {
    const link = `${origin}${changesPage === undefined ? reference : `${changesPage}#${anchorOf(change)}`}`;
    return html`<entry>
<id>${urnOf(api.base, deployment.name, change.at, change.build)}</id>
<title>${titleOfChange(change)}</title>
<updated>${change.at}</updated>
<link rel="alternate" type="text/html" href="${link}"/>
<content type="html">${String(listOf(change))}</content>
</entry>
`;
  });
  const text = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${settings.url === undefined ? urnOf(api.base, deployment.name, titleOf(site)) : `${origin}${feed}`}</id>
<title>${titleOf(site)}: changes</title>
<updated>${data[0]?.at ?? since}</updated>
<author><name>${contact?.name ?? titleOf(site)}</name></author>
<generator>${generator}</generator>
<link rel="self" type="application/atom+xml" href="${origin}${feed}"/>
<link rel="alternate" type="text/html" href="${origin}${changesPage ?? reference}"/>
${entries}</feed>
`;
  // Titles may have characters that XML does not allow.
  return String(text).replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
}

/** `declaration: 1 deprecated; nodes: 2 added, 1 changed; status changed`. */
function titleOfChange(change: Change): string {
  const ofLists = listsOf(change).map(([name, changes]) => {
    const counts = kindsOf(changes).map(([kind, keys]) => `${integer(keys.length)} ${kind}`);
    return `${name}: ${counts.join(", ")}${restOf(changes)}`;
  });
  const declared = change.declared === undefined ? [] : [`declaration: ${announcedCounts(change.declared)}`];
  return [...declared, ...ofLists, ...change.documents.map((name) => `${name} changed`)].join("; ");
}

/** A permanent name (RFC 9562, version 8), because an API may have no address. */
function urnOf(...parts: readonly string[]): string {
  const digits = sha256(JSON.stringify(parts));
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(12, 15)}`, `8${digits.slice(15, 18)}`];
  return `urn:uuid:${[...groups, digits.slice(18, 30)].join("-")}`;
}
