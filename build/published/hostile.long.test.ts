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
import { type Mistake, remembering, serveWith } from "../../test/check/published.ts";
import { writeSample } from "../../test/check/sample.ts";
import { type Run, run } from "../../test/cli/run-command.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { serve } from "../../test/serve.ts";
import { type Preview, startPreview } from "../cli/preview/preview.ts";
import { generator } from "../files/file.ts";
import { verifiedText } from "../verify/report.ts";
import { verify } from "../verify/verify.ts";
import { openBuild } from "./build.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-hostile-"));
const content = path.join(folder, "content");
const dist = path.join(folder, "dist");
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

async function runApart(args: readonly string[]) {
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
  return JSON.stringify({ generator, form: 3, deployment: "edge", digest: "", files });
};

const megabyte = gzipSync(Buffer.alloc(1e6));

/** Created on first use. The server does not answer meanwhile, so it must not be during a request. */
const large = {
  // Parts that are compressed one by one are a whole (RFC 1952, section 2.2).
  bomb: once(() => Buffer.concat(Array.from({ length: 600 }, () => megabyte))),
  values: once(() => Buffer.from(`[${"[],".repeat(30_000_000)}1]`)),
  part: once(() => Buffer.from(`"${"x".repeat(300e6 - 2)}"`)),
  items: once(() => Buffer.from("{}\n".repeat(10_000_000))),
};

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** A server, and how each of the two commands ends. */
type Server = readonly [title: string, answer: RequestListener | Buffer, verify: RegExp, previous: RegExp];

const out = path.join(folder, "never");

interface Ended extends Omit<Run, "status"> {
  readonly status: number | null;
}

function expectMessages(verified: Ended, required: Ended, told: RegExp, reason: RegExp): void {
  expectSentence(verified.stdout + verified.stderr, told);
  expectSentence(required.stdout + required.stderr, reason);
  expect([1, 2]).toContain(verified.status);
  expect(required).toMatchObject({ status: 1, stdout: "" });
  expect(existsSync(out)).toBe(false);
}

const commandsAt = (origin: string) =>
  [
    ["verify", origin, "--out", dist],
    ["build", "--content", content, "--out", out, "--previous", origin],
  ] as const;

const nothingThere = /^✗ There is no API of stillapi at http:/;
const tooLong = /^✗ There is no API of stillapi at .*: the body is too long\.$/m;

/** The servers with large answers. */
const greedy: readonly Server[] = [
  [
    "JSON of a million levels",
    (_, response) => response.end(deep(1_000_000)),
    nothingThere,
    /\(stillapi did not write it\)/,
  ],
  ["thirty million values", (_, response) => response.end(large.values()), tooLong, /\(stillapi did not write it\)/],
  [
    "600 MB in 0.6 MB",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(large.bomb()),
    tooLong,
    /\(the body is too long\)/,
  ],
  [
    "a body without an end",
    (_, response) => sendEndlessly(response.writeHead(200)),
    tooLong,
    /\(the body is too long\)/,
  ],
  [
    "two parts of 300 MB",
    ({ url = "" }, response) => response.end(url.includes("cursors-") ? large.part() : parts(2)),
    nothingThere,
    /\(it is longer than 500 MB\)/,
  ],
];

const odd: readonly Server[] = [
  [
    "the status 101",
    Buffer.from("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    nothingThere,
    /\(the connection was closed\)/,
  ],
  [
    "a control sequence in a Location",
    Buffer.from(`HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/${sequence}\r\nContent-Length: 0\r\n\r\n`, "latin1"),
    /It redirects to http:\/\/127\.0\.0\.1\/\\u009b31m: verify that address instead\?$/m,
    /\(the status of the answer is 302, to http:\/\/127\.0\.0\.1\/\\u009b31m\)/,
  ],
  [
    "a Location that is no address",
    (_, response) => response.writeHead(302, { location: "http://[" }).end(),
    /It redirects to http:\/\/\[/,
    /\(the status of the answer is 302, to http:\/\/\[\)/,
  ],
  [
    "headers without an end",
    Buffer.from(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(100_000)}`),
    /: the answer is not valid HTTP\.$/m,
    /\(the answer is not valid HTTP\)/,
  ],
  ["5,000 parts", (_, response) => response.end(parts(5_000)), nothingThere, /\(it is in more than 100 files\)/],
];

const [paged] = edgeNetwork.lists.filter((operation) => operation.paged);
if (paged === undefined) throw new Error("No operation is paged.");

const replaced =
  (isAbout: (path: string) => boolean, change: (body: string) => string | Buffer): Mistake =>
  ({ method, path: asked }, answer) =>
    method === "GET" && answer.status === 200 && isAbout(asked)
      ? { status: 200, headers: { "content-type": "application/json" }, body: change(answer.body) }
      : answer;

/** A faulty API, and the report of `verify`. */
type Api = readonly [title: string, mistake: Mistake, told: RegExp];

const apis: readonly Api[] = [
  [
    "errors of thousands of levels",
    (_, answer) => (answer.status < 400 ? answer : { ...answer, headers: {}, body: deep(20_000) }),
    /The data is stale, or belongs to another build: /,
  ],
  [
    "control sequences in headers",
    (_, answer) => ({
      ...answer,
      headers: { ...answer.headers, "cache-control": `x${sequence}`, etag: `"${sequence}"` },
    }),
    /Cache-Control is x\\u009b31m/,
  ],
  [
    "a dump of ten million items",
    replaced((asked) => asked.includes(`/dumps/${paged.name}`), large.items),
    /There is no answer: the body is too long/,
  ],
];

/** The output has no control characters and no stack, and ends with a message. */
function expectSentence(printed: string, told: RegExp): void {
  expect(printed).toMatch(told);
  expect(printed).not.toMatch(/Internal error|\n {4}at |[^\P{C}\n]/u);
}

/** The limit in bytes. A process that has loaded the program takes about 100 MB. */
const maxMemory = 2_500e6;

describe("a server with", () => {
  beforeAll(() => {
    for (const make of [large.bomb, large.values, large.part]) make();
  });

  it.each(greedy)("%s", async (_, answer, told, reason) => {
    const origin = await serve(answer);
    const [verify, build] = commandsAt(origin);
    const [verified, required] = await Promise.all([runApart(verify), runApart(build)]);
    expectMessages(verified, required, told, reason);
    expect(Math.max(verified.memory, required.memory)).toBeLessThan(maxMemory);
  });

  it.each(odd)("%s", async (_, answer, told, reason) => {
    const [verify, build] = commandsAt(await serve(answer));
    expectMessages(await run(verify), await run(build), told, reason);
  });
});

describe("an API with", () => {
  it.each(apis)("%s", async (_, mistake, told) => {
    const { origin, stop } = await serveWith(published, mistake);
    onTestFinished(stop);
    const build = openBuild(dist);
    const verified = await verify(new URL(origin), build);
    expect(verified.different).toBeGreaterThan(0);
    expectSentence(verifiedText(verified, build, undefined, picocolors.createColors(false)), told);
  });

  it("control sequences in its title", async () => {
    const overview = { generator, title: sequence, operations: [{ name: sequence }] };
    const { origin, stop } = await serveWith(published, () => ({
      status: 200,
      headers: {},
      body: JSON.stringify(overview),
    }));
    onTestFinished(stop);
    const { status, stderr } = await run(["verify", origin, "--out", dist]);
    expectSentence(stderr, /^✗ Another API is published at http:.*: \\u009b31m, with \\u009b31m\./);
    expect(status).toBe(2);
  });
});
