// The package as users get it: packed by npm and installed into another project.
import { isAscii } from "node:buffer";
import { spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import glob from "fast-glob";
import ts from "typescript";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { environment, expectOutput } from "../../docs/follow.ts";
import { blocksOf, outputMark, readPage } from "../../docs/pages.ts";
import manifest from "../../package.json" with { type: "json" };
import { writeSample } from "../../test/check/sample.ts";
import { copyCheckout, install, runIn } from "../../test/package/pack.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { skipWithoutTools } from "../../test/tools/skip.ts";

const require = createRequire(import.meta.url);
const ownManifestFile = ".package.json.own";
const ownMark = "run by build/package/pack.package.test.ts";
const folder = temporaryFolder();
const checkout = path.join(folder, "checkout");
const project = path.join(folder, "project");
const archive = path.join(folder, `stillapi-${manifest.version}.tgz`);
/** The blocks of the README that this file runs, and the outputs after them. */
const followed = blocksOf(readPage("README.md")).filter(
  ({ mark }, index, blocks) => mark === ownMark || (mark === outputMark && blocks[index - 1]?.mark === ownMark),
);
const [pack] = followed;
const installed = path.join(project, "node_modules", "stillapi");

beforeAll(() => {
  mkdirSync(checkout);
  copyCheckout(checkout);
  interruptPacking();
  const packed = runIn(checkout, "sh", "-ec", pack?.text ?? "");
  expect(packed.status, packed.stderr).toBe(0);
  mkdirSync(project);
  install(archive, project, ["@babel/parser", "esbuild", "zod"]);
  writeFileSync(path.join(project, "package.json"), '{ "type": "module" }\n');
  writeFileSync(path.join(project, "api.config.ts"), 'export { default } from "stillapi/edge-network";\n');
});

/** Leaves what npm leaves if it is killed while it packs. */
function interruptPacking(): void {
  const file = path.join(checkout, "package.json");
  const { name, version, scripts } = manifest;
  const { prepack, postpack } = scripts;
  renameSync(file, path.join(checkout, ownManifestFile));
  writeFileSync(file, JSON.stringify({ name, version, scripts: { prepack, postpack } }));
}

const command = (...args: readonly string[]) => runIn(project, "node_modules/.bin/stillapi", ...args);

const published = () => JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));

it("leaves package.json as it was, also if npm was interrupted before", () => {
  expect(readFileSync(path.join(checkout, "package.json"))).toEqual(readFileSync("package.json"));
  expect(readdirSync(checkout)).not.toContain(ownManifestFile);
  interruptPacking();
  expect(runIn(checkout, "npm", "run", "--silent", "postpack")).toMatchObject({ status: 0 });
  expect(readFileSync(path.join(checkout, "package.json"))).toEqual(readFileSync("package.json"));
  expect(readdirSync(checkout)).not.toContain(ownManifestFile);
});

it("asks for none of the repository's tools, and is small", () => {
  const { dependencies, devDependencies, scripts } = published();
  expect(Object.keys(dependencies)).toEqual(["@babel/parser", "esbuild", "zod"]);
  expect(devDependencies).toBeUndefined();
  expect(Object.keys(scripts)).toEqual(["prepack", "postpack"]);
  const files = glob.sync("**", { cwd: installed });
  expect(
    files.filter((file) => /\.test\.|(?<!\.d|api\.config)\.ts$|^(?!lib\/|docs\/.*\.md$|[^/]*$)/.test(file)),
  ).toEqual([]);
  expect(statSync(archive).size).toBeLessThan(1_000_000);
  const sizes = glob.sync("**", { cwd: installed, stats: true }).map(({ stats }) => stats?.size ?? 0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(5_000_000);
});

it("has a script of ASCII, which is read in a tenth of the time", () => {
  // esbuild escapes all other characters but those of regular expressions and tagged templates: write them as \u2026.
  expect(isAscii(readFileSync(path.join(installed, "lib", "program.cjs")))).toBe(true);
});

it.for<[string, string[]]>([
  ["publint", ["run", archive, "--strict"]],
  // TypeScript compiles an import in CommonJS to require(), which works for ES modules only in newer versions of Node.
  ["attw", [archive, "--profile", "esm-only"]],
])("has nothing that %s complains of", ([name, args], { skip }) => {
  skipWithoutTools(skip);
  const { status, stdout, stderr } = runIn(checkout, name, ...args);
  expect(status, stdout + stderr).toBe(0);
});

it("names the licenses of the packages in its script", () => {
  const text = readFileSync(path.join(installed, "lib", "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["commander", "yaml", "zod"])
    expect(text).toMatch(new RegExp(`^${name} \\d.*, (?:MIT|ISC)\n\n.*`, "m"));
});

it("keeps the compiled code of runs that find no faults, which is more", () => {
  const kept = () => glob.sync("node_modules/.cache/stillapi/compiled/*", { cwd: project });
  mkdirSync(path.join(project, "faulty"));
  writeFileSync(path.join(project, "faulty", "api.yaml"), "title: ''\n");
  expect(command("check", "--content", "faulty")).toMatchObject({ status: 1 });
  expect(kept()).toEqual([]);
  writeSample(path.join(project, "sound"), { count: 3, pageSizes: [100] });
  expect(command("check", "--content", "sound")).toMatchObject({ status: 0 });
  expect(kept()).toHaveLength(1);
});

it("builds an API, and nothing if it is built again", () => {
  writeSample(path.join(project, "content"), { count: 30, pageSizes: [2, 100] });
  expect(command("--version")).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
  expect(command("check")).toMatchObject({ status: 0, stderr: "" });
  expect(command("build")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/ files written/) });
  expect(command("build")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/Nothing changed/) });
  expect(existsSync(path.join(installed, "node_modules"))).toBe(false);
  expect(command("build", "--content", "nowhere")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^✗ There is/),
  });
});

it("runs no compiled code that it has kept but that of the program that is there, and of that only what is whole", () => {
  const program = path.join(installed, "lib", "program.cjs");
  const original = readFileSync(program, "utf8");
  expect(command("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("made of static files") });
  // V8 itself compares no more than the lengths.
  writeFileSync(program, original.replaceAll("made of static files", "MADE OF OTHER FILES!"));
  onTestFinished(() => writeFileSync(program, original));
  const changed = { status: 0, stderr: "", stdout: expect.stringContaining("MADE OF OTHER FILES!") };
  expect(command("--help")).toMatchObject(changed);
  const compiled = glob.sync("node_modules/.cache/stillapi/compiled/**", { cwd: project, absolute: true });
  expect(compiled.length).toBeGreaterThan(0);
  for (const file of compiled) {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
  }
  expect(command("--help")).toMatchObject(changed);
});

it("makes the scripts of hosts as a checkout does", () => {
  const beside = ["--host", "cloudflare-workers", "cloudfront", "--out", path.join(project, "worker")];
  const { status, stderr } = command("build", ...beside);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const script = readFileSync(path.join(project, "worker.hosts/cloudflare-workers/worker.js"), "utf8");
  expect(script).toMatch(
    /^\/\/ The API at \/api\/v1\.\nconst routingTable = \{.*\};\n.*\.ASSETS.*export\s*\{.* as default\s*\};?\n$/s,
  );
  expect(script).not.toContain("import");
  const edge = readFileSync(path.join(project, "worker.hosts/cloudfront/function.js"), "utf8");
  expect(edge).toMatch(/^var data = \{.*\};\nfunction handler\(/m);
});

it("builds the API that a repository declares", () => {
  const declaredFolder = path.join(project, "declared");
  mkdirSync(path.join(declaredFolder, "content", "deployments"), { recursive: true });
  writeFileSync(path.join(declaredFolder, "content", "deployments", "edge.json"), '{ "operations": ["cities"] }');
  writeFileSync(path.join(declaredFolder, "content", "cities.json"), '[{ "id": "bonn" }]');
  const declared = (key: string) => `import * as z from "zod";
    import { defineApi, defineCollection } from "stillapi";
    import { slug } from "stillapi/forms";
    const cities = defineCollection({ purpose: "Cities.", schema: z.strictObject({ id: slug.describe("Names it.") }), key: "${key}" });
    export default defineApi({ base: "/v2", collections: { cities } });`;
  const build = () => runIn(declaredFolder, path.join(project, "node_modules", ".bin", "stillapi"), "build");
  writeFileSync(path.join(declaredFolder, "api.config.ts"), declared("id"));
  expect(build()).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(readFileSync(path.join(declaredFolder, "dist", "v2", "cities.json"), "utf8"))).toMatchObject({
    data: [{ id: "bonn" }],
  });
  writeFileSync(path.join(declaredFolder, "api.config.ts"), `${declared("id")} process.exit(0);`);
  expect(build()).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^✗ The process ended before the command/),
  });
  writeFileSync(path.join(declaredFolder, "api.config.ts"), declared("idd"));
  expect(build()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^api\.config\.ts:4:\d+ no-such-name /) });
});

describe("the README", () => {
  const repository = path.join(folder, "my-api");
  const script = (name: string) => runIn(repository, "npm", "run", "--silent", name);

  it("creates a repository of data, serves it, and reports a mistake", async ({ skip }) => {
    if (runIn(folder, "npm", "view", "zod", "version").status !== 0) skip("npm reaches no registry");
    const [, create, develop, request, answer, check, report] = followed;
    const created = runIn(folder, "sh", "-ec", create?.text ?? "");
    expect(created.status, created.stderr).toBe(0);

    const origin = await serve(repository, develop?.text ?? "");
    const asked = runIn(repository, "sh", "-ec", (request?.text ?? "").replace("http://127.0.0.1:3000", origin));
    expectOutput(asked.stdout, answer?.text ?? "");

    expect(script("check")).toMatchObject({ status: 0, stderr: "" });
    const file = path.join(repository, "content", "trails.yaml");
    const trails = readFileSync(file, "utf8");
    writeFileSync(file, trails.replace("green-valley", "gren-valley"));
    const { stdout } = runIn(repository, "sh", "-c", `${check?.text.trim()} 2>&1`);
    // npm prints the script first.
    expectOutput(stdout.replaceAll(/^> .*\n/gm, ""), report?.text ?? "");
    writeFileSync(file, trails);
  });

  it("creates one whose other scripts type-check, build and preview it", async ({ skip }) => {
    if (!existsSync(repository)) skip("npm reaches no registry");
    expect(script("typecheck")).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(script("build")).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/ files written/) });
    expect(existsSync(path.join(repository, ".gitignore"))).toBe(true);
    const origin = await serve(repository, "node_modules/.bin/stillapi preview --port 0");
    expect((await fetch(`${origin}/api/v1/trails/mill-loop`)).status).toBe(200);
  });

  /** Starts a command that serves until the end of the test. Returns the address that it prints. */
  async function serve(cwd: string, command: string): Promise<string> {
    const child = spawn("sh", ["-c", command], { cwd, detached: true, env: environment() });
    onTestFinished(() => void process.kill(-Number(child.pid)));
    let printed = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += String(chunk).replaceAll("\u{1b}", " ");
      if (/http:[^ ]*\d\D/.test(printed)) break;
    }
    return /http:\/\/[^/ ]*\d/.exec(printed)?.[0] ?? expect.fail(printed);
  }
});

it("provides what declarations and consumers import, with their types", () => {
  const script = `
    import { defineApi, defineCollection, listOf, reference } from "stillapi";
    import { createClient } from "stillapi/client";
    import edgeNetwork from "stillapi/edge-network";
    import { id } from "stillapi/forms";
    import * as z from "zod";
    const schema = z.strictObject({ id: id("a"), of: reference("a") });
    const api = defineApi({ collections: { a: defineCollection({ purpose: "A.", schema, key: "id" }) } });
    try { listOf(api.collections.a.declaration.schema).parse({ object: "list", data: [{ id: "b", of: "a_1" }] }); }
    catch ({ issues }) { console.log(issues[0].path.join()); }
    const names = Object.keys({ ...edgeNetwork.collections, ...edgeNetwork.documents });
    console.log(typeof createClient("https://example.com")[names[0]].pages);
  `;
  const { stdout, stderr } = runIn(project, process.execPath, "--input-type=module", "--eval", script);
  expect({ stdout, stderr }).toEqual({ stdout: "data,0,id\nfunction\n", stderr: "" });

  writeFileSync(
    path.join(project, "consumer.ts"),
    `import { defineApi, defineCollection, type ItemOf } from "stillapi";
     import { createClient } from "stillapi/client";
     import type edgeNetwork from "stillapi/edge-network";
     import type { EdgeNode } from "stillapi/edge-network";
     import { id } from "stillapi/forms";
     import * as z from "zod";
     const things = defineCollection({ purpose: "Things.", schema: z.strictObject({ id: id("t") }), key: "id" });
     const api = defineApi({ base: "/v2", collections: { things } });
     const first = async (): Promise<ItemOf<typeof things> | undefined> =>
       (await createClient<typeof api>("https://example.com/v2").things.get({ limit: 1 })).data[0];
     const nodes: () => AsyncIterable<EdgeNode> = createClient<typeof edgeNetwork>("https://example.com").nodes.items;
     export { first, nodes };
     // @ts-expect-error: An address is needed.
     createClient();
     // @ts-expect-error: It is misspelt.
     defineApi({ colections: {} });\n`,
  );
});

describe("TypeScript", () => {
  const consumer = path.join(folder, "consumer");

  beforeAll(() => {
    mkdirSync(consumer);
    // No other package: the types of the client need none.
    install(archive, consumer, []);
    writeFileSync(path.join(consumer, "package.json"), '{ "type": "module" }\n');
    copyFileSync("build/documents/programs/client.d.ts", path.join(consumer, "client.d.ts"));
    for (const [file, from] of [
      ["installed.ts", "stillapi/client"],
      ["published.ts", "./client.js"],
    ] as const) {
      writeFileSync(path.join(consumer, file), consumerOf(from));
    }
  });

  const files = ["consumer/installed.ts", "consumer/published.ts", "project/consumer.ts"];

  it.for([ts.version, "6"])(
    "%s accepts the declarations, and those of the clients without other packages",
    (version, { skip }) => {
      const isOwn = version === ts.version;
      if (!isOwn) skipWithoutTools(skip);
      const compiler = isOwn ? ts : require(path.join(inject("toolPackages"), `typescript-${version}`));
      expect(errorsIn(compiler)).toEqual([]);
    },
  );

  // TypeScript 7 has no functions to call.
  it("7 accepts them as a command", ({ skip }) => {
    skipWithoutTools(skip);
    const tsc = path.join(inject("toolPackages"), "typescript-7", "bin", "tsc");
    const options = ["--noEmit", "--strict", "--target", "es2023", "--module", "nodenext"];
    expect(runIn(folder, process.execPath, tsc, ...options, ...files)).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  /** The errors in the package and its consumers. Those in the declarations of other packages are not looked for. */
  function errorsIn(compiler: typeof ts): readonly string[] {
    const { ES2023 } = compiler.ScriptTarget;
    const options = { noEmit: true, strict: true, target: ES2023, module: compiler.ModuleKind.NodeNext, types: [] };
    const own = realpathSync(folder);
    const program = compiler.createProgram(
      files.map((file) => path.join(own, file)),
      options,
    );
    const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(own));
    expect(sources.length).toBeGreaterThan(files.length + 10);
    const diagnostics = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...sources.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
    ];
    return diagnostics.map(
      ({ file, messageText }) => `${file?.fileName} ${compiler.flattenDiagnosticMessageText(messageText, "\n")}`,
    );
  }
});

/** A consumer of the client in a module, without the type of a declaration. */
const consumerOf = (from: string): string => `
  import { ApiError, createClient } from "${from}";
  const client = createClient("https://example.com");
  export const first = async (): Promise<unknown> => (await client.things?.get({ limit: 1 }))?.data[0];
  export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
`;
