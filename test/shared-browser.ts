// Starts one Chromium for all tests of a run, which open their pages in it.
import { type Browser, launch } from "puppeteer-core";
import type { TestProject } from "vitest/node";
import { chromium } from "./missing-programs.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The WebSocket address of Chromium; undefined if it is not installed. */
    readonly browser: string | undefined;
  }
}

/** In milliseconds: so long that only what hangs ends a test, not a busy machine. */
export const patience = 240_000;

export const launchBrowser = (): Promise<Browser> =>
  launch({
    executablePath: chromium ?? "chromium",
    headless: chromium?.endsWith("headless-shell") ? "shell" : true,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    timeout: patience,
    protocolTimeout: patience,
  });

export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const browser = chromium === undefined ? undefined : await launchBrowser();
  provide("browser", browser?.wsEndpoint());
  return browser && (() => browser.close());
}
