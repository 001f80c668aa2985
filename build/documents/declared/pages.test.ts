import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { linksIn } from "../../../test/documents/check-page.ts";
import { lineOf, messagesOfPlan, openedWithErrors, planned, type TestPlanOptions } from "../../../test/plan.ts";

const parent = mkdtempSync(path.join(tmpdir(), "stillapi-pages-"));
afterAll(() => rmSync(parent, { recursive: true }));

let count = 0;

/** A declaration with `pages`, and content of cities and a notice. */
async function optionsOf(
  pages: string,
  operations: readonly string[] = ["cities", "notice"],
): Promise<TestPlanOptions> {
  const folder = path.join(parent, String(count++));
  const content = path.join(folder, "content");
  mkdirSync(path.join(content, "deployments"), { recursive: true });
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  writeFileSync(
    path.join(folder, "api.config.ts"),
    `import * as z from "zod"; import { defineApi, defineCollection, defineDocument, html } from "stillapi";
const cities = defineCollection({ purpose: "Cities.", key: "id", schema: z.strictObject({ id: z.string(), name: z.string(), inside: z.object({ n: z.number() }) }) });
const notice = defineDocument({ purpose: "A notice.", schema: z.strictObject({ text: z.string() }) });
export default defineApi({ base: "/v3", collections: { cities }, documents: { notice }, pages: {
${pages}
} });`,
  );
  const cities = Array.from({ length: 2500 }, (_, index) => ({
    id: `c${index + 1000}`,
    name: index === 0 ? "<Ürümqi>" : `City ${index}`,
    inside: { n: index },
  }));
  writeFileSync(path.join(content, "cities.json"), JSON.stringify(cities));
  writeFileSync(path.join(content, "api.json"), JSON.stringify({ title: "Cities & more" }));
  const notice = operations.includes("notice") ? { notice: { text: "Hello" } } : {};
  writeFileSync(path.join(content, "deployments/edge.json"), JSON.stringify({ operations, ...notice }));
  const { declaration, errors } = await openedWithErrors({ folder });
  const { api } = declaration;
  if (api === undefined) throw new Error(JSON.stringify(errors));
  return { api, content };
}

async function textsOf(pages: string, operations?: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { documents } = await planned(await optionsOf(pages, operations));
  return new Map(documents.map((document) => [document.path, Buffer.concat([...document.parts()]).toString()]));
}

const list = `"docs/list": {
  title: "All cities",
  render({ base, title, collections: { cities }, documents: { notice }, request }) {
    if (cities === undefined) return undefined;
    const names = Array.from(cities, ({ id, name, inside }) => html\`<li><a href="\${request("cities", { cursor: id })}">\${name}</a> \${inside.n}</li>\`);
    return html\`<h1>\${title}, \${base}, \${notice?.text}</h1><p>\${cities.count} \${request("notice")}</p>\${names}\`;
  },
},`;

it("renders a page from items, documents and settings, and escapes them", async () => {
  const texts = await textsOf(list);
  const page = texts.get("/v3/docs/list") ?? "";
  expect(page).toContain("<h1>Cities &amp; more, /v3, Hello</h1><p>2500 /v3/notice</p>");
  expect(page).toContain('<li><a href="/v3/cities?cursor=c1000">&lt;Ürümqi&gt;</a> 0</li>');
  expect(page).toContain('<a href="/v3/cities?cursor=c3499">City 2499</a> 2499</li>\n</main>');
  expect(page.replace(/<header>.*<\/header>/s, "").match(/<li>/g)?.length).toBe(2500);
  expect(page).toContain("<title>All cities – Cities &amp; more</title>");
  expect(page).toContain('<meta name="description" content="All cities – Cities &amp; more">');
  expect(page).toContain('<body class="page">');
});

it("is in its language, with the program's words in English", async () => {
  const page = (language: string) => list.replace("title:", `language: "${language}",\ntitle:`);
  const text = (await textsOf(page("ar"))).get("/v3/docs/list") ?? "";
  expect(text).toContain('<html lang="ar" dir="rtl">');
  expect(text).toContain('<header lang="en" dir="ltr">');
  expect(text).toContain('<a class="skip" lang="en" dir="ltr" href="#content">');
  expect((await textsOf(list)).get("/v3/docs/list")).toContain('<html lang="en">');
  await expect(optionsOf(page("german"))).rejects.toThrow(
    'must be the tag of a language, such as de, pt-BR or zh-Hant, but is \\"german\\"',
  );
});

it("links a page from the reference and the overview, and loads a stylesheet with the rules of all", async () => {
  const two = `${list.replace("title:", 'style: ".cities { color: red }\\n",\ntitle:')}
"docs/more": { title: "More", scope: "more", style: "$& { top: 0 }", render: () => ({ content: html\`<p>More</p>\`, description: "So\\nmuch" }) },`;
  const texts = await textsOf(two);
  expect(texts.get("/v3/docs/")).toContain(
    '<dd><p><a href="/v3/docs/changes">Changes</a>, <a href="/v3/docs/list">All cities</a>, <a href="/v3/docs/more">More</a></p></dd>',
  );
  expect(texts.get("/v3")).toContain('"path":"/v3/docs/more","type":"text/html; charset=utf-8"');
  expect(texts.get("/v3/docs/more")).toContain('<meta name="description" content="So much">');
  expect(texts.get("/v3/docs/pages.css")).toBe(
    "/* stillapi */\n\n@layer frame {\n.cities { color: red }\n$& { top: 0 }\n}\n",
  );
  const loaded = '<link rel="stylesheet" href="/v3/docs/pages.css">';
  const loading = [...texts].filter(([, text]) => text.includes(loaded)).map(([path]) => path);
  expect(loading).toEqual(["/v3/docs/list", "/v3/docs/more"]);
  expect(texts.get("/v3/docs/more")).toContain('<body class="page more">');
});

it("has one header on all pages: the reference, the data, main pages, changes and others, with the current one marked", async () => {
  const pageOf = (name: string, option = "") =>
    `"docs/${name}": { title: "${name}", ${option} render: () => html\`<p>x</p>\` },`;
  const none = '"docs/none": { title: "None", render: () => undefined },';
  const texts = await textsOf(`${pageOf("one")} ${none} ${list} ${pageOf("main", "main: true,")}`);
  const pages = ["docs/main", "docs/changes", "docs/one", "docs/list"].map((name) => `/v3/${name}`);
  const html = [...texts].filter(([at, text]) => text.startsWith("<!doctype html>") && at !== "/v3/docs/404");
  expect(html.map(([path]) => path)).toEqual(
    expect.arrayContaining([...pages, "/", "/v3/docs/", "/v3/docs/data", "/v3/docs/data/cities"]),
  );
  const placeOf = (path: string) =>
    path === "/" ? "/v3/docs/" : path.startsWith("/v3/docs/data/") ? "/v3/docs/data" : path;
  for (const [path, text] of html) {
    const [, header = ""] = /^<header>$(.*?)^<\/header>$/ms.exec(text) ?? [];
    const [first, second, third, ...others] = linksIn(header.replace(/<nav class="lists".*/s, ""));
    expect([first, second, third]).toEqual(["/v3/docs/", "/v3/docs/", "/v3/docs/data"]);
    expect({ path, others }).toEqual({ path, others: pages });
    const current = [...header.matchAll(/<a href="([^"]*)" aria-current="page">/g)].map(([, href]) => href);
    expect({ path, current }).toEqual({ path, current: [placeOf(path)] });
  }
});

it("leaves out a page with nothing to show", async () => {
  const texts = await textsOf(list, ["notice"]);
  expect([...texts.keys()].filter((path) => path.includes("/docs/"))).toEqual(
    [...(await textsOf("", ["notice"])).keys()].filter((path) => path.includes("/docs/")),
  );
});

it.each([
  [
    '"docs/x": { title: "X",\n  render() { throw new Error("No luck."); } }',
    "6:20 throws The page docs/x cannot be rendered: No luck.",
  ],
  [
    '"docs/x": { title: "X",\n  render: (() => "<p>") as any }',
    "6:3 throws The page docs/x cannot be rendered: render returned neither html`…` nor an object with it as content.",
  ],
  [
    `"docs/x": { title: "X",\n  render: ({ collections: { cities } }) => html\`<a href="\${"javascript:" + cities?.count}">x</a>\` }`,
    '6:44 throws The page docs/x cannot be rendered: "javascript:2500" is neither an http, https or mailto address nor a path.',
  ],
])("reports a page that fails at its place", async (pages, line) => {
  const messages = await messagesOfPlan(await optionsOf(pages));
  expect(messages.map(lineOf)).toEqual([`api.config.ts:${line}`]);
});

it("has more than three pages behind the others in a menu", async () => {
  const names = ["one", "two", "three", "four"];
  const texts = await textsOf(
    names.map((name) => `"docs/${name}": { title: "${name}", render: () => html\`<p>x</p>\` },`).join(" "),
  );
  const [, menu = ""] =
    /<details class="menu"><summary>More<\/summary>(.*?)<\/details>/s.exec(texts.get("/v3/docs/") ?? "") ?? [];
  expect(linksIn(menu)).toEqual(names.map((name) => `/v3/docs/${name}`));
});
