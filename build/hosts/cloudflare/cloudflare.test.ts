// The worker with the whole conformance list, in this process. servers.test.ts runs the worker in Cloudflare's runtime,
// where a request takes a hundred times as long, with a shorter list.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { buildForTest, sampleContent } from "../../../test/check/built.ts";
import { isFile, type Subject } from "../../../test/check/conform.ts";
import { fuzz } from "../../../test/check/fuzz.ts";
import { describeConformance } from "../../../test/check/suite.ts";
import { respond } from "../../../test/hosts/cloudflare-worker.ts";
import { gaps } from "./index.ts";

vi.mock("../../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("../../../test/hosts/further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../../documents/documents.ts")>());
});

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-cloudflare-"));
afterAll(() => rmSync(folder, { recursive: true }));

let sites = 0;

async function makeSite(content: string): Promise<Subject> {
  const dist = path.join(folder, `dist-${sites++}`);
  const { dataset, plan } = await buildForTest(content, dist);
  const fetch = async ({ method, url }: Request) => {
    const file = fileAt(dist, new URL(url).pathname);
    if (file === undefined) return new Response(null, { status: 404 });
    return new Response(method === "HEAD" ? null : readFileSync(path.join(dist, file)));
  };
  const send = async ({ method, path: asked, query }: Parameters<Subject["send"]>[0]) => {
    const request = new Request(`http://localhost${asked}${query === "" ? "" : `?${query}`}`, { method });
    const answer = await respond(plan.table, request, { fetch });
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  };
  return { dataset, dist, gaps, send };
}

/** ASSETS serves a page at its address without .html and index.html. */
const fileAt = (dist: string, address: string): string | undefined =>
  [address.slice(1), `${address.slice(1)}.html`, `${address.slice(1)}index.html`].find((file) => isFile(dist, file));

describeConformance("The worker", folder, makeSite);

it("answers random and mutated requests as the contract or a declared gap says", async () => {
  const site = await makeSite(sampleContent(folder, { count: 12, pageSizes: "every" }).content);
  await fuzz(site);
  expect(sites).toBeGreaterThan(0);
});
