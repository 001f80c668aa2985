// Outputs that pages quote, and which no command on the page makes.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { completeApi } from "../build/declaration/complete.ts";
import { bytesOf } from "../build/files/file.ts";
import { resolve, settle } from "../build/routing/resolve.ts";
import { makeTable } from "../build/routing/table.ts";
import { deprecated, slug } from "../src/declare/forms.ts";
import { defineApi, defineCollection, defineDocument, reference } from "../src/index.ts";
import { everyPageSize } from "../src/model/paging.ts";
import { ofDeprecated } from "../test/check/deprecated.ts";
import { writeSample } from "../test/check/sample.ts";
import { run } from "../test/cli/run-command.ts";
import { planAfter } from "../test/history/plan-after.ts";
import { temporaryFolder } from "../test/temporary.ts";
import { expectOutput, expectPart } from "./follow.ts";
import { quotationsFor } from "./pages.ts";

const folder = temporaryFolder();
const cwd = process.cwd();

beforeAll(() => {
  process.chdir(folder);
  symlinkSync(path.resolve(cwd, "node_modules"), "node_modules");
  writeFileSync("api.config.ts", 'export { default } from "stillapi/edge-network";\n');
});

afterAll(() => process.chdir(cwd));

const [filters = "", changes = "", headers = "", messages = "", faults = ""] = quotationsFor("docs/quotations.test.ts");

it("has the numbers of items of every request of a list", async () => {
  const owner = "Bär & Söhne, Zürich";
  const cities = defineCollection({
    purpose: "Cities.",
    schema: z.strictObject({ id: slug, name: z.string() }),
    key: "id",
  });
  const shops = defineCollection({
    purpose: "Shops.",
    schema: z.strictObject({
      id: slug,
      city: reference("cities").nullable(),
      owner: z.string().nullable(),
      open: z.boolean(),
    }),
    key: "id",
    filters: { city: "city", owner: { field: "owner", slug: true }, open: "open" },
    together: [["city", "open"]],
  });
  const items = Array.from({ length: 230 }, (_, index) => ({
    id: `shop-${index}`,
    city: index < 81 ? "zrh" : null,
    owner: index < 45 ? owner : null,
    open: true,
  }));
  const content = {
    "api.json": { page_sizes: [10, 100] },
    "cities.json": [{ id: "zrh", name: "Zürich" }],
    "shops.json": items,
  };
  const { plan } = await planAfter(
    completeApi(defineApi({ collections: { cities, shops } })),
    texts(content),
    new Map(),
    0,
  );
  expectPart(jsonOf(plan.files.find("api/v1/filters/shops.json")), JSON.parse(filters));
});

const texts = (files: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(files).map(([file, value]) => [file, JSON.stringify(value)]));

const jsonOf = (file: Parameters<typeof bytesOf>[0] | undefined): unknown =>
  file === undefined ? undefined : JSON.parse(bytesOf(file).toString());

it("has a list of changes with items, documents and the declaration", async () => {
  const regions = defineCollection({ purpose: "Regions.", schema: z.strictObject({ code: slug }), key: "code" });
  const status = defineDocument({ purpose: "The status.", schema: z.strictObject({ status: slug }) });
  const apiOf = (pop: z.ZodString, filters: object) =>
    completeApi(
      defineApi({
        collections: {
          regions,
          nodes: defineCollection({
            purpose: "Nodes.",
            schema: z.strictObject({ id: z.string(), status: slug, region: reference("regions"), pop }),
            key: "id",
            filters: { region: "region", ...filters },
          }),
        },
        documents: { status },
      }),
    );
  const contentOf = (status: string, nodes: readonly string[]) =>
    texts({
      "regions.json": [{ code: "lhr1" }],
      "nodes.json": nodes.map((id) => ({ id, status, region: "lhr1", pop: "lhr1" })),
      "deployments/edge.json": { operations: ["nodes", "regions", "status"], status: { status } },
    });
  const at = (time: string): number => Date.parse(time) / 1_000;
  const before = await planAfter(
    apiOf(slug, {}),
    contentOf("operational", ["nod_9x2k", "nod_1c7e"]),
    new Map(),
    at("2026-09-21T14:13:20Z"),
  );
  const after = await planAfter(
    apiOf(deprecated(slug, { since: "2026-12-01", sunset: "2027-06-01", use: "region" }), {
      zone: { of: () => "europe" },
    }),
    contentOf("draining", ["nod_9x2k"]),
    new Map([...before.state, ...before.dumps]),
    at("2026-10-21T06:28:00Z"),
  );
  expectPart(jsonOf(after.plan.files.find("api/v1/changes.json")), JSON.parse(changes));
});

it("announces in headers what will go", () => {
  const table = makeTable(ofDeprecated, ["places", "spots", "health"], () => everyPageSize);
  const { headers: sent } = settle(resolve(table, { method: "GET", path: "/api/v1/spots", query: "" }), () => true);
  const printed = Object.entries(sent).map(([name, value]) => `${name}: ${value}\n`);
  const announcing = printed.filter((line) => /^(?:Deprecation|Sunset|Link):/.test(line));
  expectOutput(announcing.join(""), headers);
});

/** Writes content with these files in place of those of an operation. */
function writeContent(vocabulary: string, files: Readonly<Record<string, string>>): void {
  rmSync("content", { recursive: true, force: true });
  writeSample("content", { count: 3, pageSizes: [100] });
  rmSync("content/api.yaml");
  write("api.yaml", `vocabulary: ${vocabulary}\n`);
  for (const [file, text] of Object.entries(files)) {
    rmSync(`content/${/^\w+/.exec(file)?.[0]}.json`, { force: true });
    write(file, text);
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(`content/${file}`), { recursive: true });
  writeFileSync(`content/${file}`, text);
}

const time = "2026-11-20T09:00:00Z";

it("has all messages for programs", async () => {
  const records = Array.from({ length: 1_179 }, (_, index) => `rec_${index},${time},assets,-1,${time}\n`);
  writeContent("{ node_status: [operational, degraded] }", {
    "nodes.yaml": `- id: nod_x\n  created_at: ${time}\n  status: off\n  pop: lhr1\n  capacity: 1G\n`,
    "records.csv": `id,created_at,collection,revision,updated_at\n${records.join("")}`,
  });
  const { status, stdout } = await run(["check", "--format", "json"]);
  expect(status).toBe(1);
  expectPart(JSON.parse(stdout), JSON.parse(messages));
});

it("reports each kind of fault once", async () => {
  const node = (id: string, pop: string) => JSON.stringify({ id, created_at: time, pop, status: "on", capacity: "1G" });
  const region = (code: string, zone: string) => ({ code, name: "A", country: "GB", zone, status: "on" });
  const zones = Array.from({ length: 332 }, (_, index) => (index === 0 ? "europe-north" : "europe-west"));
  const regions = zones.map((zone, index) => region(`a${letters(index)}1`, zone));
  writeContent("{ zone: [eu-north, eu-west] }", {
    "nodes/europe.ndjson": [node("nod_a", "lhr1"), node("nod_b", "lhr1"), node("nod_c", "lhr9")].join("\n"),
    "nodes/asia.yaml": [time, "2026-11-20T11:00:00+02:00"]
      .map((at, index) => `- id: nod_e${index}\n  created_at: ${at}\n  pop: lhr1\n  status: on\n  capacity: 1G\n`)
      .join(""),
    "records/purges.yaml": `- id: rec_a\n  created_at: ${time}\n  collection: assets\n  revison: 1\n  updated_at: ${time}\n`,
    "regions.json": JSON.stringify([region("lhr1", "eu-west"), ...regions], undefined, 2),
  });
  const { status, stderr } = await run(["check"]);
  expect(status).toBe(1);
  expectOutput(stderr, faults);
});

/** Two letters for each number below 676. */
const letters = (index: number): string =>
  [Math.floor(index / 26), index % 26].map((at) => String.fromCharCode(97 + at)).join("");
