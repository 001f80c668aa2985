import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addressOf,
  expectAccessible,
  expectAccessibleInTheDark,
  expectToFit,
  isSkipped,
  openInTest,
  type PageServer,
  serve,
  serveInTest,
} from "../../test/documents/browser.ts";
import { documentsIn, planSample, temporaryFolder } from "../../test/documents/source.ts";
import { edgeNetwork, listOf } from "../../test/edge-network.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const states = ["operational", "degraded", "outage", "maintenance"];
const countries = ["GB", "FR", "BE", "NL", "XK", "ZZ", "US", "US", "AE"];

const regions = listOf("EdgeRegion");

describe.skipIf(isSkipped)("states in Chromium", () => {
  it("look alike in the table and on the network page", async () => {
    const words = [
      "degraded",
      "draining",
      "processing",
      "offline",
      "outage",
      "failed",
      "degraded_disk",
      "maintenance",
      "provisioning",
      "never_heard_of",
    ];
    const { name, example } = listOf("EdgeNode");
    const plan = await planSample(path.join(folder, "states"), { count: 3, pageSizes: "every" }, (to) => {
      const nodes = words.map((status, index) => ({ ...example, id: `nod_${index}`, pop: "aaa0", status }));
      writeFileSync(path.join(to, `${name}.json`), JSON.stringify(nodes));
      writeFileSync(path.join(to, `${regions.name}.json`), JSON.stringify([{ ...regions.example, code: "aaa0" }]));
      writeFileSync(path.join(to, "api.yaml"), "page_sizes: every\n");
    });
    const site = await serveInTest(documentsIn(plan));
    /** The class, colour and shape of each state. */
    const looksAt = async (place: string, cell: string): Promise<unknown> => {
      const page = await openInTest(`${site.origin}/api/v1/docs/${place}`);
      return page.evaluate(`Object.fromEntries([...document.querySelectorAll("${cell}")].map((cell) => {
        const { clipPath, borderRadius, backgroundColor } = getComputedStyle(cell, "::before");
        const word = cell.textContent.replaceAll(/[ _-]/g, " ");
        return [word, [cell.className.replace("state ", ""), clipPath, borderRadius, backgroundColor]];
      }))`);
    };
    const onTable = await looksAt(`data/${name}`, ".items .state");
    expect(Object.keys(Object(onTable)).length).toBe(words.length);
    expect(onTable).toEqual(await looksAt("network", ".nodes td[class]"));
  });
});

describe.skipIf(isSkipped)("long words in Chromium", () => {
  it("do not make the network page scroll sideways", async () => {
    const word = (start: string) => start.padEnd(60, "m");
    const { name, example } = listOf("EdgeNode");
    const status = edgeNetwork.operations.find(({ title }) => title === "EdgeStatus");
    const plan = await planSample(path.join(folder, "long"), { count: 3, pageSizes: "every" }, (to) => {
      const write = (file: string, value: unknown) => writeFileSync(path.join(to, file), JSON.stringify(value));
      const places = ["operational", word("degraded"), "operational"].map((state, index) => ({
        ...regions.example,
        code: `aaa${index}`,
        name: word("Name"),
        zone: `${word("area")}-${["north", "south"][index % 2]}`,
        status: state,
      }));
      write(`${regions.name}.json`, places);
      const nodes = ["operational", word("offline")].map((state, index) => ({
        ...example,
        id: `nod_${index}`.padEnd(60, "m"),
        pop: "aaa0",
        status: state,
      }));
      write(`${name}.json`, nodes);
      const components = [word("state"), "operational"].map((state) => ({
        name: word(`Component ${state}`),
        status: state,
      }));
      const operations = edgeNetwork.operations.map((each) => each.name);
      write("deployments/edge.json", { operations, [String(status?.name)]: { ...status?.example, components } });
      write("api.yaml", { title: word("Title") });
    });
    const site = await serveInTest(documentsIn(plan));
    const page = await openInTest(`${site.origin}/api/v1/docs/network`, { width: 320 });
    for (const each of await page.$$("details")) await each.evaluate((all) => Object.assign(all, { open: true }));
    await expectToFit(page, [320, 390, 768, 1440]);
  });
});

describe.skipIf(isSkipped)("the network page in Chromium", () => {
  let site: PageServer;

  beforeAll(async () => {
    const plan = await planSample(path.join(folder, "network"), { count: 30, pageSizes: "every" }, (to) => {
      const own = Array.from({ length: 90 }, (_, index) => ({
        ...regions.example,
        code: index === 0 ? regions.example.code : `${"abcdefghi"[Math.floor(index / 10)]}xx${index % 10}`,
        name: index === 1 ? "مركز الشبكة في دبي" : `A place of a fairly long name ${index}`,
        country: index < 3 ? "JP" : countries[index % countries.length],
        zone: index % 20 > 10 ? "asia-east" : "europe-west",
        status: index === 0 ? "maintenance" : (states[index % 20] ?? "operational"),
      }));
      writeFileSync(path.join(to, `${regions.name}.json`), JSON.stringify(own));
      writeFileSync(path.join(to, "api.yaml"), "{}");
      for (const { name, references, example } of edgeNetwork.lists) {
        const fields = references.filter((each) => each.to === regions.name).map(({ field }) => field);
        const item = {
          ...example,
          ...Object.fromEntries(fields.map((field) => [field, regions.example.code])),
        };
        if (fields.length > 0) writeFileSync(path.join(to, `${name}.json`), JSON.stringify([item]));
      }
    });
    site = await serve(documentsIn(plan));
  });

  afterAll(() => site.stop());

  const openOwn = (width: number, notes: string[] = []) =>
    openInTest(`${site.origin}/api/v1/docs/network`, { width }, notes);

  it("fits screens, without a script, a complaint or a request to elsewhere", async () => {
    const notes: string[] = [];
    const page = await openOwn(320, notes);
    expect(notes).toEqual([]);
    await expectToFit(page, [1440, 768, 360, 320], async (width) => {
      const display = (circles: string) =>
        page.evaluate(`getComputedStyle(document.querySelector(".map .${circles}")).display`);
      expect([await display("wide"), await display("narrow")]).toEqual(
        width < 720 ? ["none", "inline"] : ["inline", "none"],
      );
    });
    await expectAccessible(page);
    await expectAccessibleInTheDark(page);
  });

  it("leads from the map to the zone of a country by keyboard, and gives each circle a name", async () => {
    const page = await openOwn(1440);
    await page.evaluate(`document.querySelector(".map .wide a[aria-labelledby=about-XK]").focus()`);
    await page.keyboard.press("Enter");
    expect(await addressOf(page)).toMatch(/#zone-/);
    expect(await page.$eval("h3:target", (zone) => zone.getBoundingClientRect().top >= 0)).toBe(true);
    const tree = JSON.stringify(await page.accessibility.snapshot({ interestingOnly: false }));
    expect(tree).toContain("Kosovo (XK): 10 regions, ");
    expect(tree).toContain("World map: 90 regions in 9 countries. The tables below have the same facts.");
  });

  it("has circles of at least 24 pixels", async () => {
    const page = await openOwn(320);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewport({ width, height: 900 });
      const links = `.map .${width < 720 ? "narrow" : "wide"} a`;
      const sides = await page.$$eval(links, (all) => all.map((link) => link.getBoundingClientRect().width));
      expect(sides.length).toBeGreaterThan(5);
      expect(Math.min(...sides)).toBeGreaterThanOrEqual(24);
    }
  });

  it("keeps circles apart", async () => {
    const page = await openOwn(360);
    const circles = await page.$$eval(".map .narrow circle.disc", (all) =>
      all.map((each) => ["cx", "cy", "r"].map((name) => Number(each.getAttribute(name)))),
    );
    expect(circles.length).toBe(8);
    for (const [index, [x = 0, y = 0, r = 0]] of circles.entries()) {
      for (const [otherX = 0, otherY = 0, otherR = 0] of circles.slice(index + 1)) {
        expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThan(r + otherR);
      }
    }
  });

  it("prints folded parts and the names of columns, on the width of a sheet", async () => {
    const page = await openOwn(718);
    const height = () => page.$eval("details table", (table) => table.getBoundingClientRect().height);
    const folded = await page.$eval("details table", (table) => table.checkVisibility({ contentVisibilityAuto: true }));
    expect(folded).toBe(false);
    await page.emulateMediaType("print");
    expect(await height()).toBeGreaterThan(500);
    const heads = await page.$$eval("thead th", (all) => all.map(({ offsetHeight }) => offsetHeight));
    expect(heads.length).toBeGreaterThan(4);
    expect(Math.min(...heads)).toBeGreaterThan(16);
    expect(await page.$$eval("thead span", (all) => all.map(({ clientHeight }) => clientHeight))).not.toContain(1);
    // Rows are no longer stacked.
    const rows = await page.$$eval("tbody tr", (all) => all.map(({ offsetHeight }) => offsetHeight));
    expect(Math.max(...rows)).toBeLessThan(120);
    expect(await page.$$eval("nav", (all) => all.filter((each) => each.checkVisibility()).length)).toBe(0);
  });
});
