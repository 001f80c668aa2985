// Web servers that a machine may have: the real programs, run on a sample and on a larger dataset.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../conformance/ask.ts";
import { conform } from "../conformance/conform.ts";
import { type Built, buildForTest, realContent, sampleContent } from "../conformance/fixture.ts";
import { fuzz } from "../conformance/fuzz.ts";
import { conformanceRequests } from "../conformance/requests.ts";
import { serverRequests } from "../conformance/server-requests.ts";
import { besideFolder } from "../output/publication.ts";
import { findProgram, type RunningProgram, startProgram } from "../preview/program.ts";
import { hosts } from "./hosts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-servers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Set in CI, where everything is installed and nothing may be skipped. */
const strict = process.env.EDGE_API_SKIP_NOTHING !== undefined;

/** Those that answer as their hosts do. */
const programs = [...hosts.values()].flatMap((host) =>
  host.program === undefined || host.program.differs !== undefined ? [] : [{ ...host, program: host.program }],
);
const contents = [sampleContent(folder, { count: 130, pageSizes: "every", paging: "both" }), realContent(folder)];
const cases = programs.flatMap((host) =>
  contents.map((dataset) => ({ host, dataset, title: `${host.name} on ${dataset.name}` })),
);

/** Each content is built once, for all these hosts: their files go together. */
const builds = new Map<string, Promise<Built>>();
const buildOnce = (content: string, dist: string): Promise<Built> => {
  const running = builds.get(dist) ?? buildForTest(content, dist, programs);
  builds.set(dist, running);
  return running;
};

describe.each(cases)("$title", ({ host, dataset: { name, content, missing, isComplete } }) => {
  if (missing !== undefined) return it.skip(`is skipped, because ${missing}`);
  if (findProgram(host.program) === undefined && !strict) {
    return it.skip(`is skipped, because ${host.program.command} is not installed. To get it: ${host.program.install}`);
  }

  const dist = path.join(folder, name.replaceAll(/\W/g, ""));
  let built: Built;
  let server: RunningProgram;

  beforeAll(async () => {
    built = await buildOnce(content, dist);
    // Until a file is a second old, Apache's ETag of it is weak.
    await sleep(1_000);
    server = await startProgram(host.program, {
      publishRoot: dist,
      beside: path.join(besideFolder(dist), host.name),
      port: 0,
    });
  });

  afterAll(() => server?.stop());

  it("answers every request as the contract or a declared gap says", async () => {
    const requests = [...conformanceRequests(built.dataset), ...serverRequests(built.dataset)];
    const send = (request: (typeof requests)[number]) => ask(server.origin, request);
    const { failures, occurrences } = await conform({ dataset: built.dataset, dist, gaps: host.gaps, send }, requests);
    expect(failures).toEqual([]);
    const unseen = [...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests);
    if (isComplete) expect(unseen).toEqual([]);
  });

  it.runIf(isComplete)(
    "answers thousands of random and mutated requests as the contract or a declared gap says",
    async () => {
      const send = (request: Parameters<typeof ask>[1]) => ask(server.origin, request);
      await fuzz(host.name, { dataset: built.dataset, dist, gaps: host.gaps, send }, 2_000);
    },
  );

  it("answers 304 to the ETag it gave, with the headers of the contract", async () => {
    const operation = built.dataset.operations.find(({ kind }) => kind === "list");
    const request = { method: "GET", path: `/api/v1/${operation?.name}`, query: "" };
    const { etag = "" } = (await ask(server.origin, request)).headers;
    const again = await ask(server.origin, request, { "if-none-match": etag });
    expect(again).toMatchObject({ status: 304, body: "", headers: { etag, "access-control-allow-origin": "*" } });
    expect(again.headers["cache-control"]).toBe(operation?.cacheControl);
    expect((await ask(server.origin, request, { "if-none-match": '"other"' })).status).toBe(200);
  });
});
