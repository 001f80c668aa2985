import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import picomatch from "picomatch";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { fieldOf } from "../../../src/model/fields.ts";
import { run } from "../../../test/cli/run-command.ts";
import { openedWithErrors } from "../../../test/plan.ts";
import { temporaryFolder } from "../../../test/temporary.ts";
import { hosts } from "../../hosts/hosts.ts";
import { publishedHosts } from "../../hosts/names.ts";
import { openBuild } from "../../published/build.ts";
import { templates } from "../init/repository.ts";
import { startPreview } from "../preview/preview.ts";

const folder = temporaryFolder();

const read = (...steps: readonly string[]) => readFileSync(path.join(folder, ...steps), "utf8");

const filesIn = (of: string): readonly string[] =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(of, path.join(entry.parentPath, entry.name)));

const passed = { status: 0, stderr: "" };

describe.each(templates)("the template %s", (template) => {
  const at = path.join(folder, template);
  const asked = ["--content", path.join(at, "content"), "--config", path.join(at, "api.config.ts")];
  const lies = `build/cli/init/templates/${template}`;

  beforeAll(async () => {
    expect(await run(["init", at, "--template", template])).toMatchObject(passed);
  });

  it("is an API that passes check, diff, build and verify at once", async () => {
    expect(await run(["check", ...asked])).toMatchObject(passed);
    expect(await run(["diff", "--against", path.join(at, "content"), ...asked])).toMatchObject({
      ...passed,
      stdout: expect.stringContaining("nothing changes"),
    });
    const out = path.join(at, "dist");
    expect(await run(["build", ...asked, "--out", out])).toMatchObject(passed);
    const preview = await startPreview(out, 0);
    const verified = await run(["verify", preview.origin, "--out", out]);
    await preview.stop();
    expect(verified).toMatchObject({ ...passed, stdout: expect.stringMatching(/^✓ .* requests passed/) });
  });

  it("explains each field above the data", async () => {
    const { declaration, errors } = await openedWithErrors({ folder: lies });
    expect(errors).toEqual([]);
    for (const { name, meanings } of declaration.api?.lists ?? []) {
      const lines = readFileSync(`${lies}/content/${name}.yaml`, "utf8").split("\n");
      for (const [field, meaning] of Object.entries(meanings)) {
        const line = lines.find((text) => text.startsWith(`#   ${field} `)) ?? "";
        expect(line.replace("Optional. ", ""), line).toContain(` ${meaning.replace(/\.$/, "")}`);
      }
    }
  });

  it("has a line for each schema and file of the content in the settings of Visual Studio Code", () => {
    const settings = JSON.parse(read(template, ".vscode/settings.json"));
    const yaml: Readonly<Record<string, readonly string[]>> = settings["yaml.schemas"];
    const json = settings["json.schemas"].map(({ url, fileMatch }: { url: string; fileMatch: string }) => [
      url,
      fileMatch,
    ]);
    expect(Object.entries(yaml)).toEqual(json);
    const schemas = readdirSync(path.join(at, ".schemas")).map((file) => `./.schemas/${file}`);
    expect(Object.keys(yaml).sort()).toEqual(schemas.sort());
    for (const file of filesIn(path.join(at, "content"))) {
      const matching = Object.entries(yaml).filter(([, globs]) => picomatch.isMatch(`content/${file}`, [...globs]));
      const [place = ""] = file.split(/[./]/);
      expect(matching.map(([schema]) => schema)).toEqual([`./.schemas/${place}.json`]);
    }
  });

  it("has no placeholder, scripts with the names of their commands, and packages of the versions used here", () => {
    for (const file of filesIn(at).filter((name) => !name.startsWith("dist")))
      expect(read(template, file)).not.toMatch(/__[A-Z_]+__|undefined/);
    const { name, type, scripts, dependencies, devDependencies } = JSON.parse(read(template, "package.json"));
    expect({ name, type }).toEqual({ name: template, type: "module" });
    const { typecheck, ...commands } = scripts;
    expect(typecheck).toBe("tsc");
    for (const [script, command] of Object.entries(commands)) expect(command).toBe(`stillapi ${script}`);
    // The program of this test is a checkout, of which there is no archive yet.
    expect(dependencies).toEqual({
      stillapi: `file:vendor/stillapi-${manifest.version}.tgz`,
      zod: manifest.dependencies.zod,
    });
    const used = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const [dependency, version] of Object.entries(devDependencies)) {
      expect(Object.entries(used)).toContainEqual([dependency, version]);
    }
  });
});

it.each(publishedHosts)(
  "writes a repository that builds for %s without options, and says how to publish",
  async (host) => {
    const at = path.join(folder, host);
    expect(await run(["init", at, "--host", host])).toMatchObject(passed);
    const asked = ["--content", path.join(at, "content"), "--config", path.join(at, "api.config.ts")];
    expect(await run(["build", ...asked, "--out", path.join(at, "dist")])).toMatchObject(passed);
    const tables = openBuild(path.join(at, "dist")).tables();
    const configured = [
      ...(hosts.get(host)?.files?.(tables) ?? []).map(({ file }) => `dist/${file}`),
      `dist.hosts/${host}`,
    ];
    expect(configured.some((file) => existsSync(path.join(at, file)))).toBe(true);
    const readme = read(host, "README.md");
    for (const name of Object.keys(hosts.get(host)?.publishing?.secrets ?? {}))
      expect(readme).toContain(`secret \`${name}\``);
    for (const file of Object.keys(hosts.get(host)?.publishing?.files ?? {})) expect(filesIn(at)).toContain(file);
    const ignored = read(host, ".gitignore").split("\n");
    const outputs = readdirSync(at).filter((name) => /^(?:dist|\.schemas)/.test(name));
    for (const folder of [...outputs, "node_modules"]) expect(ignored).toContain(`${folder}/`);
  },
);

it("writes a repository for several hosts, each named once", async () => {
  const at = path.join(folder, "several");
  const named = ["--host", "netlify", "nginx", "--host", "vercel", "--host", "netlify"];
  const { status, stdout } = await run(["init", at, ...named]);
  expect({ status, first: stdout.split("\n")[0] }).toEqual({
    status: 0,
    first: "✓ Created a data repository for Netlify, nginx and Vercel. Next:",
  });
  const asked = ["--content", path.join(at, "content"), "--config", path.join(at, "api.config.ts")];
  expect(await run(["build", ...asked, "--out", path.join(at, "dist")])).toMatchObject(passed);
  for (const file of ["netlify.toml", "vercel.json", "dist/_redirects", "dist/vercel.json", "dist.hosts/nginx"])
    expect(existsSync(path.join(at, file)), file).toBe(true);
});

it("answers a list, a filter, both filters together and a single item with the blank template", async () => {
  const preview = await startPreview(path.join(folder, "blank", "dist"), 0);
  const keysAt = async (address: string) => {
    const list: unknown = await (await fetch(`${preview.origin}/api/v1/${address}`)).json();
    const data = fieldOf(list, "data");
    return Array.isArray(data) ? data.map((item) => fieldOf(item, "id")) : [];
  };
  expect(await keysAt("parks")).toEqual(["green-valley", "high-peaks"]);
  expect(await keysAt("trails?limit=2")).toEqual(["mill-loop", "ridge-path"]);
  expect(await keysAt("trails?park=high-peaks")).toEqual(["ridge-path"]);
  expect(await keysAt("trails?park=green-valley&difficulty=easy")).toEqual(["river-walk"]);
  expect(await (await fetch(`${preview.origin}/api/v1/trails/river-walk`)).json()).toMatchObject({
    name: "River Walk",
  });
  await preview.stop();
});

it.each([
  [
    ["--host", "nginx", "caddy", "my api"],
    "error: option '--host <name...>' argument 'my api' is invalid. It is no host. The folder comes first: stillapi init 'my api' --host nginx caddy\n",
  ],
  [
    ["--from", "package.json", "my-api"],
    "✗ There is no file my-api. The folder comes first: stillapi init my-api --from package.json\n",
  ],
])("says that the folder comes first, after init %j", async (args, stderr) => {
  expect(await run(["init", ...args])).toEqual({ status: 2, stdout: "", stderr });
});

it("writes a package.json of which npm lists the packages and their licences", async () => {
  const at = path.join(folder, "listed");
  await run(["init", at]);
  const root = JSON.parse(read("listed", "package.json"));
  const installed = Object.entries<string>({ ...root.dependencies, ...root.devDependencies }).map(([name, wanted]) => [
    `node_modules/${name}`,
    wanted.startsWith("file:") ? { version: "1.0.0", resolved: wanted } : { version: wanted.replace("^", "") },
  ]);
  const lock = { lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(installed) } };
  writeFileSync(path.join(at, "package-lock.json"), JSON.stringify(lock));
  const args = ["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx"];
  const listed = JSON.parse(execFileSync("npm", args, { cwd: at, encoding: "utf8" }));
  expect(listed.metadata.component).toMatchObject({ name: "listed", version: "0.0.0" });
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

Its README describes how to change the data and how to publish.
`);
    expect(readdirSync(path.join(folder, "it's My API", "vendor"))).toEqual([]);
    expect((await run(["init", "--", "-x"])).stdout).toContain("\n  cd ./-x\n");
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
  expect(await run(["init", clone])).toMatchObject(passed);
  expect(JSON.parse(read("My Clone", "package.json")).name).toBe("my-clone");
  expect(existsSync(path.join(clone, "netlify.toml"))).toBe(true);
});
