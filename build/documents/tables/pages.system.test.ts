import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  type ApiDeclaration,
  type CollectionDeclaration,
  defineApi,
  defineCollection,
} from "../../../src/declare/declare.ts";
import { html, reference } from "../../../src/index.ts";
import type { Item } from "../../../src/model/key.ts";
import { mistakesIn } from "../../../test/documents/check-page.ts";
import { planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { planned } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { hosts } from "../../hosts/hosts.ts";
import { pageFile } from "../../routing/paths.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;

type Data = Readonly<Record<string, unknown>>;

/** Writes files of content by their names, and returns the folder. */
function written(data: Data): string {
  const content = path.join(folder, String(count++));
  for (const [name, value] of Object.entries(data)) {
    const file = path.join(content, `${name}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  }
  return content;
}

/** The documents of a build, by their paths. */
async function textsOf(declaration: ApiDeclaration, data: Data): Promise<ReadonlyMap<string, string>> {
  const { documents } = await planOf(written(data), completeApi(declaration));
  return new Map(documents.map((document) => [document.path, Buffer.concat([...document.parts()]).toString()]));
}

/** The page of things. */
async function pageOf(declaration: Partial<CollectionDeclaration>, items: readonly Item[]): Promise<string> {
  const whole = { purpose: "Things.", schema: z.strictObject({ id: z.string() }), key: "id", ...declaration };
  const things = defineCollection(whole as unknown as Parameters<typeof defineCollection>[0]);
  const texts = await textsOf(defineApi({ collections: { things } }), { things: items });
  const page = texts.get("/api/v1/docs/data/things") ?? "";
  expect(mistakesIn(page)).toEqual([]);
  return page;
}

const columnsIn = (page: string): readonly string[] =>
  [...page.matchAll(/<th scope="col".*?>([^<]+)</g)].map(([, name = ""]) => name);

const text = z.string();

const makers = defineCollection({
  purpose: "Makers.",
  schema: z.strictObject({ id: text, name: text }),
  key: "id",
  noun: { one: "maker", many: "makers" },
});
const parts = defineCollection({
  purpose: "Parts.",
  schema: z.strictObject({ maker: reference("makers"), id: text, fits: z.array(reference("parts")) }),
  key: "id",
  item: true,
  filters: { maker: "maker" },
});
const reviews = defineCollection({
  purpose: "Reviews.",
  schema: z.strictObject({ part: reference("parts"), number: z.int(), maker: reference("makers").nullable() }),
  key: ["part", "number"],
  paged: false,
});

const numbered = (length: number, prefix: string): readonly string[] =>
  Array.from({ length }, (_, index) => `${prefix}${String(index).padStart(3, "0")}`);

const someMakers = numbered(120, "m").map((id) => ({ id, name: `Maker <${id}>` }));

const shop: Data = {
  makers: someMakers,
  parts: numbered(130, "p").map((id, index) => ({
    maker: index === 0 ? "m119" : "m001",
    id,
    fits: index === 1 ? ["p001", "p129"] : [],
  })),
  reviews: [
    { part: "p001", number: 1, maker: "m001" },
    { part: "p129", number: -2, maker: "m119" },
    { part: "p129", number: 3, maker: null },
  ],
};

const shopApi = defineApi({ collections: { makers, parts, reviews } });

describe("a data page", () => {
  it("has a row for each of the first hundred items, with its key", async () => {
    const page = (await textsOf(shopApi, shop)).get("/api/v1/docs/data/makers") ?? "";
    expect(mistakesIn(page)).toEqual([]);
    expect(page.match(/<tr id="row-/g)?.length).toBe(100);
    expect(page).toContain('<tr id="row-m099">\n<th scope="row"><a href="#row-m099">m099</a></th>');
    expect(page).toContain("<td>Maker &lt;m099&gt;</td>");
    expect(page).toContain(">120 makers</a></h2>");
    expect(page).toContain("Sorted by <code>id</code>");
    expect(page).toContain("<span>Page 1 of 2</span>");
    expect(page).toContain('<a href="/api/v1/docs/data/makers/2">Last</a>');
    expect(page).toContain('<a href="/api/v1/dumps/makers.ndjson">all as NDJSON</a>');
  });

  it("is followed by pages with the other items, and by pages with the items of each value", async () => {
    const texts = await textsOf(shopApi, shop);
    const tables = [...texts.keys()].filter((path) => /\/data\/.*\//.test(path));
    expect(tables.map((path) => path.slice("/api/v1/docs/data/".length))).toEqual([
      "makers/2",
      "parts/2",
      "parts/maker/m001",
      "parts/maker/m119",
    ]);
    const page = texts.get("/api/v1/docs/data/makers") ?? "";
    expect(page).toContain('<a rel="next" href="/api/v1/docs/data/makers/2">Next</a>');
    const last = texts.get("/api/v1/docs/data/makers/2") ?? "";
    expect(mistakesIn(last)).toEqual([]);
    expect(last.match(/<tr id="row-/g)?.length).toBe(20);
    expect(last).toContain(">Makers 101 to 120</a></h2>");
    expect(last).toContain('<a rel="prev" href="/api/v1/docs/data/makers">Previous</a>');
    expect(last).not.toContain('rel="next"');
    const filtered = texts.get("/api/v1/docs/data/parts/maker/m001") ?? "";
    expect(mistakesIn(filtered)).toEqual([]);
    expect(filtered).toContain("<h1>Parts by maker: Maker &lt;m001&gt; (m001)</h1>");
    expect(filtered).toContain(">129 items of parts</a></h2>");
    expect(filtered).toMatch(
      /<a href="\/api\/v1\/parts\?maker=m001&amp;cursor=(k[a-z0-9]{24})" data-cursor="\1">The following/,
    );
    expect(filtered).toContain('<a href="/api/v1/parts?maker=m001">/api/v1/parts?maker=m001</a>');
  });

  it("leads to single items, and to the rows of the items that a field refers to", async () => {
    const texts = await textsOf(shopApi, shop);
    const [first = "", second = ""] = (texts.get("/api/v1/docs/data/parts") ?? "").split("<tr id=").slice(1);
    expect(first).toContain('<th scope="row"><a href="/api/v1/parts/p000">p000</a></th>');
    const maker = (page: string, key: string) =>
      `<a href="/api/v1/docs/data/makers${page}#row-${key}"><bdi>Maker &lt;${key}&gt;</bdi></a> <span class="code">${key}</span>`;
    expect(first).toContain(maker("/2", "m119"));
    expect(second).toContain(maker("", "m001"));
    expect(second).toContain(
      '<a href="/api/v1/docs/data/parts#row-p001">p001</a>, <a href="/api/v1/docs/data/parts/2#row-p129">p129</a>',
    );
    const reviewed = texts.get("/api/v1/docs/data/reviews") ?? "";
    expect(columnsIn(reviewed)).toEqual(["part", "number", "maker"]);
    expect(reviewed).toContain('<tr id="row-p129/-2">');
    expect(reviewed).toContain('<th scope="row"><a href="#row-p129/-2">-2</a></th>');
    expect(reviewed).toContain(maker("/2", "m119"));
    expect(reviewed).toContain('<td><span class="type">null</span></td>');
    expect(reviewed).not.toContain("cursor=");
  });

  it("has links to the filtered lists and to the other pages, and is linked from the reference", async () => {
    const texts = await textsOf(shopApi, shop);
    const page = texts.get("/api/v1/docs/data/parts") ?? "";
    // The value with most items comes first; values without items are left out.
    const values = [
      ...page.matchAll(/<li><a href="([^"]+maker[^"]+)">(.*?)<\/span> <span class="type">(\d+)<\/span><\/li>/g),
    ].map(([, ...groups]) => groups);
    expect(values).toEqual([
      ["/api/v1/docs/data/parts/maker/m001", '<bdi>Maker &lt;m001&gt;</bdi></a> <span class="code">m001', "129"],
      ["/api/v1/docs/data/parts/maker/m119", '<bdi>Maker &lt;m119&gt;</bdi></a> <span class="code">m119', "1"],
    ]);
    expect(page).toContain('<a href="/api/v1/docs/data/reviews">Reviews</a>');
    expect(page).toContain('<a href="/api/v1/docs/data/parts" aria-current="page">Parts</a>');
    expect(texts.get("/api/v1/docs/")).toContain('<a href="/api/v1/docs/data/parts">View as a table</a>.');
    expect(texts.get("/api/v1")).toContain('"path":"/api/v1/docs/data/parts","type":"text/html; charset=utf-8"');
  });

  it("is left out without pages, without the collection, and if a page is declared at its path", async () => {
    const pagesOf = (texts: ReadonlyMap<string, string>) => [...texts.keys()].filter((path) => path.includes("/data/"));
    const none = await textsOf(defineApi({ collections: { makers }, pages: false }), { makers: [] });
    expect(pagesOf(none)).toEqual([]);
    expect(none.get("/api/v1/docs/")).not.toContain("/docs/data/");
    const declaredPages = { "docs/data/makers": { title: "Own", render: () => html`<p>My makers</p>` } };
    const replaced = await textsOf(defineApi({ collections: { makers, parts, reviews }, pages: declaredPages }), shop);
    expect(replaced.get("/api/v1/docs/data/makers")).toContain("<p>My makers</p>");
    expect(replaced.get("/api/v1/docs/data/parts")).not.toContain("/docs/data/makers#row-");
    const some = await textsOf(shopApi, { "deployments/edge": { operations: ["makers"] } });
    expect(pagesOf(some)).toEqual(["/api/v1/docs/data/makers"]);
  });

  it("depends on no other item, apart from their number on the first page", async () => {
    const changed = someMakers.map((maker, index) => (index === 110 ? { ...maker, name: "New" } : maker));
    const of = async (makers: readonly object[]) => {
      const texts = await textsOf(shopApi, { ...shop, makers });
      return ["", "/2"].map((page) => texts.get(`/api/v1/docs/data/makers${page}`) ?? "");
    };
    const [before = ""] = await of(someMakers);
    const [longer, longerSecond] = await of([...someMakers, { id: "n", name: "" }]);
    expect((await of(changed))[0]).toBe(before);
    expect(longer).toBe(before.replace("120 makers", "121 makers"));
    expect(longerSecond?.match(/<tr id="row-/g)?.length).toBe(21);
  });

  it("ends where a page of the answers ends, so that few pages change with stable paging", async () => {
    const many = numbered(900, "m").map((id) => ({ id, name: `Maker ${id}` }));
    const build = async (makers: typeof many) => {
      const data = { ...shop, makers, api: { paging: "stable" } };
      const { documents, find } = await planOf(written(data), completeApi(shopApi));
      const tables = documents.filter(({ path }) => path.includes("/data/makers"));
      return { find, pages: tables.map((page) => Buffer.concat([...page.parts()]).toString()) };
    };
    const before = await build(many);
    const keys = before.pages.map((page) => [...page.matchAll(/<tr id="row-(.*?)"/g)].map(([, key]) => key));
    const answers: string[][] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = before.find(pageFile("/api/v1", { operation: "makers", cursor }));
      const { data, pagination } = JSON.parse(Buffer.concat([...(page?.parts() ?? [])]).toString());
      answers.push(data.map(({ id }: { id: string }) => id));
      cursor = pagination.next_cursor;
    }
    expect(keys).toEqual(answers);
    expect(keys.flat()).toEqual(many.map(({ id }) => id));
    const [, second = ""] = before.pages;
    expect(second).toContain(`>${keys[1]?.length} makers on this page</a></h2>`);
    const after = await build(many.filter(({ id }) => id !== "m250"));
    const changed = after.pages.flatMap((page, index) => (page === before.pages[index] ? [] : [index]));
    // The first page has the number of all items.
    expect(changed).toEqual([0, keys.findIndex((page) => page.includes("m250"))]);
  });

  it("has the row to which references and the search lead, wherever its pages end", async () => {
    const many = numbered(400, "m").map((id) => ({ id, name: id }));
    const parts = many.map(({ id }) => ({ maker: id, id, fits: [] }));
    const texts = await textsOf(shopApi, { makers: many, parts, reviews: [], api: { paging: "stable" } });
    const tables = [...texts].flatMap(([path, page]) => (path.includes("/data/parts") ? [page] : []));
    const links = tables.flatMap((page) => [...page.matchAll(/"(\/api\/v1\/docs\/data\/makers[^"]*)#(row-[^"]+)"/g)]);
    const index = JSON.parse(texts.get("/api/v1/docs/find.json") ?? "");
    const found = index.groups.flatMap(
      ({ at = "", entries }: { at?: string; entries: readonly (readonly string[])[] }) =>
        at.includes("/data/makers") ? entries.map(([key]) => `${at}${key}`.split("#")) : [],
    );
    expect(found.length).toBe(400);
    for (const [page, row] of [...links.map(([, ...link]) => link), ...found]) {
      expect(texts.get(page)).toContain(`<tr id="${row}">`);
    }
    expect(new Set(links.map(([, , row]) => row)).size).toBe(400);
  });

  it("shows the key, the order, filters and other fields as they fit, and leaves out the nested", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const schema = z.strictObject({
      ...Object.fromEntries(names.map((name) => [name, name === "c" ? z.int() : text])),
      id: text,
      empty: text.nullable(),
      name: z.strictObject({ common: text, native: z.record(text, text) }),
      tags: z.record(text, z.int()),
      sizes: z.array(z.strictObject({ n: z.int() })),
    });
    const item = {
      ...Object.fromEntries(names.map((name) => [name, name === "c" ? 1 : `${name}!`])),
      id: "x",
      empty: null,
      name: { common: "N", native: {} },
      tags: { a: 1 },
      sizes: [],
    };
    const declared = {
      schema,
      order: ["c", "f"],
      filters: { tag: { keysOf: "tags" } },
    } as Partial<CollectionDeclaration>;
    const page = await pageOf(declared, [item]);
    expect(columnsIn(page)).toEqual(["id", "a", "b", "c", "d", "e", "f", "name.common", "tags"]);
    expect(page).toContain(" · 9 of 11 fields</p>");
    expect(page).toContain('<td class="number">1</td>');
    expect(page).toContain("<td>a</td>");
    const long = Object.fromEntries(names.map((name) => [name, name === "c" ? 1 : "y".repeat(9_000)]));
    expect(columnsIn(await pageOf(declared, [{ ...item, ...long }]))).toEqual(["id", "a", "c", "f", "tags"]);
  });

  it("shows every value as what it is, as text, and folds long ones", async () => {
    const names = ["made", "title", "site", "script", "mail", "colour", "empty", "missing", "state"] as const;
    const fields = Object.fromEntries(names.map((name) => [name, text.optional()]));
    const schema = z.strictObject({
      id: text,
      ...fields,
      on: z.boolean(),
      tags: z.array(text),
      none: z.array(text),
      year: z.int(),
      big: z.number(),
      status: z.enum(["ready", "down", "odd"]),
      nothing: z.null(),
    });
    const hostile = `"><script>alert(1)</script>&amp;'${"x".repeat(200)}`;
    const item = {
      id: "a",
      made: "2026-11-20T09:00:00Z",
      on: false,
      title: hostile,
      tags: ["<b>", "عربي"],
      none: [],
      site: "https://example.com/a?b=1&c",
      script: "javascript:alert(1)",
      mail: "a@example.com",
      colour: "#0af",
      empty: "",
      year: 2024,
      big: 1234567,
      status: "down",
      nothing: null,
    };
    const shown = async (...fields: readonly (keyof typeof item)[]) => {
      const picked = (name: string) => name === "id" || fields.some((field) => field === name);
      const only = (of: object) => Object.fromEntries(Object.entries(of).filter(([name]) => picked(name)));
      const page = await pageOf({ schema: z.strictObject(only(schema.shape)) } as Partial<CollectionDeclaration>, [
        only(item),
        // A column without values is left out.
        ...["b", "c"].map((id) => ({ ...only({ ...item, empty: "e", nothing: null, none: ["n"] }), id })),
      ]);
      expect(page).not.toMatch(/<script>|<style|\sstyle=|href="javascript/);
      return page.split('<tr id="row-')[1] ?? "";
    };
    const long = await shown("title");
    const escaped = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;";
    expect(long).toMatch(/<details class="fold"><summary><span>[^<]{30,160}… <\/span><\/summary>/);
    expect(long).toContain(`</summary>${escaped}${"x".repeat(200)}</details>`);
    const texts = await shown("made", "on", "tags", "none", "empty", "script");
    expect(texts).toContain('<time datetime="2026-11-20T09:00:00Z">2026-11-20T09:00:00Z</time>');
    expect(texts).toContain("<td>false</td>");
    expect(texts).toContain("&lt;b&gt;, <bdi>عربي</bdi>");
    expect(texts).toContain('<td><span class="type">[]</span></td>');
    expect(texts).toContain('<td><span class="type">&quot;&quot;</span></td>');
    expect(texts).toContain("<td>javascript:alert(1)</td>");
    const others = await shown("site", "mail", "colour", "year", "big", "status");
    expect(others).toContain(
      '<a href="https://example.com/a?b=1&amp;c" rel="noreferrer nofollow">example.com/a?b=1&amp;c</a>',
    );
    expect(others).toContain('<a href="mailto:a@example.com">a@example.com</a>');
    expect(others).toContain('fill="#0af"></rect></svg>#0af');
    expect(others).toContain('<td class="number">2024</td>');
    expect(others).toContain('<td class="number">1,234,567</td>');
    expect(others).toContain('<span class="state down">down</span>');
  });

  it("has a script of at most 20 kB, which the pages of no other document load", async () => {
    const texts = await textsOf(shopApi, shop);
    for (const script of ["table.js", "table-worker.js"]) {
      expect(Buffer.byteLength(texts.get(`/api/v1/docs/${script}`) ?? "")).toBeLessThanOrEqual(20_000);
    }
    expect(texts.get("/api/v1/docs/data/parts/2")).toContain('src="/api/v1/docs/table.js"');
    expect(texts.get("/api/v1/docs/")).not.toContain("table.js");
  });

  it("has a sentence for a list without items", async () => {
    const page = await pageOf({ filters: { id: "id" } } as Partial<CollectionDeclaration>, []);
    expect(page).toContain("<p>This list is empty.</p>");
    expect(page).toContain(">0 items of things</a></h2>");
    expect(page).not.toMatch(/<table|class="facets"/);
  });

  it.each(["netlify", "vercel", "cloudfront"])("fits %s with twenty lists", async (name) => {
    const schema = z.strictObject({ id: text, kind: z.enum(["a", "b"]) });
    const declared = { purpose: "Things.", schema, key: "id", filters: { kind: "kind" }, item: true } as const;
    const names = numbered(20, "list-of-things-");
    const collections = Object.fromEntries(names.map((name) => [name, defineCollection(declared)]));
    const content = written(Object.fromEntries(names.map((name) => [name, []])));
    const host = hosts.get(name);
    const api = completeApi(defineApi({ collections }));
    const plan = await planned({ api, content, hosts: host ? [host] : [] });
    expect(plan.documents.filter(({ path }) => path.startsWith("/api/v1/docs/data/")).length).toBe(20);
  });
});
