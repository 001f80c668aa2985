// The pages of a build in Chromium, with their scripts: the tests named *.browser.test.ts try each part of them.
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Preview, startPreview } from "../../build/cli/preview/preview.ts";
import { buildForTest } from "../check/built.ts";
import { writeSample } from "../check/sample.ts";
import { isSkipped, openInTest } from "../documents/browser.ts";
import { temporaryFolder } from "../temporary.ts";

describe.skipIf(isSkipped)("a build in Chromium", () => {
  const folder = temporaryFolder();
  const content = path.join(folder, "content");
  const dist = path.join(folder, "dist");
  let preview: Preview;

  beforeAll(async () => {
    writeSample(content, { count: 30, pageSizes: [5, 100] });
    await buildForTest(content, dist);
    preview = await startPreview(dist, 0);
  });

  afterAll(() => preview?.stop());

  const open = (target: string, notes: string[]) =>
    openInTest(`${preview.origin}/api/v1/docs/${target}`, { scripts: true }, notes);

  it("sends the request of a form, and shows the answer", async () => {
    const notes: string[] = [];
    const page = await open("", notes);
    const section = 'section:has(form[action="/api/v1/nodes"])';
    await page.focus(`${section} [name=limit]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${section} .answer .facts + pre`);
    const answer = await page.$eval(`${section} .answer pre`, (element) => element.textContent);
    expect(answer).toContain('"object": "list"');
    expect(notes).toEqual([]);
  });

  it("shows the items of a list in a table, and finds one of them", async () => {
    const notes: string[] = [];
    const page = await open("data/nodes", notes);
    const rows = () => page.$$eval("tbody tr", (all) => all.map(({ id }) => id));
    const all = await rows();
    expect(all).toHaveLength(30);
    const [first = ""] = all;
    await page.focus(".tools input");
    await page.keyboard.type(first.replace("row-", ""));
    await page.waitForFunction('document.querySelectorAll("tbody tr").length === 1');
    expect(await rows()).toEqual([first]);
    expect(notes).toEqual([]);
  });
});
