import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filtersOf } from "../../../src/model/operation.ts";
import { productsApi, writeProducts } from "../../../test/content/products.ts";
import {
  expectAccessible,
  expectToFit,
  isSkipped,
  openInTest,
  type PageServer,
  serve,
  serveInTest,
} from "../../../test/documents/browser.ts";
import { documentsIn, planOf, planSample, temporaryFolder } from "../../../test/documents/source.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const paged = edgeNetwork.lists.find((operation) => operation.paged && filtersOf(operation).length > 0);

describe.skipIf(isSkipped)("the reference in Chromium", () => {
  let site: PageServer;

  beforeAll(async () => {
    const title = "شبكة الحافة";
    const plan = await planSample(folder, { count: 30, pageSizes: "every" }, (to) =>
      writeFileSync(path.join(to, "api.yaml"), JSON.stringify({ title, description: "A network." })),
    );
    site = await serve(documentsIn(plan));
  });

  afterAll(() => site.stop());

  it("fits screens, without a script, a complaint or a request to elsewhere", async () => {
    const notes: string[] = [];
    const page = await openInTest(`${site.origin}/api/v1/docs/`, { width: 320 }, notes);
    expect(notes).toEqual([]);
    await expectToFit(page, [1440, 768, 390, 320], async (width) => {
      expect(await page.$eval("nav.side", (contents) => contents.checkVisibility())).toBe(width >= 720);
      const cut = await page.$$eval("pre", (all) => all.filter((pre) => pre.scrollWidth > pre.clientWidth));
      expect(cut).toEqual([]);
    });
  });

  it("fits screens with single items and lists in brief", async () => {
    const products = path.join(folder, "products");
    writeProducts(products);
    const server = await serveInTest(documentsIn(await planOf(products, productsApi)));
    const notes: string[] = [];
    const page = await openInTest(`${server.origin}/api/v1/docs/`, {}, notes);
    expect(notes).toEqual([]);
    await expectToFit(page, [1440, 360], async (width) => {
      const outside = await page.$$eval(
        ".endpoint code, .request a",
        (all, right) =>
          all.filter((element) => element.getBoundingClientRect().right > right).map((element) => element.textContent),
        width - 20,
      );
      expect(outside).toEqual([]);
    });
    await expectAccessible(page);
    const send = "#item-releases ~ form button";
    await Promise.all([page.waitForNavigation(), page.click(send)]);
    expect(page.url()).toBe(`${server.origin}/api/v1/releases/nodejs/22?`);
  });

  it("sends the chosen fields of a form and no others", async () => {
    const page = await openInTest(`${site.origin}/`);
    const action = `/api/v1/${paged?.name}`;
    const form = `form[action="${action}"]`;
    expect((await page.$$(form)).length).toBe(1);
    const [value] = await page.$$eval(`${form} option:not([disabled])`, (options) =>
      options.map((option) => option.value),
    );
    await Promise.all([page.waitForNavigation(), page.click(`${form} button`)]);
    expect(page.url()).toBe(`${site.origin}${action}?limit=2`);
    await page.goto(`${site.origin}/`);
    await page.select(`${form} select`, String(value));
    await Promise.all([page.waitForNavigation(), page.click(`${form} button`)]);
    expect(page.url()).toMatch(new RegExp(`\\?\\w+=${value}&limit=2$`));
  });

  it("shows which tab is chosen, and which field the address names, in forced colours", async () => {
    const page = await openInTest(`${site.origin}/`);
    const client = await page.createCDPSession();
    await client.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
    const pictureOf = async (selector: string) =>
      (await (await page.$(selector))?.screenshot({ encoding: "base64" })) ?? "";
    const label = "label[for=first--0]";
    const chosen = await pictureOf(label);
    await page.evaluate(`document.querySelector("#first--1").click()`);
    const other = await pictureOf(label);
    expect(other).not.toBe(chosen);
    await page.evaluate(`document.querySelector("#first--0").click()`);
    expect(await pictureOf(label)).toBe(chosen);
    const id = await page.$eval(".fields > div[id]", (field) => field.id);
    const field = `[id="${id}"]`;
    const before = await pictureOf(field);
    await page.goto(`${site.origin}/#${id}`);
    expect(await pictureOf(field)).not.toBe(before);
  });

  it("shows the request in a language chosen with the keyboard", async () => {
    const page = await openInTest(`${site.origin}/`);
    await page.focus("#first--0");
    await page.keyboard.press("ArrowRight");
    const shown = await page.$$eval(".tabs:first-of-type pre", (panels) =>
      panels.map((panel) => panel.checkVisibility({ visibilityProperty: true })),
    );
    expect(shown.slice(0, 3)).toEqual([false, true, false]);
  });
});
