import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { reference } from "../../../src/index.ts";
import {
  addressOf,
  expectToFit,
  isSkipped,
  layouts,
  openInTest,
  type PageServer,
  serve,
  serveInTest,
  type View,
} from "../../../test/documents/browser.ts";
import { planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";
import type { Document } from "../../files/document.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const makers = defineCollection({
  purpose: "Makers, by name.",
  schema: z.strictObject({ id: z.string(), name: z.string() }),
  key: "id",
});

const parts = defineCollection({
  purpose: "Parts, with texts that no line holds.",
  schema: z.strictObject({
    id: z.string(),
    first_of_two_fields_with_a_long_name: z.string(),
    maker: reference("makers"),
    text: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    size: z.number(),
    sold: z.boolean(),
  }),
  key: "id",
  filters: { maker: "maker", where_in_the_world_it_is_sold_now: "sold" },
});

const fillers = Array.from({ length: 16 }, (_, index) => `field_${index}`);

/** 22 fields. */
const liveParts = defineCollection({
  purpose: "Parts.",
  schema: z.strictObject({
    id: z.string(),
    maker: reference("makers"),
    name: z.string(),
    site: z.string().nullable(),
    size: z.number().nullable(),
    tags: z.array(z.string()),
    ...Object.fromEntries(fillers.map((name) => [name, z.string().nullable()])),
  }),
  key: "id",
  filters: { maker: "maker", first: ({ id }) => String(id).slice(0, 1) },
  noun: { one: "part", many: "parts" },
});

describe.skipIf(isSkipped)("a data page in Chromium", () => {
  let site: PageServer;

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(value));
    write("api", { title: "متجر القطع", page_sizes: [100] });
    const names = Array.from({ length: 40 }, (_, index) => ({ id: `m${index}`, name: index === 0 ? "صانع" : "Maker" }));
    write("makers", names);
    const items = Array.from({ length: 120 }, (_, index) => ({
      id: index % 2 === 0 ? `p${index}` : `part.${"abcdefghijklmnopqrstuvwxyz".repeat(3)}.${index}`,
      first_of_two_fields_with_a_long_name: index === 0 ? "قطعة غيار" : "unbreakable".repeat(index % 9),
      maker: `m${index % 40}`,
      text: index === 2 ? `${"word ".repeat(40)}<script>` : "A few short words",
      created_at: "2026-11-20T09:00:00Z",
      updated_at: "2026-11-20T09:00:00.000Z",
      size: 10 ** (index % 12),
      sold: index % 3 === 0,
    }));
    write("parts", items);
    const others = Array.from({ length: 12 }, (_, index) => [`list-of-other-things-${index}`, makers] as const);
    for (const [name] of others) write(name, []);
    const api = completeApi(defineApi({ collections: { makers, parts, ...Object.fromEntries(others) } }));
    const { documents } = await planOf(folder, api);
    site = await serve(documents);
  });

  afterAll(() => site.stop());

  const open = (view: Partial<View> = {}, notes: string[] = []) =>
    openInTest(`${site.origin}/api/v1/docs/data/parts`, view, notes);

  it.each(layouts(320, 360, 768, 900, 1440))(
    "fits $widths pixels, $scheme, without a script, a complaint or a request to elsewhere",
    async ({ scheme, widths }) => {
      const notes: string[] = [];
      const page = await open({ width: 320, scheme }, notes);
      expect(notes).toEqual([]);
      await expectToFit(page, widths, async (width) => {
        const [isScrolled, left] = (await page.evaluate(`(() => {
          const box = document.querySelector(".scroll");
          box.scrollLeft = 100;
          return [box.scrollLeft > 0, box.querySelector("tbody th").getBoundingClientRect().left];
        })()`)) as readonly [boolean, number];
        expect(isScrolled).toBe(width < 900);
        // The first column stays.
        if (isScrolled) expect(left).toBe(0);
      });
    },
  );

  it("folds a long text on the screen, opens it by keyboard, and prints all of it", async () => {
    const page = await open();
    const height = () => page.$eval("#row-p2 td details", (details) => details.clientHeight);
    const folded = await height();
    await page.emulateMediaType("print");
    expect(await height()).toBeGreaterThan(folded);
    await page.emulateMediaType("screen");
    await page.focus("#row-p2 td summary");
    await page.keyboard.press("Enter");
    expect(await height()).toBeGreaterThan(folded);
    expect(await page.$eval("#row-p2 td details", (details) => details.textContent)).toContain("word <script>");
  });
});

/** Waits until the heading of the table is a text. */
const headed = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector("#items").textContent === ${JSON.stringify(text)}`, {
    timeout: 120_000,
  });

const keysShown = (page: Page) => page.$$eval("tbody th", (heads) => heads.map(({ textContent }) => textContent));

describe.skipIf(isSkipped)("the script of a table", () => {
  let documents: readonly Document[];
  let site: PageServer;

  beforeAll(async () => {
    const content = path.join(folder, "live");
    mkdirSync(content, { recursive: true });
    const write = (name: string, value: unknown) =>
      writeFileSync(path.join(content, `${name}.json`), JSON.stringify(value));
    write("makers", [
      { id: "m1", name: "Zürich <b>Works</b>" },
      { id: "m2", name: "Acme" },
    ]);
    const hostile = `"><img src=x onerror=alert(1)>${"x".repeat(200)}`;
    write(
      "parts",
      Array.from({ length: 250 }, (_, index) => ({
        id: `p${String(index).padStart(3, "0")}`,
        maker: index % 5 === 0 ? "m1" : "m2",
        name: index === 7 ? hostile : index === 240 ? 'Gérman, "quoted"' : index === 3 ? "Aiger" : `Part ${index}`,
        site: index === 7 ? "javascript:alert(1)" : null,
        size: index === 9 ? null : 1000 - index,
        tags: index === 7 ? [] : ["a"],
        ...Object.fromEntries(fillers.map((name) => [name, index === 9 ? null : name])),
      })),
    );
    const api = completeApi(defineApi({ collections: { makers, parts: liveParts } }));
    ({ documents } = await planOf(content, api));
    site = await serve(documents, () => ({ status: 404, body: "{}" }));
  });

  afterAll(() => site.stop());

  const open = (target: string, notes: string[], width = 1440) =>
    openInTest(`${site.origin}/api/v1/docs/data/${target}`, { width, scripts: true }, notes);

  it("finds, filters, sorts and opens by keyboard, and keeps what it shows in the address", async () => {
    const notes: string[] = [];
    const page = await open("parts", notes);
    expect(site.asked.some((path) => path.includes("/dumps/"))).toBe(false);
    await page.focus(".tools input");
    // Words that start with the text come before those that contain it, without case and accents.
    await page.keyboard.type("GER");
    await headed(page, "2 parts");
    expect(await keysShown(page)).toEqual(["p240", "p003"]);
    await page.waitForFunction('location.search === "?q=GER"');
    await page.focus("#row-p240 th a");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".opened");
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/data/parts?q=GER#row-p240`);
    expect(await page.$$eval(".opened dt", (terms) => terms.length)).toBe(6 + fillers.length);
    // A shared address shows the same. The script does not know the values of functions, and claims none.
    const shared = await open("parts?maker=m1&first=x&sort=-size&page=1", notes);
    await headed(shared, "50 parts");
    expect(await shared.$eval(".chosen", (links) => links.textContent)).toBe("maker: Zürich <b>Works</b> (m1) ×");
    expect((await keysShown(shared)).slice(0, 2)).toEqual(["p000", "p005"]);
    await shared.focus(`th[data-path=size] .sort`);
    await shared.keyboard.press("Enter");
    await shared.waitForFunction('!location.search.includes("sort")');
    expect(await shared.$eval(".same code", (code) => code.textContent)).toBe(
      `curl "${site.origin}/api/v1/parts?maker=m1"`,
    );
    await shared.focus(".chosen a");
    await shared.keyboard.press("Enter");
    await headed(shared, "250 parts");
    await shared.goBack();
    await headed(shared, "50 parts");
    expect(notes).toEqual([]);
  });

  it("prints the names of the columns, and nothing to press", async () => {
    const page = await open("parts?maker=m1&sort=-size", [], 718);
    await headed(page, "50 parts");
    const names = await page.$$eval("thead th", (heads) => heads.map(({ dataset }) => dataset["path"]));
    await page.emulateMediaType("print");
    // innerText is the rendered text.
    const printed = await page.$$eval("thead th", (heads) =>
      heads.map((head) => (head.checkVisibility() ? head.innerText.trim() : "")),
    );
    expect(printed).toEqual(names);
    const controls = await page.$$eval(
      "button:not(.sort), input, select, nav:not(.pages), .facets a, .chosen a, .pages a, thead a",
      (all) => all.filter((element) => element.checkVisibility()).map(({ outerHTML }) => outerHTML),
    );
    expect(controls).toEqual([]);
    expect(await page.$$eval("tbody tr", (rows) => rows.filter((row) => row.checkVisibility()).length)).toBe(50);
  });

  it("finds a row on whichever page it is, and tells what refers to an item", async () => {
    const notes: string[] = [];
    const page = await open("parts#row-p240", notes);
    await page.waitForSelector(".opened");
    expect(await page.$eval(".pages span", (range) => range.textContent)).toBe("201 to 250 of 250");
    const head = await page.$eval("#row-p240", (row) => row.getBoundingClientRect().top);
    const bar = await page.$eval("thead th", (cell) => cell.getBoundingClientRect().bottom);
    expect(head).toBeGreaterThanOrEqual(bar);
    const maker = await open("makers#row-m1", notes);
    await maker.waitForSelector(".referrers a");
    expect(await maker.$eval(".referrers", (line) => line.textContent)).toBe("Referred to by 50 parts");
    await Promise.all([maker.waitForNavigation(), maker.click(".referrers a")]);
    await headed(maker, "50 parts");
    expect(notes).toEqual([]);
  });

  it("shows that the items cannot be loaded, and leaves the pages of lists with too many as they are", async () => {
    const edited = (change: (text: string) => string) =>
      documents
        .filter(({ path }) => !path.includes("/dumps/"))
        .map((document) =>
          document.path.startsWith("/api/v1/docs/data/")
            ? { ...document, parts: () => [Buffer.from(change(Buffer.concat([...document.parts()]).toString()))] }
            : document,
        );
    const failing = await serveInTest(edited(String), () => ({ status: 503, body: "" }));
    const page = await openInTest(`${failing.origin}/api/v1/docs/data/parts?maker=m1`, { scripts: true });
    await headed(page, "The items cannot be loaded: /api/v1/dumps/parts.ndjson was answered with the status 503.");
    const large = await serveInTest(edited((text) => text.replace('<div class="tools"></div>\n', "")));
    const other = await openInTest(`${large.origin}/api/v1/docs/data/parts`, { scripts: true });
    expect(await other.$(".tools")).toBe(null);
    await Promise.all([other.waitForNavigation(), other.click(".pages a")]);
    expect(other.url()).toBe(`${large.origin}/api/v1/docs/data/parts/2`);
  });

  it.each([320, 390, 1440])("shows hostile texts as texts at %i pixels, in rows that are open", async (width) => {
    const notes: string[] = [];
    const page = await open("parts?sort=size#row-p007", notes, width);
    await page.waitForSelector(".opened");
    expect(await page.$eval("#row-p007", (row) => row.nextElementSibling?.innerHTML)).not.toMatch(
      /<img|href="javascript/,
    );
    await page.goto(`${site.origin}/api/v1/docs/data/parts?q=p009#row-p009`);
    await page.waitForSelector(".opened");
    expect(await page.$$eval("#row-p009 .type", (nulls) => nulls.map(({ textContent }) => textContent))).toContain(
      "null",
    );
    await expectToFit(page, [width]);
    expect(notes).toEqual([]);
  });
});
