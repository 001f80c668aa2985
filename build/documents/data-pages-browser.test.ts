import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { completeApi } from "../../src/complete-api.ts";
import { defineApi, defineCollection } from "../../src/declare.ts";
import { reference } from "../../src/index.ts";
import {
  expectToFit,
  isSkipped,
  layouts,
  openBrowser,
  openPage,
  type PageServer,
  serve,
  type View,
} from "../../test/documents/browser.ts";
import { planOf, temporaryFolder } from "../../test/documents/source.ts";

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

describe.skipIf(isSkipped)("a data page in Chromium", () => {
  let browser: Browser;
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
    browser = await openBrowser();
  });

  afterAll(() => site.stop());

  async function open(view: View, notes: string[]) {
    const page = await openPage(browser, `${site.origin}/api/v1/docs/data/parts`, view, notes);
    onTestFinished(() => page.close());
    return page;
  }

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

  it("leads by keyboard from a reference to the row of its item", async () => {
    const page = await open({ width: 1440, scheme: "light" }, []);
    await page.focus("#row-p38 td a");
    await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
    expect(page.url()).toBe(`${site.origin}/api/v1/docs/data/makers#row-m38`);
    expect(await page.$eval("#row-m38", (row) => row.matches(":target") && row.getBoundingClientRect().top < 900)).toBe(
      true,
    );
  });

  it("cuts a long text on the screen and prints all of it", async () => {
    const page = await open({ width: 1440, scheme: "light" }, []);
    const long = "#row-p2 td:nth-child(4) .long";
    const height = () => page.$eval(long, (text) => text.clientHeight);
    const cut = await height();
    await page.emulateMediaType("print");
    expect(await height()).toBeGreaterThan(cut);
    expect(await page.$eval(long, (text) => text.textContent)).toContain("word <script>");
  });
});
