import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { expectOutput } from "../../../docs/follow.ts";
import { quotationsFor } from "../../../docs/pages.ts";
import { buildForTest } from "../../../test/check/built.ts";
import { serveWith } from "../../../test/check/published.ts";
import { one, writeContent } from "../../../test/cli/content-folder.ts";
import { run } from "../../../test/cli/run-command.ts";
import { serve } from "../../../test/serve.ts";
import { adapters } from "../../hosts/hosts.ts";
import { openBuild } from "../../published/build.ts";
import { verifyOneOf } from "../../verify/verify.ts";
import { type Preview, startPreview } from "../preview/preview.ts";
import { hostHint, hostsAt } from "./verify.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-verify-"));
const [content, dist] = ["content", "dist"].map((name) => path.join(folder, name)) as [string, string];
let preview: Preview;

beforeAll(async () => {
  writeContent(content);
  await buildForTest(content, dist);
  preview = await startPreview(dist, 0);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

const verify = (url: string, ...args: readonly string[]) => run(["verify", url, "--out", dist, ...args]);

it("ends with 0 and a line for each check if all answers are right", async () => {
  const { status, stdout, stderr } = await verify(preview.origin);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(
      /^✓ http:\/\/127\.0\.0\.1:\d+: this is the build in .*dist: all \d+ requests passed\. All \d+ files were compared\.$/,
    ),
    expect.stringMatching(/^✓ \d+ ETags revalidated with 304\.$/),
    "",
  ]);
});

describe("if answers differ", () => {
  it("ends with 1, sentences and commands to repeat requests", async () => {
    const server = await serveWith(preview.origin, (_, answer) => {
      const { "x-content-type-options": _left, ...headers } = answer.headers;
      return { ...answer, headers };
    });
    onTestFinished(server.stop);
    const { status, stdout } = await verify(server.origin);
    expect(status).toBe(1);
    const [quoted = ""] = quotationsFor("build/cli/commands/verify.system.test.ts");
    expectOutput(stdout.replaceAll(server.origin, "https://api.example.com").replaceAll(dist, "dist"), quoted);
    expect(stdout).toMatch(
      /^✗ http:.*: (\d+) of \d+ answers differ from the build in .*dist\. All \d+ files were compared\.\n {2}X-Content-Type-Options is absent, not nosniff: \1 answers\./,
    );
    expect(stdout).toMatch(
      / is absent, not nosniff: \d+ answers\.\n {4}curl -i -g --path-as-is --compressed 'http:.*'\n/,
    );
    const json = await verify(server.origin, "--format", "json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      messages: [],
      omitted: [],
      folder: dist,
      url: server.origin,
      isAnotherBuild: false,
      findings: [
        {
          message: expect.stringMatching(/^X-Content-Type-Options is absent, not nosniff: \d+ answers\.$/),
          count: expect.any(Number),
          examples: expect.arrayContaining([
            expect.objectContaining({ method: "GET", curl: expect.stringContaining(server.origin) }),
          ]),
        },
      ],
    });
  });

  it("says first that another build is published", async () => {
    const other = path.join(folder, "other");
    await run(["build", "--content", content, "--out", other, "--deployment", String(one)]);
    const { status, stdout } = await run(["verify", preview.origin, "--out", other]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ http:.*: this build differs from the one in .*other\.\n✗ .* answers differ/);
  });

  it("says with 2 that another API is published", async () => {
    const table = JSON.parse(readFileSync(path.join(dist, "routing.json"), "utf8"));
    const other = path.join(folder, "other-api");
    mkdirSync(path.join(other, "api/v1"), { recursive: true });
    const [operation] = table.operations;
    const operations = [{ ...operation, name: "books", path: "/api/v1/books" }];
    writeFileSync(path.join(other, "routing.json"), JSON.stringify({ ...table, operations, documents: [] }));
    const { status, stderr } = await run(["verify", preview.origin, "--out", other]);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^✗ Another API is published at http:.*\/api\/v1: .*, with .*records.*\. The API in .*other-api has books\.\n$/,
    );
  });
});

describe("without an answer from an API it ends with 2 and one sentence", () => {
  it.each<[string, () => Promise<readonly string[]>, RegExp]>([
    ["no URL", async () => [], /^error: missing required argument 'url'\n$/],
    [
      "another URL",
      async () => ["ftp://example.com"],
      /^✗ ftp:\/\/example\.com is not a valid address\. An address is written like https:\/\/api\.example\.com\.\n$/,
    ],
    [
      "a host that is not there",
      async () => ["http://nothing.invalid", "--out", dist],
      /^✗ There is no host nothing\.invalid\.\n$/,
    ],
    [
      "nobody who listens",
      async () => [`http://127.0.0.1:${await getPort({ host: "127.0.0.1" })}`, "--out", dist],
      /^✗ The server at 127\.0\.0\.1:\d+ refuses connections\.\n$/,
    ],
    [
      "no TLS",
      async () => [preview.origin.replace("http:", "https:"), "--out", dist],
      /^✗ No secure connection to 127\.0\.0\.1:\d+ is possible: .*\n$/,
    ],
    [
      "a folder without a build",
      async () => [preview.origin, "--out", folder],
      /^✗ .* contains no build\. Run the build first/,
    ],
  ])("%s", async (_, args, stderr) => {
    const result = await run(["verify", ...(await args())]);
    expect(result).toMatchObject({ status: 2, stdout: "" });
    expect(result.stderr).toMatch(stderr);
  });

  it("another site, and says where it redirects to", async () => {
    const location = "https://example.com/api/v1";
    const origin = await serve((_, response) => response.writeHead(301, { location }).end());
    expect(await verify(origin)).toEqual({
      status: 2,
      stdout: "",
      stderr: `✗ There is no API of stillapi at ${origin}/api/v1. It redirects to ${location}: verify that address instead?\n`,
    });
  });
});

describe("if the answers of a host that was not named differ, it names the hosts that the build is for", () => {
  const built = (...names: readonly string[]) => {
    const out = path.join(folder, names.join("-"));
    return buildForTest(content, out, adapters(names)).then(() => out);
  };

  /** The files at their paths, and 404 elsewhere, as a host without rules has them. */
  const serveFiles = (out: string) =>
    serve((request, response) => {
      const file = path.join(out, new URL(String(request.url), "http://localhost").pathname);
      const stats = statSync(file, { throwIfNoEntry: false });
      const headers = { "access-control-allow-origin": "*", etag: `"${stats?.mtimeMs}"` };
      if (stats?.isFile() && request.headers["if-none-match"] === headers.etag) response.writeHead(304, headers).end();
      else if (stats?.isFile()) response.writeHead(200, headers).end(readFileSync(file));
      else response.writeHead(404, headers).end();
    });

  it("one of two, at any address", async () => {
    const out = await built("nginx", "plain");
    const origin = await serveFiles(out);
    const { status, stdout } = await run(["verify", origin, "--out", out]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ .* of \d+ answers differ from the build in /);
    const hint =
      "No deviation of a host was accepted. The build is for nginx, plain: if one of them answers here, name it with --host.";
    expect(stdout.endsWith(`\n${hint}\n`)).toBe(true);
    const json = await run(["verify", origin, "--out", out, "--format", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ hint });
    expect((await run(["verify", origin, "--out", out, "--host", "plain"])).stdout).not.toContain("name it with");
  });

  it("the only one, on this machine, because the preview may answer", async () => {
    const out = await built("plain");
    const { stdout } = await run(["verify", await serveFiles(out), "--out", out]);
    expect(stdout).toContain("The build is for plain: if it answers here, name it with --host.\n");
  });

  it("finds out which of them answers", async () => {
    const out = await built("nginx", "plain");
    const files = new URL(await serveFiles(out));
    const asNginx = await startPreview(out, 0);
    onTestFinished(asNginx.stop);
    const [nginx, plain] = adapters(["nginx", "plain"]);
    if (nginx === undefined || plain === undefined) throw new Error("A host is missing.");
    for (const [url, answering] of [
      [files, plain],
      [new URL(asNginx.origin), nginx],
    ] as const) {
      for (const candidates of [[nginx, plain] as const, [plain, nginx] as const]) {
        const { host, verified } = await verifyOneOf(url, openBuild(out), candidates);
        expect([host.name, verified.different]).toEqual([answering.name, 0]);
      }
    }
    const all = await verifyOneOf(files, openBuild(out), [nginx, plain], { all: true });
    expect(all).toMatchObject({ host: plain, verified: { different: 0 } });
    expect(all.verified.compared).toBe(all.verified.files);
  });

  it("the one that fits best, if none fits", () => {
    const [plain] = adapters(["plain"]);
    expect(hostHint(plain, adapters(["nginx", "plain"]))).toBe(
      "The build is for nginx, plain, and the answers fit plain best, so its deviations were accepted. If another host answers here, name it with --host.",
    );
  });

  it("the only one, whose deviations it has accepted", () => {
    const [plain] = adapters(["plain"]);
    expect(hostHint(plain, adapters(["plain"]))).toBe(
      "The build is for plain, so its deviations were accepted. If another host answers here, build for that one, and name it with --host.",
    );
  });
});

it("expects the gaps of the host that the build is for, unless it is on this machine", () => {
  const chosen = (url: string, ...names: readonly string[]) =>
    hostsAt(new URL(url), adapters(names)).map(({ name }) => name);
  expect(chosen("https://api.example.com", "vercel")).toEqual(["vercel"]);
  expect(chosen("https://api.example.com", "vercel", "nginx")).toEqual(["vercel", "nginx"]);
  expect(chosen("https://api.example.com", "vercel", "serve")).toEqual(["vercel"]);
  expect(chosen("http://127.0.0.1:3000", "vercel")).toEqual([]);
  expect(chosen("http://[::1]:3000", "vercel")).toEqual([]);
});

it("needs neither content nor a declaration", async () => {
  const bare = path.join(folder, "bare");
  cpSync(dist, path.join(bare, "dist"), { recursive: true });
  const verified = promisify(execFile)(process.execPath, [inject("program"), "verify", preview.origin], { cwd: bare });
  expect((await verified).stdout).toContain("this is the build in dist: ");
});
