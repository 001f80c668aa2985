import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
import { type Preview, startPreview } from "../preview/preview.ts";
import { hostAt } from "./verify.ts";

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
      apis: [
        {
          base: "/api/v1",
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

it("expects the gaps of the host that the build is for, unless it is on this machine", () => {
  const chosen = (url: string, ...names: readonly string[]) => hostAt(new URL(url), adapters(names))?.name;
  expect(chosen("https://api.example.com", "vercel")).toBe("vercel");
  expect(chosen("https://api.example.com", "vercel", "serve")).toBe("vercel");
  expect(chosen("http://127.0.0.1:3000", "vercel", "nginx")).toBeUndefined();
  expect(chosen("http://[::1]:3000", "vercel")).toBeUndefined();
});

it("asks for the host if the build is for several", async () => {
  const out = path.join(folder, "several");
  await buildForTest(content, out, adapters(["nginx", "plain"]));
  expect(await run(["verify", "https://api.example.com", "--out", out])).toEqual({
    status: 2,
    stdout: "",
    stderr:
      "✗ The build is for several hosts, and the deviations of one of them are accepted. Name one with --host: nginx, plain.\n",
  });
});

it("needs neither content nor a declaration", async () => {
  const bare = path.join(folder, "bare");
  cpSync(dist, path.join(bare, "dist"), { recursive: true });
  const verified = promisify(execFile)(process.execPath, [inject("program"), "verify", preview.origin], { cwd: bare });
  expect((await verified).stdout).toContain("this is the build in dist: ");
});
