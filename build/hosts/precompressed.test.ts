// Servers that send sidecars: the real programs, with requests for pages and errors and various Accept-Encoding
// headers.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Built, buildForTest } from "../../test/check/built.ts";
import { conform } from "../../test/check/conform.ts";
import { pairwise } from "../../test/check/pairwise.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { withTypes } from "../../test/hosts/apache.ts";
import { configurations, startForTests } from "../../test/hosts/configurations.ts";
import { ask, type Connection } from "../address/ask.ts";
import { openClient } from "../address/client.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { readBuild } from "../check/verify/files.ts";
import { verify } from "../check/verify/verify.ts";
import { type Encoding, encodings, suffixes } from "../routing/paths.ts";
import { apache } from "./apache/index.ts";

vi.mock("../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("../../test/hosts/further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../documents/documents.ts")>());
});

const rows = configurations.flatMap(({ sends, files, ...row }) => {
  if (sends === undefined) return [];
  if (row.host !== apache) return [{ ...row, ...(files && { files }), sends }];
  // On Debian, the ending of Brotli stands for Breton.
  const systemFiles: typeof files = (site, own) => withTypes(files?.(site, own) ?? own);
  return [{ ...row, files: systemFiles, sends }];
});

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-precompressed-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

/** Built once for all these servers, whose files do not conflict. */
let built: Built;
let requests: readonly ConformanceRequest[];

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeSample(content, { count: 230, pageSizes: [1, 5, 10, 25, 100] });
  built = await buildForTest(content, dist, [...new Set(rows.map(({ host }) => host))], true);
  const all = [undefined, "gzip", "br", "gzip, br", "*", "identity;q=0, *;q=0"].flatMap((accepted) =>
    conformanceRequests(built.dataset).map(
      (request): ConformanceRequest =>
        accepted === undefined ? request : { ...request, headers: { "accept-encoding": accepted } },
    ),
  );
  requests = pairwise(built.dataset, all);
  // Apache's ETag of a file is weak until the file is a second old.
  await sleep(1_000);
});

const get = (target: string): ConformanceRequest => {
  const [path = "", query = ""] = target.split("?");
  return { method: "GET", path: `/api/v1/${path}`, query };
};

const pages: readonly (readonly [string, file: string, cacheControl: string])[] = [
  ["nodes", "nodes", "public, max-age=60"],
  ["status", "status", "no-store"],
  ["nodes?region=lhr1&limit=5", "nodes/region/lhr1/limit/5", "public, max-age=60"],
  ["nodes?utm=1&limit=5&region=lhr1", "nodes/region/lhr1/limit/5", "public, max-age=60"],
  ["nodes?limit=7", "nodes/limit/5", "public, max-age=60"],
  ["schema?limit=0", "schema", "public, max-age=3600"],
];

/** Values of Accept-Encoding, and the encodings that each allows. */
const clients: readonly (readonly [string | undefined, readonly Encoding[]])[] = [
  [undefined, []],
  ["identity", []],
  ["", []],
  ["gzip", ["gzip"]],
  ["GZIP", ["gzip"]],
  ["br", ["br"]],
  ["gzip, deflate, br, zstd", ["br", "gzip"]],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", ["br", "gzip"]],
  ["gzip;q=0.001", ["gzip"]],
  ["gzip;q=0", []],
  ["br;q=0, gzip;q=0.000", []],
  ["br;q=0,gzip", ["gzip"]],
  ["gzip;q=0, br", ["br"]],
  ["xgzip, brr, deflate", []],
];

describe.each(rows)("$title", ({ sends, ...row }) => {
  const server = startForTests(row, dist);
  if (server === undefined) return;
  const { host, gaps } = row;

  const askAs = (
    request: ConformanceRequest,
    accepted: string | undefined,
    more: Readonly<Record<string, string>> = {},
    connection: Connection = {},
  ) => {
    const headers = { ...(accepted === undefined ? {} : { "accept-encoding": accepted }), ...more };
    return ask(server.origin(), request, headers, connection);
  };

  it.each(pages)("sends %s in the best encoding that the client accepts", async (target, file, cacheControl) => {
    const page = path.join(dist, `api/v1/${file}.json`);
    const etags = new Map<string, string | undefined>();
    for (const [accepted, left] of clients) {
      const encoding = encodings.find((each) => left.includes(each) && sends.includes(each));
      const sent = encoding === undefined ? page : page + suffixes[encoding];
      const headers = {
        "content-type": "application/json",
        "access-control-allow-origin": "*",
        "x-content-type-options": "nosniff",
        "cache-control": cacheControl,
        vary: "Accept-Encoding",
      };
      const answer = await askAs(get(target), accepted);
      expect({ accepted, ...answer }).toMatchObject({ status: 200, headers, body: readFileSync(page, "utf8") });
      expect(answer.headers["content-encoding"]).toBe(encoding);
      expect(answer.headers).not.toHaveProperty("content-language");
      const { date: _, "content-length": length, "transfer-encoding": __, ...sameHeaders } = answer.headers;
      // Caddy omits the length of compressed answers, unless they are short and not answers to HEAD.
      if (length !== undefined) expect(length).toBe(String(readFileSync(sent).length));
      const head = await askAs({ ...get(target), method: "HEAD" }, accepted);
      expect(head).toMatchObject({ status: 200, headers: sameHeaders, body: "" });
      etags.set(encoding ?? "none", answer.headers["etag"]);
    }
    expect(new Set(etags.values()).size).toBe(sends.length + 1);
    expect([...etags.values()]).not.toContain(undefined);
  });

  it.each([undefined, "gzip", "br", "gzip, br"])(
    "answers 304 to the ETag that it gave for %s, and to no other",
    async (accepted) => {
      const request = get("nodes?limit=5");
      const { etag = "" } = (await askAs(request, accepted)).headers;
      for (const method of ["GET", "HEAD"]) {
        const again = await askAs({ ...request, method }, accepted, { "if-none-match": etag });
        expect(again).toMatchObject({ status: 304, body: "", headers: { etag, vary: "Accept-Encoding" } });
        expect(again.headers).toMatchObject({
          "cache-control": "public, max-age=60",
          "access-control-allow-origin": "*",
        });
      }
      for (const [other] of clients) {
        const { etag: theirs = "" } = (await askAs(request, other)).headers;
        const { status } = await askAs(request, accepted, { "if-none-match": theirs });
        expect(status).toBe(theirs === etag ? 304 : 200);
      }
    },
  );

  it("sends documents compressed, with their headers, but not the state for the next build", async () => {
    for (const { path: asked, file, contentType, cacheControl } of built.plan.documents) {
      const request = { method: "GET", path: asked, query: "" };
      const { status, headers, body } = await askAs(request, "gzip");
      const isSmaller = existsSync(path.join(dist, `${file}.gz`));
      expect({ asked, isSmaller }).toEqual({ asked, isSmaller: asked !== "/api/v1/cursors.json" });
      expect({ status, body }).toEqual({ status: 200, body: readFileSync(path.join(dist, file), "utf8") });
      expect(headers).toMatchObject({ "content-type": contentType, "cache-control": cacheControl });
      expect({ asked, encoding: headers["content-encoding"] }).toEqual({
        asked,
        encoding: isSmaller ? "gzip" : undefined,
      });
      const again = await askAs(request, "gzip", { "if-none-match": headers["etag"] ?? "" });
      expect({ asked, status: again.status }).toEqual({ asked, status: 304 });
    }
  });

  it("sends a page as it is if a sidecar would save nothing", async () => {
    const regions = (built.dataset.items.get("regions") ?? []).map(({ code }) => String(code));
    const small = regions.map((region) => `api/v1/nodes/region/${region}.json`);
    const bare = small.find((file) => !existsSync(path.join(dist, `${file}.gz`)));
    if (bare === undefined) throw new Error("Every page has a sidecar.");
    const region = /region\/(\w+)/.exec(bare)?.[1];
    const { status, headers, body } = await askAs(get(`nodes?region=${region}`), "gzip");
    expect({ status, body }).toEqual({ status: 200, body: readFileSync(path.join(dist, bare), "utf8") });
    expect(headers).not.toHaveProperty("content-encoding");
  });

  it("answers every request, errors too, as the contract or a declared gap says, whatever encoding is accepted", async () => {
    const agent = new Agent({ keepAlive: true });
    // The client would take a body that must not exist for the next answer of the connection.
    const send = (request: ConformanceRequest) =>
      askAs(request, undefined, {}, request.method === "HEAD" ? {} : { agent });
    const { failures } = await conform({ dataset: built.dataset, dist, gaps, send }, requests);
    agent.destroy();
    expect(failures).toEqual([]);
  });

  it("passes verify, by its published data and by the content, with compressed answers", async () => {
    const build = readBuild(dist, true);
    for (const dataset of [undefined, built.dataset]) {
      const client = openClient(new URL(server.origin()), edgeNetwork.base);
      const { findings, tags, comparison } = await verify(client, {
        api: edgeNetwork,
        dataset,
        host,
        build,
        all: false,
      });
      client.close();
      expect(findings).toEqual([]);
      expect(tags.observations).toEqual([]);
      expect(tags.asked).toBe(dataset === undefined ? 8 : 9);
      expect(tags.compressed).toBeGreaterThan(0);
      expect(comparison).toMatchObject({ compared: 60, different: [], isAnotherBuild: false });
    }
  });

  it.each(["nodes?limit=0", "nodes?region=nope", "records?cursor=nope", "nope"])(
    "sends the error of %s whole and as it is",
    async (target) => {
      const plain = await askAs(get(target), undefined);
      expect(plain.status).toBeGreaterThanOrEqual(400);
      const { etag = '"none"' } = plain.headers;
      const answer = await askAs(get(target), "gzip, br", { "if-none-match": etag });
      expect(answer).toMatchObject({
        status: plain.status,
        body: plain.body,
        headers: { "cache-control": "no-store" },
      });
      expect(answer.headers).not.toHaveProperty("content-encoding");
    },
  );

  it("serves a page that has lost its sidecars", async () => {
    const page = path.join(dist, "api/v1/images.json");
    const moves = Object.values(suffixes).map((suffix) => [page + suffix, path.join(folder, `lost${suffix}`)] as const);
    for (const [sidecar, away] of moves) renameSync(sidecar, away);
    try {
      const answer = await askAs(get("images"), "gzip, br");
      expect(answer).toMatchObject({ status: 200, body: readFileSync(page, "utf8") });
      expect(answer.headers).not.toHaveProperty("content-encoding");
    } finally {
      for (const [sidecar, away] of moves) renameSync(away, sidecar);
    }
  });
});
