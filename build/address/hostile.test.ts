// Hostile servers, requested by `verify` and `build --previous`: both commands end with a message, in bounded memory.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import picocolors from "picocolors";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { buildForTest } from "../../test/check/built.ts";
import { type Mistake, remembering, serveWith, verifyAt } from "../../test/check/published.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { serve } from "../../test/serve.ts";
import { hasDifferences, verifiedText } from "../check/verify/report.ts";
import { type Preview, startPreview } from "../cli/preview/preview.ts";
import { generator } from "../generator.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-hostile-"));
const [content, dist] = [path.join(folder, "content"), path.join(folder, "dist")];
let preview: Preview;
let published: ReturnType<typeof remembering>;

beforeAll(async () => {
  writeSample(content, { count: 30, pageSizes: [5, 100] });
  await buildForTest(content, dist);
  preview = await startPreview(dist, 0);
  published = remembering(preview.origin);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

/** The peak memory of the process in bytes, from the last line of its standard error. */
const tellMemory = `data:text/javascript,process.on("exit",()=>console.error(process.resourceUsage().maxRSS))`;

async function run(...args: readonly string[]) {
  const { PATH, HOME } = process.env;
  const start = ["--import", tellMemory, inject("program")];
  const child = spawn(process.execPath, [...start, ...args], { env: { PATH, HOME } });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [status, stdout, printed] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const [, stderr = printed, kilobytes = ""] = /^(.*?)(\d+)\n$/s.exec(printed) ?? [];
  return { status, stdout, stderr, memory: Number(kilobytes) * 1_024 };
}

const block = Buffer.alloc(1 << 20, " ");

function sendEndlessly(response: ServerResponse): void {
  while (!response.destroyed && response.write(block));
  response.once("drain", () => sendEndlessly(response));
}

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const sequence = "\u009b31m";
const parts = (count: number): string => {
  const files = Array.from({ length: count }, (_, index) => `cursors-${index + 2}.json`);
  return JSON.stringify({ generator, form: 2, deployment: "edge", digest: "", files });
};

/** Created on first use. */
const large = {
  bomb: once(() => gzipSync(Buffer.alloc(1.5 * 2 ** 30), { level: 1 })),
  values: once(() => Buffer.from(`[${"[],".repeat(30_000_000)}1]`)),
  part: once(() => Buffer.from(`"${"x".repeat(300e6 - 2)}"`)),
  lines: once(() => Buffer.alloc(100e6, "\n")),
  items: once(() => Buffer.from("{}\n".repeat(10_000_000))),
};

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A server, and how each of the two commands ends. */
type Server = readonly [title: string, answer: RequestListener | Buffer, verify: RegExp, previous: RegExp];

const nothingThere = /^✗ There is no API of this program at http:/;

const servers: readonly Server[] = [
  [
    "the status 101",
    Buffer.from("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    /^✗ There is no API of this program at .*: the status of \/api\/v1 is 101\. Check the URL\.$/m,
    /\(the status of the answer is 101\)/,
  ],
  [
    "JSON of a million levels",
    (_, response) => response.end(deep(1_000_000)),
    nothingThere,
    /\(it is not a file of this program\)/,
  ],
  [
    "thirty million values",
    (_, response) => response.end(large.values()),
    /^✗ The server at .* sent more than 512 MB\.$/m,
    /\(it is not a file of this program\)/,
  ],
  [
    "1.5 GB in 1.5 MB",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(large.bomb()),
    /^✗ The server at .* sent more than 512 MB\.$/m,
    /\(the server at .* sent more than 500 MB\)/,
  ],
  [
    "a body without an end",
    (_, response) => sendEndlessly(response.writeHead(200)),
    /^✗ The server at .* sent more than 512 MB\.$/m,
    /\(the server at .* sent more than 500 MB\)/,
  ],
  [
    "a control sequence in a Location",
    Buffer.from(`HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/${sequence}\r\nContent-Length: 0\r\n\r\n`, "latin1"),
    /It redirects to http:\/\/127\.0\.0\.1\/\\u009b31m: verify that address instead\?$/m,
    /\(the answer redirects to another origin, http:\/\/127\.0\.0\.1\)/,
  ],
  [
    "a Location that is no address",
    (_, response) => response.writeHead(302, { location: "http://[" }).end(),
    /It redirects to http:\/\/\[/,
    /\(the answer redirects to an invalid address\)/,
  ],
  [
    "headers without an end",
    Buffer.from(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(100_000)}`),
    /: the answer is not valid HTTP\. Check the URL\.$/m,
    /\(the answer is not valid HTTP\)/,
  ],
  [
    "two parts of 300 MB",
    ({ url = "" }, response) => response.end(url.includes("cursors-") ? large.part() : parts(2)),
    /have the status 200, not 404 not_found/,
    /\(the server at .* sent more than 500 MB\)/,
  ],
  [
    "5,000 parts",
    (_, response) => response.end(parts(5_000)),
    /have the status 200, not 404 not_found/,
    /\(it is in more than 100 files\)/,
  ],
];

const [paged] = edgeNetwork.lists.filter((operation) => operation.paged);
if (paged === undefined) throw new Error("No operation is paged.");
const own = `/api/v1/${paged.name}`;

const replaced =
  (isAbout: (path: string) => boolean, change: (body: string) => string | Buffer): Mistake =>
  ({ method, path: asked }, answer) =>
    method === "GET" && answer.status === 200 && isAbout(asked)
      ? { status: 200, headers: { "content-type": "application/json" }, body: change(answer.body) }
      : answer;

/** The API without dumps and state, with the pages that `pageOf` returns. */
const walked = (pageOf: (cursor: string) => string): Mistake => {
  let count = 0;
  return ({ method, path: asked }, answer) => {
    if (/\/(?:dumps|cursors)/.test(asked)) return { status: 404, headers: {}, body: "" };
    if (method !== "GET" || asked !== own) return answer;
    return { status: 200, headers: {}, body: pageOf(`k${++count}`) };
  };
};

/** `data` and `cursor` are written as in JSON. */
const pageWith = (data: string, cursor: string): string =>
  `{"object":"list","data":[${data}],"pagination":{"limit":100,"count":100,"has_more":true,"next_cursor":"${cursor}"}}`;

const manyItems = Array(100)
  .fill(JSON.stringify({ text: "x".repeat(50_000) }))
  .join();

/** A faulty API, and the report of `verify`. */
type Api = readonly [title: string, mistake: Mistake, told: RegExp];

const apis: readonly Api[] = [
  ...[" ", "\\u001b[31m", sequence, "\u{2028}", "%", "?", "\\ud800"].map((text): Api => {
    const change = (body: string) =>
      body.replace('"documents":[', `"documents":[{"path":"/api/v1/a${text}b","type":"x"},`);
    return [
      `a document's path with ${JSON.stringify(text)}`,
      replaced((asked) => asked === "/api/v1", change),
      /answers (?:are missing|have the status 400, not 200)/,
    ];
  }),
  [
    "errors of thousands of levels",
    (_, answer) => (answer.status < 400 ? answer : { ...answer, headers: {}, body: deep(20_000) }),
    /answers have a body that is not JSON/,
  ],
  [
    "pages without items, and cursors without an end",
    walked((cursor) => pageWith("", cursor)),
    /1 answer cannot be read/,
  ],
  ["a cursor that no query can have", walked(() => pageWith("{}", "\\ud800")), /1 answer cannot be read/],
  [
    "known values with spaces and control sequences",
    replaced(
      (asked) => asked === "/api/v1/cursors.json",
      (body) => body.replace(/("known":\{"[^"]*":\[")[^"]*/g, `$1 ${sequence}\\u001b`),
    ),
    /answers? (?:are|is|have|has|lack|lacks|holds?) /,
  ],
  [
    "control sequences in headers",
    (_, answer) => ({
      ...answer,
      headers: { ...answer.headers, "cache-control": `x${sequence}`, etag: `"${sequence}"` },
    }),
    /answers have Cache-Control: x\\u009b31m/,
  ],
];

/** Servers that need a separate process, whose memory is measured. */
const largeApis: readonly Api[] = [
  [
    "dumps of nothing but line ends",
    replaced((asked) => asked.includes("/dumps/"), large.lines),
    /sent more than 512 MB/,
  ],
  [
    "a dump of ten million items",
    replaced((asked) => asked.includes(`/dumps/${paged.name}`), large.items),
    /different|differ/,
  ],
  ["cursors without an end", walked((cursor) => pageWith(manyItems, cursor)), /sent more than 512 MB/],
];

/** The output has no control characters and no stack, and ends with a message. */
function expectSentence(printed: string, told: RegExp): void {
  expect(printed).toMatch(told);
  expect(printed).not.toMatch(/Internal error|\n {4}at |[^\P{C}\n]/u);
}

/** The limit in bytes. A process that has loaded the program takes about 100 MB. */
const mostMemory = 2_500e6;

describe("a server with", () => {
  it.each(servers)("%s", { timeout: 240_000 }, async (_, answer, told, reason) => {
    const origin = await serve(answer);
    const verified = await run("verify", origin, "--out", "none");
    const out = path.join(folder, "never");
    const build = ["build", "--content", content, "--out", out, "--previous", origin];
    const required = await run(...build, "--previous-required");
    expectSentence(verified.stdout + verified.stderr, told);
    expectSentence(required.stdout + required.stderr, reason);
    expect([1, 2]).toContain(verified.status);
    expect(required).toMatchObject({ status: 1, stdout: "" });
    expect(existsSync(out)).toBe(false);
    expect(Math.max(verified.memory, required.memory)).toBeLessThan(mostMemory);
  });
});

describe("an API with", () => {
  it.each(apis)("%s", { timeout: 60_000 }, async (_, mistake, told) => {
    const { origin, stop } = await serveWith(published, mistake);
    onTestFinished(stop);
    const verified = await verifyAt(origin);
    expect(hasDifferences(verified)).toBe(true);
    expectSentence(verifiedText(origin, undefined, verified, picocolors.createColors(false)), told);
  });

  it.each(largeApis)("%s", { timeout: 240_000 }, async (_, mistake, told) => {
    const { origin, stop } = await serveWith(published, mistake);
    onTestFinished(stop);
    const { status, stdout, stderr, memory } = await run("verify", origin, "--out", "none");
    expectSentence(stdout + stderr, told);
    expect([1, 2]).toContain(status);
    expect(memory).toBeLessThan(mostMemory);
  });
});
