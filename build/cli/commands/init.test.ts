import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { run } from "../../../test/cli/run-command.ts";
import { typeCheck } from "../../../test/client/type-check.ts";
import { edgeNetwork } from "../../../test/edge-network.ts";
import { hosts, local } from "../../hosts/hosts.ts";
import { startPreview } from "../preview/preview.ts";

const folder = mkdtempSync(path.join(tmpdir(), "stillapi-init-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (...steps: readonly string[]) => readFileSync(path.join(folder, ...steps), "utf8");

describe.each([...hosts.keys()])("a repository for %s", (host) => {
  const at = path.join(folder, host);

  it("has content that passes check and build", async () => {
    expect(await run(["init", at, "--host", host])).toMatchObject({ status: 0, stderr: "" });
    const content = path.join(at, "content");
    expect(await run(["check", "--content", content])).toMatchObject({ status: 0, stderr: "" });
    const built = await run(["build", "--content", content, "--out", path.join(at, "dist")]);
    expect(built).toMatchObject({ status: 0, stderr: "" });
    for (const file of hosts.get(host)?.owns(edgeNetwork.base) ?? [])
      expect(existsSync(path.join(at, "dist", file))).toBe(true);
    for (const { name } of edgeNetwork.lists) {
      expect(JSON.parse(read(host, "dist", "api", "v1", `${name}.json`)).data).toHaveLength(1);
    }
  });

  it("builds for its host without options, and publishes to it", () => {
    const { scripts, dependencies } = JSON.parse(read(host, "package.json"));
    for (const [name, command] of Object.entries(scripts)) expect(command).toBe(`stillapi ${name}`);
    // The program of this test is a checkout, of which there is no archive yet.
    expect(dependencies).toEqual({ stillapi: `file:vendor/stillapi-${manifest.version}.tgz` });
    expect(read(host, "content", "api.yaml")).toContain(`\nhosts: [${host}]\n`);
    expect(read(host, "README.md")).not.toContain("does not know how to publish");
  });

  it("lets git ignore what a build and npm write", () => {
    const ignored = read(host, ".gitignore").split("\n");
    for (const each of readdirSync(at).filter((name) => name.startsWith("dist"))) expect(ignored).toContain(`${each}/`);
    for (const each of ["node_modules/", ".schemas/"]) expect(ignored).toContain(each);
  });
});

describe("the blank template", () => {
  const at = path.join(folder, "blank");
  const asked = ["--content", path.join(at, "content"), "--config", path.join(at, "api.config.ts")];

  it("is an API that passes check, diff, build and verify", async () => {
    expect(await run(["init", at, "--template", "blank", "--host", "plain"])).toMatchObject({ status: 0, stderr: "" });
    const passed = { status: 0, stderr: "" };
    expect(await run(["check", ...asked])).toMatchObject({
      ...passed,
      stdout: expect.stringContaining(" is valid: 2 parks, 3 trails.\n"),
    });
    expect(await run(["diff", "--against", path.join(at, "content"), ...asked])).toMatchObject({
      ...passed,
      stdout: expect.stringContaining("nothing changes"),
    });
    const out = path.join(at, "dist");
    expect(await run(["build", ...asked, "--out", out])).toMatchObject(passed);
    const found = JSON.parse(read("blank", "dist/api/v1/trails/park/green-valley/difficulty/easy.json"));
    expect(found.data).toMatchObject([{ id: "river-walk" }]);
    const preview = await startPreview(out, 0);
    const verified = await run(["verify", preview.origin, "--out", out]);
    await preview.stop();
    expect(verified).toMatchObject({ ...passed, stdout: expect.stringMatching(/^✓ .* requests passed/) });
  });

  it("has a declaration that compiles, of packages that are installed", () => {
    expect(typeCheck({ "api.config.ts": read("blank", "api.config.ts") }).errors).toEqual([]);
    const { type, dependencies } = JSON.parse(read("blank", "package.json"));
    expect({ type, zod: dependencies.zod }).toEqual({ type: "module", zod: manifest.dependencies.zod });
    // A declaration may import modules of the repository, and read files.
    expect(JSON.parse(read("blank", "tsconfig.json")).compilerOptions).toMatchObject({
      allowImportingTsExtensions: true,
      types: ["node"],
    });
    expect(dependencies["@types/node"]).toBe(manifest.devDependencies["@types/node"]);
    expect(read("blank", "README.md")).toContain("| `api.config.ts` | ");
    expect(readdirSync(path.join(at, "content")).sort()).toEqual(["api.yaml", "parks.yaml", "trails.yaml"]);
  });
});

it("says that it does not know how to publish to a host without `publishing`", async () => {
  expect(local.publishing).toBeUndefined();
  const get = vi.spyOn(hosts, "get").mockReturnValue(local);
  const { status, stdout } = await run(["init", path.join(folder, "unpublished"), "--host", "nginx"]);
  get.mockRestore();
  expect(status).toBe(0);
  const sentence = "stillapi does not know how to publish to nginx: add a step";
  expect(stdout).toContain(sentence);
  expect(read("unpublished", "README.md")).toContain(sentence);
  expect(read("unpublished", ".github", "workflows", "api.yml")).not.toContain("secrets.");
});

it("refuses a folder that is not empty, and writes nothing", async () => {
  const full = path.join(folder, "full");
  mkdirSync(full);
  writeFileSync(path.join(full, "notes.txt"), "");
  const { status, stdout, stderr } = await run(["init", full]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(`✗ ${full} is not empty: it holds notes.txt. Name a folder that is new or empty.\n`);
  expect(readdirSync(full)).toEqual(["notes.txt"]);
});

it("reports a misspelt word of the data, and the word that is meant", async () => {
  const at = path.join(folder, "misspelt");
  expect(await run(["init", at])).toMatchObject({ status: 0 });
  const content = path.join(at, "content");
  for (const file of readdirSync(content, { recursive: true, encoding: "utf8" })) {
    const full = path.join(content, file);
    if (!file.endsWith(".yaml") || file === "api.yaml") continue;
    writeFileSync(full, readFileSync(full, "utf8").replace(/(?<=: )(?:operational|ready)$/gm, "$&x"));
  }
  const { status, stderr } = await run(["check", "--content", content]);
  expect(status).toBe(1);
  expect(stderr).toContain('Did you mean "operational"?');
  expect(stderr).toContain('Did you mean "ready"?');
});

describe("what is next", () => {
  const cwd = process.cwd();
  afterEach(() => process.chdir(cwd));

  it("is commands that work, in a folder of any name", async () => {
    process.chdir(folder);
    const { stdout } = await run(["init", "it's My API", "--host", "cloudfront"]);
    expect(stdout).toBe(`✓ Created a data repository for S3 with CloudFront. Next:

  cd 'it'\\''s My API'
  npm pack --pack-destination vendor ${cwd}
  npm install && npm run dev

Its README says how to change the data and publish.
`);
    expect(readdirSync(path.join(folder, "it's My API", "vendor"))).toEqual([]);
  });

  it.each([[[]], [[""]], [["."]]])("needs no other folder after init %j", async (args) => {
    const empty = mkdtempSync(path.join(folder, "empty-"));
    process.chdir(empty);
    expect((await run(["init", ...args])).stdout).not.toContain("cd ");
    expect(existsSync(path.join(empty, "package.json"))).toBe(true);
    const before = readdirSync(empty, { recursive: true });
    expect(await run(["init", ...args])).toMatchObject({ status: 2, stderr: expect.stringContaining("is not empty") });
    expect(readdirSync(empty, { recursive: true })).toEqual(before);
  });
});

it("writes into a new clone, which holds a .git folder and nothing else", async () => {
  const clone = path.join(folder, "My Clone");
  mkdirSync(path.join(clone, ".git"), { recursive: true });
  expect(await run(["init", clone])).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(read("My Clone", "package.json")).name).toBe("my-clone");
  expect(existsSync(path.join(clone, "netlify.toml"))).toBe(true);
});

it("knows the hosts there are", async () => {
  expect(await run(["init", path.join(folder, "unknown"), "--host", "geocities"])).toMatchObject({ status: 2 });
  expect(existsSync(path.join(folder, "unknown"))).toBe(false);
});
