// The web servers that are installed: the real programs, with a sample and a larger dataset. `verify` checks the
// published API with and without the declared gaps.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, buildForTest, realContent, sampleContent, type TestContent } from "../../test/check/built.ts";
import { conform } from "../../test/check/conform.ts";
import { fuzz } from "../../test/check/fuzz.ts";
import { writeSample } from "../../test/check/sample.ts";
import { serverRequests } from "../../test/check/server-requests.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { ask } from "../address/ask.ts";
import { openClient } from "../address/client.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { readBuild } from "../check/verify/files.ts";
import { type Verified, verify } from "../check/verify/verify.ts";
import { findProgram, type RunningProgram, startProgram } from "../cli/preview/program.ts";
import { besideFolder } from "../output/publication.ts";
import { hosts } from "./hosts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-servers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Set in CI, where everything is installed and no test may be skipped. */
const strict = process.env.STILLAPI_SKIP_NOTHING !== undefined;

/** The programs that answer as their hosts do. */
const programs = [...hosts.values()].flatMap((host) =>
  host.program === undefined || host.program.differs !== undefined ? [] : [{ ...host, program: host.program }],
);
const real = realContent(folder);
const fewSizes: TestContent = { ...sampleContent(folder, { count: 30, pageSizes: [5, 10] }), isComplete: false };
const contents = [
  sampleContent(folder, { count: 130, pageSizes: "every", paging: "both" }),
  real.missing === undefined ? real : fewSizes,
];
const cases = programs.flatMap((host) =>
  contents.map((dataset) => ({ host, dataset, title: `${host.name} on ${dataset.name}` })),
);

/** Each content is built once for all these hosts, whose files do not conflict. */
const builds = new Map<string, Promise<Built>>();
const buildOnce = (content: string, dist: string): Promise<Built> => {
  const running = builds.get(dist) ?? buildForTest(content, dist, programs);
  builds.set(dist, running);
  return running;
};

/** Another content, also built once. */
const other = path.join(folder, "other");
let otherBuild: Promise<Built> | undefined;
function buildOther(): Promise<Built> {
  if (otherBuild !== undefined) return otherBuild;
  const content = path.join(folder, "content-other");
  mkdirSync(content);
  writeSample(content, { count: 90, pageSizes: [1, 5, 10, 25, 50, 100] });
  writeFileSync(path.join(content, "api.yaml"), "title: Another\npage_sizes: [1, 5, 10, 25, 50, 100]\n");
  otherBuild = buildForTest(content, other, programs);
  return otherBuild;
}

describe.each(cases)("$title", ({ host, dataset: { name, content, isComplete } }) => {
  if (findProgram(host.program) === undefined && !strict) {
    return it.skip(
      `is skipped, because ${host.program.command} is not installed. To install it: ${host.program.install}`,
    );
  }

  const dist = path.join(folder, name.replaceAll(/\W/g, ""));
  let built: Built;
  const agent = new Agent({ keepAlive: true });
  let server: RunningProgram;

  beforeAll(async () => {
    built = await buildOnce(content, dist);
    // Apache's ETag of a file is weak until the file is a second old.
    await sleep(1_000);
    server = await startProgram(host.program, {
      publishRoot: dist,
      beside: path.join(besideFolder(dist), host.name),
      port: 0,
    });
  });

  afterAll(async () => {
    agent.destroy();
    await server?.stop();
  });

  /** Keeps the connection only for plain GETs: bytes after the answer to another request could be taken for an answer. */
  const send = (request: ConformanceRequest) => {
    const isPlain = request.method === "GET" && request.headers === undefined;
    return ask(server.origin, request, {}, isPlain ? { agent } : {});
  };

  it("answers every request as the contract or a declared gap says", async () => {
    const files = built.plan.documents.map(({ file }) => ({ method: "GET", path: `/${file}`, query: "" }));
    const requests = [...conformanceRequests(built.dataset), ...serverRequests(built.dataset), ...files];
    const { failures, occurrences } = await conform({ dataset: built.dataset, dist, gaps: host.gaps, send }, requests);
    expect(failures).toEqual([]);
    const unseen = [...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests);
    if (isComplete) expect(unseen).toEqual([]);
  });

  if (isComplete) {
    it("answers random and mutated requests as the contract or a declared gap says", () =>
      fuzz(host.name, { dataset: built.dataset, dist, gaps: host.gaps, send }));
  }

  it("answers 304 to the ETag it gave, with the headers of the contract", async () => {
    const operation = built.dataset.operations.find(({ kind }) => kind === "list");
    const request = { method: "GET", path: `/api/v1/${operation?.name}`, query: "" };
    const { etag = "" } = (await ask(server.origin, request)).headers;
    const again = await ask(server.origin, request, { "if-none-match": etag });
    expect(again).toMatchObject({ status: 304, body: "", headers: { etag, "access-control-allow-origin": "*" } });
    expect(again.headers["cache-control"]).toBe(operation?.cacheControl);
    expect((await ask(server.origin, request, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("answers 304 to the ETag of a document, with its headers", async () => {
    for (const { path: asked, cacheControl } of built.plan.documents) {
      const request = { method: "GET", path: asked, query: "" };
      const { etag = "" } = (await ask(server.origin, request)).headers;
      const again = await ask(server.origin, request, { "if-none-match": etag });
      const headers = { etag, "access-control-allow-origin": "*", "cache-control": cacheControl };
      expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers });
      expect((await ask(server.origin, request, { "if-none-match": '"other"' })).status).toBe(200);
    }
  });

  async function verifyHere(options: Partial<Parameters<typeof verify>[1]>, out = dist): Promise<Verified> {
    const client = openClient(new URL(server.origin), edgeNetwork.base);
    try {
      const build = readBuild(out, true);
      return await verify(client, { api: edgeNetwork, dataset: undefined, host, build, all: false, ...options });
    } finally {
      client.close();
    }
  }

  if (!isComplete) return;
  describe("verified", () => {
    it("has no difference, by its published data and by the content", async () => {
      for (const options of [{}, { dataset: built.dataset }]) {
        const { findings, tags, comparison } = await verifyHere(options);
        expect(findings).toEqual([]);
        expect(tags).toMatchObject({ asked: 8, observations: [] });
        expect(comparison).toMatchObject({ compared: 60, different: [], isAnotherBuild: false });
      }
    });

    it("is named if its gaps explain every difference and its headers name it", async () => {
      const { findings, explainedBy } = await verifyHere({ host: undefined, all: true });
      const isNamed = !host.name.startsWith("cloudflare");
      expect(explainedBy).toEqual(isNamed && findings.length > 0 ? [host.name] : []);
      if (host.name === "apache") expect(explainedBy).toEqual([host.name]);
    });

    it("publishes another build than one of other content", async () => {
      await buildOther();
      const { findings, comparison } = await verifyHere({}, other);
      expect(findings).toEqual([]);
      expect(comparison).toMatchObject({ isAnotherBuild: true });
      expect(comparison?.different.length).toBeGreaterThan(5);
    });
  });
});
