// An API with several builds: earlier ones, an unpublished one, and one that is published during a verification.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { serveWith } from "../../test/check/published.ts";
import { writeSample } from "../../test/check/sample.ts";
import { productsApi, someProducts, writeProducts } from "../../test/content/products.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { build } from "../build.ts";
import { startPreview } from "../cli/preview/preview.ts";
import { netlify } from "../hosts/netlify/index.ts";
import { readBuild } from "./build.ts";
import { expectedAnswer } from "./expected.ts";
import { verify } from "./verify.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "stillapi-retired-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const quiet = { onPlan: () => undefined, onChange: () => undefined, onWait: () => undefined };

/** Builds a sample over the last one. */
async function buildHere(count: number, pageSizes: readonly number[], now: number): Promise<string> {
  const [content, out] = [path.join(folder, "content"), path.join(folder, "dist")];
  mkdirSync(content, { recursive: true });
  writeSample(content, { count, pageSizes });
  const history = { from: out, now, isExpected: false } as const;
  const [, faults] = await build({ api: edgeNetwork, content, out, deployment: undefined, hosts: [], history }, quiet);
  expect(faults).toEqual([]);
  return out;
}

async function preview(out: string) {
  const server = await startPreview(out, 0);
  onTestFinished(() => server.stop());
  return server;
}

it("finds the retired pages of an earlier build", async () => {
  await buildHere(130, [1, 5, 7, 10, 100], 1_000);
  const out = await buildHere(120, [5, 10, 100], 1_060);
  const build = readBuild(out);
  const retired = build.files.filter((file) => file.includes("/limit/10/cursor/"));
  const { origin } = await preview(out);
  expect((await verify(new URL(origin), build, { all: true })).findings).toEqual([]);
  rmSync(path.join(out, retired[0] ?? ""));
  const exists = (file: string) => file === retired[0] || build.exists(file);
  expect((await verify(new URL(origin), { ...build, exists }, { all: true })).different).toBeGreaterThan(0);
});

it("says that an earlier build is published, or one whose items differ", async () => {
  const out = await buildHere(130, [5, 100], 1_000);
  const earlier = path.join(folder, "earlier");
  cpSync(out, earlier, { recursive: true });
  await buildHere(120, [5, 100], 1_060);
  const { origin } = await preview(earlier);
  const { findings, isAnotherBuild } = await verify(new URL(origin), readBuild(out));
  expect(isAnotherBuild).toBe(true);
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^The data is stale, or of another build: \d+ answers\.$/),
  );
});

it("expects the gaps of a host", async () => {
  const out = await buildHere(30, [5, 100], 1_000);
  const build = readBuild(out);
  const { origin } = await preview(out);
  const server = await serveWith(origin, (request, answer) => {
    const expected = expectedAnswer(build, netlify.gaps, request);
    if (expected === undefined) return answer;
    const { headers, body = Buffer.of() } = expected;
    const isKnown = expected.status === 200 && request.headers?.["if-none-match"] === '"it"';
    const status = isKnown ? 304 : expected.status;
    return { status, headers: { ...headers, etag: '"it"' }, body: isKnown ? "" : body };
  });
  onTestFinished(() => server.stop());
  const url = new URL(server.origin);
  expect((await verify(url, build)).different).toBeGreaterThan(10);
  expect(await verify(url, build, { host: netlify })).toMatchObject({ different: 0 });
});

it("finds that a page of filters together is missing, with a limit or behind a cursor", async () => {
  const [content, dist] = [path.join(folder, "content"), path.join(folder, "dist")];
  const tagged = someProducts.products.map((product) => ({ ...product, tags: ["all"], category: "Same" }));
  writeProducts(content, { ...someProducts, products: tagged });
  await buildForTest(content, dist, [], productsApi);
  const build = readBuild(dist);
  const together = build.files.filter((file) => /^api\/v1\/products\/tag\/[^/]+\/category\//.test(file));
  for (const form of [/\/limit\/1\.json$/, /\/limit\/1\/cursor\/\w+\.json$/]) {
    const copy = mkdtempSync(path.join(folder, "copy-"));
    cpSync(dist, copy, { recursive: true });
    rmSync(path.join(copy, together.find((file) => form.test(file)) ?? ""));
    const { origin } = await preview(copy);
    expect((await verify(new URL(origin), build)).different, String(form)).toBeGreaterThan(0);
  }
});
