// A server in front of the preview makes a mistake, and the verification reports it.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Built, buildForTest } from "../../../test/check/built.ts";
import { mistakes } from "../../../test/check/mistakes.ts";
import { type Mistake, remembering, serveWith, verifyAt } from "../../../test/check/published.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { ask } from "../../address/ask.ts";
import { openClient } from "../../address/client.ts";
import { type Preview, startPreview } from "../../cli/preview/preview.ts";
import { splitTarget } from "../../routing/resolve.ts";
import { verify } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-mistakes-"));
const dist = path.join(folder, "dist");
let built: Built;
let preview: Preview;
let published: ReturnType<typeof remembering>;

beforeAll(async () => {
  writeSample(path.join(folder, "content"), { count: 130, pageSizes: [1, 5, 10, 100] });
  built = await buildForTest(path.join(folder, "content"), dist);
  preview = await startPreview(dist, 0);
  published = remembering(preview.origin);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

const operation = edgeNetwork.lists.find(({ paged, filters }) => paged && filters.length > 0);
if (operation === undefined) throw new Error("No paged operation has a filter.");
const own = `/api/v1/${operation.name}`;

async function serve(mistake?: Mistake, below?: string) {
  const server = await serveWith(published, mistake, below);
  onTestFinished(() => server.stop());
  return server;
}

const messages = ({ findings }: Awaited<ReturnType<typeof verifyAt>>) => findings.map(({ message }) => message);

describe("a verification finds", () => {
  it.each(mistakes(operation))("$title", async ({ mistake, reported }) => {
    const { origin } = await serve(mistake);
    const verified = await verifyAt(origin, { dataset: built.dataset });
    for (const message of reported) expect(messages(verified)).toContainEqual(expect.stringMatching(message));
    for (const { examples } of verified.findings) expect(examples[0]?.curl).toMatch(/^curl -[iI] -g .*'http:.*'$/);
  });

  it("that the query is ignored", async () => {
    const bare = await ask(preview.origin, { method: "GET", path: own, query: "" });
    const { origin } = await serve((request, answer) =>
      request.path === own && request.method === "GET" ? bare : answer,
    );
    const reported = messages(await verifyAt(origin, { dataset: built.dataset }));
    expect(reported).toContainEqual(
      expect.stringMatching(/^\d+ answers are those to the same path without its query: the query is ignored, all of/),
    );
  });
});

describe("the data that an API lists", () => {
  it("is enough to pass, and to find a page that differs from the others", async () => {
    expect(messages(await verifyAt((await serve()).origin))).toEqual([]);
    const { origin } = await serve((request, answer) =>
      request.path === own && request.query === "" && request.method === "GET"
        ? { ...answer, headers: {}, body: answer.body.replace('"data":[', '"data":[{},') }
        : answer,
    );
    expect(messages(await verifyAt(origin))).toContainEqual("1 answer holds other data: stale, or of another build.");
  });

  it.each([
    ["the overview", (path: string) => path === "/api/v1"],
    ["the state for the next build", (path: string) => path === "/api/v1/cursors.json"],
    ["the dumps", (path: string) => path.includes("/dumps/")],
    ["any of these", (path: string) => path === "/api/v1" || /\/(?:dumps|cursors)/.test(path)],
  ])("is learned without %s", async (_, isMissing) => {
    const missing = await ask(preview.origin, { method: "GET", path: "/api/v1/nothing", query: "" });
    const { origin } = await serve((request, answer) =>
      isMissing(request.path) && request.method === "GET" ? missing : answer,
    );
    const verified = await verifyAt(origin);
    const reported = messages(verified);
    expect(reported).toEqual([expect.stringMatching(/^\d+ answers are missing: the status is 404 not_found, not 200/)]);
    for (const { examples } of verified.findings) for (const each of examples) expect(isMissing(each.path)).toBe(true);
  });
});

describe("a verification", () => {
  it("sends a few hundred requests, at most eight at once, and names itself", async () => {
    const server = await serve();
    const { asked, listed, requests } = await verifyAt(server.origin, { dataset: built.dataset });
    expect(listed).toBeGreaterThan(1_000);
    expect(asked).toBe(300);
    expect(requests).toBe(server.asked.length);
    expect(requests).toBeLessThan(400);
    expect(server.most()).toBeLessThanOrEqual(8);
    for (const { headers } of server.asked) expect(headers["user-agent"]).toMatch(/^stillapi\/[\d.]+ \(verify\)$/);
  });

  it("sends the same requests each time", async () => {
    const [one, other] = [await serve(), await serve()];
    for (const { origin } of [one, other]) await verifyAt(origin, { dataset: built.dataset });
    const targets = ({ asked }: typeof one) => asked.map(({ method, url }) => `${method} ${url}`).sort();
    expect(targets(one)).toEqual(targets(other));
  });

  it("sends the whole list on request", async () => {
    const { asked, listed, findings } = await verifyAt((await serve()).origin, { dataset: built.dataset, all: true });
    expect({ asked, findings }).toEqual({ asked: listed, findings: [] });
  });

  it("tries again if a connection is closed", async () => {
    const seen = new Set<string>();
    const { origin } = await serve((request, answer) => {
      const key = JSON.stringify(request);
      if (seen.has(key)) return answer;
      seen.add(key);
      return seen.size % 20 === 0 ? null : answer;
    });
    expect(messages(await verifyAt(origin, { dataset: built.dataset }))).toEqual([]);
  });

  it("waits if the server requests it", async () => {
    let count = 0;
    const { origin } = await serve((_, answer) =>
      ++count % 30 === 5 ? { status: 429, headers: { "retry-after": "0" }, body: "" } : answer,
    );
    expect(messages(await verifyAt(origin, { dataset: built.dataset }))).toEqual([]);
  });

  it("gives up on a server that never answers, or stops answering", async () => {
    for (const silentFrom of [0, 40]) {
      let count = 0;
      const server = createServer((incoming, response) => {
        if (++count <= silentFrom) {
          ask(preview.origin, { method: incoming.method ?? "", ...splitTarget(incoming.url ?? "") }).then(
            ({ status, headers, body }) => response.writeHead(status, headers).end(body),
          );
        }
      });
      const port = await getPort({ host: "127.0.0.1" });
      await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
      const client = openClient(new URL(`http://127.0.0.1:${port}`), edgeNetwork.base, { patience: 200 });
      const options = { api: edgeNetwork, dataset: built.dataset, host: undefined, build: undefined, all: false };
      await expect(verify(client, options)).rejects.toThrow(`The server at 127.0.0.1:${port} does not answer.`);
      client.close();
      server.close();
      server.closeAllConnections();
    }
  });

  it("accepts the address of the API itself, and one below a path", async () => {
    const { origin } = await serve(undefined, "/below");
    for (const address of [origin, `${origin}/`, `${origin}/api/v1`, `${origin}/api/v1/`]) {
      expect(messages(await verifyAt(address, { dataset: built.dataset }))).toEqual([]);
    }
  });

  it("sends nothing but GET until it knows the API", async () => {
    const server = await serve((_, answer) => ({ ...answer, status: 200, headers: {}, body: "<p>Hello." }));
    await expect(verifyAt(server.origin, { dataset: built.dataset })).rejects.toThrow(
      /^There is no API of this program at /,
    );
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });
});
