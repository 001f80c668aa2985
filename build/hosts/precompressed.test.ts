// Servers that send sidecars: the real programs, with requests for pages and errors and various Accept-Encoding
// headers.
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Built, buildForTest } from "../../test/check/built.ts";
import { conformer, type Examine } from "../../test/check/conform.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { asVirtualHost } from "../../test/hosts/apache.ts";
import { ask, type Connection } from "../address/ask.ts";
import { openClient } from "../address/client.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { readBuild } from "../check/verify/files.ts";
import { verify } from "../check/verify/verify.ts";
import { findProgram, type RunningProgram, startProgram } from "../cli/preview/program.ts";
import { type OutputFile, textFile } from "../file.ts";
import { besideFolder } from "../output/publication.ts";
import { type Encoding, encodings, suffixes } from "../routing/sidecar.ts";
import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import type { HostAdapter, HostProgram, Site } from "./host.ts";
import { nginx } from "./nginx/index.ts";

vi.mock("../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("../../test/hosts/further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../documents/documents.ts")>());
});

const brotliModule = "/usr/lib/nginx/modules/ngx_http_brotli_static_module.so";

interface Case {
  readonly title: string;
  readonly host: HostAdapter;
  readonly sends: readonly Encoding[];
  /** Replace the files of the adapter's program. */
  readonly files?: (site: Site, own: readonly OutputFile[]) => readonly OutputFile[];
  /** A file that the server requires. */
  readonly needs?: string;
}

/** Enables Brotli as the comment in the configuration says. */
const withBrotli = (_: Site, own: readonly OutputFile[]): readonly OutputFile[] =>
  own.map(({ entry: { file }, parts }) => {
    const text = Buffer.concat(parts()).toString().replace("server {", "server {\nbrotli_static on;");
    return textFile(file, `load_module ${brotliModule};\n${text}`);
  });

const cases: readonly Case[] = [
  { title: "nginx", host: nginx, sends: ["gzip"] },
  { title: "nginx with Brotli", host: nginx, sends: encodings, needs: brotliModule, files: withBrotli },
  { title: "Caddy", host: caddy, sends: encodings },
  { title: "Apache with .htaccess", host: apache, sends: encodings },
  { title: "Apache with an included file", host: apache, sends: encodings, files: asVirtualHost },
];

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-precompressed-"));
const dist = path.join(folder, "dist");
afterAll(() => rmSync(folder, { recursive: true }));

/** Built once for all these servers, whose files do not conflict. */
let built: Built;

beforeAll(async () => {
  const content = path.join(folder, "content");
  writeSample(content, { count: 230, pageSizes: [1, 5, 10, 25, 100] });
  built = await buildForTest(content, dist, [...new Set(cases.map(({ host }) => host))], true);
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

describe.each(cases)("$title", ({ host, sends, files, needs }) => {
  const { program: own } = host;
  if (own === undefined) throw new Error(`${host.name} has no program.`);
  if (needs !== undefined && !existsSync(needs)) return it.skip(`is skipped, because there is no ${needs}`);
  if (findProgram(own) === undefined && process.env.STILLAPI_SKIP_NOTHING === undefined) {
    return it.skip(`is skipped, because ${own.command} is not installed. To install it: ${own.install}`);
  }
  const run: HostProgram["run"] = (site) => {
    const { files: theirs, ...rest } = own.run(site);
    return { ...rest, files: files?.(site, theirs) ?? theirs };
  };

  let server: RunningProgram;
  let examine: Examine;

  beforeAll(async () => {
    const beside = path.join(besideFolder(dist), host.name);
    server = await startProgram({ ...own, run }, { publishRoot: dist, beside, port: 0 });
    examine = conformer({
      dataset: built.dataset,
      dist,
      gaps: host.gaps,
      send: (request) => askAs(request, undefined),
    });
  });

  afterAll(async () => {
    await server?.stop();
  });

  const askAs = (
    request: ConformanceRequest,
    accepted: string | undefined,
    more: Readonly<Record<string, string>> = {},
    connection: Connection = {},
  ) => {
    const headers = { ...(accepted === undefined ? {} : { "accept-encoding": accepted }), ...more };
    return ask(server.origin, request, headers, connection);
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

  it.each([undefined, "gzip", "br", "gzip, br", "*", "identity;q=0, *;q=0"])(
    "answers every request, errors too, as the contract or a declared gap says to a client that accepts %s",
    async (accepted) => {
      const agent = new Agent({ keepAlive: true });
      // The client would take a body that must not exist for the next answer of the connection.
      const send = (request: ConformanceRequest) =>
        askAs(request, accepted, {}, request.method === "HEAD" ? {} : { agent });
      const { failures } = await examine(conformanceRequests(built.dataset), send);
      agent.destroy();
      expect(failures).toEqual([]);
    },
  );

  it("passes verify, by its published data and by the content, with compressed answers", async () => {
    const build = readBuild(dist, true);
    for (const dataset of [undefined, built.dataset]) {
      const client = openClient(new URL(server.origin), edgeNetwork.base);
      const { findings, tags, comparison } = await verify(client, {
        api: edgeNetwork,
        dataset,
        host,
        build,
        all: false,
      });
      client.close();
      expect(findings).toEqual([]);
      expect(tags).toMatchObject({ asked: 8, observations: [] });
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
