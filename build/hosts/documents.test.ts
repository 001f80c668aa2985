// Documents of every kind, their preflights and redirects, answered by each host as the contract or a declared gap says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ask, type Response } from "../conformance/ask.ts";
import { conform } from "../conformance/conform.ts";
import { type Built, buildForTest } from "../conformance/fixture.ts";
import { fuzz } from "../conformance/fuzz.ts";
import { conformanceRequests } from "../conformance/requests.ts";
import { writeSample } from "../conformance/sample.ts";
import { serverRequests } from "../conformance/server-requests.ts";
import { besideFolder } from "../output/publication.ts";
import { findProgram, startProgram } from "../preview/program.ts";
import type { HostAdapter, Request } from "./host.ts";
import { hosts } from "./hosts.ts";

vi.mock("../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("./further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../documents/documents.ts")>());
});

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-documents-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly send: (request: Request, headers?: Readonly<Record<string, string>>) => Promise<Response> | Response;
  readonly stop: () => Promise<void>;
}

/** Starts what answers for a host from a publish root: its program or its emulator. */
const answering: Readonly<Record<string, (host: HostAdapter, dist: string) => Promise<Running>>> = {
  nginx: program,
  caddy: program,
  apache: program,
  "cloudflare-pages": program,
  "cloudflare-workers": program,
};

async function program({ name, program: own }: HostAdapter, dist: string): Promise<Running> {
  if (own === undefined) throw new Error(`${name} has no program.`);
  // Until a file is a second old, Apache's ETag of it is weak.
  await sleep(1_000);
  const beside = path.join(besideFolder(dist), name);
  const { origin, stop } = await startProgram(own, { publishRoot: dist, beside, port: 0 });
  return { send: (request, headers) => ask(origin, request, headers), stop };
}

describe.each(Object.keys(answering))("%s", (name) => {
  const host = hosts.get(name);
  const start = answering[name];
  if (host === undefined || start === undefined) throw new Error(`There is no host ${name}.`);
  const { program: own } = host;
  const strict = process.env.EDGE_API_SKIP_NOTHING !== undefined;
  if (start === program && own !== undefined && findProgram(own) === undefined && !strict) {
    return it.skip(`is skipped, because ${own.command} is not installed. To get it: ${own.install}`);
  }

  const dist = path.join(folder, name, "dist");
  let built: Built;
  let running: Running;

  beforeAll(async () => {
    const content = path.join(folder, name, "content");
    writeSample(content, { count: 30, pageSizes: [5, 10] });
    built = await buildForTest(content, dist, [host]);
    running = await start(host, dist);
  });

  afterAll(() => running?.stop());

  it("answers requests for documents as the contract or a declared gap says", async () => {
    const { dataset, plan } = built;
    const files = plan.documents.map(({ file }) => ({ method: "GET", path: `/${file}`, query: "" }));
    const requests = [...conformanceRequests(dataset), ...(start === program ? serverRequests(dataset) : []), ...files];
    const { failures } = await conform({ dataset, dist, gaps: host.gaps, send: running.send }, requests);
    expect(failures).toEqual([]);
  });

  it.runIf(start === program)(
    "answers random and mutated requests as the contract or a declared gap says",
    async () => {
      await fuzz(name, { dataset: built.dataset, dist, gaps: host.gaps, send: running.send }, 1_000);
    },
  );

  it.runIf(start === program)("answers 304 to the ETag of a document, with its headers", async () => {
    for (const { path: asked, cacheControl } of built.plan.documents) {
      const request = { method: "GET", path: asked, query: "" };
      const { etag = "" } = (await running.send(request)).headers;
      const again = await running.send(request, { "if-none-match": etag });
      const headers = { etag, "access-control-allow-origin": "*", "cache-control": cacheControl };
      expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers });
      expect((await running.send(request, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });
});
