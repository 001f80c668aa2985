import { readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "puppeteer-core";
import { expect, it } from "vitest";
import { sampleIn, start, until } from "../../../test/cli/dev.ts";
import { expectAccessible, isSkipped, openInTest } from "../../../test/documents/browser.ts";
import { temporaryFolder } from "../../../test/temporary.ts";

const folder = temporaryFolder();

/** Hides or shows a page as browsers with tabs do. Chromium without windows never hides a page. */
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(`Object.defineProperty(document, "hidden", { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event("visibilitychange"))`);

it.skipIf(isSkipped)(
  "loads pages in browsers anew after a save, at their place, and lays faults over them",
  async () => {
    const { content, regions, right, named } = sampleIn(folder, "in-browser");
    const { origin, get } = await start(content);
    const notes: string[] = [];
    const page = await openInTest(`${origin()}/api/v1/docs/data/regions`, { scripts: true }, notes);
    // A page that is loaded anew while puppeteer waits in it may leave it waiting.
    const shows = (text: string) =>
      until(async () => expect(await page.evaluate("document.body.innerText")).toContain(text));
    await shows(String(right[0]?.name));
    await page.setViewport({ width: 800, height: 300 });
    await page.evaluate("scrollTo(0, 120)");

    writeFileSync(regions, named("Reloaded"));
    await shows("Reloaded");
    await page.waitForFunction("scrollY === 120");

    writeFileSync(regions, named("").replace(/"country":"../, '"country":"gb'));
    await page.waitForSelector("dialog.faults[open]");
    const fault = await page.$eval("dialog.faults pre", (text) => text.textContent);
    expect(fault).toMatch(/regions\.json:1:\d+ wrong-value\n.*\^\^/s);
    expect(await page.$eval("dialog.faults h2", (title) => title.textContent)).toBe("2 faults in 1 file");
    const red = await page.$$eval("dialog.faults .red", (parts) => parts.map(({ textContent }) => textContent));
    expect(red[0]).toBe("wrong-value");
    await expectAccessible(page);
    await page.reload();
    await page.waitForSelector("dialog.faults[open]");
    expect(await page.$("body > pre[role=alert]")).toBe(null);

    writeFileSync(regions, named("Mended"));
    await shows("Mended");
    expect(await page.$("dialog.faults[open]")).toBe(null);
    expect(notes).toEqual([]);
    expect(await get("/api/v1/docs/page.js")).not.toContain("EventSource");
  },
);

it.skipIf(isSkipped)("answers eight open pages, each of which shows what was saved while it was hidden", async () => {
  const { content, regions, named } = sampleIn(folder, "in-tabs");
  const { origin } = await start(content);
  const open = () => openInTest(`${origin()}/api/v1/docs/data/regions`, { scripts: true }, []);
  const pages: Page[] = [];
  // Browsers allow six connections to a server.
  while (pages.length < 8) {
    const page = await open();
    await hide(page, true);
    pages.push(page);
  }
  writeFileSync(regions, named("Reloaded"));
  for (const page of pages) {
    await hide(page, false);
    await until(async () => expect(await page.evaluate("document.body.innerText")).toContain("Reloaded"));
    await hide(page, true);
  }
});

it.skipIf(isSkipped)("lays errors over the open pages, and those opened later, until they are repaired", async () => {
  const { content } = sampleIn(folder, "in-error");
  const config = path.join(folder, "in-error.config.ts");
  const declare = () => writeFileSync(config, 'export { default } from "stillapi/edge-network";');
  const settings = path.join(content, "api.yaml");
  const before = readFileSync(settings, "utf8");
  declare();
  const { origin } = await start(content, config);
  const open = () => openInTest(`${origin()}/api/v1/docs/`, { scripts: true }, []);
  const page = await open();
  const overlay = (of: Page) =>
    of.evaluate('document.querySelector("dialog.faults[open] pre")?.textContent ?? ""') as Promise<string>;
  const errors: readonly (readonly [text: string, make: () => void, repair: () => void])[] = [
    [
      "cloudflare-pages reads too",
      () => writeFileSync(settings, JSON.stringify({ ...JSON.parse(before), hosts: ["netlify", "cloudflare-pages"] })),
      () => writeFileSync(settings, before),
    ],
    ["There is no file", () => unlinkSync(config), declare],
    ["There is no folder", () => renameSync(content, `${content}-away`), () => renameSync(`${content}-away`, content)],
  ];
  for (const [text, make, repair] of errors) {
    make();
    await until(async () => expect(await overlay(page)).toContain(text));
    const later = await open();
    await until(async () => expect(await overlay(later)).toContain(text));
    repair();
    await until(async () => expect(await overlay(page)).toBe(""));
  }
});
