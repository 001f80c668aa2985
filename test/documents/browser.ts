// Opens pages in a real browser, under a strict policy and without scripts.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { type Browser, launch, type Page } from "puppeteer-core";
import which from "which";
import type { Document } from "../../build/document.ts";

/** The path of Chromium; undefined if it is not installed. */
export const chromium: string | undefined = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => which.sync(name, { nothrow: true }))
  .find((found) => found !== null) as string | undefined;

export const openBrowser = (executablePath: string): Promise<Browser> =>
  launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });

export interface PageServer {
  readonly origin: string;
  /** The requested paths, with queries. */
  readonly asked: readonly string[];
  readonly stop: () => Promise<void>;
}

const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'";

/** Serves documents, and an empty list at every other path. */
export async function serve(documents: readonly Document[]): Promise<PageServer> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const document = documents.find(({ path }) => path === url.replace(/\?.*/, ""));
    const type = document?.contentType ?? "application/json";
    response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": policy });
    response.end(document === undefined ? "[]" : Buffer.concat(document.parts()));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  const stop = () =>
    new Promise<void>((stopped) => {
      server.close(() => stopped());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${address.port}`, asked, stop };
}

export interface View {
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** Opens an address without scripts. `notes` receives the browser's complaints and every request to another origin. */
export async function openPage(
  browser: Browser,
  address: string,
  { width, scheme }: View,
  notes: string[],
): Promise<Page> {
  const page = await browser.newPage();
  page.on("console", (message) => notes.push(message.text()));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin)) notes.push(request.url());
  });
  await page.setJavaScriptEnabled(false);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: scheme },
    // The page is at its anchor at once.
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await page.goto(address);
  return page;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations that axe finds on a page, with the elements. Enables scripts and reloads the page. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.setJavaScriptEnabled(true);
  await page.setBypassCSP(true);
  await page.reload();
  await page.evaluate(axe);
  const results = await page.evaluate("axe.run()");
  const { violations } = Object(results);
  return violations.map((each: { id: string; nodes: { html: string }[] }) =>
    [each.id, ...each.nodes.map(({ html }) => html)].join(" "),
  );
}

/** The number of pixels by which a page is wider than its window. */
export const overflowOf = async (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
