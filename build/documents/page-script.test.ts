// The script of the pages in a real browser: by pointer and by keyboard, and under the strict policy.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  expectToFit,
  isSkipped,
  layouts,
  openBrowser,
  openPage,
  type PageAnswer,
  type PageServer,
  serve,
  type View,
} from "../../test/documents/browser.ts";
import { planSample, sourceOf, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { type Document, textDocument } from "../document.ts";
import { html, pageHtml } from "./html.ts";
import { referenceDocuments } from "./reference.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const [paged, unpaged] = [true, false].map((isPaged) => edgeNetwork.lists.find((list) => list.paged === isPaged)?.name);

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0h9v9z"/></svg>';

const shown = '{"state":"fine"}';

/** A page with what the script looks for. */
const declared: Document = textDocument(
  "/api/v1/docs/own",
  "text/html; charset=utf-8",
  String(
    pageHtml(
      { api: edgeNetwork, changes: undefined },
      {
        ...{ title: "Own", shortTitle: "Own", description: "Own", body: html`<body class="page">`, top: html`` },
        content: html`<h1>Own</h1>
<p id="watch" data-watch="/api/v1/state" data-shown="${shown}"></p>
<p><time datetime="2026-01-01T00:00:00Z">1 January</time>, <time datetime="never">never</time></p>
<pre><code>a &lt; b</code></pre>`,
      },
    ),
  ),
  "own.html",
);

/** Replaces the clock, and keeps the timer for the test. */
const clock = (now: string) =>
  `const start = Date.parse("${now}"); Date.now = () => start; window.setInterval = (run) => { window.tick = run; };`;

describe.skipIf(isSkipped)("the script of the pages in Chromium", () => {
  let browser: Browser;
  let site: PageServer;
  let answer: PageAnswer;
  let notes: string[];

  beforeAll(async () => {
    const plan = await planSample(folder, { count: 30, pageSizes: "every" }, (to) => {
      // The palest accent that passes the check.
      writeFileSync(path.join(to, "api.yaml"), 'logo: logo.svg\naccent: "#9c5d00"\n');
      writeFileSync(path.join(to, "logo.svg"), logo);
    });
    site = await serve([...referenceDocuments(sourceOf(plan)), declared], () => answer);
    browser = await openBrowser();
    await browser
      .defaultBrowserContext()
      .overridePermissions(site.origin, ["clipboard-read", "clipboard-sanitized-write"]);
  });

  afterAll(() => site.stop());

  beforeEach(() => {
    notes = [];
    answer = { body: "[]" };
  });

  async function open(where = "/", view: Partial<View> = {}): Promise<Page> {
    const page = await openPage(
      browser,
      `${site.origin}${where}`,
      { width: 1440, scheme: "light", scripts: true, ...view },
      notes,
    );
    onTestFinished(() => page.close());
    return page;
  }

  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (element) => element.textContent ?? "");

  const status = (page: Page) => textOf(page, "[role=status]");

  it.each(layouts(360, 390, 768, 1280, 1440))(
    "fits $widths pixels, $scheme, with everything that the script adds",
    async ({ scheme, widths }) => {
      const page = await open("/", { scheme });
      const logos = await page.$$eval(".brand img", (images) => images.map((image) => image.naturalWidth));
      expect(logos).toEqual([9]);
      answer = { body: JSON.stringify({ text: "long ".repeat(500) }) };
      await page.$eval("form.try", (form) => form.requestSubmit());
      await page.waitForSelector(".result pre");
      await expectToFit(page, widths, async () => {
        const cut = await page.$$eval(
          "pre",
          (blocks) => blocks.filter((pre) => pre.scrollWidth > pre.clientWidth).length,
        );
        expect(cut).toBe(0);
      });
      expect(notes).toEqual([]);
    },
  );

  it("copies a block of code, also by keyboard, and announces it", async () => {
    const page = await open();
    expect(await page.$$eval("pre", (blocks) => blocks.every((pre) => pre.querySelector("button") !== null))).toBe(
      true,
    );
    const code = await textOf(page, "pre code");
    await page.focus("pre button");
    expect(await page.evaluate(`getComputedStyle(document.querySelector("pre button")).outlineStyle`)).toBe("solid");
    await page.keyboard.press("Enter");
    await page.waitForFunction(`document.querySelector("pre button").textContent === "Copied"`);
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(code);
    expect(await status(page)).toBe("Copied");
    await page.waitForFunction(`document.querySelector("pre button").textContent === "Copy"`);
  });

  it("says that it could not copy", async () => {
    const page = await open("/", { before: "navigator.clipboard.writeText = () => Promise.reject(new Error('No.'))" });
    await page.click("pre button");
    await page.waitForFunction(`document.querySelector("pre button").textContent === "Not copied"`);
    expect(await status(page)).toBe("Not copied");
  });

  it("has no buttons to copy if the browser has no clipboard", async () => {
    const page = await open("/", { before: "Object.defineProperty(navigator, 'clipboard', { value: undefined })" });
    expect(await page.$("pre button")).toBe(null);
    expect(notes).toEqual([]);
  });

  const languagesOf = (page: Page) =>
    page.$$eval(".tabs input:checked + label", (labels) => [...new Set(labels.map((each) => each.textContent))]);

  it("chooses a language in all sections, and remembers it", async () => {
    const page = await open();
    expect(await languagesOf(page)).toEqual(["curl"]);
    await page.focus("#first-0");
    await page.keyboard.press("ArrowRight");
    expect(await languagesOf(page)).toEqual(["JavaScript"]);
    await page.reload();
    expect(await languagesOf(page)).toEqual(["JavaScript"]);
    await page.evaluate("localStorage.clear()");
  });

  it("chooses a language if the browser refuses storage", async () => {
    const before = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('No.'); } })";
    const page = await open("/", { before });
    await page.click("label[for=first-1]");
    expect(await languagesOf(page)).toEqual(["JavaScript"]);
    expect(notes).toEqual([]);
  });

  it("shows a response in place", async () => {
    answer = { body: '{"data":["é"]}', headers: { "Cache-Control": "no-store", ETag: '"abc"' } };
    const page = await open();
    const form = `form[action="/api/v1/${paged}"]`;
    await page.$eval(`${form} input`, (input) => input.select());
    await page.type(`${form} input`, "7");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${form} + .result pre`);
    expect(page.url()).toBe(`${site.origin}/`);
    expect(await textOf(page, ".result .caption")).toMatch(
      new RegExp(`^200 \\d+ ms, 15 bytes /api/v1/${paged}\\?limit=7$`),
    );
    expect(await page.$eval(".result a", (link) => link.href)).toBe(`${site.origin}/api/v1/${paged}?limit=7`);
    const facts = await page.$$eval(".result .facts > div", (rows) => rows.map((row) => row.textContent));
    expect(facts).toEqual(["Cache-Controlno-store", 'ETag"abc"', "Content-Typeapplication/json"]);
    expect(await textOf(page, ".result code")).toBe('{\n  "data": [\n    "é"\n  ]\n}');
    expect(await status(page)).toMatch(/^Status 200, \d+ ms, 15 bytes$/);
    await page.click(`${form} button`);
    await page.waitForFunction(`document.querySelectorAll(".result pre").length === 1`);
  });

  it.each([
    [400, '{"code":"invalid_limit"}', '{\n  "code": "invalid_limit"\n}'],
    [404, "<h1>Not found</h1>", "<h1>Not found</h1>"],
  ])("shows an error in place: %s", async (code, body, text) => {
    answer = { status: code, body };
    const page = await open();
    const link = `.try > a[href="/api/v1/${unpaged}"]`;
    await page.focus(`${link} + button`);
    await page.keyboard.press("Space");
    await page.waitForSelector(".result pre");
    expect(await textOf(page, ".result .bad")).toBe(String(code));
    expect(await textOf(page, ".result code")).toBe(text);
    expect(await page.$eval(link, (each) => each.textContent)).toBe(`Open /api/v1/${unpaged}`);
  });

  it("says that the server cannot be reached", async () => {
    const page = await open();
    await page.setOfflineMode(true);
    await page.click("form.try button");
    await page.waitForFunction(`document.querySelector(".result")?.textContent.startsWith("No response")`);
    expect(await textOf(page, ".result")).toMatch(/^No response: the server cannot be reached\. \/api\/v1\/\w+\?/);
    expect(await status(page)).toMatch(/^No response/);
  });

  it("replaces the address of the host by the origin of the page", async () => {
    const page = await open();
    const blocks = await page.$$eval("pre code", (codes) => codes.map((each) => each.textContent).join("\n"));
    expect(blocks).toContain(`"${site.origin}/api/v1/`);
    expect(blocks).toContain(`requests.get(\n  "${site.origin}/api/v1/`);
    expect(await textOf(page, ".facts .copy")).toBe(`${site.origin}/api/v1`);
    expect(await textOf(page, "main")).not.toMatch(/HOST/);
  });

  it("filters the contents, fields and errors, and leads to them by keyboard", async () => {
    const page = await open();
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.className")).toBe("filter");
    await page.keyboard.type("INVALID_L");
    const found = () => page.$$eval(".side .found a", (links) => links.map((each) => each.textContent));
    expect(await found()).toEqual(["invalid_limit Errors"]);
    expect(await page.$$eval(".side ul:not(.found)", (lists) => lists.some((each) => each.checkVisibility()))).toBe(
      false,
    );
    expect(await status(page)).toBe("1 found");
    await page.keyboard.press("Enter");
    expect(page.url()).toMatch(/#error-invalid_limit$/);
    await page.focus(".side .filter");
    await page.keyboard.type("/");
    expect(await page.$eval(".side .filter", (input) => Object(input).value)).toBe("INVALID_L/");
    expect(await found()).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await page.$$eval(".side ul:not(.found)", (lists) => lists.every((each) => each.checkVisibility()))).toBe(
      true,
    );
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  });

  it("finds operations and fields, the latter with their resource", async () => {
    const page = await open();
    await page.type(".side .filter", `${paged}`);
    const found = await page.$$eval(".side .found a", (links) => links.map((each) => each.textContent));
    expect(found).toContain(`GET ${paged}`);
    await page.keyboard.press("Escape");
    await page.type(".side .filter", "created_at");
    const fields = await page.$$eval(".side .found a", (links) => links.map((each) => each.textContent));
    expect(fields.length).toBeGreaterThan(1);
    expect(fields.every((each) => /^created_at [A-Z]\w+$/.test(each ?? ""))).toBe(true);
  });

  it("folds the contents of a phone after a jump, and opens them for the filter", async () => {
    const page = await open("/", { width: 390 });
    const isOpen = () => page.$eval(".folded", (details) => Object(details).open);
    expect(await isOpen()).toBe(false);
    await page.keyboard.press("/");
    expect(await isOpen()).toBe(true);
    await page.click('.folded a[href="#errors"]');
    expect(await isOpen()).toBe(false);
    expect(page.url()).toMatch(/#errors$/);
    const edgeOf = (selector: string, edge: string): Promise<unknown> =>
      page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().${edge}`);
    const top = await edgeOf("#errors", "top");
    expect(top).toBeGreaterThan(Number(await edgeOf(".folded", "bottom")));
    expect(top).toBeLessThan(200);
  });

  it.each([
    ["2026-01-01T00:00:30Z", "0 minutes ago"],
    ["2026-01-04T20:00:00Z", "3 days ago"],
    ["2025-12-31T22:59:00Z", "in 1 hour"],
    ["2028-02-01T00:00:00Z", "2 years ago"],
  ])("shows the age of a time at %s: %s", async (now, age) => {
    const page = await open("/api/v1/docs/own", { before: clock(now) });
    expect(await textOf(page, "time + .age")).toBe(`(${age})`);
    await page.evaluate("tick()");
    expect((await page.$$(".age")).length).toBe(1);
    expect(notes).toEqual([]);
  });

  it("asks every minute whether the page is out of date, unless it is hidden", async () => {
    answer = { body: '{ "state": "fine" }' };
    const page = await open("/api/v1/docs/own", { before: clock("2026-01-01T00:00:00Z") });
    const says = (text: string) =>
      page.waitForFunction(`document.querySelector("#watch").textContent.startsWith("${text}")`);
    const asked = () => site.asked.filter((each) => each === "/api/v1/state").length;
    await says("Checked at ");
    expect(await textOf(page, "#watch")).toMatch(/^Checked at \d\d:\d\d UTC: this page is up to date\.$/);
    expect(await status(page)).toBe("");

    answer = { body: '{"state":"bad"}' };
    const before = asked();
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true }); tick()");
    expect(asked()).toBe(before);
    await page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
    await says("The data on this page is out of date.");
    expect(asked()).toBe(before + 1);
    expect(await status(page)).toBe("The data on this page is out of date.");

    answer = { status: 503, body: "" };
    await page.evaluate("tick()");
    await says("The data could not be checked at ");
    await page.setOfflineMode(true);
    await page.evaluate("tick()");
    await says("The data could not be checked at ");
    await page.setOfflineMode(false);

    answer = { body: '{"state":"bad"}' };
    await page.evaluate("tick()");
    await says("The data on this page is out of date.");
    await Promise.all([page.waitForNavigation(), page.click("#watch button")]);
  });

  it("adds buttons to a page that has nothing else to extend", async () => {
    const page = await open("/api/v1/docs/own");
    await page.keyboard.press("/");
    expect(await textOf(page, "pre")).toBe("Copya < b");
    expect(notes).toEqual([]);
    await expectToFit(page, [1440]);
  });
});
