// Scripts that come late, or never: pages are shown without them, and nothing moves when they come.
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productsApi, writeProducts } from "../../test/content/products.ts";
import { isSkipped, openInTest, type PageAnswer, type PageServer, serveInTest } from "../../test/documents/browser.ts";
import { documentsIn, planOf, planSample, temporaryFolder } from "../../test/documents/source.ts";
import { listOf } from "../../test/edge-network.ts";
import type { Document } from "../files/document.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** Serves documents under a long name of this machine. The scripts are not answered before `release` is called. */
async function serveLate(documents: readonly Document[]): Promise<PageServer & { release: () => void }> {
  const scripts = new Map(
    documents.flatMap((document) => (document.path.endsWith(".js") ? [[document.path, document] as const] : [])),
  );
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const others = documents.filter(({ path }) => !scripts.has(path));
  const server = await serveInTest(others, async (url): Promise<PageAnswer> => {
    const script = scripts.get(url);
    if (script === undefined) return { status: 404, body: "" };
    await released;
    return { headers: { "Content-Type": script.contentType }, body: Buffer.concat([...script.parts()]) };
  });
  const origin = server.origin.replace("127.0.0.1", "a-host-with-a-rather-long-name.localhost");
  return { ...server, origin, release };
}

/** Records the elements that Chromium reports as moved. */
const observe = `
window.shifts = [];
const keep = (entries) => {
  for (const { value, sources } of entries) {
    const names = sources.map(({ node, previousRect: before, currentRect: after }) =>
      [node?.outerHTML?.slice(0, 80) ?? node?.textContent.slice(0, 80), before.x, before.y, after.x, after.y].join(" "));
    shifts.push([value, ...names].join("\\n  "));
  }
};
const observer = new PerformanceObserver((list) => keep(list.getEntries()));
observer.observe({ type: "layout-shift", buffered: true });
window.flush = () => { keep(observer.takeRecords()); return shifts; };`;

const painted = `performance.getEntriesByName("first-contentful-paint").length > 0`;
const nextFrame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** The places of all elements, also of those that are not in the window. */
const remember = `
window.places = [...document.querySelectorAll("body *")].flatMap((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return width === 0 || height === 0 ? [] : [{ element, x, y, height }];
}), 0`;
const moved = `places.flatMap(({ element, x, y, height }) => {
  if (!element.isConnected) return [];
  const now = element.getBoundingClientRect();
  const isSame = [now.x - x, now.y - y].every((distance) => Math.abs(distance) < 1);
  return isSame ? [] : [[element.outerHTML.slice(0, 80), x, y, now.x, now.y].join(" ")];
}).slice(0, 5)`;

/** Opens a page with the reader's size of fonts, and waits until it is shown, which no script may hold back. */
async function openLate(address: string, width: number, font: number, notes: string[] = []): Promise<Page> {
  const page = await openInTest("about:blank", { width, scripts: true, before: observe });
  page.on("pageerror", (error) => notes.push(String(error)));
  const client = await page.createCDPSession();
  await client.send("Page.setFontSizes", { fontSizes: { standard: font } });
  page.goto(address).catch(() => undefined);
  await page.waitForFunction(painted);
  return page;
}

describe.skipIf(isSkipped)("a page whose scripts come late", () => {
  const nodes = listOf("EdgeNode").name;
  let edge: readonly Document[];
  let products: readonly Document[];
  let german: readonly Document[];

  beforeAll(async () => {
    const plan = await planSample(path.join(folder, "edge"), { count: 130, pageSizes: "every" });
    const at = "2026-01-01T00:00:00Z";
    const added = { added: ["a"], changed: [], removed: [] };
    const change = { at, build: "b", collections: { [nodes]: added }, documents: ["status"] };
    const changes = { object: "changes", since: at, build: "a", data: [change] } as const;
    const documents = documentsIn(plan, { changes });
    const lost = documents.filter(({ path: at }) => at === "/api/v1/docs/404");
    edge = [...documents, ...lost.map((document) => ({ ...document, path: "/api/v1/docs/gone/status-limit" }))];
    writeProducts(path.join(folder, "products"));
    writeFileSync(path.join(folder, "products", "introduction.md"), "# More\n\n```sh\nnpm install something\n```\n");
    const productsPlan = await planOf(path.join(folder, "products"), productsApi);
    products = documentsIn(productsPlan);
    const germanPlan = await planSample(path.join(folder, "german"), { count: 130, pageSizes: "every" }, (to) =>
      writeFileSync(path.join(to, "api.yaml"), "page_sizes: every\nlanguage: de\n"),
    );
    german = documentsIn(germanPlan);
  });

  const table = `docs/data/${nodes}`;
  /** The layouts of a phone and of a wide screen, each with its large font, and each other page in one of them. */
  const places = [
    ["the reference", 390, "docs/", "edge", 16],
    ["the reference", 1440, "docs/", "edge", 16],
    ["the reference in a large font", 390, "docs/", "edge", 24],
    ["a table", 390, table, "edge", 16],
    ["a table", 1440, table, "edge", 16],
    ["a table in a large font", 1440, table, "edge", 24],
    ["the index of data", 768, "docs/data", "edge", 16],
    ["the network page", 390, "docs/network", "edge", 16],
    ["the changes", 1440, "docs/changes", "edge", 16],
    ["the page for what does not exist", 390, "docs/gone/status-limit", "edge", 16],
    ["a reference with filters that exclude one another", 390, "docs/", "products", 16],
    ["a reference with filters that exclude one another", 1440, "docs/", "products", 16],
    ["a short table", 1440, "docs/data/builds", "products", 16],
    ["a table in another language", 390, table, "german", 16],
  ] as const;

  it.each(places)("%s at %i pixels is shown without them, and stays where it is", async (_, width, place, of, font) => {
    const notes: string[] = [];
    const site = await serveLate({ edge, products, german }[of]);
    const page = await openLate(`${site.origin}/api/v1/${place}`, width, font, notes);
    expect(await page.$eval("h1", (title) => title.checkVisibility() && title.innerText !== "")).toBe(true);
    await page.evaluate(remember);
    site.release();
    await page.waitForSelector(".finder button");
    if (place.includes("gone")) await page.waitForSelector(".asked code");
    if (place.includes("data/")) await page.waitForSelector(".tools input");
    if (of === "german") expect(await page.$eval("tbody time", (time) => time.innerText)).toMatch(/^\d+\.\d+\./);
    await page.evaluate(nextFrame);
    expect(await page.evaluate(moved)).toEqual([]);
    expect(await page.evaluate("flush()")).toEqual([]);
    // Its script asks whether there is something at the address with a slash at its end.
    const asked = (note: string) => place.includes("gone") && note.includes("404");
    expect(notes.filter((note) => !asked(note))).toEqual([]);
  });

  it("can be read and used when they never come", async () => {
    const site = await serveLate(edge);
    const page = await openLate(`${site.origin}/api/v1/docs/`, 1440, 16);
    await page.click("label[for=first--1]");
    const samples = await page.$$eval(".tabs:first-of-type pre", (all) =>
      all.map((element) => element.checkVisibility({ visibilityProperty: true })),
    );
    expect(samples.slice(0, 2)).toEqual([false, true]);
    await page.click('.side a[href="#errors"]');
    expect(await page.$eval("#errors", (heading) => heading.getBoundingClientRect().top)).toBeLessThan(100);
    const rows = await openLate(`${site.origin}/api/v1/${table}`, 390, 16);
    expect(await rows.$$eval("tbody tr", (all) => all.filter((row) => row.checkVisibility()).length)).toBe(100);
    await rows.click(".facets summary");
    await Promise.all([rows.waitForNavigation({ waitUntil: [] }), rows.click(".facets ul a")]);
    expect(rows.url()).toMatch(new RegExp(`/${table}\\?\\w+=\\w+$`));
  });
});
