import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(path.join(tmpdir(), "edge-api-cli-"));
const content = path.join(folder, "content");
const broken = path.join(folder, "broken");

beforeAll(() => {
  cpSync("content", content, { recursive: true });
  writeFileSync(path.join(content, "api.yaml"), "page_sizes: [10]\ndefault_deployment: base\n");
  mkdirSync(path.join(broken, "nodes"), { recursive: true });
  writeFileSync(path.join(broken, "nodes", "a.yaml"), "- id: nod_1\n  pop: lhr9\n");
  writeFileSync(path.join(broken, "regions.json"), '[{"code":"lhr1","name":"London","zone":"eu","country":"GB"}]');
});

afterAll(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "build/cli.ts", ...args], {
    encoding: "utf8",
    env: { ...inherited, ...env },
  });
  return { status, stdout, stderr };
}

describe("build", () => {
  it("says what it did: a table, and the files written, kept and removed", () => {
    const out = path.join(folder, "told");
    const first = run(["build", "--content", content, "--out", out]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^The API, deployment base: .*content → .*told\n\n {9,}items {2}listings {2}files {2,}size\n/,
    );
    expect(first.stdout).toMatch(/\nrecords +400 +6 +\d+ +[\d.]+ (?:MB|kB)\n/);
    expect(first.stdout).toMatch(
      /\nlimits +used +at most +left\nnetlify: files in one folder \(.*\) +\d+ +54,000 +[\d,]+\n/,
    );
    expect(first.stdout).toMatch(/\n✓ \d+ files written, 0 kept, 0 removed, in \d+\.\d s\.\n$/);
    const again = run(["build", "--content", content, "--out", out, "--deployment", "media"]);
    expect(again.stdout).toMatch(/grew by\n/);
    expect(again.stdout).toMatch(/\nnodes +161 +23 +\d+ +[\d.]+ (?:MB|kB) +\+\d+ files, \+[\d.]+ (?:MB|kB)\n/);
    expect(run(["build", "--content", content, "--out", out, "--deployment", "media"]).stdout).toMatch(
      /\n✓ Nothing changed: all \d+ files are as they were, in /,
    );
  });

  it("counts the compressed copies, and removes them where they are not asked for again", () => {
    const out = path.join(folder, "compressed");
    const args = ["build", "--content", content, "--out", out, "--host", "nginx", "netlify"];
    const copies = () =>
      readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) => /\.(?:br|gz)$/.test(file));
    const first = run([...args, "--precompress"]);
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(first.stdout).toMatch(/\n\d+ of the files are compressed copies, [\d.]+ [kM]B together\.\n\n(?:.*\n)*✓ /);
    expect(first.stdout).toContain(`\n${copies().length} of the files`);
    expect(copies()).toContain("api/v1/records.json.gz");
    expect(run([...args, "--precompress"]).stdout).toMatch(/✓ Nothing changed: /);
    const { stdout } = run([...args, "--format", "json"]);
    expect(copies()).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ compressed: { files: 0, bytes: 0 } });
  });

  it.each([
    ["the deployment asked for", ["--deployment", "image"], { DEPLOYMENT: "media" }, "images"],
    ["the one of the environment", [], { DEPLOYMENT: "media" }, "nodes"],
    ["the content's default where the environment's is empty", [], { DEPLOYMENT: "" }, "records"],
  ])("takes %s", (name, args, env, operation) => {
    const out = path.join(folder, name);
    expect(run(["build", "--content", content, "--out", out, ...args], env)).toMatchObject({ status: 0, stderr: "" });
    expect(
      readdirSync(path.join(out, "api/v1")).filter((each) => /^(?:records|nodes|images)\.json$/.test(each)),
    ).toEqual([`${operation}.json`]);
  });

  it("reports faults on stderr, a line each, and writes nothing", () => {
    const out = path.join(folder, "never");
    const { status, stdout, stderr } = run(["build", "--content", broken, "--out", out]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    const at = (file: string) => path.join(broken, file);
    expect(stderr.split("\n")).toEqual([
      `${at("nodes/a.yaml")}:1:3 missing-field A node must have the field created_at. Its value must be a real UTC time to the second, such as 2026-11-20T09:00:00Z.`,
      `${at("nodes/a.yaml")}:1:3 missing-field A node must have the field status. Its value must be a lowercase word, such as operational.`,
      expect.stringMatching(/^.*a\.yaml:1:3 missing-field A node must have the field capacity\. /),
      `${at("nodes/a.yaml")}:2:8 no-such-item There is no region with the code "lhr9". Did you mean "lhr1"?`,
      expect.stringMatching(/^.*regions\.json:1:2 missing-field A region must have the field status\. /),
      expect.stringMatching(
        /^.*regions\.json:1:40 wrong-value zone must be a lowercase area and direction .*, but is "eu"\.$/,
      ),
      "✗ 6 faults in 2 files; nothing was written.",
      "",
    ]);
    expect(existsSync(out)).toBe(false);
  });

  it("gives programs one JSON document, of faults or of what was done", () => {
    const { status, stdout, stderr } = run([
      "build",
      "--content",
      broken,
      "--out",
      path.join(folder, "n"),
      "--format",
      "json",
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    const { faults } = JSON.parse(stdout);
    expect(faults).toHaveLength(6);
    expect(faults[3]).toEqual({
      file: path.join(broken, "nodes/a.yaml"),
      line: 2,
      column: 8,
      endLine: 2,
      endColumn: 12,
      code: "no-such-item",
      message: 'There is no region with the code "lhr9".',
      hint: 'Did you mean "lhr1"?',
    });
    const done = run(["build", "--content", content, "--out", path.join(folder, "j"), "--format", "json"]);
    expect(JSON.parse(done.stdout)).toMatchObject({
      faults: [],
      deployment: "base",
      kept: 0,
      removed: 0,
      operations: { records: { items: 400, listings: 6 } },
    });
  });
});

describe("check", () => {
  it("counts what it found valid and writes nothing", () => {
    expect(run(["check", "--content", content])).toEqual({
      status: 0,
      stdout: `✓ ${content} is valid: 400 records, 161 nodes, 22 regions, 60 images, 5 collections, 4 deployments.\n`,
      stderr: "",
    });
    expect(run(["check", "--content", broken]).status).toBe(1);
    expect(run(["check", "--content", content, "--format", "json"]).stdout).toBe('{"faults":[]}\n');
  });

  it("shows what is used and left of the limits of the hosts asked for", () => {
    const args = ["check", "--content", content, "--host", "netlify", "cloudflare-workers", "--deployment", "media"];
    const { status, stdout } = run(args);
    expect(status).toBe(0);
    expect(stdout).toMatch(/deployments\.\n\nlimits +used +at most +left\n/);
    expect(stdout).toMatch(/\ncloudflare-workers: files +\d+ +100,000 +99,\d{3}\n/);
    const { budget } = JSON.parse(run([...args, "--format", "json"]).stdout);
    expect(budget).toContainEqual(
      expect.objectContaining({ host: "cloudflare-workers", what: "files", plan: "Workers Free", most: 20_000 }),
    );
  });
});

describe("wrong usage and the machine's faults end with 2 and one sentence", () => {
  it.each([
    [["build", "--deployment", "bsae", "--content", content], /^✗ There is no deployment "bsae"\. .*\n$/],
    [["build", "--content", "nowhere"], /^✗ There is no folder nowhere\. Name the folder with --content\.\n$/],
    [["build", "--content", "README.md"], /^✗ README\.md is not a folder\.\n$/],
    [
      ["build", "--content", content, "--out", path.join(content, "dist")],
      /^✗ .* lie in one another\. Choose an out folder beside the content\.\n$/,
    ],
    [
      ["build", "--content", content, "--out", "src"],
      /^✗ src holds files that this program has not written, such as .* Choose another folder with --out, or empty this one\.\n$/,
    ],
    [
      ["build", "--content", content, "--out", "README.md/x"],
      /^✗ A part of the path is a file, not a folder: .*README\.md\/x\.\n$/,
    ],
    [["build", "--hots", "x"], /^error: unknown option '--hots'\n\(Did you mean --host\?\)\n$/],
    [["build", "--host", "nope"], /^error: .*Allowed choices are /],
    [
      ["build", "--precompress", "--host", "netlify", "vercel", "--content", content, "--out", path.join(folder, "p")],
      /^✗ None of the chosen hosts sends files that were compressed ahead; those that do are apache, caddy, nginx\. Choose one of them with --host, or leave out --precompress\.\n$/,
    ],
    [["check", "--format", "xml"], /^error: .*Allowed choices are text, json\.\n$/],
    [["biuld"], /^error: unknown command 'biuld'\n\(Did you mean build\?\)\n$/],
    [["preview", "--out", "nowhere"], /^✗ nowhere holds no built API\. Run the build first\.\n$/],
    [["preview", "--port", "x"], /^error: .*A port is an integer from 0 to 65535\.\n$/],
  ])("%j", (args, stderr) => {
    const result = run(args);
    expect(result.stderr).toMatch(stderr);
    expect(result).toMatchObject({ status: 2, stdout: "" });
  });
});

it("explains each command, and itself", () => {
  expect(run(["--help"])).toMatchObject({ status: 0, stdout: expect.stringContaining("check") });
  const { status, stdout } = run(["build", "--help"]);
  expect(status).toBe(0);
  for (const option of ["--content", "--out", "--deployment", "--host", "--precompress", "--format", "DEPLOYMENT"]) {
    expect(stdout).toContain(option);
  }
  const none = run([]);
  expect(none).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Usage: edge-api") });
});

it("colours nothing where the output is no terminal", () => {
  const all = [run(["check"]), run(["build", "--content", broken, "--out", path.join(folder, "c")])];
  for (const { stdout, stderr } of all) expect(stdout + stderr).not.toContain("\u{1b}[");
});

it("has a README that names every option", () => {
  const readme = readFileSync("README.md", "utf8");
  for (const option of ["--content", "--out", "--deployment", "--host", "--precompress", "--format", "--port"])
    expect(readme).toContain(option);
});
