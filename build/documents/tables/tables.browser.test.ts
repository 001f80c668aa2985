import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection } from "../../../src/declare/declare.ts";
import { reference } from "../../../src/index.ts";
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
} from "../../../test/documents/browser.ts";
import { planOf, temporaryFolder } from "../../../test/documents/source.ts";
import { completeApi } from "../../declaration/complete.ts";
import type { Document } from "../../files/document.ts";
import { fileOfQuery, itemFile } from "../../routing/paths.ts";

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

/** 24 fields. */
const liveParts = defineCollection({
  purpose: "Parts.",
  schema: z.strictObject({
    id: z.string(),
    maker: reference("makers"),
    name: z.string(),
    site: z.string().nullable(),
    size: z.number().nullable(),
    tags: z.array(z.string()),
    grade: z.enum(["poor", "fair", "good"]),
    inner: z.strictObject({ colours: z.array(z.strictObject({ name: z.string(), hex: z.string() })) }),
    ...Object.fromEntries(fillers.map((name) => [name, z.string().nullable()])),
  }),
  key: "id",
  filters: { maker: "maker", last: ({ id }) => String(id).slice(-1), grade: "grade" },
  together: [["maker", "last"]],
  orders: { largest: ["-size"], size: ["-size"], name: [{ field: "name", fold: true }] },
  item: true,
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

  it("fits screens, without a script, a complaint or a request to elsewhere", async () => {
    const notes: string[] = [];
    const page = await open({ width: 320 }, notes);
    expect(notes).toEqual([]);
    await expectToFit(page, [1440, 900, 768, 360, 320], async (width) => {
      const [isScrolled, left] = (await page.evaluate(`(() => {
        const box = document.querySelector(".scroll");
        box.scrollLeft = 100;
        return [box.scrollLeft > 0, box.querySelector("tbody th").getBoundingClientRect().left];
      })()`)) as readonly [boolean, number];
      expect(isScrolled).toBe(width < 900);
      // The first column stays.
      if (isScrolled) expect(left).toBe(0);
    });
    await expectAccessibleInTheDark(page);
  });

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

/** Waits until the rows of these keys are the first ones. */
const firstShown = (page: Page, ...keys: readonly string[]) =>
  page.waitForFunction(
    `[...document.querySelectorAll("tbody th")].slice(0, ${keys.length}).map((head) => head.textContent).join() === "${keys}"`,
    { timeout: 120_000 },
  );

describe.skipIf(isSkipped)("the script of a table", () => {
  let plan: Awaited<ReturnType<typeof planOf>>;
  let documents: readonly Document[];
  let site: PageServer;
  /** Answers the requests of the API. */
  let answer: (url: string) => PageAnswer;

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
        grade: ["good", "poor", "fair"][index % 3],
        inner: { colours: [{ name: "Red", hex: "#f00" }] },
        ...Object.fromEntries(fillers.map((name) => [name, index === 9 ? null : name])),
      })),
    );
    const api = completeApi(defineApi({ collections: { makers, parts: liveParts } }));
    plan = await planOf(content, api);
    ({ documents } = plan);
    answer = (url) => {
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const isItem = pathname.split("/").length > 4;
      const document = plan.files.find(
        isItem ? itemFile("/api/v1/parts", pathname.split("/")[4] ?? "") : fileOfQuery(pathname, searchParams),
      );
      if (document === undefined) return { status: 404, body: "{}" };
      return { headers: { "Content-Type": "application/json" }, body: Buffer.concat([...document.parts()]) };
    };
    site = await serve(documents, answer);
  });

  afterAll(() => site.stop());

  const open = (target: string, notes: string[], width = 1440) =>
    openInTest(`${site.origin}/api/v1/docs/data/${target}`, { width, scripts: true }, notes);

  it("keeps what it shows in the address when the items come late", async () => {
    let send = (): void => undefined;
    const late = new Promise<void>((sent) => {
      send = sent;
    });
    const dump = documents.find(({ path: at }) => at === "/api/v1/dumps/parts.ndjson");
    const slow = await serveInTest(
      documents.filter((document) => document !== dump),
      async () => {
        await late;
        return { body: Buffer.concat([...(dump?.parts() ?? [])]) };
      },
    );
    const page = await openInTest(`${slow.origin}/api/v1/docs/data/parts`, { width: 1440, scripts: true }, []);
    await page.focus(".tools input");
    await page.keyboard.type("GER");
    await sleep(500);
    send();
    await page.waitForFunction('location.search === "?q=GER"', { timeout: 10_000 });
    expect(await keysShown(page)).toEqual(["p240", "p003"]);
  });

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
    expect(await page.$$eval(".opened dt", (terms) => terms.length)).toBe(8 + fillers.length);
    // A shared address shows the same.
    const shared = await open("parts?maker=m1&by=-size&page=1", notes);
    await headed(shared, "50 parts");
    expect(await shared.$eval(".chosen", (links) => links.textContent)).toBe("maker: Zürich <b>Works</b> (m1) ×");
    expect(await shared.title()).toMatch(/^maker: Zürich <b>Works<\/b> \(m1\) – Parts – /);
    expect((await keysShown(shared)).slice(0, 2)).toEqual(["p000", "p005"]);
    await shared.focus(`th[data-path=size] .sort`);
    await shared.keyboard.press("Enter");
    await shared.waitForFunction('!location.search.includes("by")');
    expect(await shared.$eval(".same code", (code) => code.textContent)).toBe(
      `curl -G \\\n  "${site.origin}/api/v1/parts" \\\n  -d maker=m1`,
    );
    await shared.focus(".chosen a");
    await shared.keyboard.press("Enter");
    await headed(shared, "250 parts");
    await shared.goBack();
    await headed(shared, "50 parts");
    expect(notes).toEqual([]);
  });

  it("prints the names of the columns, and nothing to press", async () => {
    const page = await open("parts?maker=m1&by=-size", [], 718);
    await headed(page, "50 parts");
    const names = await page.$$eval("thead th", (heads) => heads.map(({ dataset }) => dataset["path"]));
    await page.emulateMediaType("print");
    // innerText is the rendered text.
    const printed = await page.$$eval("thead th", (heads) =>
      heads.map((head) => (head.checkVisibility() ? head.innerText.trim() : "")),
    );
    expect(printed).toEqual(names);
    const controls = await page.$$eval(
      "button:not(.sort), input, select, nav:not(.pages), summary, .facets a, .chosen a, .pages a, thead a",
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

  it("shows that the items cannot be loaded", async () => {
    const others = documents.filter(({ path }) => !path.includes("/dumps/parts"));
    const failing = await serveInTest(others, () => ({ status: 503, body: "" }));
    const page = await openInTest(`${failing.origin}/api/v1/docs/data/parts?maker=m1`, { scripts: true });
    await headed(page, "The items cannot be loaded: /api/v1/dumps/parts.ndjson was answered with the status 503.");
  });

  it("has rows of 32 pixels, the first of them in the upper half of a window, and a menu for each filter", async () => {
    const page = await open("parts", []);
    await page.waitForSelector(".tools input");
    const rows = await page.$$eval("tbody tr", (all) =>
      all.slice(0, 7).map((row) => [row.getBoundingClientRect().top, row.getBoundingClientRect().height]),
    );
    expect(rows.map(([, height]) => height)).toEqual(rows.map(() => 32));
    expect(rows[0]?.[0]).toBeLessThan(450);
    const menus = await page.$$eval(".facets .menu", (all) => all.map((menu) => menu.getBoundingClientRect().top));
    expect(new Set(menus).size).toBe(1);
    expect(menus.length).toBe(4);
  });

  it("sorts the words of an enum in their order, and keeps the widths of the columns", async () => {
    const page = await open("parts?grade=good", []);
    await headed(page, "84 parts");
    const widths = () => page.$$eval("thead th", (heads) => heads.map((head) => head.getBoundingClientRect().width));
    const before = await widths();
    await page.focus(".tools input");
    await page.keyboard.type("part 24");
    await headed(page, "4 parts");
    expect(await widths()).toEqual(before);
    await page.goto(`${site.origin}/api/v1/docs/data/parts?by=-grade`);
    await firstShown(page, "p000", "p003");
    const values = await page.$$eval(".facets [data-param=grade] li a", (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(values).toEqual(["poor", "fair", "good"]);
  });

  it("remembers which columns a reader chose", async () => {
    const notes: string[] = [];
    const page = await open("parts", notes);
    await page.waitForSelector(".tools .menu");
    const heads = () => page.$$eval("thead th", (all) => all.map((head) => head.dataset["path"]));
    const before = await heads();
    expect(before).not.toContain("field_15");
    await page.click(".tools summary");
    await page.$$eval(".tools label", (labels) => {
      for (const label of labels) if (/ (?:field_15|name)$/.test(label.textContent)) label.click();
    });
    await page.waitForFunction(`document.querySelector("#row-p000").cells.length === ${before.length}`);
    const after = [...before.filter((path) => path !== "name"), "field_15"];
    expect(await heads()).toEqual(after);
    await page.reload();
    await page.waitForFunction('document.querySelector("#row-p000").textContent.includes("field_15")');
    expect(await heads()).toEqual(after);
    await page.click(".tools summary");
    await page.click(".tools .menu button");
    await page.waitForFunction('!document.querySelector("#row-p000").textContent.includes("field_15")');
    expect(await heads()).toEqual(before);
    expect(notes).toEqual([]);
  });

  it("says what excludes everything, with a button that removes it", async () => {
    const page = await open("parts?maker=m1&q=Aiger", []);
    await headed(page, "0 parts");
    expect(await page.$eval(".nothing p", (line) => line.textContent)).toBe("No parts with “Aiger”, maker: m1.");
    const buttons = await page.$$eval(".nothing button", (all) => all.map(({ textContent }) => textContent));
    expect(buttons).toEqual(["Without “Aiger”: 50 parts", "Without maker: m1: 1 part", "Clear all"]);
    expect(await page.$eval(".pages", (pages) => pages.textContent)).toBe("");
    await page.click(".nothing button:nth-of-type(2)");
    await headed(page, "1 part");
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/data/parts?q=Aiger`);
  });

  it("closes a row with Escape or a second press, and takes its address back", async () => {
    const page = await open("parts?page=2#row-p120", []);
    await page.waitForSelector(".opened");
    expect(
      await page.$$eval(".opened .nested .nested th", (heads) => heads.map(({ textContent }) => textContent)),
    ).toEqual(["name", "hex"]);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".opened", { hidden: true });
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/data/parts?page=2`);
    for (const length of [1, 0]) {
      await page.click("#row-p121 th a");
      await page.waitForFunction(`document.querySelectorAll(".opened").length === ${length}`);
    }
    expect(await addressOf(page)).toBe(`${site.origin}/api/v1/docs/data/parts?page=2`);
    await page.goto(`${site.origin}/api/v1/docs/data/parts#row-nope`);
    await page.waitForFunction('document.body.innerText.includes("There is no part nope in this table.")');
  });

  it("names the whole order beside a chosen value on a phone", async () => {
    const page = await open("parts?maker=m1", [], 390);
    await page.waitForSelector(".chosen a");
    expect(await page.$eval("[data-order]", (order) => order.scrollWidth - order.clientWidth)).toBe(0);
    await expectAccessible(page);
  });

  it("closes its menus with Escape or a press elsewhere", async () => {
    const page = await open("parts", []);
    await page.waitForSelector(".tools input");
    await page.click("[data-param=last] summary");
    await page.waitForSelector("[data-param=last] ul");
    const values = await page.$$eval("[data-param=last] li", (all) => all.map(({ textContent }) => textContent));
    expect(values.slice(0, 2)).toEqual(["0 25", "1 25"]);
    await page.keyboard.press("Escape");
    expect(await page.$(".menu[open]")).toBe(null);
    await page.click("[data-param=maker] summary");
    await page.click("h1");
    expect(await page.$(".menu[open]")).toBe(null);
    await page.click(".tools summary");
    await expectToFit(page, [320]);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    for (const width of [320, 768, 1000]) {
      await page.setViewport({ width, height: 900 });
      for (const menu of await page.$$(".bar summary")) {
        await menu.focus();
        await page.keyboard.press("Enter");
        await page.waitForFunction("document.querySelectorAll('.menu[open]').length === 1");
        expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      }
    }
  });

  it("loads the items of a value by a function, and filters, searches and sorts them as all others", async () => {
    const notes: string[] = [];
    const page = await open("parts?last=7", notes);
    await headed(page, "25 parts");
    expect((await keysShown(page)).slice(0, 2)).toEqual(["p007", "p017"]);
    expect(site.asked).toContain("/api/v1/parts?last=7");
    await page.click("[data-param=grade] summary");
    await page.click("[data-param=grade] li a");
    await headed(page, "9 parts");
    await page.click("thead [data-path=size] .sort");
    await firstShown(page, "p247", "p217");
    await page.focus(".tools input");
    await page.keyboard.type("24");
    await headed(page, "1 part");
    await page.waitForFunction('location.search === "?last=7&grade=poor&by=size&q=24"');
    expect(await page.$eval(".same [data-same]", (link) => link.textContent)).toContain("no single request");
    expect(notes).toEqual([]);
  });

  it("sorts by a column, ascending first, and by the order that has the name of the column", async () => {
    const page = await open("parts", []);
    await page.waitForSelector("thead .sort");
    const sort = () => page.click("thead [data-path=size] .sort");
    const sorted = async (search: string, line: string, ...keys: readonly string[]) => {
      await page.waitForFunction(`document.querySelector("[data-order]").textContent === "${line}"`);
      await firstShown(page, ...keys);
      expect(await page.evaluate("location.search")).toBe(search);
    };
    await sort();
    await sorted("?by=size", "Sorted by size", "p249", "p248");
    await sort();
    await sorted("?by=-size", "Sorted by size descending", "p000", "p001");
    await sort();
    await sorted("", "Sorted by id", "p000", "p001");
    await page.click("[data-param=sort] summary");
    await page.click("[data-sort=size]");
    await sorted("?sort=size", "Sorted by size", "p000", "p001");
    expect(await page.$eval("[data-path=size]", ({ ariaSort }) => ariaSort)).toBe("descending");
    expect(await page.$eval("[data-same]", (link) => link.href)).toBe(`${site.origin}/api/v1/parts?sort=size`);
    await page.goto(`${site.origin}/api/v1/docs/data/parts?sort=name`);
    const of = plan.files.find(fileOfQuery("/api/v1/parts", [["sort", "name"]]));
    const { data } = JSON.parse(Buffer.concat([...(of?.parts() ?? [])]).toString());
    await firstShown(page, ...data.map(({ id }: { readonly id: string }) => id));
  });

  it.each([
    ["parts?sort=nope", "250 parts", ""],
    ["parts?by=-nope", "250 parts", ""],
    ["parts#%", "250 parts", "There is no part % in this table."],
    ["parts#row-p%", "250 parts", "There is no part p% in this table."],
  ])("takes %s for what it is", async (target, heading, note) => {
    const page = await open(target, []);
    await page.waitForFunction(
      `document.querySelector(".shown + p").textContent === "${note}" && document.querySelector(".pages a") !== null`,
    );
    expect(await page.$eval("#items", (text) => text.textContent)).toBe(heading);
    expect(await page.$eval("[data-order]", (line) => line.textContent)).toBe("Sorted by id");
    expect((await keysShown(page)).slice(0, 2)).toEqual(["p000", "p001"]);
  });

  describe("of a list of more than 10 MB", () => {
    let large: PageServer;

    beforeAll(async () => {
      const content = path.join(folder, "large");
      mkdirSync(content, { recursive: true });
      const schema = z.strictObject({
        id: z.string(),
        kind: z.string(),
        size: z.int(),
        notes: z.array(z.strictObject({ text: z.string() })),
      });
      const declared = { purpose: "Things.", schema, key: "id", filters: { kind: "kind" } } as const;
      const collections = { things: defineCollection(declared), items: defineCollection({ ...declared, item: true }) };
      const notes = [{ text: "x".repeat(90_000) }];
      const items = Array.from({ length: 120 }, (_, index) => {
        const id = `t${String(index).padStart(3, "0")}`;
        return { id, kind: index > 116 ? "few" : "many", size: index % 2, notes };
      });
      for (const name of ["things", "items"]) writeFileSync(path.join(content, `${name}.json`), JSON.stringify(items));
      writeFileSync(path.join(content, "api.json"), JSON.stringify({ page_sizes: [100] }));
      const largePlan = await planOf(content, completeApi(defineApi({ collections })));
      large = await serve(largePlan.documents, (url) => {
        const { pathname, searchParams } = new URL(url, "http://localhost");
        const isItem = pathname.split("/").length > 4;
        const file = isItem
          ? itemFile("/api/v1/items", pathname.split("/")[4] ?? "")
          : fileOfQuery(pathname, searchParams);
        const body = Buffer.concat([...(largePlan.files.find(file)?.parts() ?? [])]);
        return { headers: { "Content-Type": "application/json" }, body };
      });
    });

    afterAll(() => large.stop());

    const openLarge = async (target: string) => {
      const page = await openInTest(`${large.origin}/api/v1/docs/data/${target}`, { scripts: true }, []);
      await page.waitForSelector(".tools input");
      return page;
    };
    const note = (page: Page) =>
      page.$eval(".shown + p", (line) => [line.textContent, line.querySelector("a")?.getAttribute("href")]);
    const canSearch = async (page: Page) => [
      (await page.$(".tools input[type=search]:enabled")) !== null,
      (await page.$$("thead .sort")).length > 0,
      await page.$eval("[data-many]", (line) => !line.checkVisibility({ visibilityProperty: true })),
    ];

    it("neither searches nor sorts the rows, and opens those that it has", async () => {
      const page = await openLarge("things");
      expect(await canSearch(page)).toEqual([false, false, false]);
      expect(await page.$eval(".pages", (line) => line.textContent)).toContain("1 to 100 of 120");
      await page.click("#row-t003 th a");
      await page.waitForSelector(".opened");
      expect(large.asked.some((asked) => asked.includes("/dumps/"))).toBe(false);
    });

    it("loads the items of a value if they are few enough, and then searches and sorts them", async () => {
      const page = await openLarge("things");
      await page.click("[data-param=kind] summary");
      await page.click("[data-param=kind] li:last-child a");
      await headed(page, "3 items of things");
      expect(await canSearch(page)).toEqual([true, true, true]);
      await page.click("thead [data-path=size] .sort");
      await firstShown(page, "t118", "t117", "t119");
      await page.focus(".tools input");
      await page.keyboard.type("nope");
      // Fewer letters find nothing either.
      await page.waitForFunction('document.querySelector(".nothing button")?.textContent.includes("nope")');
      await headed(page, "0 items of things");
      expect(await page.$$eval(".nothing button", (all) => all.map(({ textContent }) => textContent))).toEqual([
        "Without “nope”: 3 items of things",
        "Without kind: few",
        "Clear all",
      ]);
      await page.goto(`${large.origin}/api/v1/docs/data/things?kind=few#row-t118`);
      await page.waitForSelector("#row-t118 + .opened");
      expect(large.asked.some((asked) => asked.includes("/dumps/"))).toBe(false);
    });

    it("shows the first items of a value that has too many", async () => {
      const page = await openLarge("things?kind=many&q=t116&by=size&page=2");
      await headed(page, "117 items of things");
      expect(await canSearch(page)).toEqual([false, false, false]);
      expect((await keysShown(page)).length).toBe(100);
      expect(await page.$eval(".pages", (line) => line.textContent.trim())).toBe("1 to 100 of 117");
      expect(await page.evaluate('document.querySelector(".tools input").value')).toBe("");
    });

    it.each([
      ["things", "All items of things", "/api/v1/dumps/things.ndjson"],
      ["items", "t119 as JSON", "/api/v1/items/t119"],
    ])("does not claim that a row of %s is missing", async (list, text, href) => {
      const page = await openLarge(`${list}#row-t119`);
      await page.waitForSelector(".shown + p a");
      const [words, to] = await note(page);
      expect(words).toBe(`This table has too many items of ${list} to look for t119. ${text}`);
      expect(new URL(to ?? "", large.origin).pathname).toBe(href);
    });
  });

  it("leaves 100,000 rows to its worker, and searches them", async () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, index) => `{"id":"p${index}","name":"Part ${index}","maker":"m2","size":${index % 977},"grade":"good"}\n`,
    );
    const others = documents.filter(({ path }) => !path.endsWith("/dumps/parts.ndjson"));
    const many = await serveInTest(others, (url) =>
      url.endsWith("/dumps/parts.ndjson") ? { body: lines.join("") } : { body: "{}" },
    );
    // The page itself must not read a dump. What its worker does is not in its own measurements.
    const before = `const { json, text } = Response.prototype;
      window.read = [];
      Response.prototype.json = function () { read.push(this.url); return json.call(this); };
      Response.prototype.text = function () { read.push(this.url); return text.call(this); };`;
    const page = await openInTest(`${many.origin}/api/v1/docs/data/makers`, { scripts: true, before });
    await page.goto(`${many.origin}/api/v1/docs/data/parts?by=-size&q=99999`);
    await headed(page, "1 part");
    expect(await keysShown(page)).toEqual(["p99999"]);
    expect(await page.evaluate("read.filter((url) => url.includes('/dumps/'))")).toEqual([]);
    expect(many.asked).toContain("/api/v1/dumps/parts.ndjson");
    expect(await page.$$eval("tbody tr", (rows) => rows.length)).toBe(1);
  });

  it("has its data in their language, with numbers and times in its forms", async () => {
    const content = path.join(folder, "language");
    mkdirSync(content, { recursive: true });
    writeFileSync(path.join(content, "api.json"), JSON.stringify({ title: "Teile", language: "de" }));
    const item = { id: "a", made: "2026-11-20T09:00:00Z", size: 1234567.5, count: 12345, year: 2024 };
    writeFileSync(path.join(content, "things.json"), JSON.stringify([item]));
    const schema = z.strictObject({
      id: z.string(),
      made: z.iso.datetime(),
      size: z.number(),
      count: z.int(),
      year: z.int(),
    });
    const things = defineCollection({ purpose: "Dinge.", schema, key: "id" });
    const plan = await planOf(content, completeApi(defineApi({ collections: { things } })));
    const german = await serveInTest(plan.documents);
    const page = await openInTest(`${german.origin}/api/v1/docs/data/things`, { scripts: true });
    const cells = ["a", "20.11.2026, 09:00:00 UTC", "1.234.567,5", "12.345", "2024"];
    const shown = () => page.$$eval("tbody tr :is(td, th)", (all) => all.map(({ textContent }) => textContent));
    await page.waitForSelector(".tools input");
    expect(await shown()).toEqual(cells);
    expect(await page.$eval("tbody", ({ lang }) => lang)).toBe("de");
    expect(await page.$eval(".lead span", ({ lang }) => lang)).toBe("de");
    await page.focus("thead .sort");
    await page.keyboard.press("Enter");
    await page.waitForFunction('location.search === "?by=id" && document.querySelector(".pages").textContent !== ""');
    expect(await shown()).toEqual(cells);
  });

  it("shows hostile texts as texts, in rows that are open", async () => {
    const notes: string[] = [];
    const page = await open("parts?by=size#row-p007", notes);
    await page.waitForSelector(".opened");
    expect(await page.$eval("#row-p007", (row) => row.nextElementSibling?.innerHTML)).not.toMatch(
      /<img|href="javascript/,
    );
    await page.goto(`${site.origin}/api/v1/docs/data/parts?q=p009#row-p009`);
    await page.waitForSelector(".opened");
    expect(await page.$$eval("#row-p009 .type", (nulls) => nulls.map(({ textContent }) => textContent))).toContain(
      "null",
    );
    await expectToFit(page, [1440, 390, 320]);
    await expectAccessible(page);
    expect(notes).toEqual([]);
  });
});
