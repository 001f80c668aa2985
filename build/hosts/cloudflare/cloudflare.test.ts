// The worker with the whole conformance list, in this process. servers.test.ts runs the worker in Cloudflare's runtime,
// where a request takes a hundred times as long, with a shorter list.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import type { Subject } from "../../../test/check/conform.ts";
import { fuzz } from "../../../test/check/fuzz.ts";
import { describeConformance } from "../../../test/check/suite.ts";
import { sendToWorker } from "../../../test/hosts/worker-emulator.ts";
import { gaps } from "./index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-cloudflare-"));
afterAll(() => rmSync(folder, { recursive: true }));

let sites = 0;

async function makeSite(content: string): Promise<Subject> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset, plan } = await buildForTest(content, dist);
  return { dataset, dist, gaps, send: sendToWorker(dist, plan.table) };
}

describeConformance("The worker", folder, makeSite);

it("answers random and mutated requests as the contract or a declared gap says", async () => {
  const site = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  await fuzz(site);
  expect(sites).toBeGreaterThan(0);
});
