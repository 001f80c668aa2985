// The script of the pages in a real browser: by pointer and by keyboard, and under the strict policy.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Changes } from "../../src/answers/answers.ts";
import { productsApi, writeProducts } from "../../test/content/products.ts";
import {
  addressOf,
  expectAccessible,
  expectAccessibleInTheDark,
  expectToFit,
  isSkipped,
  openInTest,
  type PageAnswer,
  type PageServer,
  serve,
  serveInTest,
  type View,
} from "../../test/documents/browser.ts";
import { manyLists, writeManyLists } from "../../test/documents/many-lists.ts";
import { documentsIn, planOf, planSample, siteOf, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { type Document, textDocument } from "../files/document.ts";
import { changesDocuments } from "./changes/changes.ts";
import { addressingOf } from "./describe/addresses.ts";
import { pageAssets } from "./frame/assets.ts";
import { html, pageHtml } from "./frame/html.ts";
import { referenceDocuments } from "./reference/reference.ts";
import { searchDocument } from "./search/search.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const paged = edgeNetwork.lists.find((list) => list.paged && list.filters.length > 0)?.name;
const [param] = edgeNetwork.lists.find(({ name }) => name === paged)?.filters.map((filter) => filter.param) ?? [];

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0h9v9z"/></svg>';

const place = `section:has(form[action="/api/v1/${paged}"]) .answer`;
/** The parts of a response that a sample lacks. */
const answered = ".answer .facts + pre";

/** A page with the elements that the script looks for. */
const declared: Document = textDocument(
  "/api/v1/docs/own",
  "text/html; charset=utf-8",
  String(
    pageHtml(
      {
        api: { ...edgeNetwork, addressing: addressingOf("queries") },
        changes: undefined,
        changesPage: undefined,
        settings: {
          url: undefined,
          logo: undefined,
          card: undefined,
          title: "Own",
          license: undefined,
          contact: undefined,
        },
      },
      {
        path: "/api/v1/docs/own",
        title: "Own",
        description: "Own",
        scope: "page",
        top: html``,
        content: html`<h1>Own</h1>
<p><time datetime="2026-01-01T00:00:00Z">1 January</time>, <time datetime="never">never</time></p>
<pre><code>a &lt; b</code></pre>`,
      },
    ),
  ),
  "own.html",
);

const none = { added: [], changed: [], removed: [] };

/** Two builds: one changed two lists and announced something of one of them, the other changed one list. */
const changes: Changes = {
  object: "changes",
  since: "2026-01-01T00:00:00Z",
  build: "a",
  data: [
    {
      at: "2026-01-03T00:00:00Z",
      build: "c",
      collections: {
        nodes: { ...none, changed: ["nod_a"], fields: { nod_a: { status: ["operational", "draining"], note: [] } } },
        regions: { ...none, added: ["lhr1"], removed: ["nrt1"] },
      },
      documents: [],
      declared: { added: [], deprecated: [{ name: "regions.filters.zone", since: "2026-01-02" }], removed: [] },
    },
    { at: "2026-01-02T00:00:00Z", build: "b", collections: { nodes: { ...none, added: ["nod_a"] } }, documents: [] },
  ],
};

/** Replaces the clock, and keeps the timer for the test. */
const clock = (now: string) =>
  `let start = Date.parse("${now}"); Date.now = () => start; window.setInterval = (run) => { window.tick = run; };`;

describe.skipIf(isSkipped)("the script of the pages in Chromium", () => {
  let site: PageServer;
  let answer: PageAnswer;
  let notes: string[];

  beforeAll(async () => {
    const plan = await planSample(folder, { count: 30, pageSizes: "every" }, (to) => {
      // It has just the contrast that WCAG requires of text.
      writeFileSync(path.join(to, "api.yaml"), 'logo: logo.svg\naccent: "#9c5d00"\n');
      writeFileSync(path.join(to, "logo.svg"), logo);
    });
    const source = siteOf(plan);
    const changed = changesDocuments(siteOf(plan, { changes }));
    site = await serve(
      [...referenceDocuments(source), ...pageAssets(source), searchDocument(source), declared, ...changed],
      () => answer,
    );
  });

  afterAll(() => site.stop());

  beforeEach(() => {
    notes = [];
    answer = { body: "[]" };
  });

  const open = async (where = "/", { origin = site.origin, ...view }: Partial<View & PageServer> = {}) => {
    const page = await openInTest(`${origin}${where}`, { scripts: true, ...view }, notes);
    await page.browserContext().overridePermissions(origin, ["clipboard-read", "clipboard-sanitized-write"]);
    return page;
  };

  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (element) => element.textContent ?? "");

  const status = (page: Page) => textOf(page, "[role=status]");

  it("fits screens with everything that the script adds", async () => {
    const page = await open("/");
    const logos = await page.$$eval(".brand img", (images) => images.map((image) => image.naturalWidth));
    expect(logos).toEqual([9]);
    answer = { body: JSON.stringify({ text: "long ".repeat(500) }) };
    await page.evaluate(`document.querySelector("form.console").requestSubmit()`);
    await page.waitForSelector(answered);
    await expectToFit(page, [1440, 1280, 768, 360], async () => {
      const cut = await page.$$eval(
        "pre",
        (blocks) => blocks.filter((pre) => pre.scrollWidth > pre.clientWidth).length,
      );
      expect(cut).toBe(0);
    });
    await expectAccessible(page);
    await expectAccessibleInTheDark(page);
    expect(notes).toEqual([]);
  });

  it("copies a block of code, also by keyboard, and announces it", async () => {
    const page = await open("/", { before: "window.setTimeout = (run) => { window.later = run; };" });
    const button = ".frame > :first-child > button";
    expect((await page.$$(button)).length).toBe((await page.$$(".frame")).length);
    const code = await textOf(page, ".frame [aria-label=curl] code");
    await page.focus(button);
    expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe("solid");
    await page.keyboard.press("Enter");
    await page.waitForFunction(`document.querySelector("${button}").textContent === "Copied"`);
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code);
    expect(await status(page)).toBe("Copied");
    await page.evaluate("later()");
    expect(await textOf(page, button)).toBe("Copy");
    const own = await open("/api/v1/docs/own");
    expect(await textOf(own, "pre button")).toBe("Copy");
  });

  const form = `form[action="/api/v1/${paged}"]`;
  const value = (page: Page) =>
    page.$eval(`${form} option:nth-of-type(3)`, (option) => option.getAttribute("value") ?? "");

  it("shows the request of a form everywhere as one types, and keeps it in the address of the page", async () => {
    const page = await open();
    await page.focus(`${form} select`);
    await page.select(`${form} select`, await value(page));
    await page.evaluate(`document.querySelector('${form} [name=limit]').select()`);
    await page.keyboard.type("7");
    const query = `${param}=${await value(page)}&limit=7`;
    const texts = await page.$$eval(`section:has(${form}) .tabs code`, (all) => all.map((code) => code.textContent));
    expect(texts).toEqual([
      `curl -G \\\n  "${site.origin}/api/v1/${paged}" \\\n  -d ${param}=${await value(page)} \\\n  -d limit=7`,
      expect.stringContaining(`new URLSearchParams({ ${param}: "${await value(page)}", limit: "7" })`),
      expect.stringContaining(`params={"${param}": "${await value(page)}", "limit": "7"}`),
    ]);
    expect(await textOf(page, `${form} .request a`)).toBe(`/api/v1/${paged}?${query}`);
    expect(await page.$eval(`${form} .request a`, (link) => link.href)).toBe(`${site.origin}/api/v1/${paged}?${query}`);
    expect(await addressOf(page)).toBe(`${site.origin}/?${query}#list-${paged}`);
    expect(await page.$eval(`section:has(${form}) .answer`, (element) => element.className)).toBe("answer stale");
    const before = site.asked.length;
    await page.goto("about:blank");
    await page.goto(`${site.origin}/api/v1/docs/?${query}#list-${paged}`);
    await page.waitForSelector(answered);
    expect(site.asked.slice(before)).toContain(`/api/v1/${paged}?${query}`);
    expect(await page.evaluate(`document.querySelector('${form} [name=limit]').value`)).toBe("7");
    await page.click(`${form} [type=reset]`);
    await page.waitForFunction(`location.search === "?limit=2"`);
  });

  it("sends by keyboard, and shows the response in place of the sample, with its next page", async () => {
    answer = {
      body: '{"data":["é","<b>"],"pagination":{"next_cursor":"abc"}}',
      headers: { "Cache-Control": "no-store", ETag: '"abc"' },
    };
    const page = await open();
    await page.focus(`${form} [name=limit]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(answered);
    expect(await addressOf(page)).toBe(`${site.origin}/`);
    expect(await textOf(page, `${place} .caption`)).toMatch(/^200 Response in \d+ ms, 56 bytes Next page$/);
    const facts = await page.$$eval(`${place} .facts > div`, (rows) => rows.map((row) => row.textContent));
    expect(facts).toEqual(["Content-Typeapplication/json", "Cache-Controlno-store", 'ETag"abc"']);
    expect(await textOf(page, `${place} code`)).toContain('{\n  "data": ["é", "<b>"],\n');
    expect(await page.$$eval(`${place} code .s`, (all) => all.map((element) => element.textContent))).toEqual([
      '"é"',
      '"<b>"',
      '"abc"',
    ]);
    expect(await status(page)).toMatch(/^Status 200, \d+ ms, 56 bytes$/);
    answer = { body: "[]" };
    await page.click(`${place} .caption button`);
    await page.waitForFunction(`document.querySelector("${place.replaceAll('"', '\\"')} code")?.textContent === "[]"`);
    expect(site.asked.at(-1)).toMatch(/[?&]limit=2&cursor=abc$/);
    expect(await textOf(page, `${form} .request a`)).toMatch(/&cursor=abc$/);
  });

  it("turns the pages of what was answered, whatever the form holds by now", async () => {
    answer = { body: '{"data":[],"pagination":{"next_cursor":"abc"}}' };
    const page = await open();
    await page.focus(`${form} [name=limit]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(answered);
    const chosen = await value(page);
    await page.select(`${form} select`, chosen);
    const request = `/api/v1/${paged}?${param}=${chosen}&limit=2`;
    expect(await textOf(page, `${form} .request a`)).toBe(request);
    for (const cursor of ["abc", "def"]) {
      answer = { body: '{"data":[],"pagination":{"next_cursor":"def"}}' };
      await Promise.all([
        page.waitForResponse((response) => response.url().includes("cursor=")),
        page.click(`${place} .caption button`),
      ]);
      await page.waitForSelector(answered);
      expect(site.asked.at(-1)).toMatch(new RegExp(`/${paged}\\?(?:\\w+=[^&]*&)?limit=2&cursor=${cursor}$`));
      expect(site.asked.at(-1)).not.toContain(`=${chosen}`);
      expect(await page.$eval(place, (element) => element.className)).toBe("answer stale");
      expect(await textOf(page, `${form} .request a`)).toBe(request);
    }
    await Promise.all([
      page.waitForResponse((response) => response.url() === `${site.origin}${request}`),
      page.click(`${form} button:not(.small)`),
    ]);
    expect(await page.$eval(place, (element) => element.className)).toBe("answer");
  });

  it.each([
    [400, '{"code":"invalid_limit"}', '{ "code": "invalid_limit" }'],
    [404, "<h1>Not found</h1>", "<h1>Not found</h1>"],
  ])("shows an error in place: %s", async (code, body, text) => {
    answer = { status: code, body };
    const page = await open();
    await page.click(`${form} button:not(.small)`);
    await page.waitForSelector(answered);
    expect(await textOf(page, `${place} .bad`)).toBe(String(code));
    expect(await textOf(page, `${place} code`)).toBe(text);
    await page.setOfflineMode(true);
    await page.click(`${form} button:not(.small)`);
    await page.waitForFunction(`document.querySelector("[role=status]").textContent.startsWith("No response")`);
  });

  it("sends one filter or those that go together, says why not others, and asks for items by key", async () => {
    const to = path.join(folder, "products");
    writeProducts(to);
    const server = await serveInTest(documentsIn(await planOf(to, productsApi)));
    const page = await open("/", { origin: server.origin });
    const list = 'form[action="/api/v1/products"]';
    const enabled = () =>
      page.$$eval(`${list} select`, (all) => all.filter(({ disabled }) => !disabled).map(({ name }) => name));
    await page.click(`${list} [type=reset]`);
    await page.waitForFunction(`location.search !== ""`);
    expect(await enabled()).toEqual(["tag", "category", "link"]);
    await page.select(`${list} select[name=tag]`, "linux");
    expect(await enabled()).toEqual(["tag", "category"]);
    expect(await page.$$eval(`${list} small`, (all) => all.map((element) => element.textContent))).toEqual([
      "not with tag",
    ]);
    await page.select(`${list} select[name=tag]`, "");
    expect(await enabled()).toEqual(["tag", "category", "link"]);
    await page.focus('form[data-path] [name="name"]');
    await page.keyboard.press("End");
    await page.keyboard.type("/x");
    expect(await textOf(page, "form[data-path] .request a")).toBe("/api/v1/products/nodejs%2Fx");
    expect(notes).toEqual([]);
  });

  it("replaces the address of the host by the origin of the page", async () => {
    const page = await open();
    const blocks = await page.$$eval("pre code", (codes) => codes.map((code) => code.textContent).join("\n"));
    expect(blocks).toContain(`"${site.origin}/api/v1/`);
    expect(blocks).toContain(`import requests\nurl = "${site.origin}/api/v1/`);
    expect(await textOf(page, ".facts .copy")).toBe(`${site.origin}/api/v1`);
    expect(await page.$eval("main", (main) => main.innerText)).not.toMatch(/HOST/);
  });

  it("shows all samples in the language that was chosen last, also on the next visit, and moves nothing", async () => {
    const page = await open("/", { width: 1440 });
    const languages = () =>
      page.$$eval(".tabs input:checked", (all) => [...new Set(all.map((input) => input.getAttribute("value")))]);
    const bottoms = () => page.$$eval("h3", (all) => all.map((heading) => heading.getBoundingClientRect().bottom));
    const before = await bottoms();
    expect(await languages()).toEqual(["curl"]);
    await page.click("label[for=first--2]");
    expect(await languages()).toEqual(["Python"]);
    expect(await bottoms()).toEqual(before);
    expect(await page.evaluate("Object.entries(localStorage)")).toEqual([["/api/v1/language", "Python"]]);
    await page.reload();
    await page.waitForSelector(".tabs input[value=Python]:checked");
    expect(await languages()).toEqual(["Python"]);
  });

  it("shows all samples in the first language to readers whose browser keeps nothing", async () => {
    const before = `Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("denied", "SecurityError"); } });`;
    const page = await open("/", { before });
    await page.click("label[for=first--1]");
    expect(await page.$("#first--1:checked")).not.toBe(null);
    expect(notes).toEqual([]);
  });

  it("has the colours of the system or those that were chosen, also on the next visit", async () => {
    const page = await open("/api/v1/docs/own");
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = "rgb(255, 255, 255)";
    const dark = "rgb(15, 18, 22)";
    expect(await ground()).toBe(light);
    const reference = await page.browserContext().newPage();
    await reference.goto(`${site.origin}/`);
    await reference.click('.theme [aria-label="Dark colours"]');
    await page.reload();
    await page.waitForSelector(":root[data-theme=dark]");
    expect(await ground()).toBe(dark);
    await reference.click('.theme [aria-label="Light colours"]');
    await page.reload();
    await page.waitForSelector("time");
    expect(await ground()).toBe(light);
  });

  it("marks the place that is read in the contents, and scrolls them to it", async () => {
    const page = await open("/", { width: 1440 });
    const current = () => page.$$eval(".side [aria-current]", (links) => links.map((link) => link.textContent));
    expect(await current()).toEqual(["Introduction"]);
    await page.setViewport({ width: 1440, height: 320 });
    await page.evaluate(`document.querySelector("#resources").scrollIntoView()`);
    await page.waitForFunction(`document.querySelector(".side [aria-current]").closest("details") !== null`);
    const isInSight = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(
      document.querySelector(".side [aria-current]").getBoundingClientRect())`;
    expect(await page.evaluate(isInSight)).toBe(true);
    await page.evaluate("scrollTo(0, 0)");
    await page.waitForFunction(`document.querySelector(".side [aria-current]").textContent === "Introduction"`);
    expect(await current()).toEqual(["Introduction"]);
  });

  it("leads from the anchors of a list on the start of a large reference to the page of the list", async () => {
    const to = path.join(folder, "many-lists");
    writeManyLists(to);
    const server = await serveInTest(documentsIn(await planOf(to, manyLists)));
    const pageOf = (name: string) => `${server.origin}/api/v1/docs/collections/${name}`;
    const page = await open("/api/v1/docs/?state=open#list-things-ac", { origin: server.origin });
    await page.waitForSelector(answered);
    expect(await addressOf(page)).toBe(`${pageOf("things-ac")}?state=open#list-things-ac`);
    expect(server.asked).toContain("/api/v1/things-ac?state=open");
    expect(await page.$$eval(".side [aria-current]", (links) => links.map((link) => link.textContent))).toEqual([
      "GET List things-ac",
    ]);
    for (const anchor of ["resource-things-ad.field_3", "list-things-ad.limit", "item-things-ad"]) {
      await page.goto(`${server.origin}/api/v1/docs/#${anchor}`);
      await page.waitForFunction(`location.href === "${pageOf("things-ad")}#${anchor}"`);
    }
    await page.goto(`${server.origin}/api/v1/docs/`);
    await Promise.all([page.waitForNavigation(), page.click('a[data-page$="/things-ae"]')]);
    await expectToFit(page, [320, 1440]);
    // More than eight lists are in a menu above their tables.
    await page.goto(`${server.origin}/api/v1/docs/data/things-ab`);
    const links = () => page.$$eval(".lists a", (all) => all.filter((link) => link.checkVisibility()).length);
    expect(await links()).toBe(0);
    await page.focus(".lists summary");
    await page.keyboard.press("Enter");
    expect(await links()).toBe(30);
    expect(await textOf(page, ".lists [aria-current]")).toBe("Things ab");
    await Promise.all([page.waitForNavigation(), page.click('.lists a[href$="/things-ac"]')]);
    expect(await textOf(page, "h1")).toBe("Things ac");
    expect(notes).toEqual([]);
  });

  it("limits the height of an answer, which scrolls in itself", async () => {
    answer = { body: JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index }))) };
    const page = await open("/", { width: 390 });
    await page.evaluate(`document.querySelector('${form}').requestSubmit()`);
    await page.waitForSelector(answered);
    expect(await page.$eval(answered, (pre) => pre.clientHeight)).toBeLessThan(0.61 * 900);
    expect(await page.$eval(answered, (pre) => pre.scrollHeight)).toBeGreaterThan(900);
  });

  it.each([
    ["Macintosh; Intel Mac OS X 10_15_7", "⌘ K"],
    ["X11; Linux x86_64", "Ctrl K"],
  ])("shows the key of the platform: %s", async (platform, key) => {
    const before = `Object.defineProperty(navigator, "userAgent", { value: "Mozilla/5.0 (${platform})" });`;
    const page = await open("/", { before });
    expect(await textOf(page, "kbd")).toBe(key);
  });

  const headings = (page: Page) => page.$$eval(".find .list-title", (all) => all.map((element) => element.textContent));

  const found = (page: Page) => page.$$eval(".find a", (links) => links.map((link) => link.textContent));

  async function openFind(page: Page): Promise<void> {
    const index = page.waitForResponse((response) => response.url().endsWith("/api/v1/docs/find.json"));
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
    await index;
  }

  it("finds by keyboard alone: operations, parameters, errors, headers, values and fields", async () => {
    const page = await open("/api/v1/docs/");
    expect(site.asked.filter((path) => path.endsWith("find.json"))).toEqual([]);
    await openFind(page);
    await page.keyboard.type("INVALID_L");
    await page.waitForSelector(".find a");
    expect(await found(page)).toEqual(["invalid_limit 400"]);
    expect(await status(page)).toBe("1 found");
    await page.keyboard.press("Enter");
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/#error-invalid_limit`);
    expect(await page.$("dialog[open]")).toBe(null);
    await page.keyboard.press("/");
    for (const [sought, first] of [
      [`list ${paged}`, `List ${paged} GET /api/v1/${paged}`],
      ["if-none", "If-None-Match "],
      [`${param} list ${paged}`, `${param} List ${paged}`],
    ]) {
      await page.evaluate(`document.querySelector(".find input").select()`);
      await page.keyboard.type(String(sought));
      expect((await found(page))[0]).toBe(first);
    }
    const sought = await value(page);
    await page.evaluate(`document.querySelector(".find input").select()`);
    await page.keyboard.type(sought);
    expect(await headings(page)).toContain("Values");
    expect(await page.$(`.find a[href$="/docs/?${param}=${sought}#list-${paged}"]`)).not.toBe(null);
    await page.evaluate(`document.querySelector(".find input").select()`);
    await page.keyboard.type(`${param} list ${paged}`);
    await page.keyboard.press("ArrowDown");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(`${param} List ${paged}`);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type(" no such");
    const all = `${param} list ${paged} no such`;
    expect(await textOf(page, ".find > p")).toBe(
      `Nothing found for “${all}” here. This does not search the rows of tables.`,
    );
    expect(await headings(page)).toEqual(["Search the rows of"]);
    expect(await page.$(`.find a[href$="/docs/data/${paged}?q=${encodeURIComponent(all)}"]`)).not.toBe(null);
    await expectToFit(page, [320, 1440]);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    expect(await page.$("dialog[open]")).toBe(null);
    expect(notes).toEqual([]);
  });

  it("shows the lists and what was opened last before anything is typed, and closes by a button", async () => {
    const page = await open("/api/v1/docs/");
    await openFind(page);
    await page.waitForSelector(".find a");
    const lists = await found(page);
    expect(lists.length).toBe(edgeNetwork.lists.length);
    expect(lists[0]).toMatch(/^List .* GET /);
    await page.keyboard.type("invalid_limit");
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    await page.evaluate(`document.querySelector(".find input").value = ""`);
    await page.keyboard.type(" ");
    expect(await found(page)).toEqual(["invalid_limit 400", ...lists]);
    expect(await headings(page)).toEqual(["Opened last", "Operations"]);
    await page.click(".find button");
    expect(await page.$("dialog[open]")).toBe(null);
  });

  it.each([
    ["curser", "cursor"],
    ["cusror", "cursor"],
    ["invalid_limt", "invalid_limit"],
    ["invaalid_limit", "invalid_limit"],
  ])("forgives one wrong letter: %s", async (typed, meant) => {
    const page = await open("/api/v1/docs/");
    await openFind(page);
    await page.keyboard.type(typed);
    await page.waitForSelector(".find a");
    expect((await found(page))[0]).toContain(meant);
  });

  it("limits the page of changes to one list, which its address keeps", async () => {
    const page = await open("/api/v1/docs/changes");
    const seen = () =>
      page.$$eval(".build h2, .build h3, .announced", (all) =>
        all.filter((element) => element.checkVisibility()).map(({ textContent }) => textContent),
      );
    const newest = "2026-01-03 00:00 UTC";
    const oldest = "2026-01-02 00:00 UTC";
    const notice = "The filter zone of regions is deprecated as of 2026-01-02.";
    const all = [newest, notice, "nodes", "regions", oldest, "nodes"];
    expect(await seen()).toEqual(all);
    const options = await page.$$eval(".choice option", (all) => all.map(({ textContent }) => textContent));
    expect(options).toEqual(["Everything", "nodes", "regions"]);
    await page.select(".choice select", "regions");
    expect(await seen()).toEqual([newest, notice, "regions"]);
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/changes?list=regions`);
    await page.reload();
    expect(await seen()).toEqual([newest, notice, "regions"]);
    await page.select(".choice select", "nodes");
    expect(await seen()).toEqual([newest, "nodes", oldest, "nodes"]);
    await page.select(".choice select", "Everything");
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/changes`);
    await page.goto(`${site.origin}/api/v1/docs/changes?list=unknown`);
    expect(await seen()).toEqual(all);
    await expectToFit(page, [320, 768, 1440], async () => {
      expect(await page.$eval(".choice select", (select) => select.checkVisibility())).toBe(true);
    });
    await expectAccessible(page);
    expect(notes).toEqual([]);
  });

  it("names an operation before what belongs to it", async () => {
    const page = await open("/api/v1/docs/");
    await openFind(page);
    await page.keyboard.type(String(paged));
    await page.waitForSelector(".find a");
    expect((await found(page))[0]).toMatch(new RegExp(`^List ${paged} `));
  });

  describe("where there is nothing", () => {
    let server: PageServer;

    beforeAll(async () => {
      const plan = await planSample(path.join(folder, "lost"), { count: 3, pageSizes: [5] });
      const documents = documentsIn(plan);
      const lost = documents.find(({ path: at }) => at === "/api/v1/docs/404");
      const body = Buffer.concat([...(lost?.parts() ?? [])]);
      const headers = { "Content-Type": "text/html; charset=utf-8" };
      server = await serve(documents, () => ({ status: 404, headers, body }));
    });

    afterAll(() => server.stop());

    it("says what was asked for", async () => {
      const page = await open(`/api/v1/docs/data/${paged}/lst/999`, { origin: server.origin });
      await page.waitForSelector(".asked code");
      expect(await textOf(page, ".asked")).toBe(`/api/v1/docs/data/${paged}/lst/999`);
      await expectToFit(page, [320, 1440]);
      await expectAccessible(page);
      expect(notes.filter((note) => !note.includes("404"))).toEqual([]);
    });

    it.each([
      [`/api/v1/docs/data/${paged}/?q=x#y`, `/api/v1/docs/data/${paged}?q=x#y`],
      ["/api/v1/docs?q=x", "/api/v1/docs/?q=x"],
    ])("leads from %s to %s", async (asked, to) => {
      const page = await open(asked, { origin: server.origin });
      await page.waitForFunction(`location.href === ${JSON.stringify(server.origin + to)}`);
    });

    it("leads on without a script", async () => {
      const page = await open("/api/v1/docs/nope", { origin: server.origin, scripts: false });
      expect(await page.$$eval(".asked", (all) => all.filter((one) => one.checkVisibility()))).toEqual([]);
      const links = await page.$$eval("main a", (all) => all.map((link) => link.getAttribute("href")));
      expect(links).toEqual(
        expect.arrayContaining(["/api/v1/docs/", "/api/v1/docs/data", `/api/v1/docs/data/${paged}`]),
      );
      for (const link of links) expect((await fetch(`${server.origin}${link}`)).status).toBe(200);
      await expectToFit(page, [320, 1440]);
    });
  });

  it("folds the contents of a phone after a jump", async () => {
    const page = await open("/", { width: 390 });
    const isOpen = () => page.evaluate(`document.querySelector(".folded").open`);
    await page.click(".folded summary");
    expect(await isOpen()).toBe(true);
    await page.click('.folded a[href="#errors"]');
    expect(await isOpen()).toBe(false);
    expect(await addressOf(page)).toMatch(/#errors$/);
    const edgeOf = (selector: string, edge: string): Promise<unknown> =>
      page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().${edge}`);
    const top = await edgeOf("#errors", "top");
    expect(top).toBeGreaterThan(Number(await edgeOf(".folded", "bottom")));
    expect(top).toBeLessThan(200);
  });

  it.each([
    ["2026-01-01T00:00:30Z", "just now"],
    ["2025-12-31T22:59:00Z", "in 1 hour"],
    ["2028-02-01T00:00:00Z", "2 years ago"],
  ])("shows the age of a time at %s: %s", async (now, age) => {
    const page = await open("/api/v1/docs/own", { before: clock(now) });
    const shown = () =>
      page.evaluate(`[...document.querySelectorAll("time")].map((time) =>
        [time.dataset.age, getComputedStyle(time, "::after").content])`);
    const ages = [
      [`(${age})`, `"(${age})"`],
      ["", '""'],
    ];
    expect(await shown()).toEqual(ages);
    await page.evaluate("tick()");
    expect(await shown()).toEqual(ages);
    expect(notes).toEqual([]);
  });
});
