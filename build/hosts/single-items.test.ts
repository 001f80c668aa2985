// Single items on every host: keys and aliases of every form, and paths that are almost items' paths.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createContext, runInContext } from "node:vm";
import handler from "serve-handler";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Built, buildForTest } from "../../test/check/built.ts";
import { bodyIn, conform, isFile, type Subject } from "../../test/check/conform.ts";
import { fuzz } from "../../test/check/fuzz.ts";
import { pairwise } from "../../test/check/pairwise.ts";
import { type ConformanceRequest, conformanceRequests } from "../../test/check/requests.ts";
import { singleItems, writeSingleItems } from "../../test/check/single-items.ts";
import { withTypes } from "../../test/hosts/apache.ts";
import { loadCloudFront } from "../../test/hosts/cloudfront-emulator.ts";
import { type Configuration, configurations, keepConnections, startForTests } from "../../test/hosts/configurations.ts";
import { loadNetlify } from "../../test/hosts/netlify-emulator.ts";
import { loadVercel } from "../../test/hosts/vercel-emulator.ts";
import { sendToWorker } from "../../test/hosts/worker-emulator.ts";
import { startProgram } from "../cli/preview/program.ts";
import type { Answer, Request as ApiRequest } from "../routing/resolve.ts";
import { apache } from "./apache/index.ts";
import { gaps as cloudflareGaps } from "./cloudflare/index.ts";
import { cloudfront } from "./cloudfront/index.ts";
import { objectsList } from "./cloudfront/upload.ts";
import type { HostAdapter } from "./host.ts";
import { netlify } from "./netlify/index.ts";
import { plain } from "./plain/index.ts";
import { serve } from "./serve/index.ts";
import { vercel } from "./vercel/index.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-single-items-"));
const content = path.join(folder, "content");
writeSingleItems(content);
afterAll(() => rmSync(folder, { recursive: true }));

const buildFor = (name: string, hosts: readonly HostAdapter[]): Promise<Built> =>
  buildForTest(content, path.join(folder, name), hosts, singleItems);

/** Cloudflare's runtime takes a hundred times as long as other servers; the worker gets all requests below. */
const isSlow = ({ host }: Configuration): boolean => host.name.startsWith("cloudflare");

/** Other types of files make no difference to lists. */
const isBelowList = ({ path: asked }: ApiRequest): boolean => /^\/api\/v1\/+[a-z]+\/./.test(asked);

/** A site leaves the paths of other files to its other rules, and a host refuses malformed paths before any rule. */
const isOfApi = ({ path: asked }: ApiRequest): boolean =>
  /^\/api\/v1(?:\/|$)/.test(asked) && !/\/(?:\.|%2e){2}|%(?:00|(?![0-9a-f]{2}))/i.test(asked);

interface Row extends Configuration {
  readonly hasTypes?: true;
}

/** Apache reads inner endings of names too, and the configuration of a system says what they mean. */
const asOnSystem = (row: Configuration): Row => ({
  ...row,
  hasTypes: true,
  title: `${row.title} (types)`,
  files: (site, own) => withTypes(row.files?.(site, own) ?? own),
});

// The document root gets the .htaccess of docs/hosts/apache.md elsewhere: its rules are those of the other rows. Cloudflare
// Pages has the runtime and the script of Cloudflare Workers.
const ownRows = configurations.filter(
  ({ host, isPublished }) => isPublished !== true && host.name !== "cloudflare-pages",
);

const allRows: readonly Row[] = ownRows.flatMap((row) => (row.host === apache ? [row, asOnSystem(row)] : [row]));

const programs = [...new Set(ownRows.map(({ host }) => host))];

describe("servers", () => {
  const name = "servers";
  const dist = path.join(folder, name);
  let built: Built;
  /** All requests for items, and those for lists in pairs of properties: servers.test.ts sends all of these. */
  let requests: readonly ConformanceRequest[];
  let siteRequests: readonly ConformanceRequest[];

  beforeAll(async () => {
    built = await buildFor(name, programs);
    const all = conformanceRequests(built.dataset);
    requests = pairwise(built.dataset, all);
    siteRequests = pairwise(built.dataset, all.filter(isOfApi));
    writeFileSync(path.join(dist, "hello.txt"), "Hello.\n");
    // Apache's ETag of a file is weak until the file is a second old.
    await sleep(1_000);
  });

  describe.each(allRows)("$title", (row) => {
    const { gaps, isShared, hasTypes = false } = row;
    const server = startForTests(row, dist);
    if (server === undefined) return;
    const { send } = server;
    const subject = (): Subject => ({ dataset: built.dataset, dist, gaps, send: (request) => send(request) });

    it("answers every request as the contract or a declared gap says", async () => {
      const all = isShared ? siteRequests : requests;
      const list = hasTypes || isSlow(row) ? all.filter(isBelowList) : all;
      const { failures } = await conform(subject(), list);
      expect(failures).toEqual([]);
    }, 240_000);

    it("answers 304 to the ETag of an item, and sends all of it to who has another or asks for a part", async () => {
      for (const [asked, cacheControl] of single) {
        const first = await send(get(asked));
        const headers = { "access-control-allow-origin": "*", "cache-control": cacheControl };
        expect(first).toMatchObject({ status: 200, headers: { ...headers, "content-type": "application/json" } });
        const { etag = "" } = first.headers;
        const again = await send(get(asked), { "if-none-match": etag });
        expect({ asked, ...again }).toMatchObject({ asked, status: 304, body: "", headers });
        for (const other of [{ "if-none-match": '"other"' }, { range: "bytes=0-3" }]) {
          expect(await send(get(asked), other)).toMatchObject({ status: 200, body: first.body });
        }
      }
    });

    if (isShared || isSlow(row)) return;

    it("answers random and mutated requests as the contract or a declared gap says", () => fuzz(subject()));
  });
});

const get = (target: string): ConformanceRequest => ({ method: "GET", path: `/api/v1/${target}`, query: "" });

const single: readonly (readonly [target: string, cacheControl: string])[] = [
  ["products/nodejs", "public, max-age=90"],
  ["products/node.js", "public, max-age=90"],
  ["releases/a.b/x..y", "public, max-age=60"],
  ["builds/go/18.20.1/-1", "public, max-age=30"],
  ["words/b.br", "public, max-age=60"],
  ["words/c.var", "public, max-age=60"],
  ["words/f.json.x", "public, max-age=60"],
];

/** Starts an emulator or a server, and returns how to send it a request and how to stop it. */
type Start = (dist: string, built: Built) => Promise<readonly [Subject["send"], stop?: () => Promise<void>]>;

const emulated: readonly (readonly [HostAdapter, Start])[] = [
  [
    netlify,
    async (dist) => {
      const emulator = await loadNetlify(dist, (file) => isFile(dist, file));
      return [async (request) => responseOf(dist, request, await emulator.answer(request))];
    },
  ],
  [
    vercel,
    async (dist) => {
      const config = readFileSync(path.join(dist, "vercel.json"), "utf8");
      const emulator = loadVercel(config, (file) => isFile(dist, file));
      return [(request) => responseOf(dist, request, emulator.answer(request))];
    },
  ],
  [
    cloudfront,
    async (dist, { plan }) => {
      const objects = objectsList(plan.table, "")
        .split("\n")
        .map((line) => line.split("|"))
        .filter(([kind]) => kind === "object");
      const stored = (file: string) => {
        const [, , type = "", cacheControl = ""] = objects.find(([, form = ""]) => new RegExp(form).test(file)) ?? [];
        const body = () => readFileSync(path.join(dist, file), "utf8");
        return isFile(dist, file)
          ? { headers: { "content-type": type, "cache-control": cacheControl }, size: 0, body }
          : undefined;
      };
      const template = readFileSync(path.join(`${dist}.hosts`, "cloudfront/template.json"), "utf8");
      const run = (script: string) => runInContext(script, createContext(Object.create(null)));
      const answer = loadCloudFront(template, { get: stored }, run);
      return [(request) => answer(request)];
    },
  ],
  [
    { name: "worker", owns: () => [], reads: () => [], files: () => [], gaps: cloudflareGaps },
    async (dist, { plan }) => [sendToWorker(dist, plan.table)],
  ],
  [
    serve,
    async (dist) => {
      const { origin, stop } = await startProgram(serve.program, { publishRoot: dist, beside: folder, port: 0 });
      const { send, close } = keepConnections(() => origin);
      return [
        send,
        async () => {
          close();
          await stop();
        },
      ];
    },
  ],
  [
    plain,
    async (dist) => {
      const config = { public: dist, cleanUrls: false, directoryListing: false };
      const server = createServer((request, response) => handler(request, response, config));
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const { send, close } = keepConnections(() => `http://127.0.0.1:${port}`);
      const stop = async () => {
        close();
        await new Promise<void>((closed) => server.close(() => closed()));
      };
      return [send, stop];
    },
  ],
];

const responseOf = (dist: string, { method }: ApiRequest, answer: Answer) => ({
  status: answer.status,
  headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name.toLowerCase(), value])),
  body: bodyIn(dist, answer, method),
});

/** The path of the file that most hosts serve for a path: decoded, and without slashes at its ends. */
const fileOf = ({ path: asked }: Pick<ApiRequest, "path">): string =>
  decoded(new URL(`http://localhost${asked}`).pathname).replace(/^\/+|\/+$/g, "");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No file has such a name.
    return text;
  }
}

describe.each(emulated)("$name", (host, start) => {
  it("answers every request, and random ones, as the contract or a declared gap says", async () => {
    const dist = path.join(folder, host.name);
    const built = await buildFor(host.name, host === serve ? [] : [host]);
    const [send, stop] = await start(dist, built);
    const subject: Subject = { dataset: built.dataset, dist, gaps: host.gaps, send };
    try {
      const all = conformanceRequests(built.dataset);
      // Their files and addresses are those of the other hosts, and requests to processes take longer than to functions.
      const { failures } = await conform(subject, stop === undefined ? all : pairwise(built.dataset, all));
      expect(failures).toEqual([]);
      // The contract does not cover the path of a file, except for documents.
      const known = new Set(built.plan.documents.map(fileOf));
      const isOwn = (request: ApiRequest) => isFile(dist, fileOf(request)) && !known.has(fileOf(request));
      const without: Subject["send"] = (request) => send(isOwn(request) ? { ...request, path: "/nope" } : request);
      // Hosts without rules for queries answer little as the contract says.
      if (host !== plain && host !== serve) await fuzz({ ...subject, send: without });
    } finally {
      await stop?.();
    }
  }, 120_000);
});
