// The list of changes as a document, as Atom and as a page.
import { parseAtomFeed } from "feedsmith";
import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import * as z from "zod";
import type { Change, Changes, CollectionChanges } from "../../../src/answers/answers.ts";
import { states } from "../../../src/declare/forms.ts";
import { defineApi, defineCollection, defineDocument } from "../../../src/index.ts";
import { discovered } from "../../../test/content/folder.ts";
import { hasAnchor, linksIn, mistakesIn } from "../../../test/documents/check-page.ts";
import { compiled } from "../../../test/plan.ts";
import { chooseDeployment } from "../../content/settings/deployments.ts";
import { completeApi } from "../../declaration/complete.ts";
import { openLog } from "../../messages.ts";
import { answersOf } from "../../pages/answers.ts";
import { siteOf } from "../describe/site.ts";
import { documentsOf } from "../documents.ts";
import { publisherTexts } from "../frame/publisher-text.ts";

const schema = z.strictObject({ id: z.string(), name: z.string() });
const place = z.looseObject({ status: states(z.string(), { ok: "good", draining: "warn" }) });
const api = completeApi(
  defineApi({
    collections: {
      things: defineCollection({ purpose: "Things.", schema, key: "id", item: true }),
      parts: defineCollection({
        purpose: "Parts.",
        schema: schema.extend({ place: place.optional() }),
        key: ["name", "id"],
      }),
    },
    documents: { notice: defineDocument({ purpose: "A notice.", schema: z.strictObject({ text: z.string() }) }) },
  }),
);

const changed = (changes: Partial<CollectionChanges>): CollectionChanges => ({
  added: [],
  changed: [],
  removed: [],
  ...changes,
});

const some: Change = {
  at: "2026-10-21T06:28:00Z",
  build: "8a3da981aa3571d3",
  collections: {
    things: changed({ added: ["a", "b"], removed: Array.from({ length: 12 }, (_, index) => `gone-${index}`) }),
    parts: changed({
      changed: ["x/1", "x/2", "constructor"],
      more: 1_234,
      fields: {
        "x/1": {
          name: ["<a>", "true"],
          "place.status": ["draining", "ok"],
          "place.city": [null, 5],
          tags: [["a", "b"], ["b"]],
          note: [],
        },
        "x/2": Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, [index, null] as const])),
      },
    }),
    lost: changed({ reset: true }),
  },
  documents: ["notice"],
  declared: {
    added: ["things.fields.name", "lost", "/things.txt"],
    deprecated: [
      { name: "/api/v1", since: "2026-12-01", use: "/api/v2" },
      { name: "parts.filters.name", since: "2026-12-01", sunset: "2027-03-01", use: "id", why: "Names repeat." },
    ],
    removed: ["notice"],
  },
};

const earlier = (seconds: number): Change => ({
  at: `2026-10-20T00:${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}Z`,
  build: String(seconds),
  collections: { things: changed({ changed: ["a"] }) },
  documents: [],
});

const listOf = (...data: readonly Change[]): Changes => ({
  object: "changes",
  since: "2026-09-21T14:13:20Z",
  build: "390dbea216df42d8",
  data,
});

function textsOf(
  changes: Changes | undefined,
  settings: object = {},
  more: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const tree = {
    ...more,
    "things.json": JSON.stringify([{ id: "a", name: "A" }]),
    "parts.json": JSON.stringify([{ id: "1", name: "x" }]),
    "deployments/edge.json": JSON.stringify({ operations: ["things", "parts", "notice"], notice: { text: "" } }),
    "api.json": JSON.stringify(settings),
  };
  const catalog = compiled(discovered(tree), api);
  const deployment = chooseDeployment(catalog, undefined);
  const { listings } = answersOf(catalog, deployment);
  const texts = publisherTexts(catalog.settings);
  const site = siteOf(
    { catalog, deployment, listings, changes, maxBytes: Number.POSITIVE_INFINITY, addresses: "queries", texts },
    openLog(),
  );
  if (site === undefined) throw new Error("A page fails.");
  return new Map(documentsOf(site).map(({ path, parts }) => [path, Buffer.concat([...parts()]).toString()]));
}

/** Throws if the text is not well-formed XML with namespaces. */
function feedIn(text: string | undefined) {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(text ?? "").close();
  return parseAtomFeed(text ?? "");
}

it("is a document that is not cached, and which the overview and every page name", () => {
  const texts = textsOf(listOf(some));
  expect(texts.get("/api/v1/changes.json")).toBe(JSON.stringify(listOf(some)));
  const { documents } = JSON.parse(texts.get("/api/v1") ?? "");
  expect(documents).toEqual(
    expect.arrayContaining([
      { path: "/api/v1/changes.json", type: "application/json" },
      { path: "/api/v1/changes.xml", type: "application/atom+xml" },
      { path: "/api/v1/docs/changes", type: "text/html; charset=utf-8" },
    ]),
  );
  const pages = [...texts].filter(([, text]) => text.startsWith("<!doctype html>"));
  const link = '<link rel="alternate" type="application/atom+xml" title="Changes" href="/api/v1/changes.xml">';
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.filter(([, text]) => !text.includes(link))).toEqual([]);
});

it("has the publisher's text before the builds", () => {
  const texts = textsOf(listOf(some), { language: "de" }, { "changes.md": "Seit *gestern* neu.\n" });
  const page = texts.get("/api/v1/docs/changes") ?? "";
  expect(page).toMatch(/<div lang="de"[^>]*>\n<p>Seit <em>gestern<\/em> neu\.<\/p>\n<\/div>/);
  expect(page.indexOf("gestern")).toBeLessThan(page.indexOf('class="build"'));
});

it("has the publisher's notes below dates above the builds of their days", () => {
  const notes = `# News

## 2026-10-21: *New* [things]

See [the things] and <b>.

### Why

Asked for.

## 2026-10-21

Again.

## 2026-02-30

No day.

## 2026-10-20

Before.

[things]: https://example.com/things
[the things]: /things
`;
  const older = { ...some, at: "2026-10-20T23:59:59Z", build: "0000000000000000" };
  const list = { ...listOf(some), data: [some, older] };
  const page = textsOf(list, {}, { "changes.md": notes }).get("/api/v1/docs/changes") ?? "";
  const headings = [...page.matchAll(/<h[2-4][^>]*>(.*?)<\/h[2-4]>/g)].map(([, text = ""]) =>
    text.replaceAll(/<[^>]*>/g, ""),
  );
  expect(headings.filter((text) => !/^(?:things|parts|notice|lost)$/.test(text))).toEqual([
    "News",
    "2026-02-30",
    "2026-10-21: New things",
    "Why",
    "2026-10-21",
    "2026-10-21 06:28 UTC",
    "2026-10-20",
    "2026-10-20 23:59 UTC",
  ]);
  expect(page).toContain('<h2 id="2026-10-21"><a href="#2026-10-21">2026-10-21: <em>New</em> things</a></h2>');
  expect(page).toContain('<h2 id="2026-10-21-2">');
  expect(page).toContain('<p>See <a href="/things">the things</a> and &lt;b&gt;.</p>');
});

it("has no heading of the publisher above its own, and none below which only dates are", () => {
  const notes =
    "# Changelog\n\n## 2026\n\n### **2026-10-21**\n\n> ## quoted\n\n- # in a list\n\n## 2025\n\n## About\n\nAll.\n";
  const page = textsOf(listOf(some), {}, { "changes.md": notes }).get("/api/v1/docs/changes") ?? "";
  const main = page.slice(page.indexOf("<main"), page.indexOf('<section class="build">'));
  const headings = [...main.matchAll(/<(h-?\d)[^>]*>(.*?)<\/h/g)].map(([, tag, text = ""]) => [
    tag,
    text.replaceAll(/<[^>]*>/g, ""),
  ]);
  expect(headings).toEqual([
    ["h1", "Changes"],
    ["h3", "Changelog"],
    ["h4", "About"],
    ["h2", "2026-10-21"],
    ["h3", "quoted"],
    ["h3", "in a list"],
  ]);
});

it("is nowhere if there is no list", () => {
  for (const [path, text] of textsOf(undefined)) {
    expect(path).not.toContain("changes");
    if (!/\.(?:css|js|ts)$/.test(path)) expect(text).not.toMatch(/changes\.(?:json|xml)|docs\/changes/);
  }
});

it("is Atom with an entry for each build", () => {
  const url = "https://api.example.com";
  const texts = textsOf(listOf(some, earlier(1)), { title: "Things & <parts>", url, contact: { name: "Zoë" } });
  const feed = feedIn(texts.get("/api/v1/changes.xml"));
  expect(feed).toMatchObject({
    id: `${url}/api/v1/changes.xml`,
    title: { value: "Things & <parts>: changes" },
    updated: some.at,
    authors: [{ name: "Zoë" }],
    links: [
      { rel: "self", href: `${url}/api/v1/changes.xml`, type: "application/atom+xml" },
      { rel: "alternate", href: `${url}/api/v1/docs/changes`, type: "text/html" },
    ],
  });
  const [first, second, ...others] = feed.entries ?? [];
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    title: {
      value:
        "declaration: 3 added, 2 deprecated, 1 removed; 2 items of things added, 12 removed; 3 items of parts changed, 1,234 more changes; the items of lost have another key than before; notice changed",
    },
    updated: some.at,
    links: [{ rel: "alternate", href: `${url}/api/v1/docs/changes#${some.at}-${some.build}`, type: "text/html" }],
    content: { type: "html" },
  });
  const content = first?.content?.value ?? "";
  expect(mistakesIn(content)).toEqual([]);
  expect(linksIn(content)).toContain(`${url}/api/v1/docs/data/things#row-a`);
  const ids = [first?.id, second?.id, feedIn(textsOf(listOf(some)).get("/api/v1/changes.xml")).id];
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(feedIn(textsOf(listOf(some)).get("/api/v1/changes.xml")).entries?.[0]?.id).toBe(first?.id);
});

it("names each entry differently if the content changes there and back within a second, and later entries alike", () => {
  const one = { ...earlier(1), build: "1" };
  const other = { ...earlier(1), build: "2" };
  const namesIn = (...data: readonly Change[]) => {
    const texts = textsOf(listOf(...data));
    const entries = feedIn(texts.get("/api/v1/changes.xml")).entries ?? [];
    const headings = [...(texts.get("/api/v1/docs/changes") ?? "").matchAll(/<h2 id="(.*?)"/g)];
    const links = entries.map(({ links }) => links?.[0]?.href?.split("#")[1]);
    return { ids: entries.map(({ id }) => id), links, headings: headings.map(([, id]) => id) };
  };
  const { ids, links, headings } = namesIn(one, other, one, other);
  expect(new Set(ids).size).toBe(4);
  expect(links).toEqual([`${one.at}-1-2`, `${one.at}-2-2`, `${one.at}-1`, `${one.at}-2`]);
  expect(headings).toEqual(links);
  expect(namesIn(one, other).ids).toEqual(ids.slice(2));
  expect(namesIn(some, one, other, one, other).ids.slice(1)).toEqual(ids);
});

it("is well-formed whatever the title is, and without changes", () => {
  const title = "]]> & <b> \ufffe \u{1f600}";
  const feed = feedIn(textsOf(listOf(), { title }).get("/api/v1/changes.xml"));
  expect(feed).toMatchObject({
    title: { value: "]]> & <b> \ufffd \u{1f600}: changes" },
    updated: listOf().since,
  });
  expect(feed.entries).toBeUndefined();
});

it("is a page whose links lead somewhere", () => {
  const builds = Array.from({ length: 120 }, (_, index) => earlier(500 - index));
  const texts = textsOf(listOf(some, ...builds));
  const page = texts.get("/api/v1/docs/changes") ?? "";
  expect(mistakesIn(page)).toEqual([]);
  const [newest = ""] = page.split('<section class="build">').slice(1);
  const textOf = (markup: string) =>
    markup
      .replaceAll(/<\/(?:li|p|h[23])>/g, "\n")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll(/\n\s*/g, "\n");
  const gone = Array.from({ length: 10 }, (_, index) => `− gone-${index}`);
  const fields = Array.from({ length: 10 }, (_, index) => `− f${index} ${index}`);
  expect(textOf(newest).trim().split("\n")).toEqual([
    "2026-10-21 06:28 UTC",
    "declaration: 3 added, 2 deprecated, 1 removed; 2 items of things added, 12 removed; 3 items of parts changed, 1,234 more changes; the items of lost have another key than before; notice changed",
    "The API /api/v1 is deprecated as of 2026-12-01. Use /api/v2 instead.",
    "The filter name of parts is deprecated as of 2026-12-01; may be gone from 2027-03-01 on. Use id instead. Names repeat.",
    "New in things: the field name.",
    "New: lost, the output /things.txt.",
    "Removed: the document notice.",
    "things",
    "+ A a",
    "+ b",
    ...gone,
    "− 2 more",
    "parts",
    "~ x/1",
    '~ name <a> → "true"',
    "~ place.status draining → ok",
    "+ place.city 5",
    "− tags[] a",
    "~ note: values too long to be listed",
    "~ x/2",
    ...fields,
    "2 more fields",
    "~ constructor",
    "1,234 more changes",
    "lost",
    "The items have another key than before.",
    "notice",
    "~ the document",
  ]);
  expect(newest).toContain('<span class="state warn">draining</span> → <span class="state good">ok</span>');
  expect(newest).toContain(
    '<span class="mark good" role="img" aria-label="added">+</span> <a href="/api/v1/docs/data/things#row-a">A</a> <code>a</code>',
  );
  expect(newest).toContain('<section data-list="things">');
  expect(newest).toContain('<p class="announced" data-list="parts">');
  expect(page).toContain("<p>The JSON has 21 more.</p>");
  expect(page.match(/<h2 /g)?.length).toBe(100);
  const dead = linksIn(page).filter((href) => {
    const [path = "", anchor] = href.split("#");
    if (path === "" && anchor !== undefined) return anchor !== "content" && !hasAnchor(page, anchor);
    return !texts.has(path) && path !== "/api/v1/notice";
  });
  expect(dead).toEqual([]);
});
