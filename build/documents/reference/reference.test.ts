import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listNamed } from "../../../src/model/api.ts";
import type { ListOperation } from "../../../src/model/operation.ts";
import { filtersOf } from "../../../src/model/operation.ts";
import { deadAnchorsIn } from "../../../test/documents/check-page.ts";
import { planSample, siteOf, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import type { TestPlan } from "../../../test/plan.ts";
import { resolve, settle, splitTarget } from "../../routing/resolve.ts";
import { pageAssets } from "../frame/assets.ts";
import { referenceDocuments, referenceStart } from "./reference.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const write = (to: string, file: string, value: unknown) => writeFileSync(path.join(to, file), JSON.stringify(value));

const plan = (name: string, count: number, change?: (to: string) => void): Promise<TestPlan> =>
  planSample(path.join(folder, name), { count, pageSizes: "every" }, change);

/** The fields that accept any text, such as a name. */
const freeFields = ({ example, key, schema }: ListOperation): readonly string[] =>
  Object.keys(example).filter((field) => field !== key && schema({}).safeParse({ ...example, [field]: "<&>" }).success);

/** An operation with named items that filters refer to. */
const target = edgeNetwork.lists
  .flatMap(({ filters, references }) =>
    references.filter((reference) => filters.some(({ field }) => field === reference.field)),
  )
  .map(({ to }) => listNamed(edgeNetwork, to))
  .find((list) => freeFields(list).length > 0);

/** A number of the target's items, with the text in every field of free text. */
const many = (to: string, count: number, text: string): void => {
  if (target === undefined) throw new Error("No filter refers to items with a string.");
  const { example, key } = target;
  const item = { ...example, ...Object.fromEntries(freeFields(target).map((field) => [field, text])) };
  const letters = (index: number) =>
    [676, 26, 1].map((place) => String.fromCharCode(97 + (Math.floor(index / place) % 26)));
  const keys = Array.from({ length: count }, (_, index) => `${letters(Math.floor(index / 10)).join("")}${index % 10}`);
  write(to, `${target.name}.json`, [item, ...keys.slice(1).map((other) => ({ ...item, [key]: other }))]);
  for (const { name, references, example: referringItem } of edgeNetwork.lists) {
    const fields = references.filter(({ to }) => to === target.name).map(({ field }) => field);
    const referring = Object.fromEntries(fields.map((field) => [field, example[key]]));
    if (fields.length > 0) write(to, `${name}.json`, [{ ...referringItem, ...referring }]);
  }
};

const unpaged = {
  operations: edgeNetwork.lists.filter(({ paged }) => !paged).map(({ name }) => name),
  ...Object.fromEntries(edgeNetwork.documents.map(({ name, example }) => [name, example])),
};

/** A deployment that does not list the values of its filters. */
const filtered = {
  ...unpaged,
  operations: edgeNetwork.lists.filter((operation) => filtersOf(operation).length > 0).map(({ name }) => name),
};

const attributes = (page: string, name: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value.replaceAll("&amp;", "&"));

const contents = [
  ["a sample", 130, undefined],
  ["a sample without items", 0, undefined],
  [
    "a sample without the operations that filters refer to",
    3,
    (to: string) => write(to, "deployments/edge.json", filtered),
  ],
  ["a sample with 1,400 values of a filter", 3, (to: string) => many(to, 1400, "A name of usual length")],
] as const;

describe.each(contents)("the reference of %s", (name, count, change) => {
  let built: TestPlan;
  let page: string;

  beforeAll(async () => {
    built = await plan(name.replaceAll(/\W/g, "-"), count, change);
    page = String(referenceStart(siteOf(built)));
  });

  it("has no inline script or style and nothing from other origins", () => {
    const script = '<script type="module" src="/api/v1/docs/page.js"></script>\n';
    expect(page.split(script).length).toBe(2);
    expect(page.replace(script, "")).not.toMatch(/<script|\sstyle=|\son\w+=|\ssrc=/i);
    const addresses = [...attributes(page, "href"), ...attributes(page, "action")];
    expect(addresses.filter((address) => !/^[/#]/.test(address))).toEqual([]);
  });

  it("has each anchor once, and every link within the page leads to one", () => {
    expect(deadAnchorsIn(page)).toEqual([]);
  });

  it("links to requests that are answered with 200", () => {
    const files = new Set([...built.files.all()].map(({ file }) => file));
    const published = new Set(referenceDocuments(siteOf(built)).map((document) => document.path));
    const links = attributes(page, "href").filter((href) => /^\/api\/v1\/\w+(\?|$)/.test(href) && !published.has(href));
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) {
      const request = { method: "GET", ...splitTarget(link) };
      const { status } = settle(resolve(built.table, request), (file) => files.has(file));
      expect(`${status} ${link}`).toBe(`200 ${link}`);
    }
  });

  it("is small, with its stylesheet", () => {
    const site = siteOf(built);
    const parts = [...referenceDocuments(site), ...pageAssets(site)].filter((document) => document.path !== "/");
    const bytes = parts.flatMap((document) => [...document.parts()]).map((part) => gzipSync(part, { level: 9 }).length);
    expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThan(60_000);
    expect(Buffer.byteLength(page)).toBeLessThan(300_000);
  });
});

describe("the reference", () => {
  it("escapes the texts of publishers", async () => {
    const title = 'شبكة <script>alert("1")</script>';
    const built = await plan("hostile", 3, (to) => {
      many(to, 3, '<script>alert(1)</script>"&');
      write(to, "api.yaml", { title, description: "<b>&amp;</b>\n\nTwo lines." });
    });
    const page = String(referenceStart(siteOf(built)));
    expect(page).not.toMatch(/<script(?! type="module" src="\/api\/v1\/docs\/page\.js"><\/script>\n)|<b>/);
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;");
    expect(page).toContain('<h1 id="top"><bdi>شبكة &lt;script&gt;');
    expect(attributes(page, "content")).toContain("&lt;b&gt;&amp;amp;&lt;/b&gt; Two lines.".replaceAll("&amp;", "&"));
  });

  it("names the API's address, license and contact", async () => {
    const settings = {
      url: "https://api.edge.example",
      license: { name: "CC0", url: "https://creativecommons.org/publicdomain/zero/1.0/" },
      contact: { email: "edge@edge.example" },
    };
    const built = await plan("settings", 3, (to) => write(to, "api.yaml", settings));
    const page = String(referenceStart(siteOf(built)));
    expect(page).toContain("https://api.edge.example/api/v1</code>");
    expect(page).toContain('<a href="https://creativecommons.org/publicdomain/zero/1.0/">CC0</a>');
    expect(page).toContain('<a href="mailto:edge@edge.example">edge@edge.example</a>');
    expect(page).not.toContain("HOST");
  });

  it("names its permanent address and the publisher's picture for previews of links", async () => {
    const url = "https://api.edge.example";
    const logo = { file: "logo.png", bytes: new Uint8Array() };
    const source = siteOf(await plan("previews", 3));
    const headOf = (settings: object) =>
      String(referenceStart({ ...source, settings: { ...source.settings, ...settings } }));
    expect(headOf({ url, logo })).toContain(`<meta property="og:url" content="${url}/api/v1/docs/">
<meta name="twitter:card" content="summary">
<meta property="og:image" content="${url}/api/v1/docs/logo.png">
<link rel="canonical" href="${url}/api/v1/docs/">
`);
    expect(headOf({ url, logo: { ...logo, file: "logo.svg" } })).not.toContain("og:image");
    expect(
      headOf({ url, logo, card: { ...logo, file: "card.png" } }),
    ).toContain(`<meta name="twitter:card" content="summary_large_image">
<meta property="og:image" content="${url}/api/v1/docs/card.png">
`);
    expect(headOf({ logo })).not.toMatch(/og:url|og:image/);
    expect(headOf({ logo })).toContain('<link rel="canonical" href="/api/v1/docs/">');
  });

  it("is the same page at the root, and bears the program's mark", async () => {
    const documents = referenceDocuments(siteOf(await plan("documents", 3)));
    const texts = documents.map(({ file, parts }) => [file, Buffer.concat([...parts()]).toString()] as const);
    expect(texts.map(([file]) => file)).toEqual(["api/v1/docs/index.html", "index.html"]);
    expect(texts[0]?.[1]).toBe(texts[1]?.[1]);
    for (const [, text] of texts) expect(text).toContain('<meta name="generator" content="stillapi">');
  });
});
