import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import getPort from "get-port";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildForTest } from "../../../test/check/built.ts";
import { serveWith } from "../../../test/check/published.ts";
import { one, writeBroken, writeContent } from "../../../test/cli/content-folder.ts";
import { run } from "../../../test/cli/run-command.ts";
import { type Preview, startPreview } from "../preview/preview.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-verify-"));
const [content, broken, dist] = ["content", "broken", "dist"].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];
let preview: Preview;

beforeAll(async () => {
  writeContent(content);
  writeBroken(broken);
  await buildForTest(content, dist);
  preview = await startPreview(dist, 0);
});

afterAll(async () => {
  await preview?.stop();
  rmSync(folder, { recursive: true });
});

const verify = (...args: readonly string[]) => run(["verify", ...args]);

it("ends with 0 and a line for each check if all answers are right", async () => {
  for (const more of [[], ["--content", content]]) {
    const { status, stdout, stderr } = await verify(preview.origin, "--out", dist, ...more);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(
        /^✓ http:\/\/127\.0\.0\.1:\d+: All 300 sampled requests passed \([\d,]+ exist; `--all` runs them\)\.$/,
      ),
      "✓ 8 ETags revalidated with 304 (no answer was compressed).",
      expect.stringMatching(/^✓ \d+ of the \d+ files in .*dist compared: this build is published\.$/),
      "",
    ]);
  }
});

describe("if answers differ", () => {
  it("ends with 1, sentences and commands to repeat requests", async () => {
    const server = await serveWith(preview.origin, (_, answer) => {
      const { "x-content-type-options": _left, ...headers } = answer.headers;
      return { ...answer, headers };
    });
    try {
      const { status, stdout } = await verify(server.origin, "--out", dist);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^✗ http:.*: (\d+) answers differ \(300 of [\d,]+ requests sampled; `--all` runs them\):\n {2}\1 answers lack/,
      );
      expect(stdout).toMatch(
        /\n {2}\d+ answers lack the header X-Content-Type-Options\.\n {4}curl -i -g --path-as-is --compressed 'http:.*'\n/,
      );
      const json = await verify(server.origin, "--out", dist, "--format", "json");
      expect(json.status).toBe(1);
      const { faults, findings, build, requests } = JSON.parse(json.stdout);
      expect({ faults, findings, build, requests }).toEqual({
        faults: [],
        findings: [
          {
            message: expect.stringMatching(/lack the header X-Content-Type-Options\.$/),
            count: expect.any(Number),
            examples: expect.arrayContaining([
              expect.objectContaining({ method: "GET", curl: expect.stringContaining(server.origin) }),
            ]),
          },
        ],
        build: expect.objectContaining({ folder: dist, different: [], isAnotherBuild: false }),
        requests: expect.objectContaining({ asked: 300 }),
      });
    } finally {
      await server.stop();
    }
  });

  it("says that another build is published", async () => {
    const other = path.join(folder, "other");
    await run(["build", "--content", content, "--out", other, "--deployment", String(one)]);
    const { status, stdout } = await verify(preview.origin, "--out", other);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /✗ \d+ of the \d+ files in .*other compared, \d+ differ.*: a different build is published\. Different: .*api\/v1\.json/,
    );
  });
});

describe("without an answer from an API it ends with 2 and one sentence", () => {
  it.each<[string, () => Promise<readonly string[]>, RegExp]>([
    ["no URL", async () => [], /^error: missing required argument 'url'\n$/],
    ["another URL", async () => ["ftp://example.com"], /^error: .* The URL starts with http:\/\/ or https:\/\/\.\n$/],
    [
      "a host that is not there",
      async () => ["http://nothing.invalid"],
      /^✗ There is no host nothing\.invalid\. Check/,
    ],
    [
      "nobody who listens",
      async () => [`http://127.0.0.1:${await getPort({ host: "127.0.0.1" })}`],
      /^✗ The server at 127\.0\.0\.1:\d+ refuses connections\. Is the server running\?\n$/,
    ],
    [
      "no TLS",
      async () => [preview.origin.replace("http:", "https:")],
      /^✗ No secure connection to 127\.0\.0\.1:\d+ is possible: .*\n$/,
    ],
    [
      "a folder without a build",
      async () => [preview.origin, "--out", folder],
      /^✗ .* holds no built API\. Name another/,
    ],
  ])("%s", async (_, args, stderr) => {
    const result = await verify(...(await args()));
    expect(result).toMatchObject({ status: 2, stdout: "" });
    expect(result.stderr).toMatch(stderr);
  });

  it("another site, and says where it redirects to", async () => {
    const server = createServer((_, response) => {
      response.writeHead(301, { location: "https://example.com/api/v1" }).end();
    });
    const port = await getPort({ host: "127.0.0.1" });
    await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
    try {
      expect(await verify(`http://127.0.0.1:${port}`)).toEqual({
        status: 2,
        stdout: "",
        stderr: `✗ There is no API of this program at http://127.0.0.1:${port}. It redirects to https://example.com/api/v1: verify that address instead?\n`,
      });
    } finally {
      server.close();
    }
  });
});

it("reports the faults of the content with 1", async () => {
  expect(await verify(preview.origin, "--content", broken)).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("6 faults in 2 files"),
  });
});
