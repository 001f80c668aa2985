// `netlify dev` on a built site, without requests to the network.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import declared from "../../../src/edge-network/index.ts";
import { extend } from "../../../src/index.ts";
import { ask, type TextAnswer } from "../../../test/ask.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { conform } from "../../../test/check/conform.ts";
import type { Dataset } from "../../../test/check/dataset.ts";
import { writeSample } from "../../../test/check/sample.ts";
import { type RunningProgram, startProgram } from "../../cli/preview/program.ts";
import { completeApi } from "../../declaration/complete.ts";
import type { Request } from "../../routing/resolve.ts";
import type { Gap, HostProgram } from "../host.ts";
import { netlify, netlifyDev } from "./index.ts";

const regions = extend(declared.collections.regions, { deprecated: { since: "2026-01-01" } });

const api = completeApi({
  ...declared,
  collections: { ...declared.collections, regions },
  outputs: {
    "embed.html": { render: ({ title }) => `<p>${title}</p>` },
    "regions/{code}/sign": { each: "regions", type: "text/plain", render: () => "A sign" },
  },
});
const { base, operations } = api;

const { program: previewed } = netlify;
if (previewed === undefined) throw new Error("Netlify has no program.");

/** In a folder with netlify.toml. */
const configured = netlifyDev(({ publishRoot }) => ["--cwd", path.dirname(publishRoot)]);

interface Fault {
  readonly requests: string;
  readonly happens: string;
  readonly reason: string;
  readonly shows: (response: TextAnswer, request: Request) => boolean;
  /** Another request, which gets the answer that the fault replaces. */
  readonly mend: (request: Request, response: TextAnswer) => Request;
}

const get = (target: string): Request => {
  const [sent = "", query = ""] = target.split("?");
  return { method: "GET", path: sent, query };
};

/** Faults of `netlify dev` that Netlify's servers, by their documentation, do not have. */
const faults: readonly Fault[] = [
  {
    requests: "requests that a rule with the status 400 answers",
    happens: "a page that redirects to the rule's target, under the status 400",
    reason: "isRedirect of netlify-cli's utils/proxy.js takes every status from 300 to 400 for a redirect",
    shows: ({ status, headers }) => status === 400 && headers["location"] !== undefined,
    mend: ({ method }, { headers }) => ({
      ...get(headers["location"] ?? ""),
      method: method === "HEAD" ? method : "GET",
    }),
  },
  {
    requests: "methods other than GET and HEAD",
    happens:
      "Method Not Allowed as the body, under the status of the rule, or 405 if a file exists and no rule is tried",
    reason: "its second server refuses the method, and the rule's status replaces 405",
    shows: ({ body }) => body === "Method Not Allowed",
    mend: (request) => ({ ...request, method: "GET" }),
  },
  {
    requests: "a path that leads above the publish root with an encoded slash",
    happens: "404.html, and no rule is tried",
    reason: "its second server refuses the path before it looks for a rule",
    shows: ({ body }, request) =>
      request.path.startsWith("/..%2f") && body.startsWith('{"object":"error","status":404'),
    mend: () => get("/nope"),
  },
];

/** Headers that the second server of `netlify dev` adds come last, see https://github.com/netlify/cli/issues/990 */
const unjudged = ["cache-control", "content-type"];

const nodes = "/api/v1/nodes";

const requestsFor = ({ published }: Dataset, cursor: string): readonly Request[] => [
  ...published.flatMap(({ path }) => [get(path), get(`${path}?limit=0`), { ...get(path), method: "OPTIONS" }]),
  ...operations.map(({ name }) => get(`/api/v1/${name}`)),
  ...[
    "limit=5",
    "limit=100",
    "region=lhr1",
    "region=lhr3",
    "limit=5&region=lhr1",
    "region=lhr1&utm_source=x&limit=5",
  ].map((query) => get(`${nodes}?${query}`)),
  ...[`limit=5&cursor=${cursor}`, `cursor=${cursor}`, "utm=1", "LIMIT=0"].map((query) => get(`${nodes}?${query}`)),
  ...["collection=assets&limit=3", "limit=101", "collection=", "collection=..&limit=5"].map((query) =>
    get(`/api/v1/records?${query}`),
  ),
  ...["limit=7", "limit=0", "limit=abc", "limit="].map((query) => get(`/api/v1/images?${query}`)),
  ...["/api/v1/docs/nope", "/api/v1/docs/nope/x.json?limit=0", "/api/v1/docs/data/nodes/999"].map(get),
  ...[
    "/",
    "/api/v1",
    "/api/v1/nope",
    "/api/v1/regions/lhr1/sign",
    "/api/v1/status?limit=0",
    "/api/v1/nodes/limit/5",
  ].map(get),
  ...["GET", "HEAD"].map((method) => ({ ...get(`${nodes}?limit=0`), method })),
  { ...get(nodes), method: "HEAD" },
  // Declared gaps.
  ...["POST", "DELETE", "OPTIONS"].map((method) => ({ ...get(`${nodes}?limit=5`), method })),
  ...["/api/v1/docs", "/api/v1/embed", "/api/v1/nodes/", "/api/v1/x/../nodes", "/api/v1/%6Eodes"].map(get),
  ...["limit", "limit=5&limit=2", "limit=%35", "limit=5&", "region=zzz9", "cursor=nope", "limit=0&region="].map(
    (query) => get(`${nodes}?${query}`),
  ),
  // Attempts to leave the publish root.
  ...["/..%2f..%2f..%2f..%2fetc%2fpasswd", "/api/v1/%2e%2e/%2e%2e/netlify.toml", "/..%2fnetlify.toml"].map(get),
  ...["..%2F..%2Fstatus", "..%2F..%2F..%2F..%2Fnetlify.toml", "..&limit=5", "%2e%2e&limit=5", "..%5C..%5Cstatus"].map(
    (value) => get(`${nodes}?region=${value}`),
  ),
];

describe.skipIf(process.platform === "win32")(
  "netlify dev, except on Windows, where no group of processes can be ended",
  () => {
    const site = mkdtempSync(path.join(tmpdir(), "stillapi-netlify-dev-"));
    const dist = path.join(site, "dist");
    let dataset: Dataset;
    let dev: RunningProgram;

    const start = (program: HostProgram) =>
      startProgram(program, { base, publishRoot: dist, configuration: site, port: 0 });

    beforeAll(async () => {
      writeSample(path.join(site, "content"), { count: 12, pageSizes: "every" });
      ({ dataset } = await buildForTest(path.join(site, "content"), dist, [netlify], api));
      dev = await start(previewed);
    });

    afterAll(async () => {
      await dev?.stop();
      rmSync(site, { recursive: true });
    });

    it("answers as the contract, a declared gap or a fault of netlify dev says", async () => {
      const seen = new Set<Fault>();
      const send = async (request: Request): Promise<TextAnswer> => {
        const response = await ask(dev.origin, request);
        const fault = faults.find(({ shows }) => shows(response, request));
        if (fault === undefined) return response;
        seen.add(fault);
        const mended = await ask(dev.origin, fault.mend(request, response));
        return response.status === 405 ? mended : { ...mended, status: response.status };
      };
      const page = JSON.parse(readFileSync(path.join(dist, "api/v1/nodes/limit/5.json"), "utf8"));
      const requests = requestsFor(dataset, page.pagination.next_cursor);
      const { failures, occurrences } = await conform({ dataset, dist, gaps: netlify.gaps, send, unjudged }, requests);
      expect(failures).toEqual([]);
      // A path with a wrong percent sign ends the process of netlify dev.
      const isFatal = ({ requests }: Gap) => requests.includes("a wrong percent sign");
      const unseen = [...occurrences].filter(([gap, count]) => count === 0 && !gap.isOfSeveral && !isFatal(gap));
      expect(unseen.map(([gap]) => gap.requests)).toEqual([]);
      expect(faults.filter((fault) => !seen.has(fault))).toEqual([]);
    });

    it("answers 304 to the ETag it gave", async () => {
      const { etag = "" } = (await ask(dev.origin, get(`${nodes}?limit=5`))).headers;
      expect(await ask(dev.origin, get(`${nodes}?limit=5`), { "if-none-match": etag })).toMatchObject({
        status: 304,
        body: "",
      });
    });

    it("leaves nothing running", async () => {
      await dev.stop();
      await expect(ask(dev.origin, get(nodes))).rejects.toThrow("ECONNREFUSED");
    });

    it("serves the same in a folder with netlify.toml", async () => {
      copyFileSync("netlify.toml", path.join(site, "netlify.toml"));
      const { origin, stop } = await start(configured);
      try {
        const body = readFileSync(path.join(dist, "api/v1/nodes/limit/5.json"), "utf8");
        expect(await ask(origin, get(`${nodes}?limit=5`))).toMatchObject({ status: 200, body });
        expect(await ask(origin, get(`${nodes}?limit=0`))).toMatchObject({ status: 400 });
      } finally {
        await stop();
      }
    });
  },
);
