// Opens pages in a real browser, under a strict policy, with the script of the pages or without it.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { type Browser, launch, type Page } from "puppeteer-core";
import { expect, onTestFinished } from "vitest";
import type { Document } from "../../build/files/document.ts";
import { chromium } from "../missing-programs.ts";
import { listen } from "../serve.ts";

/** Whether tests in Chromium are skipped: it is not installed. */
export const isSkipped = chromium === undefined;

/** In milliseconds: so long that only what hangs ends a test, not a busy machine. */
const patience = 240_000;

export const launchBrowser = (): Promise<Browser> =>
  launch({
    executablePath: chromium ?? "chromium",
    headless: chromium?.endsWith("headless-shell") ? "shell" : true,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: patience,
    protocolTimeout: patience,
  });

/** A browser that other tests use too: no test closes it. */
export type SharedBrowser = Pick<Browser, "newPage" | "createBrowserContext">;

let running: Promise<SharedBrowser> | undefined;

/** One Chromium for all tests of a process. It ends with the process. */
export function openBrowser(): Promise<SharedBrowser> {
  running ??= launchBrowser();
  return running;
}

export interface PageServer {
  readonly origin: string;
  /** The requested paths, with queries. */
  readonly asked: readonly string[];
  readonly stop: () => Promise<void>;
}

const policy = [
  "default-src 'none'",
  ...["style-src", "script-src", "connect-src", "img-src", "form-action"].map((kind) => `${kind} 'self'`),
].join("; ");

export interface PageAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Serves documents, and an answer at every other path: an empty list, or what `answer` returns. */
export async function serve(
  documents: readonly Document[],
  answer: (url: string) => PageAnswer | Promise<PageAnswer> = () => ({ body: "[]" }),
): Promise<PageServer> {
  const asked: string[] = [];
  const server = createServer(async ({ url = "" }, response) => {
    asked.push(url);
    const document = documents.find(({ path }) => path === url.replace(/\?.*/, ""));
    const type = document?.contentType ?? "application/json";
    const page: PageAnswer =
      document === undefined ? await answer(url) : { body: Buffer.concat([...document.parts()]) };
    const { status = 200, headers, body } = page;
    response.writeHead(status, { "Content-Type": type, "Content-Security-Policy": policy, ...headers });
    response.end(body);
  });
  return { ...(await listen(server)), asked };
}

export interface View {
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
  /** Whether scripts run. Default: false. */
  readonly scripts?: boolean;
  /** Code that runs before the scripts of the page. */
  readonly before?: string;
}

/** `notes` receives the browser's complaints and every request to another origin. */
export async function openPage(
  browser: Pick<Browser, "newPage">,
  address: string,
  { width, scheme, scripts = false, before }: View,
  notes: string[],
): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.on("console", (message) => notes.push(message.text()));
  page.on("pageerror", (error) => notes.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(address).origin)) notes.push(request.url());
  });
  await page.setJavaScriptEnabled(scripts);
  if (before !== undefined) await page.evaluateOnNewDocument(before);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(address);
  return page;
}

/** Opens a page for a test, at whose end it is closed. It shares no storage with other pages. */
export async function openInTest(address: string, view: Partial<View> = {}, notes: string[] = []): Promise<Page> {
  const context = await (await openBrowser()).createBrowserContext();
  // Closing only the page may fail or never end if the page reloads.
  onTestFinished(() => context.close());
  return openPage(context, address, { width: 1440, scheme: "light", ...view }, notes);
}

/** The address that a page has now. `page.url()` learns what a script changes in it a moment later. */
export const addressOf = async (page: Page): Promise<string> => String(await page.evaluate("location.href"));

/** Serves documents until a test ends. */
export async function serveInTest(...served: Parameters<typeof serve>): Promise<PageServer> {
  const site = await serve(...served);
  onTestFinished(site.stop);
  return site;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Fails if axe finds a violation on a page as it is now. If scripts are disabled, the page is loaded again without its
 * scripts, so that only axe runs. It takes seconds: once for each form of a page is enough.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!page.isJavaScriptEnabled()) {
    await page.setJavaScriptEnabled(true);
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.resourceType() === "script") request.abort();
      else request.continue();
    });
    await page.reload();
  }
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe);
  const { violations } = Object(await page.evaluate("axe.run()"));
  const found = violations.map((violation: { id: string; nodes: { html: string }[] }) =>
    [violation.id, ...violation.nodes.map(({ html }) => html)].join(" "),
  );
  expect(found).toEqual([]);
}

/** The same in a wide window in the dark scheme, which differs in its colours alone. */
export async function expectAccessibleInTheDark(page: Page): Promise<void> {
  await page.setViewport({ width: 1440, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await expectAccessible(page);
}

/** The number of pixels by which a page is wider than its window. */
const overflowOf = async (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

/** Resizes the window to each width in turn, and fails if the page is wider. */
export async function expectToFit(
  page: Page,
  widths: readonly number[],
  check: (width: number) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const width of widths) {
    await page.setViewport({ width, height: 900 });
    await check(width);
    expect({ width, overflow: await overflowOf(page) }).toEqual({ width, overflow: 0 });
  }
}
