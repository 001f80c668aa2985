// Pages of another origin read the API in a real browser: with preflights, ETags and the client.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { build as bundle } from "esbuild";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { writeSample } from "../../test/check/sample.ts";
import { isSkipped, openBrowser } from "../../test/documents/browser.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { startPreview } from "../cli/preview/preview.ts";
import { findProgram, startProgram } from "../cli/preview/program.ts";
import { configurationFolder } from "../output/location.ts";
import { hosts } from "./hosts.ts";

/** The page of the test, with the client. */
interface Edge {
  readonly edge: { readonly createClient: (address: string) => Readonly<Record<string, Listed | undefined>> };
}

interface Listed {
  readonly items: (options: { readonly limit: number }) => AsyncIterable<Readonly<Record<string, unknown>>>;
}

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-browser-"));
afterAll(() => rmSync(folder, { recursive: true }));

const servers = ["nginx", "caddy", "apache"].flatMap((name) => hosts.get(name) ?? []);
const operation = edgeNetwork.lists.find(({ paged }) => paged);
const paged = operation?.name ?? "";
const key = operation?.key ?? "";
const count = 30;

/** Starts a server that answers as the host does. */
type Start = () => Promise<{ readonly origin: string; readonly stop: () => Promise<void> }>;

describe.skipIf(isSkipped)("in Chromium, of another origin", () => {
  const dist = path.join(folder, "dist");
  let page: Page;
  let stopSite: () => void;

  beforeAll(async () => {
    const content = path.join(folder, "content");
    writeSample(content, { count, pageSizes: [5, 10] });
    await buildForTest(content, dist, servers);
    const { outputFiles } = await bundle({
      absWorkingDir: process.cwd(),
      entryPoints: ["src/answers/client.ts"],
      bundle: true,
      format: "iife",
      globalName: "edge",
      write: false,
    });
    const script = outputFiles[0]?.text ?? "";
    const site = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end(`<!doctype html><script>${script}</script>`);
    });
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
    stopSite = () => {
      site.closeAllConnections();
      site.close();
    };
    const address = site.address();
    if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
    page = await (await openBrowser()).newPage();
    await page.goto(`http://127.0.0.1:${address.port}/`);
  });

  afterAll(async () => {
    await page?.close();
    stopSite?.();
  });

  const installed = servers.flatMap(({ name, program }) => {
    if (program === undefined) throw new Error(`${name} has no program.`);
    if (findProgram(program) === undefined) {
      it.skip(`${name} is skipped, because ${program.command} is not installed. To install it: ${program.install}`);
      return [];
    }
    const configuration = path.join(configurationFolder(dist), name);
    return [
      [
        name,
        () => startProgram(program, { base: edgeNetwork.base, publishRoot: dist, configuration, port: 0 }),
      ] as const,
    ];
  });
  const starts: readonly (readonly [name: string, start: Start])[] = [
    ["the preview", () => startPreview(dist, 0)],
    ...installed,
  ];

  it.each(starts)("%s may be read with a condition, and shows its ETag and Link", async (_, start) => {
    const { origin, stop } = await start();
    try {
      const answers = await page.evaluate(async (address) => {
        const read = async (url: string, headers: Record<string, string>) => {
          const response = await fetch(url, Object({ headers, cache: "no-store" }));
          const { status } = response;
          const shown = ["etag", "link", "content-type"].map((name) => response.headers.get(name));
          return { status, shown, length: (await response.text()).length };
        };
        const first = await read(address, {});
        return [
          first,
          await read(address, { "If-None-Match": first.shown[0] ?? "", "X-Own": "1" }),
          await read(address, { "If-None-Match": '"other"' }),
          await read(`${address}?limit=0`, { "X-Own": "1" }),
        ];
      }, `${origin}/api/v1/${paged}`);
      const [first, same, other, fault] = answers;
      const [etag, link, type] = first?.shown ?? [];
      expect({ etag, link, type }).toEqual({
        etag: expect.stringMatching(/^(?:W\/)?"/),
        link: '</api/v1/openapi.json>; rel="service-desc", </api/v1/docs/>; rel="service-doc"',
        type: "application/json",
      });
      expect(same).toMatchObject({ status: 304, length: 0 });
      expect(other).toMatchObject({ status: 200, length: first?.length });
      expect(fault?.status).toBe(400);
    } finally {
      await stop();
    }
  });

  it.each(starts)("%s may be walked through with the client", async (_, start) => {
    const { origin, stop } = await start();
    try {
      const ids = await page.evaluate(
        async (address, name, field) => {
          const { createClient } = (globalThis as unknown as Edge).edge;
          const found: string[] = [];
          for await (const item of createClient(address)[name]?.items({ limit: 5 }) ?? [])
            found.push(String(item[field]));
          return found;
        },
        origin,
        paged,
        key,
      );
      expect(new Set(ids).size).toBe(count);
    } finally {
      await stop();
    }
  });
});
