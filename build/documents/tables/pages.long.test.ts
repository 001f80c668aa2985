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
import { states } from "../../../src/declare/forms.ts";
import { reference } from "../../../src/index.ts";
import type { Item } from "../../../src/model/key.ts";
import { mistakesIn } from "../../../test/documents/check-page.ts";
import { planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { planned } from "../../../test/plan.ts";
import { completeApi } from "../../declaration/complete.ts";
import { hosts } from "../../hosts/hosts.ts";

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
    expect(page).toContain("<span>1 to 100 of 120</span> ");
    expect(page).toContain('<a href="/api/v1/dumps/makers.ndjson">all as NDJSON</a>');
  });

  it("leads to single items, and to the rows of the items that a field refers to, or to the items", async () => {
    const texts = await textsOf(shopApi, shop);
    const [first = "", second = ""] = (texts.get("/api/v1/docs/data/parts") ?? "").split("<tr id=").slice(1);
    expect(first).toContain('<th scope="row"><a href="/api/v1/parts/p000">p000</a></th>');
    const maker = (key: string) =>
      `<a href="/api/v1/docs/data/makers#row-${key}"><bdi>Maker &lt;${key}&gt;</bdi></a> <span class="code">${key}</span>`;
    expect(first).toContain(maker("m119"));
    expect(second).toContain(maker("m001"));
    // The row of p129 is not on the page.
    expect(second).toContain(
      '<a href="/api/v1/docs/data/parts#row-p001">p001</a>, <a href="/api/v1/parts/p129">p129</a>',
    );
    const reviewed = texts.get("/api/v1/docs/data/reviews") ?? "";
    expect(columnsIn(reviewed)).toEqual(["part", "number", "maker"]);
    expect(reviewed).toContain('<tr id="row-p129/-2">');
    expect(reviewed).toContain('<th scope="row"><a href="#row-p129/-2">-2</a></th>');
    expect(reviewed).toContain(maker("m119"));
    expect(reviewed).toContain('<td><span class="type">null</span></td>');
    expect(reviewed).not.toContain("cursor=");
  });

  it("has links to the values of filters and to the other tables, and is linked from the reference", async () => {
    const texts = await textsOf(shopApi, shop);
    const page = texts.get("/api/v1/docs/data/parts") ?? "";
    // The value with most items comes first; values without items are left out.
    const values = [
      ...page.matchAll(/<li><a href="([^"]+maker[^"]+)">(.*?)<\/span> <span class="type">(\d+)<\/span><\/li>/g),
    ].map(([, ...groups]) => groups);
    expect(values).toEqual([
      ["/api/v1/docs/data/parts?maker=m001", '<bdi>Maker &lt;m001&gt;</bdi></a> <span class="code">m001', "129"],
      ["/api/v1/docs/data/parts?maker=m119", '<bdi>Maker &lt;m119&gt;</bdi></a> <span class="code">m119', "1"],
    ]);
    expect(page).toContain('<a href="/api/v1/docs/data/reviews">Reviews</a>');
    expect(page).toContain('<a href="/api/v1/docs/data/parts" aria-current="page">Parts</a>');
    expect(texts.get("/api/v1/docs/")).toContain('<a href="/api/v1/docs/data/parts">View as a table</a>.');
    expect(texts.get("/api/v1")).toContain('"path":"/api/v1/docs/data/parts","type":"text/html; charset=utf-8"');
  });

  it("is left out without pages, and without the collection", async () => {
    const pagesOf = (texts: ReadonlyMap<string, string>) => [...texts.keys()].filter((path) => path.includes("/data/"));
    const none = await textsOf(defineApi({ collections: { makers }, pages: false }), { makers: [] });
    expect(pagesOf(none)).toEqual([]);
    expect(none.get("/api/v1/docs/")).not.toContain("/docs/data/");
    const some = await textsOf(shopApi, { "deployments/edge": { operations: ["makers"] } });
    expect(pagesOf(some)).toEqual(["/api/v1/docs/data/makers"]);
  });

  it("depends on no other item than the first hundred, apart from their number", async () => {
    const changed = someMakers.map((maker, index) => (index === 110 ? { ...maker, name: "New" } : maker));
    const of = async (makers: readonly object[]) =>
      (await textsOf(shopApi, { ...shop, makers })).get("/api/v1/docs/data/makers") ?? "";
    const before = await of(someMakers);
    expect(await of(changed)).toBe(before);
    expect((await of([...someMakers, { id: "n", name: "" }])).replaceAll(/\b121\b/g, "120")).toBe(before);
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
      condition: states(z.enum(["ready", "broken"]), { broken: "down" }),
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
      condition: "broken",
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
    const others = await shown("site", "mail", "colour", "year", "big", "status", "condition");
    expect(others).toContain(
      '<a href="https://example.com/a?b=1&amp;c" rel="noreferrer nofollow">example.com/a?b=1&amp;c</a>',
    );
    expect(others).toContain('<a href="mailto:a@example.com">a@example.com</a>');
    expect(others).toContain('fill="#0af"></rect></svg>#0af');
    expect(others).toContain('<td class="number">2024</td>');
    expect(others).toContain('<td class="number">1,234,567</td>');
    expect(others).toContain("<td>down</td>");
    expect(others).toContain('<span class="state down">broken</span>');
  });

  it("has a script of at most 20 kB, which the pages of no other document load", async () => {
    const texts = await textsOf(shopApi, shop);
    for (const script of ["table.js", "table-worker.js"]) {
      expect(Buffer.byteLength(texts.get(`/api/v1/docs/${script}`) ?? "")).toBeLessThanOrEqual(20_000);
    }
    expect(texts.get("/api/v1/docs/data/parts")).toContain('src="/api/v1/docs/table.js"');
    expect(texts.get("/api/v1/docs/")).not.toContain("table.js");
  });

  it("has a sentence for a list without items", async () => {
    const page = await pageOf({ filters: { id: "id" } } as Partial<CollectionDeclaration>, []);
    expect(page).toContain("<p>This list is empty.</p>");
    expect(page).toContain(">0 items of things</a></h2>");
    expect(page).not.toMatch(/<table|class="facets"/);
  });

  it("leads from the search to every row", async () => {
    const many = numbered(400, "m").map((id) => ({ id, name: id }));
    const index = JSON.parse((await textsOf(shopApi, { ...shop, makers: many })).get("/api/v1/docs/find.json") ?? "");
    const found = index.groups.flatMap(({ at = "", entries }: { at?: string; entries: readonly unknown[] }) =>
      at === "/api/v1/docs/data/makers#row-" ? entries : [],
    );
    expect(found).toEqual(many.map(({ id }) => [id]));
  });

  it("is the only page of its list, whatever the values of filters are", async () => {
    const kinds = ["x", "x.html", "2"];
    const page = await pageOf(
      { schema: z.strictObject({ id: text, kind: text }), filters: { kind: "kind" } } as Partial<CollectionDeclaration>,
      kinds.map((kind) => ({ id: kind, kind })),
    );
    const links = [...page.matchAll(/<li><a href="([^"]*kind[^"]*)"/g)].map(([, href]) => href);
    expect(links).toEqual(kinds.toSorted().map((kind) => `/api/v1/docs/data/things?kind=${kind}`));
  });

  it("says of a list of more than 10 MB that it is too large to search, and leads to all items", async () => {
    const long = "x".repeat(90_000);
    const items = numbered(120, "t").map((id) => ({ id, kind: id === "t000" ? "a" : "b", text: long }));
    const page = await pageOf(
      {
        schema: z.strictObject({ id: text, kind: text, text }),
        filters: { kind: "kind" },
      } as Partial<CollectionDeclaration>,
      items,
    );
    expect(page).toContain(
      '<p class="type" data-many>These are too many to search and sort here. Choose a value of a filter, or find them in <a href="/api/v1/docs/#list-things">the console</a>, by <a href="/api/v1/filters/things.json">the numbers of each filter</a> or in <a href="/api/v1/dumps/things.ndjson">one file</a> (11 MB).</p>',
    );
    const [, data = ""] = /data-table="([^"]*)"/.exec(page) ?? [];
    expect(JSON.parse(data.replaceAll("&quot;", '"'))).toMatchObject({ total: 120, maxItems: 110 });
  });

  it("shows the first two hundred values of a filter, with the names of items and the texts of slugs", async () => {
    const schema = z.strictObject({ id: text, kind: text, on: z.int() });
    const items = numbered(250, "t").map((id, index) => ({
      id,
      kind: index < 40 ? "Ä B" : "C",
      on: index < 210 ? index : 209,
    }));
    const filters = { kind: { field: "kind", slug: true }, on: "on" };
    const page = await pageOf({ schema, filters } as Partial<CollectionDeclaration>, items);
    expect(page).toContain(
      '<li><a href="/api/v1/docs/data/things?kind=a-b"><bdi>Ä B</bdi></a> <span class="code">a-b</span> <span class="type">40</span></li>',
    );
    expect(page.match(/things\?on=/g)?.length).toBe(200);
    expect(page).toContain('<p><a href="/api/v1/filters/things.json">210 values</a></p>');
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
