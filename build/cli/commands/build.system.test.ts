import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { writeSample } from "../../../test/check/sample.ts";
import { one, other, writeBroken, writeContent } from "../../../test/cli/content-folder.ts";
import { run } from "../../../test/cli/run-command.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { stateOf } from "../../../test/output/folder.ts";
import { contentOf } from "../../../test/plan.ts";
import { serve } from "../../../test/serve.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import type { Catalog } from "../../content/catalog.ts";
import { listings } from "../../pages/listings.ts";

const folder = temporaryFolder();
const content = path.join(folder, "content");
const broken = path.join(folder, "broken");
let catalog: Catalog;

beforeAll(async () => {
  writeContent(content);
  writeBroken(broken);
  catalog = await contentOf(content, edgeNetwork);
});

/** The lists of the default deployment: their names, and how many listings each has. */
function listed(): ReadonlyMap<string, number> {
  const deployment = catalog.deployments.get("edge");
  const names = (deployment ? [...listings(catalog, deployment)] : []).map(({ operation }) => operation.name);
  return new Map(names.map((name) => [name, names.filter((other) => other === name).length]));
}

it("says what it did: a table, and the files written, kept and removed", async () => {
  const out = path.join(folder, "told");
  const first = await run(["build", "--content", content, "--out", out]);
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toMatch(
    /^The API, deployment edge: .*content → .*told\n\n {9,}items {2}listings {2}files {2,}size\n/,
  );
  for (const [name, listingCount] of listed()) {
    const count = catalog.items.get(name)?.count;
    const row = new RegExp(`\\n${name} +${count} +${listingCount} +\\d+ +[\\d.]+ (?:B|kB|MB)\\n`);
    expect(first.stdout).toMatch(row);
  }
  expect(first.stdout).toMatch(/\nOf \d+ limits of netlify, at most \d+% is used\.\n/);
  expect(first.stdout).toMatch(/\n✓ [\d,]+ files written, 0 kept, 0 removed, in \d+\.\d s(?: \(.+\))?\.\n$/);

  const narrow = path.join(folder, "narrow");
  await run(["build", "--content", content, "--out", narrow, "--deployment", String(one)]);
  const grown = await run(["build", "--content", content, "--out", narrow, "--deployment", String(other)]);
  expect(grown.stdout).toMatch(/grew by\n/);
  expect(grown.stdout).toMatch(
    new RegExp(`\\n${other} +\\d+ +\\d+ +\\d+ +[\\d.]+ (?:MB|kB) +\\+\\d+ files, \\+[\\d.]+ (?:B|kB|MB)\\n`),
  );
  const again = await run(["build", "--content", content, "--out", narrow, "--deployment", String(other)]);
  expect(again.stdout).toMatch(/\n✓ Nothing changed: all \d+ files are as they were, in /);
  expect(again.stdout).not.toContain("grew by");
});

it.each([[[]], [["--format", "json"]]])("says the same of each build that changes nothing: %j", async (more) => {
  const out = path.join(folder, `same${more.join("")}`);
  const args = ["build", "--content", content, "--out", out, ...more];
  const timeless = async () => {
    const { stdout, ...rest } = await run(args);
    return { ...rest, stdout: stdout.replace(/in \d+\.\d s(?: \(.*\))?|"seconds":[\d.]+/, "in no time") };
  };
  const first = await timeless();
  const second = await timeless();
  expect(second.stdout).not.toBe(first.stdout);
  expect(await timeless()).toEqual(second);
  rmSync(path.join(out, "404.html"));
  expect((await timeless()).stdout).not.toBe(second.stdout);
  expect(await timeless()).toEqual(second);
});

it("names the configuration that a host has to load, once it differs from that of the build before", async () => {
  const content = path.join(folder, "sizes");
  const out = path.join(folder, "sizes-dist");
  const build = (...more: readonly string[]) =>
    run(["build", "--content", content, "--out", out, "--host", "nginx", "netlify", ...more]);
  writeSample(content, { count: 30, pageSizes: [1, 10] });
  expect((await build()).stdout).not.toContain("a new configuration");
  writeSample(content, { count: 31, pageSizes: [1, 10] });
  expect((await build()).stdout).not.toContain("a new configuration");
  writeSample(content, { count: 31, pageSizes: [1, 20] });
  expect((await build()).stdout).toMatch(
    /\nnginx needs a new configuration: publish and load (?:api_v1_[0-9a-f]{6}\.\w+\.conf(?:, )?)+, or some requests fail\.\n/,
  );
  writeSample(content, { count: 31, pageSizes: [1, 10] });
  expect(JSON.parse((await build("--format", "json")).stdout).reloads).toMatchObject([{ host: "nginx" }]);
  expect(JSON.parse((await build("--format", "json")).stdout).reloads).toEqual([]);
});

it.each(["/api/v2", "/api", "/api/v1/next"])(
  "removes an API with another base than %s only with --replace",
  async (base) => {
    const project = path.join(folder, "declared", base);
    const out = path.join(project, "dist");
    const config = path.join(project, "api.config.ts");
    const build = (...more: readonly string[]) =>
      run(["build", "--content", content, "--config", config, "--out", out, "--host", "nginx", ...more]);
    const declare = (declared: string) =>
      writeFileSync(
        config,
        `import edgeNetwork from "stillapi/edge-network";
       export default { ...edgeNetwork, base: "${declared}" };`,
      );
    mkdirSync(project, { recursive: true });
    declare("/api/v1");
    expect(await build()).toMatchObject({ status: 0 });
    const before = [stateOf(out), stateOf(`${out}.hosts`)];
    declare(base);
    expect(await build()).toEqual({
      status: 2,
      stdout: "",
      stderr: `✗ ${out} holds the API /api/v1, which this build of ${base} would remove. Choose another folder with --out, or remove that API with --replace.\n`,
    });
    expect([stateOf(out), stateOf(`${out}.hosts`)]).toEqual(before);
    expect(await build("--replace")).toMatchObject({ status: 0 });
    expect(existsSync(path.join(out, "api/v1/nodes.json"))).toBe(false);
    expect(existsSync(path.join(out, base, "nodes.json"))).toBe(true);
    expect(await build()).toMatchObject({ status: 0, stdout: expect.stringContaining("Nothing changed") });
  },
);

it.each([
  ["127.0.0.1:8099", "127.0.0.1:8099"],
  ["user:secret@127.0.0.1", "…@127.0.0.1"],
  ["https://", "https://"],
  ["https://user:secret@", "…@"],
  ["ftp://127.0.0.1/", "ftp://127.0.0.1/"],
  [path.join(folder, "nowhere"), path.join(folder, "nowhere")],
])("refuses %s as a previous build, without a password in the message", async (previous, shown) => {
  const out = path.join(folder, "refused");
  for (const [args, env] of [
    [["--previous", previous], {}],
    [[], { PREVIOUS: previous }],
  ] as const) {
    expect(await run(["build", "--content", content, "--out", out, ...args], env)).toEqual({
      status: 2,
      stdout: "",
      stderr: `✗ The previous build, ${shown}, is neither a folder nor an address. An address starts with http:// or https://.\n`,
    });
  }
  expect(existsSync(out)).toBe(false);
});

it("fails if the named build cannot be read, and names it without its password", async () => {
  const out = path.join(folder, "named");
  const named = await serve((request, response) => {
    if (request.url?.endsWith("cursors.json")) response.end("hello");
    else response.writeHead(404).end();
  });
  const args = ["build", "--content", content, "--out", out];
  const env = { PREVIOUS: `${named.replace("//", "//user:secret@")}/` };
  expect(await run(args, env)).toEqual({
    status: 1,
    stdout: "",
    stderr: `previous-lost Could not read the previous build at ${named} (stillapi did not write it). Build again when it can be read. With --previous none, the build starts anew, and existing cursors may stop working.\n✗ 1 fault; nothing was built.\n`,
  });
  expect(existsSync(out)).toBe(false);
  expect(await run([...args, "--previous", "none"], env)).toMatchObject({ status: 0, stderr: "" });
});

it("counts as the first build if the named one does not exist, and says so", async () => {
  const named = await serve((_, response) => response.writeHead(404).end());
  const args = ["build", "--content", content, "--out", path.join(folder, "first")];
  expect(await run(args, { PREVIOUS: named })).toMatchObject({
    status: 0,
    stderr: `previous-unread (warning) There is no previous build at ${named}. This build counts as the first.\n`,
  });
  expect(await run(args, { PREVIOUS: "" })).toMatchObject({ status: 0, stderr: "" });
});

it("warns if the build in the out folder cannot be read", async () => {
  const out = path.join(folder, "own");
  const args = ["build", "--content", content, "--out", out];
  expect(await run(args)).toMatchObject({ status: 0 });
  writeFileSync(path.join(out, "api/v1/cursors.json"), "hello");
  expect(await run(args)).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^previous-unread \(warning\) Could not read the previous build /),
  });
});

it.each([
  ["the deployment asked for", ["--deployment", String(one)], { DEPLOYMENT: String(other) }, [one]],
  ["the deployment of the environment", [], { DEPLOYMENT: String(other) }, [other]],
  ["the default where that of the environment is empty", [], { DEPLOYMENT: "" }, undefined],
])("takes %s", async (name, args, env, expected) => {
  const out = path.join(folder, name);
  const built = await run(["build", "--content", content, "--out", out, ...args], env);
  expect(built).toMatchObject({ status: 0, stderr: "" });
  const isListed = ({ name }: { name: string }) => existsSync(path.join(out, `api/v1/${name}.json`));
  expect(edgeNetwork.lists.filter(isListed).map(({ name }) => name)).toEqual(expected ?? [...listed().keys()]);
});

it("reports faults on stderr, a line each, and writes nothing", async () => {
  const out = path.join(folder, "never");
  const { status, stdout, stderr } = await run(["build", "--content", broken, "--out", out]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  const at = (file: string) => path.join(broken, file);
  expect(stderr.split("\n")).toEqual([
    `${at("nodes/a.yaml")}:1:3 missing-field A node must have the field created_at. Its value must be a UTC time to the second, such as 2026-11-20T09:00:00Z.`,
    `${at("nodes/a.yaml")}:1:3 missing-field A node must have the field status. Its value must be a lowercase word, such as operational.`,
    expect.stringMatching(/^.*a\.yaml:1:3 missing-field A node must have the field capacity\. /),
    `${at("nodes/a.yaml")}:2:8 no-such-item There is no region with the code "lhr9". Did you mean "lhr1"?`,
    expect.stringMatching(/^.*regions\.json:1:2 missing-field A region must have the field status\. /),
    expect.stringMatching(
      /^.*regions\.json:1:40 wrong-value zone must be a lowercase area and direction .*, but is "eu"\.$/,
    ),
    "✗ 6 faults in 2 files; nothing was built.",
    "",
  ]);
  expect(existsSync(out)).toBe(false);
});

it("gives programs one JSON document, of errors or of what was done", async () => {
  const args = (content: string, out: string) => [
    "build",
    "--content",
    content,
    "--out",
    path.join(folder, out),
    "--format",
    "json",
  ];
  const { status, stdout, stderr } = await run(args(broken, "n"));
  expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
  const { messages, omitted } = JSON.parse(stdout);
  expect(messages).toHaveLength(6);
  expect(omitted).toEqual([]);
  expect(messages[3]).toEqual({
    severity: "error",
    code: "no-such-item",
    text: 'There is no region with the code "lhr9".',
    hint: 'Did you mean "lhr1"?',
    file: path.join(broken, "nodes/a.yaml"),
    line: 2,
    column: 8,
    endLine: 2,
    endColumn: 12,
  });
  const done = await run(args(content, "j"));
  const operations = [...listed()].map(([name, listings]) => [
    name,
    expect.objectContaining({ items: catalog.items.get(name)?.count, listings }),
  ]);
  expect(JSON.parse(done.stdout)).toMatchObject({
    messages: [],
    omitted: [],
    deployment: "edge",
    kept: 0,
    removed: 0,
    apis: [{ operations: Object.fromEntries(operations) }],
  });
});

/** A folder with a region, and its builds, each a minute after the one before it. */
function region() {
  const project = path.join(temporaryFolder(), "region");
  mkdirSync(path.join(project, "deployments"), { recursive: true });
  const status = { status: "operational", region: "lhr1", components: [], updated_at: "2026-01-01T00:00:00Z" };
  const deployment = { operations: ["regions", "status"], status };
  writeFileSync(path.join(project, "deployments/edge.json"), JSON.stringify(deployment));
  const out = path.join(project, "../dist");
  let minutes = 0;
  const buildWith = async (name: string, ...args: readonly string[]) => {
    const item = { code: "lhr1", name, country: "GB", zone: "europe-west", status: "operational" };
    writeFileSync(path.join(project, "regions.json"), JSON.stringify([item]));
    const time = { SOURCE_DATE_EPOCH: String(1_700_000_000 + 60 * minutes++) };
    const all = ["build", "--content", project, "--out", out, "--deployment", "edge", ...args];
    const { status, stderr } = await run(all, time);
    const { data = [] } = status === 0 ? JSON.parse(readFileSync(path.join(out, "api/v1/changes.json"), "utf8")) : {};
    const told = data.map(({ collections }: { collections: Record<string, { fields?: object }> }) => {
      return collections["regions"]?.fields ?? {};
    });
    return { status, stderr: stderr.replace(/^.*empty-collection.*\n/gm, ""), told };
  };
  return { out, buildWith };
}

it("says what changed in an item until it is forgotten, and refuses to forget in no collection", async () => {
  const { buildWith } = region();
  await buildWith("London");
  const named = { lhr1: { name: ["London", "Leeds"] } };
  expect(await buildWith("Leeds")).toEqual({ status: 0, stderr: "", told: [named] });
  expect(await buildWith("Leeds")).toEqual({ status: 0, stderr: "", told: [named] });
  expect(await buildWith("Luton", "--forget", "regions/lhr1")).toEqual({ status: 0, stderr: "", told: [{}, {}] });
  const again = { lhr1: { name: ["Luton", "London"] } };
  expect((await buildWith("London", "--forget", "regions/nrt1")).told).toEqual([again, {}, {}]);
  const wrong = await buildWith("London", "--forget", "region/lhr1");
  expect(wrong).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no collection "region", which --forget names.'),
  });
  expect(wrong.stderr).toContain('Did you mean "regions"?');
  expect((await buildWith("London", "--forget", "regions")).stderr).toContain(
    "Name a collection and the key of an item",
  );
});

it("reads the dump at an address only if an item changed, and says why it could not", async () => {
  const { out, buildWith } = region();
  await buildWith("London");
  const asked: string[] = [];
  let isDown = false;
  const origin = await serve((request, response) => {
    const name = request.url ?? "";
    asked.push(name);
    const isRefused = isDown && name.includes("/dumps/");
    response.statusCode = isRefused ? 401 : 200;
    response.end(isRefused ? "" : published.get(name));
  });
  const published = new Map<string, Buffer>();
  const publish = () => {
    for (const name of ["/api/v1/cursors.json", "/api/v1/dumps/regions.ndjson"])
      published.set(name, readFileSync(path.join(out, name)));
  };
  publish();
  const dumps = () => asked.splice(0).filter((name) => name.includes("/dumps/"));
  expect(await buildWith("London", "--previous", origin)).toMatchObject({ status: 0, told: [] });
  expect(dumps()).toEqual([]);
  expect((await buildWith("Leeds", "--previous", origin)).told).toEqual([{ lhr1: { name: ["London", "Leeds"] } }]);
  expect(dumps()).toEqual(["/api/v1/dumps/regions.ndjson"]);
  isDown = true;
  const untold = await buildWith("Luton", "--previous", origin);
  expect(untold).toMatchObject({ status: 0, told: [{}] });
  expect(untold.stderr).toContain(
    "previous-unread (warning) Could not read the dump of regions of the previous build (",
  );
});
