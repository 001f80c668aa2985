// The conformance matrix: every host answers the whole list and random requests as the contract or its declared gaps say,
// for an API with everything. Each server starts once in each of its configurations.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { apache } from "../../build/hosts/apache/index.ts";
import { cloudflarePages, gaps as workerGaps } from "../../build/hosts/cloudflare/index.ts";
import type { Gap, HostAdapter, Request } from "../../build/hosts/host.ts";
import { hosts } from "../../build/hosts/hosts.ts";
import { nginx } from "../../build/hosts/nginx/index.ts";
import { openBuild } from "../../build/published/build.ts";
import { ask as askForBytes } from "../../build/published/request.ts";
import { verify } from "../../build/verify/verify.ts";
import { type Built, buildForTest } from "../check/built.ts";
import { builtSubject, conform, isFile, isListed, type Subject } from "../check/conform.ts";
import { type Dataset, svgPolicy } from "../check/dataset.ts";
import { everything, namedFiles, unnamedFiles, writeEverything } from "../check/everything.ts";
import { fuzz } from "../check/fuzz.ts";
import { oneIn, pairwise } from "../check/pairwise.ts";
import { type ConformanceRequest, conformanceRequests } from "../check/requests.ts";
import { serverRequests } from "../check/server-requests.ts";
import { withTypes } from "../hosts/apache.ts";
import { type Configuration, configurations, startForTests } from "../hosts/configurations.ts";
import { type Answering, cloudfront, netlify, plain, vercel, worker } from "../hosts/emulated.ts";
import type { TestPlan } from "../plan.ts";
import { rounds } from "../seed.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
writeEverything(content);

const { base } = everything;
const get = (target: string, query = ""): ConformanceRequest => ({ method: "GET", path: target, query });

/** CI sends the whole list to every host. */
const someOf = (dataset: Dataset, requests: readonly ConformanceRequest[]): readonly ConformanceRequest[] =>
  rounds === 1 ? pairwise(dataset, requests) : requests;

/** The list, and requests for the files beside the data that no item names. */
const requestsFor = (dataset: Dataset): readonly ConformanceRequest[] => [
  ...conformanceRequests(dataset),
  ...unnamedFiles.flatMap((file) =>
    ["GET", "HEAD", "OPTIONS", "POST"].map((method) => ({ ...get(`${base}/files/${file}`), method })),
  ),
];

const unseenIn = (occurrences: ReadonlyMap<Gap, number>): readonly string[] =>
  [...occurrences].filter(([gap, count]) => count === 0 && !gap.isOfSeveral).map(([gap]) => gap.requests);

/** page-steps.server.test.ts has the document root of docs/hosts/apache.md. */
const rows = configurations.filter(({ isPublished }) => isPublished !== true).map(asOnSystem);

/** Apache reads inner endings of names too, and the configuration of a system says what they mean. */
function asOnSystem(row: Configuration): Configuration {
  if (row.host !== apache) return row;
  return { ...row, files: (site, files) => withTypes(row.files?.(site, files) ?? files) };
}

const programs = [...new Set(configurations.map(({ host }) => host))];

it("the configurations include every host with a program that answers as the host does", () => {
  const published = [...hosts.values()].filter(({ publishing }) => publishing !== undefined);
  const expected = published.filter(({ program }) => program !== undefined && program.differs === undefined);
  expect(new Set(programs)).toEqual(new Set(expected));
});

/** Files of a site at paths that are almost paths of the API. */
const siteFiles = ["hello.txt", `${base}-docs/x.txt`, `${base}x.json`, `${base.replace(".", "x")}/things.txt`].map(
  (file) => file.replace(/^\//, ""),
);
const otherFiles = [...siteFiles, `${base.toUpperCase()}/things.txt`.slice(1)];

/** The contract covers neither the other paths of a site nor paths with invalid encoding. */
const isOfApi = ({ table }: TestPlan, { path: asked }: Request): boolean =>
  (asked === base || asked.startsWith(`${base}/`) || isListed(table, asked)) &&
  !/\/(?:\.|%2e){2}|%(?:00|(?![0-9a-f]{2}))/i.test(asked);

/** Cloudflare's runtime takes a hundred times as long as other servers. The worker below gets all requests. */
const isSlow = ({ host }: Configuration): boolean => host.name.startsWith("cloudflare");

/**
 * Outside CI, one configuration of each host gets the whole list, and the others a quarter of it. Apache reads .htaccess
 * anew for each request, which takes longest.
 */
const getsAll = (row: Configuration): boolean =>
  rows.find(({ host, title, isShared }) => host === row.host && !isShared && !title.includes(".htaccess")) === row;

/** Pages runs the script of Workers, so CI alone compares all of its answers. */
const isForCi = ({ host }: Configuration): boolean => host === cloudflarePages && rounds === 1;

describe("servers", () => {
  const dist = path.join(folder, "servers");
  let built: Built;
  let requests: readonly ConformanceRequest[];

  /** Built once for all servers, whose files do not conflict. */
  beforeAll(async () => {
    built = await buildForTest(content, dist, programs, everything);
    requests = someOf(built.dataset, [...requestsFor(built.dataset), ...serverRequests(built.dataset)]);
    for (const file of otherFiles) {
      mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
      writeFileSync(path.join(dist, file), "Hello.\n");
    }
    // Apache's ETag of a file is weak until the file is a second old.
    await sleep(1_000);
  }, 60_000);

  describe.each(rows)("$title", (row) => {
    const { host, gaps, isShared = false } = row;
    const server = startForTests(row, dist);
    if (server === undefined) return;
    const { send } = server;
    const subject = (): Subject => ({ dataset: built.dataset, dist, gaps, send: (request) => send(request) });

    it("answers every request, and random ones, as the contract or a declared gap says", async () => {
      const { plan } = built;
      const files = plan.documents.map(({ file }) => get(`/${file}`));
      const all = isSlow(row)
        ? requests.filter((_, index) => index % 25 === 0)
        : [...requests, ...(isShared ? [] : files)];
      const valid = isShared ? all.filter((request) => isOfApi(plan, request)) : all;
      // The few long names are in every list, whichever quarter is sent.
      const isLong = ({ path: asked }: Request) => /[^/]{256}/.test(asked);
      const list = getsAll(row) ? valid : [...oneIn(4, valid), ...valid.filter(isLong)];
      const { failures, occurrences } = await conform(subject(), list);
      expect(failures).toEqual([]);
      if (isShared) return;
      expect(unseenIn(occurrences)).toEqual([]);
      await fuzz(subject(), isSlow(row) ? 0.1 : 1);
    }, 240_000);

    it("sends the bytes of files beside the data, whatever the query, and a policy with an SVG", async () => {
      for (const [file, { type, bytes }] of Object.entries(namedFiles)) {
        for (const query of ["", "v=0123456789abcdef", "limit=0"]) {
          const answer = await askForBytes(server.origin(), get(`${base}/files/${file}`, query), {}, {});
          const { "content-type": sent, "cache-control": cache, "content-security-policy": policy } = answer.headers;
          expect({ file, sent, cache, policy, body: answer.body.toString("latin1") }).toEqual({
            file,
            sent: type,
            cache: "public, max-age=7200",
            policy: file.endsWith(".svg") ? svgPolicy : undefined,
            body: Buffer.from(bytes).toString("latin1"),
          });
        }
      }
    });

    it("answers HTML that is made from the data at its path alone", async () => {
      const all = htmlRequests(built.dataset).filter((request) => !isShared || isOfApi(built.plan, request));
      const { failures } = await conform(subject(), all);
      expect(failures).toEqual([]);
    });

    if (isForCi(row)) return;

    it("answers 304 to the ETag of a page, item or document, and sends the whole of it and of errors otherwise", async () => {
      const { plan } = built;
      const documents = plan.documents.filter((document) => !isShared || document.path.startsWith(`${base}/`));
      const lists = everything.lists.map(({ name, cache }) => ({ path: `${base}/${name}`, cacheControl: cache }));
      const all = [...lists, ...items, ...assets, ...documents];
      for (const { path: asked, cacheControl } of getsAll(row) ? all : oneIn(4, all)) {
        const first = await send(get(asked));
        const headers = { "access-control-allow-origin": "*", "cache-control": cacheControl };
        expect({ asked, ...first }).toMatchObject({ asked, status: 200, headers });
        const { etag = "" } = first.headers;
        const again = await send(get(asked), { "if-none-match": etag });
        expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers: { etag, ...headers } });
        const part = await send(get(asked), { range: "bytes=1-3" });
        const isResumed = host === nginx && asked.endsWith(".ndjson");
        expect({ asked, ...part }).toMatchObject(
          isResumed ? { asked, status: 206, body: first.body.slice(1, 4) } : { asked, status: 200, body: first.body },
        );
        for (const other of [
          { "if-none-match": '"other"' },
          { range: "bytes=999999999-" },
          { range: "bytes=0-1,3-4" },
        ]) {
          expect({ asked, ...(await send(get(asked), other)) }).toMatchObject({ asked, status: 200, body: first.body });
        }
      }
      for (const faulty of [get(`${base}/things`, "limit=0"), get(`${base}/docs/nope`)]) {
        const { status, headers, body } = await send(faulty);
        expect(status).toBeGreaterThanOrEqual(400);
        const { etag = '"none"', "last-modified": since = new Date().toUTCString() } = headers;
        for (const cached of [{ "if-none-match": etag }, { "if-modified-since": since }]) {
          expect(await send(faulty, cached)).toMatchObject({ status, body });
        }
      }
    });

    if (isShared) {
      it("leaves the other files to the site", async () => {
        for (const file of otherFiles) {
          const answer = await send(get(`/${file}`));
          expect({ file, ...answer }).toMatchObject({ file, status: 200, body: "Hello.\n" });
          expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
        }
      });
    } else if (rounds > 1 || (getsAll(row) && !isSlow(row))) {
      it("passes verify", async () => {
        const verified = await verify(new URL(server.origin()), openBuild(dist), { host });
        const { findings, revalidated, compared, isAnotherBuild } = verified;
        expect({ findings, isAnotherBuild }).toEqual({ findings: [], isAnotherBuild: false });
        expect(revalidated).toBeGreaterThan(50);
        expect(compared).toBeGreaterThan(100);
      }, 60_000);
    }
  });
});

/** Single items by keys and aliases of every form. */
const items = [
  ["products/nodejs", "public, max-age=90"],
  ["products/node.js", "public, max-age=90"],
  ["releases/a.b/x..y", "public, max-age=60"],
  ["builds/go/18.20.1/-1", "public, max-age=30"],
  ["words/b.br", "public, max-age=60"],
  ["words/c.var", "public, max-age=60"],
  ["words/f.json.x", "public, max-age=60"],
].map(([target, cacheControl]) => ({ path: `${base}/${target}`, cacheControl }));

/** The paths of all outputs that are HTML, and those at which servers answer pages, too. */
const htmlRequests = ({ outputs, published }: Dataset): readonly ConformanceRequest[] =>
  [...outputs.flatMap(({ texts }) => [...texts.keys()]), ...published.map((document) => document.path)]
    .filter((asked) => asked.endsWith(".html") && !asked.startsWith(`${base}/docs/`))
    .flatMap((asked) => [
      get(asked),
      get(asked.replace(/\.html$/, "")),
      get(asked.replace(/\.html$/, "/")),
      get(asked.replace(/\/index\.html$/, "")),
      get(asked.replace(/\/index\.html$/, "/")),
    ]);

const assets = Object.keys(namedFiles).map((file) => ({
  path: `${base}/files/${file}`,
  cacheControl: "public, max-age=7200",
}));

const named = (name: string): HostAdapter => {
  const host = hosts.get(name);
  if (host === undefined) throw new Error(`There is no host ${name}.`);
  return host;
};

interface Other {
  readonly title: string;
  readonly gaps: readonly Gap[];
  readonly start: (dist: string, built: Built) => Promise<Answering> | Answering;
  /** It tries thousands of rules, or is slow: it gets one in so many requests. */
  readonly share?: number;
}

/** The hosts without a program to run, and the worker. */
const others: readonly Other[] = [
  { title: "Netlify", gaps: named("netlify").gaps, start: netlify, share: 3 },
  { title: "Vercel", gaps: named("vercel").gaps, start: vercel },
  { title: "CloudFront", gaps: named("cloudfront").gaps, start: (dist, { plan }) => cloudfront(dist, plan.table) },
  { title: "Cloudflare's worker", gaps: workerGaps, start: (dist, { plan }) => worker(dist, plan.table) },
  { title: "a plain file server", gaps: named("plain").gaps, start: plain, share: 3 },
];

describe("others", () => {
  const dist = path.join(folder, "others");
  let built: Built;
  let all: readonly ConformanceRequest[];
  let fewer: readonly ConformanceRequest[];

  beforeAll(async () => {
    built = await buildForTest(content, dist, ["netlify", "vercel", "cloudfront"].map(named), everything);
    all = requestsFor(built.dataset);
    fewer = pairwise(built.dataset, all);
  });

  it.each(others)(
    "$title answers every request, and random ones, as the contract or a declared gap says",
    async ({ title, gaps, start, share = 1 }) => {
      const { send, stop } = await start(dist, built);
      const subject: Subject = { dataset: built.dataset, dist, gaps, send };
      try {
        // In CI too, Netlify's matcher gets fewer.
        const requests = rounds === 1 || title === "Netlify" ? fewer : all;
        // The few redirects and files beside the data are in every list.
        const few = [...built.plan.table.redirects, ...assets].map(({ path: asked }) => get(asked));
        const { failures, occurrences } = await conform(subject, [...oneIn(share, requests), ...few]);
        expect(failures).toEqual([]);
        expect(unseenIn(occurrences)).toEqual([]);
        // A host without rules for queries answers little as the contract says.
        if (title === "a plain file server") return;
        // The contract does not cover the path of a file, except for documents.
        const { table } = built.plan;
        const documentFiles = new Set(built.plan.documents.map(fileOf));
        const isDocument = (file: string) => documentFiles.has(file) || isListed(table, `/${file}`);
        const isOwn = (request: Request) => isFile(dist, fileOf(request)) && !isDocument(fileOf(request));
        await fuzz({ ...subject, send: (request) => send(isOwn(request) ? { ...request, path: "/nope" } : request) });
      } finally {
        await stop();
      }
    },
  );
});

it("an answer that is not the contract's is found", async () => {
  const dist = path.join(folder, "wrong");
  const subject = builtSubject(await buildForTest(content, dist, [], everything), dist);
  const requests = ["things", "health", "nope"].map((name) => get(`${base}/${name}`));
  expect((await conform(subject, requests)).failures).toEqual([]);
  const send: Subject["send"] = async (request) => {
    const answer = await subject.send(request);
    return { ...answer, headers: { ...answer.headers, "cache-control": "no-cache" }, body: `${answer.body} ` };
  };
  const { failures } = await conform({ ...subject, send }, requests);
  expect(failures).toHaveLength(requests.length);
  for (const failure of failures) expect(failure).toMatch(/^GET .*: cache-control: no-cache, not /);
});

/** The path of the file that most hosts serve for a path: decoded, and without slashes at its ends. */
const fileOf = ({ path: asked }: Pick<Request, "path">): string =>
  decoded(new URL(`http://localhost${asked}`).pathname).replace(/^\/+|\/+$/g, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No file has such a name.
    return text;
  }
}
