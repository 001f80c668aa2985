// Readers' sizes of fonts: every page holds them, from a phone to a wide screen.
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSkipped, openInTest, type PageServer, serve } from "../../test/documents/browser.ts";
import { documentsIn, planSample, temporaryFolder } from "../../test/documents/source.ts";
import { listOf } from "../../test/edge-network.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** The pixels by which a page is wider than its window, the elements beyond it, and the columns and terms that overlap. */
const faults = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const boxOf = (element) => element.getBoundingClientRect();
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const meet = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const columns = shown("section").map((section) => [...section.children, ...shown(".side")]);
  const pairs = [...columns, ...shown("dl > div").map((term) => [...term.children])];
  const overlapping = pairs.flatMap((elements) =>
    elements.flatMap((element, index) =>
      elements.slice(index + 1).filter((other) => meet(boxOf(element), boxOf(other))).map(({ outerHTML }) => outerHTML.slice(0, 80)),
    ),
  );
  const outside = shown("body *").filter((element) => scrollWidth > clientWidth && boxOf(element).right > clientWidth + 1);
  return [scrollWidth - clientWidth, ...overlapping, ...outside.map(({ outerHTML }) => outerHTML.slice(0, 80))];
})()`;

/** The characters that fit a line of the longest paragraph. */
const lineLength = `(() => {
  const [prose] = [...document.querySelectorAll(".text > p")].sort((a, b) => b.textContent.length - a.textContent.length);
  const line = prose.cloneNode(true);
  line.className = "copy";
  prose.after(line);
  const length = prose.clientWidth / (line.scrollWidth / line.textContent.length);
  line.remove();
  return Math.floor(length);
})()`;

describe.skipIf(isSkipped)("with a default font of", () => {
  let site: PageServer;
  const nodes = listOf("EdgeNode").name;

  beforeAll(async () => {
    const plan = await planSample(path.join(folder, "edge"), { count: 130, pageSizes: "every" });
    const change = {
      at: "2026-01-01T00:00:00Z",
      build: "b",
      collections: { [nodes]: { added: ["a"], changed: [], removed: [] } },
      documents: [],
    };
    const changes = { object: "changes", since: change.at, build: "a", data: [change] } as const;
    site = await serve(documentsIn(plan, { changes }));
  });

  afterAll(() => site.stop());

  const pages = ["docs/", `docs/data/${nodes}`, "docs/network", "docs/changes"];

  it.each([16, 24, 32])("%i pixels, nothing overlaps or scrolls sideways, and prose has long lines", async (font) => {
    const page = await openInTest("about:blank", { scripts: true });
    const client = await page.createCDPSession();
    await client.send("Page.setFontSizes", { fontSizes: { standard: font } });
    for (const place of pages) {
      await page.goto(`${site.origin}/api/v1/${place}`);
      await page.waitForSelector(".finder button");
      for (const width of [320, 768, 1280, 2560]) {
        await page.setViewport({ width, height: 900 });
        expect({ place, width, faults: await page.evaluate(faults) }).toEqual({ place, width, faults: [0] });
        const hasLines = place === "docs/" && width >= 1280 && font <= 24;
        if (hasLines) expect(await page.evaluate(lineLength)).toBeGreaterThanOrEqual(45);
      }
    }
  });

  it("16 pixels, the columns of a wide screen are in its middle", async () => {
    const page = await openInTest(`${site.origin}/api/v1/docs/`, { width: 2560, scripts: true });
    const [left = 0, right = 0] = await page.$$eval(".side .list-title:first-child, main", (columns) =>
      columns
        .map((column) => column.getBoundingClientRect())
        .map(({ left, right }, index) => (index === 0 ? left : right)),
    );
    expect(Math.abs(left - (2560 - right))).toBeLessThan(60);
  });
});
