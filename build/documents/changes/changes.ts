// The list of changes: as JSON for consumers who keep a copy, as Atom (RFC 4287), and as a page.
import type { Change, Changes } from "../../../src/answers/answers.ts";
import { type Document, jsonType, lazyDocument, textDocument } from "../../files/document.ts";
import { generator } from "../../files/file.ts";
import { sha256 } from "../../files/sha256.ts";
import { changesFile } from "../../routing/paths.ts";
import { integer } from "../../text/words.ts";
import { compare } from "../../values/compare.ts";
import { documentPaths } from "../describe/addresses.ts";
import { titleOf } from "../describe/sentences.ts";
import type { Note, Site } from "../describe/site.ts";
import { header } from "../frame/header.ts";
import { type Html, heading, html, pageDocument, publisherWords, timeHtml } from "../frame/html.ts";
import { changeList, listsOf, summaryOf } from "./change-list.ts";

/** The builds that the page and the Atom feed show; the JSON has all. */
const maxBuilds = 100;

export function changesDocuments(site: Site): readonly Document[] {
  const { changes, changesPage, api } = site;
  if (changes === undefined) return [];
  const path = `/${changesFile(api.base)}`;
  return [
    // With no-cache, unlike no-store, asking for an unchanged list again is a 304.
    lazyDocument({ path, file: path.slice(1), contentType: jsonType, cacheControl: "no-cache" }, () =>
      JSON.stringify(changes),
    ),
    textDocument(documentPaths(api.base).feed, "application/atom+xml", atom(site, changes)),
    ...(changesPage === undefined ? [] : [changesDocument(site, changesPage, changes)]),
  ];
}

function changesDocument(site: Site, path: string, { since, data }: Changes): Document {
  const { feed } = documentPaths(site.api.base);
  const listOf = changeList(site, "");
  const description = "What each build added, changed and removed.";
  const shown = named(data).slice(0, maxBuilds);
  const lists = new Set(shown.flatMap(({ change }) => [...listsOf(change).map(([name]) => name), ...change.documents]));
  const { undated, notes = [] } = site.texts.changes ?? {};
  const builds = shown.map((entry) => ({ at: entry.change.at, section: buildSection(site, entry, listOf) }));
  // Above the builds of its day.
  const dated = noteSections(site, notes).map(({ date, section }) => ({ at: `${date}T~`, section }));
  const sections = [...builds, ...dated].sort((one, other) => compare(other.at, one.at));
  const content = html`<h1>Changes</h1>
<p class="lead">${description}</p>
<p><a href="/${changesFile(site.api.base)}">JSON</a>, <a href="${feed}">Atom</a>, complete since ${timeHtml(since)}</p>
${data.length === 0 && html`<p>No build has changed anything since then.</p>\n`}${undated !== undefined && html`${undated}\n`}${lists.size > 1 && html`<p class="choice"></p>\n`}
${sections.map(({ section }) => section)}${data.length > maxBuilds && html`<p>The JSON has ${integer(data.length - maxBuilds)} more.</p>`}`;
  return pageDocument(site, { path, title: "Changes", scope: "changes", top: header(site, { path }) }, () => ({
    description,
    content,
  }));
}

const buildSection = (
  site: Site,
  entry: NamedChange,
  listOf: (change: Change) => Html,
): Html => html`<section class="build">
${heading(2, anchorOf(entry), timeHtml(entry.change.at))}
<p class="summary">${summaryOf(site, entry.change)}</p>
${listOf(entry.change)}</section>
`;

/** The publisher's notes. Those of one day are numbered in their anchors. */
function noteSections(site: Pick<Site, "settings">, notes: readonly Note[]) {
  const counts = occurrences(notes.map(({ date }) => date));
  return notes.map(({ date, title, text }, index) => {
    const anchor = numbered([date], counts[index]).join("-");
    return { date, section: html`<section>\n${heading(2, anchor, publisherWords(site, title))}\n${text}</section>\n` };
  });
}

/** How often each text has occurred so far. */
function occurrences(texts: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count;
  });
}

/** The first of several things with one name has no number. */
const numbered = (name: readonly string[], count = 1): readonly string[] =>
  count === 1 ? name : [...name, String(count)];

/** An entry with the parts of its name. */
interface NamedChange {
  readonly change: Change;
  readonly name: readonly string[];
}

/**
 * Builds of one second differ in their content, unless it returns to what it was: their entries are numbered, beginning with
 * the oldest.
 */
function named(data: readonly Change[]): readonly NamedChange[] {
  const oldestFirst = data.toReversed();
  const counts = occurrences(oldestFirst.map(({ at, build }) => at + build));
  return oldestFirst
    .map((change, index): NamedChange => ({ change, name: numbered([change.at, change.build], counts[index]) }))
    .reverse();
}

const anchorOf = ({ name }: NamedChange): string => name.join("-");

function atom(site: Site, { since, data }: Changes): string {
  const { api, settings, deployment, changesPage } = site;
  const { feed, reference } = documentPaths(api.base);
  const { url: origin = "", contact } = settings;
  const listOf = changeList(site, origin);
  const shown = named(data).slice(0, maxBuilds);
  const entries = shown.map((entry) => {
    const { change, name } = entry;
    const link = `${origin}${changesPage === undefined ? reference : `${changesPage}#${anchorOf(entry)}`}`;
    return html`<entry>
<id>${urnOf(api.base, deployment.name, ...name)}</id>
<title>${summaryOf(site, change)}</title>
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

/** A permanent name (RFC 9562, version 8), because an API may have no address. */
function urnOf(...parts: readonly string[]): string {
  const digits = sha256(JSON.stringify(parts));
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(12, 15)}`, `8${digits.slice(15, 18)}`];
  return `urn:uuid:${[...groups, digits.slice(18, 30)].join("-")}`;
}
