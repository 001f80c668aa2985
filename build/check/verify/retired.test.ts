// An API with several builds: earlier ones, an unpublished one, and one that is published during a verification.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { serveWith, verifyAt } from "../../../test/check/published.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { openClient } from "../../address/client.ts";
import { build, planBuild } from "../../build.ts";
import { startPreview } from "../../cli/preview/preview.ts";
import { datasetOf } from "../dataset.ts";
import { readBuild } from "./files.ts";
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
  const history = { kind: "previous", from: out, now, isExpected: false } as const;
  const [, faults] = await build({ api: edgeNetwork, content, out, deployment: undefined, hosts: [], history }, quiet);
  expect(faults).toEqual([]);
  return out;
}

async function preview(out: string) {
  const server = await startPreview(out, 0);
  onTestFinished(() => server.stop());
  return server;
}

it("expects no error if a cursor of an earlier build may have a page", async () => {
  await buildHere(130, [1, 5, 7, 10, 100], 1_000);
  const out = await buildHere(120, [5, 10, 100], 1_060);
  const { origin } = await preview(out);
  const { findings, comparison } = await verifyAt(origin, { all: true });
  expect({ findings, comparison }).toEqual({ findings: [], comparison: undefined });
});

it("tells an earlier build from the one that should be published", async () => {
  const out = await buildHere(130, [5, 100], 1_000);
  const earlier = path.join(folder, "earlier");
  cpSync(out, earlier, { recursive: true });
  await buildHere(120, [5, 100], 1_060);
  const { origin } = await preview(earlier);
  const [plan] = await planBuild({
    api: edgeNetwork,
    content: path.join(folder, "content"),
    deployment: undefined,
    hosts: [],
  });
  if (plan === undefined) throw new Error("The sample has faults.");
  const dataset = datasetOf(plan.catalog, plan.deployment, plan.documents);
  const client = openClient(new URL(origin), edgeNetwork.base);
  onTestFinished(() => client.close());
  const options = { api: edgeNetwork, host: undefined, build: readBuild(out, true), all: false };
  const byContent = await verify(client, { dataset, ...options });
  expect(byContent.findings.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^\d+ answers hold other data: stale, or of another build\.$/),
  );
  const byItself = await verify(client, { dataset: undefined, ...options });
  expect(byItself.findings).toEqual([]);
  for (const { comparison } of [byContent, byItself]) expect(comparison).toMatchObject({ isAnotherBuild: true });
});

it("recognises the kind of paging if the state of the build is unreadable", async () => {
  const [content, out] = [path.join(folder, "content"), path.join(folder, "dist")];
  mkdirSync(content);
  writeSample(content, { count: 130, pageSizes: [1, 5, 10, 100], paging: "both" });
  const [, faults] = await build({ api: edgeNetwork, content, out, deployment: undefined, hosts: [] }, quiet);
  expect(faults).toEqual([]);
  const { origin } = await preview(out);
  const server = await serveWith(origin, (request, answer) =>
    request.path === "/api/v1/cursors.json" ? { ...answer, status: 503, headers: {}, body: "{}" } : answer,
  );
  onTestFinished(() => server.stop());
  const { findings } = await verifyAt(server.origin, { all: true });
  expect(findings.length).toBeGreaterThan(0);
  for (const { message } of findings) expect(message).not.toMatch(/hold|data|cursor of/);
});

it("reports that another build was published in the meantime", async () => {
  const { origin } = await preview(await buildHere(30, [5, 100], 1_000));
  let count = 0;
  const server = await serveWith(origin, (request, answer) =>
    request.path === "/api/v1/cursors.json" && request.query === "" && ++count > 1
      ? { ...answer, headers: { "x-of": "another build" }, body: `${answer.body} ` }
      : answer,
  );
  onTestFinished(() => server.stop());
  expect(await verifyAt(server.origin)).toMatchObject({ isOvertaken: true });
  expect(await verifyAt(origin)).toMatchObject({ isOvertaken: false });
});
