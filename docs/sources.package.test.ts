// Follows sources.md in an empty folder. The database is made here, and the API is a server on this machine.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { builtinModules, createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSample } from "../test/check/sample.ts";
import { run } from "../test/cli/run-command.ts";
import { serve } from "../test/serve.ts";
import { environment, runCommands, writeBlock } from "./follow.ts";
import { blocksOf, readPage } from "./pages.ts";

const blocks = blocksOf(readPage("docs/sources.md"));
const folder = mkdtempSync(path.join(tmpdir(), "stillapi-sources-"));
const cwd = process.cwd();

beforeAll(() => {
  symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"));
  process.chdir(folder);
  mkdirSync("empty");
});

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

const dataOf = (file: string, out = "dist") => JSON.parse(readFileSync(path.join(out, "api/v1", file), "utf8")).data;

const writeNamed = (file: string): void =>
  blocks.filter(({ language }) => language.endsWith(` ${file}`)).forEach(writeBlock);

it("does what the page says of files", { timeout: 60_000 }, async () => {
  const expectations = [
    () => {
      expect(dataOf("makers.json")).toEqual([
        { id: "acme", name: "Acme, Inc.", founded: 1920, active: true },
        { id: "zenith", name: "Zenith", founded: null, active: false },
      ]);
      expect(dataOf("pages/lang/en.json")).toEqual([
        { id: "start", lang: "en", title: "How to start", maker: "acme", body: "Switch it *on*." },
      ]);
    },
    // The recipes are valid.
    () => undefined,
    () => {
      expect(dataOf("products.json")).toMatchObject([{ name: "lamp", title: "Desk lamp", price: 20 }]);
      expect(dataOf("versions/product/lamp.json")).toMatchObject([{ id: "lamp-1" }, { id: "lamp-2", version: "2" }]);
    },
  ];
  for (const block of blocks) {
    if (block.language === "sh" && block.mark !== undefined) {
      await runCommands(block.text);
      expectations.shift()?.();
      // The other tests write the other declarations on the page.
    } else if (!block.language.includes("/api.config.ts") || block.language.includes("recipes/")) writeBlock(block);
  }
  expect(expectations).toEqual([]);
});

it("reads, checks and compares data in another folder of the repository", { timeout: 60_000 }, async () => {
  writeNamed("monorepo/api/api.config.ts");
  writeNamed("monorepo/packages/billing/catalog.yaml");
  mkdirSync("monorepo/api/content", { recursive: true });
  writeFileSync("monorepo/api/content/api.yaml", "title: Services\n");
  process.chdir("monorepo/api");
  try {
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", "..", "-c", "user.name=Test", "-c", "user.email=test@example.com", ...args]);
    const file = "../packages/billing/catalog.yaml";
    git("init", "--quiet");
    git("add", "--all");
    git("commit", "--quiet", "--message", "First");
    writeFileSync(file, "services:\n  - { id: invoices, name: Bills }\n");
    expect((await run(["diff"])).stdout).toContain("~ invoices: name Invoices → Bills");
    writeFileSync(file, "services:\n  - { id: invoices, nam: Bills }\n");
    expect((await run(["check"])).stderr).toContain(`${file}:2:21 unknown-field`);
  } finally {
    process.chdir(folder);
  }
});

it("compares with a commit in which a module reads the file beside it", async () => {
  const author = ["-c", "user.name=Reader", "-c", "user.email=reader@example.com"];
  const git = (...args: readonly string[]) => execFileSync("git", [...author, ...args], { env: environment() });
  git("init", "--quiet");
  git("add", "--", "api.config.ts", "products.ts", "prices.csv", "content");
  git("commit", "--quiet", "--message", "First");
  const file = "prices.csv";
  writeFileSync(file, readFileSync(file, "utf8").replace("lamp,20", "lamp,30"));
  const { status, stdout, stderr } = await run(["diff"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("~ lamp: price 20 → 30\n");
});

it("reads data in other forms", async () => {
  writeNamed("forms/api.config.ts");
  mkdirSync("forms/content");
  writeFileSync("forms/content/airlines.dat", String.raw`137,"Air France",\N,"AFR","Y"${"\n"}2,"Old",\N,OLD,N${"\n"}`);
  const world = '{"data": {"countries": {"FRA": {"name": "Frankreich"}, "AUT": {"name": "\xd6sterreich"}}}}';
  writeFileSync("forms/content/world.json", Buffer.from(world, "latin1"));
  expect(await buildOf("forms", { content: "forms/content" })).toMatchObject({ status: 0 });
  const dataIn = (file: string) => dataOf(file, "dist-forms");
  expect(dataIn("airlines.json")).toEqual([
    { id: 2, name: "Old", alias: null, code: "OLD", active: false },
    { id: 137, name: "Air France", alias: null, code: "AFR", active: true },
  ]);
  expect(dataIn("countries.json")).toEqual([
    { code: "AUT", name: "Österreich" },
    { code: "FRA", name: "Frankreich" },
  ]);
});

it("reads a table of a spreadsheet", async () => {
  for (const file of ["leuchtfeuer.csv", "photos/hohe-duene.svg"]) writeNamed(`lights/content/${file}`);
  writeNamed("lights/api.config.ts");
  expect(await buildOf("lights", { content: "lights/content" })).toMatchObject({ status: 0 });
  const [high, old] = dataOf("lights.json", "dist-lights");
  expect(high).toMatchObject({ id: "0001", height: 45.5, checked: "2019-10-24", active: true, photo: { width: 30 } });
  expect(old).toEqual({
    id: "0002",
    name: "Alte Bake",
    height: null,
    checked: null,
    colours: ["grün"],
    active: false,
    photo: null,
  });
  expect(dataOf("lights/colour/weiss.json", "dist-lights")).toEqual([high]);
  expect(dataOf("lights/sort/tallest.json", "dist-lights")).toEqual([high, old]);
});

const buildOf = (
  name: string,
  { content = "empty", env = {} }: { content?: string; env?: Record<string, string> } = {},
) => run(["build", "--config", `${name}/api.config.ts`, "--content", content, "--out", `dist-${name}`], env);

it("keeps the answer of an API in a file", async () => {
  let answer = '[{"uuid":"north","title":"North"}]';
  const url = await serve((_, response) => response.writeHead(answer === "" ? 503 : 200).end(answer));
  const config = "stations/api.config.ts";
  writeNamed(config);
  writeFileSync(config, readFileSync(config, "utf8").replace("https://api.example.com", url));
  expect(await buildOf("stations")).toMatchObject({ status: 0 });
  expect(dataOf("stations.json", "dist-stations")).toEqual([{ id: "north", name: "North" }]);

  answer = '[{"uuid":"N","title":"North"}]';
  expect(await buildOf("stations")).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(
      /^stations\/api\.config\.ts:\d+:\d+ undescribed \(warning\) 2 fields of stations have no \.describe\(\), .*\n$/,
    ),
  });
  const env = { REFRESH: "1" };
  expect((await buildOf("stations", { env })).stderr).toContain(
    'empty/stations.load.ndjson:1:1 wrong-value id must be lowercase letters and digits, joined by single hyphens, but is "N" (item of stations "N").',
  );
  answer = "";
  expect((await buildOf("stations", { env })).stderr).toContain(
    "stations/api.config.ts:12:27 throws The items of stations cannot be loaded: The API answered with the status 503.",
  );
});

it("reads the pages of an API", async () => {
  const pages = new Map<string | undefined, string>();
  const url = await serve((request, response) => {
    const text = pages.get(request.url);
    response.writeHead(text === undefined ? 503 : 200).end(text);
  });
  pages.set("/parcels", `{"items":[{"id":"b","name":"B"}],"next":"${url}/parcels?after=b"}`);
  const config = "parcels/api.config.ts";
  writeNamed(config);
  writeFileSync(config, readFileSync(config, "utf8").replace("https://api.example.com", url));
  expect((await buildOf("parcels")).stderr).toContain(
    "parcels/api.config.ts:9:29 throws The items of parcels cannot be loaded: The API answered with the status 503.",
  );
  pages.set("/parcels?after=b", '{"items":[{"id":"a","name":"A"}],"next":null}');
  expect(await buildOf("parcels")).toMatchObject({ status: 0 });
  expect(dataOf("parcels.json", "dist-parcels")).toEqual([
    { id: "a", name: "A" },
    { id: "b", name: "B" },
  ]);
});

/** Reads a database of SQLite, if this version of Node does. */
async function readDatabase(): Promise<void> {
  const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite");
  writeNamed("cities/api.config.ts");
  const database = new DatabaseSync("cities/cities.db");
  database.exec("CREATE TABLE cities (id TEXT, name TEXT, population INTEGER)");
  database.exec("INSERT INTO cities VALUES ('kyoto', 'Kyoto', 1463723), ('bern', 'Bern', 134506)");
  database.close();
  expect(await buildOf("cities")).toMatchObject({ status: 0 });
  expect(dataOf("cities.json", "dist-cities")).toEqual([
    { id: "bern", name: "Bern", population: 134506 },
    { id: "kyoto", name: "Kyoto", population: 1463723 },
  ]);
}

if (builtinModules.includes("node:sqlite")) it("reads a database of SQLite", readDatabase);

it("adds a vendor to the nodes of the Edge Network", async () => {
  writeSample("network-content", { count: 4, pageSizes: [100] });
  const file = "network-content/nodes.json";
  const nodes: readonly object[] = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify(nodes.map((node) => ({ ...node, vendor: "acme" }))));
  writeNamed("network/api.config.ts");
  expect(await buildOf("network", { content: "network-content" })).toMatchObject({ status: 0 });
  expect(dataOf("nodes/vendor/acme.json", "dist-network")).toHaveLength(nodes.length);
  expect(dataOf("nodes/vendor/zenith.json", "dist-network")).toEqual([]);
});
