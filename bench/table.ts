// Measures how long a table of 100,000 rows holds the main thread of its page while somebody finds and sorts: the CPU time of
// the longest task, from Chromium's trace, which has tasks that the page's own measurements miss.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import type { Page } from "puppeteer-core";
import * as z from "zod";
import { completeApi } from "../build/declaration/complete.ts";
import { defineApi, defineCollection } from "../src/index.ts";
import { fieldOf } from "../src/model/fields.ts";
import { isSkipped, launchBrowser, openPage, serve } from "../test/documents/browser.ts";
import { planned } from "../test/plan.ts";
import { countOption, median, temporaryFolder } from "./execute.ts";

const rows = 100_000;

const parts = defineCollection({
  purpose: "Parts.",
  noun: { one: "part", many: "parts" },
  schema: z.strictObject({ id: z.string(), name: z.string(), size: z.int(), grade: z.enum(["good", "bad"]) }),
  key: "id",
  filters: { grade: "grade" },
});
const api = completeApi(defineApi({ collections: { parts } }));

async function run({ rounds }: { readonly rounds: number }): Promise<void> {
  if (isSkipped) throw new Error("Chromium is not installed. To get it: apt-get install chromium");
  const folder = temporaryFolder();
  const lines = Array.from({ length: rows }, (_, index) =>
    JSON.stringify({
      id: `p${index}`,
      name: `Part ${index}`,
      size: index % 977,
      grade: index % 3 > 0 ? "good" : "bad",
    }),
  );
  writeFileSync(path.join(folder, "parts.ndjson"), `${lines.join("\n")}\n`);
  writeFileSync(path.join(folder, "api.json"), JSON.stringify({ page_sizes: [100] }));
  const { documents } = await planned({ api, content: folder });
  const site = await serve(documents, () => ({ body: "{}" }));
  const browser = await launchBrowser();
  const address = `${site.origin}${api.base}/docs/data/parts`;
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const page = await openPage(browser, address, { width: 1440, scheme: "light", scripts: true }, []);
      times.push(await longestTask(page));
      await page.close();
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  const shown = times.map((time) => time.toFixed(0)).join(", ");
  process.stdout.write(`The longest task took ${median(times).toFixed(0)} ms of CPU (median of ${shown}).\n`);
}

/** In milliseconds of CPU: of all tasks while the rows are loaded, searched and sorted. Throws if the table shows others. */
async function longestTask(page: Page): Promise<number> {
  await page.waitForSelector(".tools input");
  await page.tracing.start({ categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await page.type(".tools input", String(rows - 1));
  await page.waitForFunction('document.querySelector("#items").textContent === "1 part"');
  await page.evaluate('document.querySelector(".tools input").select()');
  await page.type(".tools input", "Part 5");
  await page.waitForFunction('document.querySelector("tbody th").textContent === "p5"');
  await page.click("thead th:nth-child(3) .sort");
  await page.waitForFunction('location.search.includes("sort=size")');
  await page.waitForFunction('document.querySelector("tbody td:nth-child(3)").textContent === "0"');
  const trace = JSON.parse(Buffer.from((await page.tracing.stop()) ?? []).toString());
  const events: readonly unknown[] = trace.traceEvents;
  const threadOf = (event: unknown) => `${fieldOf(event, "pid")} ${fieldOf(event, "tid")}`;
  const isMain = (event: unknown) => fieldOf(fieldOf(event, "args"), "name") === "CrRendererMain";
  const main = new Set(events.filter(isMain).map(threadOf));
  const times = events
    .filter((event) => main.has(threadOf(event)) && /RunTask$/.test(String(fieldOf(event, "name"))))
    .map((event) => Number(fieldOf(event, "tdur") ?? 0) / 1_000);
  if (times.length === 0) throw new Error("The trace has no tasks.");
  return Math.max(...times);
}

await new Command("bench:table")
  .description("Measures the longest task of a page whose table has 100,000 rows.")
  .addOption(countOption("--rounds <number>", "how often the page is opened", 3))
  .action(run)
  .parseAsync();
