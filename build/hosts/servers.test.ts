// The conformance matrix: each server that is installed, started once in each configuration, with a content of its own
// and the requests that tell its rules apart.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, buildForTest, realContent, sampleContent } from "../../test/check/built.ts";
import { conform } from "../../test/check/conform.ts";
import { fuzz } from "../../test/check/fuzz.ts";
import { pairwise } from "../../test/check/pairwise.ts";
import { type ConformanceRequest, conformanceRequests } from "../../test/check/requests.ts";
import { writeSample } from "../../test/check/sample.ts";
import { serverRequests } from "../../test/check/server-requests.ts";
import { type Configuration, configurations, startForTests } from "../../test/hosts/configurations.ts";
import type { BuildPlan } from "../build.ts";
import { readBuild } from "../verify/build.ts";
import { type Options, type Verified, verify } from "../verify/verify.ts";
import type { Request } from "./host.ts";
import { hosts } from "./hosts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-servers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const apis = configurations.filter(({ files }) => files === undefined);
const sites = configurations.filter(({ isShared }) => isShared);
const programs = [...new Set(apis.map(({ host }) => host))];

it("the configurations include every host with a program that answers as the host does", () => {
  const expected = [...hosts.values()].filter(({ program }) => program !== undefined && program.differs === undefined);
  expect(new Set(programs)).toEqual(new Set(expected));
});

/** Cloudflare's runtime takes a hundred times as long as other servers. cloudflare.test.ts sends the worker all requests. */
const slow: ReadonlySet<string> = new Set(["cloudflare-pages", "cloudflare-workers"]);

interface Content {
  readonly title: string;
  readonly content: string;
  readonly rows: readonly Configuration[];
}

const real = realContent(folder);
const listed = real.missing === undefined ? real : sampleContent(folder, { count: 230, pageSizes: [5, 10, 25, 100] });
const every = sampleContent(folder, { count: 130, pageSizes: "every", paging: "both" });
const contents: readonly Content[] = [
  { title: every.name, content: every.content, rows: apis },
  { title: listed.name, content: listed.content, rows: sites },
];

/** The contract covers neither the other paths of a site nor paths that are not validly encoded. */
const isOfApi = ({ documents }: BuildPlan, { path }: Request): boolean =>
  (/^\/api\/v1(?:\/|$)/.test(path) || documents.some((document) => document.path === path)) &&
  !/\/(?:\.|%2e){2}|%(?:00|(?![0-9a-f]{2}))/i.test(path);

describe.each(contents)("with $title", ({ title, content, rows }) => {
  const dist = path.join(folder, title.replaceAll(/\W/g, ""), "dist");
  let built: Built;

  /** Built once for all these servers, whose files do not conflict. */
  beforeAll(async () => {
    built = await buildForTest(content, dist, programs);
    writeFileSync(path.join(dist, "hello.txt"), "Hello.\n");
    // Apache's ETag of a file is weak until the file is a second old.
    await sleep(1_000);
  });

  describe.each(rows)("$title", (row) => {
    const { host, gaps, isShared = false } = row;
    const isSlow = slow.has(host.name);
    const server = startForTests(row, dist);
    if (server === undefined) return;
    const { send } = server;
    const subject = () => ({
      dataset: built.dataset,
      dist,
      gaps,
      send: (request: ConformanceRequest) => send(request),
    });

    it("answers every request as the contract or a declared gap says", async () => {
      const { dataset, plan } = built;
      const list = conformanceRequests(dataset);
      const files = isShared ? [] : plan.documents.map(({ file }) => get(`/${file}`));
      const all = [...(isSlow ? pairwise(dataset, list) : list), ...serverRequests(dataset), ...files];
      const requests = isShared ? all.filter((request) => isOfApi(plan, request)) : all;
      const { failures, occurrences } = await conform(subject(), requests);
      expect(failures).toEqual([]);
      const unseen = [...occurrences].filter(([, count]) => count === 0).map(([gap]) => gap.requests);
      if (!isShared) expect(unseen).toEqual([]);
    });

    it("answers 304 to the ETag of a page or document, with the headers of the contract, and to no other", async () => {
      const { dataset, plan } = built;
      const pages = dataset.operations
        .filter(({ kind }) => kind === "list")
        .map(({ name, cacheControl }) => ({ path: `/api/v1/${name}`, cacheControl }));
      const documents = plan.documents.filter((each) => !isShared || each.path.startsWith("/api/v1/"));
      for (const { path: asked, cacheControl } of [...pages, ...documents]) {
        const { etag = "" } = (await send(get(asked))).headers;
        const again = await send(get(asked), { "if-none-match": etag });
        const headers = { etag, "access-control-allow-origin": "*", "cache-control": cacheControl };
        expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers });
        expect((await send(get(asked), { "if-none-match": '"other"' })).status).toBe(200);
      }
    });

    it("sends an error whole, whatever of it the client has", async () => {
      const faulty = get("/api/v1/nodes", "limit=0");
      const whole = await send(faulty);
      const { etag = '"none"', "last-modified": since = new Date().toUTCString() } = whole.headers;
      for (const headers of [{ "if-none-match": etag }, { "if-modified-since": since }]) {
        expect(await send(faulty, headers)).toMatchObject({ status: 400, body: whole.body });
      }
    });

    if (isShared) {
      it("leaves the other files to the site", async () => {
        const hello = await send(get("/hello.txt"));
        expect(hello).toMatchObject({ status: 200, body: "Hello.\n" });
        expect(hello.headers).not.toHaveProperty("access-control-allow-origin");
      });
      return;
    }

    it("answers random and mutated requests as the contract or a declared gap says", () =>
      fuzz(subject(), isSlow ? 0.25 : 1));

    const verifyHere = (options: Options, out = dist): Promise<Verified> =>
      verify(new URL(server.origin()), readBuild(out), { host, ...options });

    it("passes verify", async () => {
      const { findings, etags, compared, isAnotherBuild } = await verifyHere({});
      expect(findings).toEqual([]);
      expect(etags.asked).toBeGreaterThan(50);
      expect(compared).toBeGreaterThan(100);
      expect(isAnotherBuild).toBe(false);
    });

    // These depend on the declared gaps and not on the server.
    if (isSlow) return;

    it("is named by verify if its gaps explain every difference and its headers name it", async () => {
      const { findings, explainedBy } = await verifyHere({ host: undefined });
      expect(explainedBy).toEqual(findings.length > 0 ? [host.name] : []);
    });

    it("publishes another build than one of other content", async () => {
      const { different, isAnotherBuild } = await verifyHere({}, await buildOther());
      expect(isAnotherBuild).toBe(true);
      expect(different).toBeGreaterThan(5);
    });
  });
});

const get = (target: string, query = ""): ConformanceRequest => ({ method: "GET", path: target, query });

let otherBuild: Promise<string> | undefined;

/** The folder of a build of another content, which is built once. */
function buildOther(): Promise<string> {
  otherBuild ??= (async () => {
    const [content, other] = [path.join(folder, "content-other"), path.join(folder, "other")];
    mkdirSync(content);
    writeSample(content, { count: 90, pageSizes: [1, 5, 10, 25, 50, 100] });
    writeFileSync(path.join(content, "api.yaml"), "title: Another\npage_sizes: [1, 5, 10, 25, 50, 100]\n");
    await buildForTest(content, other, programs);
    return other;
  })();
  return otherBuild;
}
