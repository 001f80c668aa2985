import path from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineApi, defineCollection, reference } from "../../src/index.ts";
import { everyPageSize, pageSizes } from "../../src/model/paging.ts";
import { everythingAt } from "../../test/check/everything.ts";
import { writeSample } from "../../test/check/sample.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { planned, type TestPlan } from "../../test/plan.ts";
import { temporaryFolder } from "../../test/temporary.ts";
import { completeApi } from "../declaration/complete.ts";
import { resolve } from "../routing/resolve.ts";
import { makeTable, type RoutingTable } from "../routing/table.ts";
import { apache } from "./apache/index.ts";
import { caddy } from "./caddy/index.ts";
import { configure, conflictAmong } from "./configuration.ts";
import type { HostAdapter } from "./host.ts";
import { adapters, hosts } from "./hosts.ts";
import { publishedHosts } from "./names.ts";
import { nginx } from "./nginx/index.ts";
import { apiName } from "./view.ts";

const folder = temporaryFolder();
const all = [...hosts.values()];
const names = edgeNetwork.operations.map(({ name }) => name);
/** A document at the base of the API, for which a host may need a separate file. */
const overview = { path: "/api/v1", file: "api/v1.json", contentType: "application/json", cacheControl: "no-store" };
const table = makeTable(edgeNetwork, names, () => everyPageSize, [overview]);

const textsOf = (adapter: HostAdapter, of: RoutingTable): readonly string[] => {
  const { files, configuration } = configure([adapter], [of]);
  return [...files, ...configuration].map(({ file, parts }) => `${file}\n${Buffer.concat([...parts()])}`);
};

const plans = new Map<string, Promise<TestPlan>>();

/** The table of a sample. Hosts that read queries have the same. */
async function tableOf(adapter: HostAdapter, count: number): Promise<RoutingTable> {
  const name = `${adapter.servesOnlyFiles ? "files" : "queries"}-${count}`;
  const plan = plans.get(name) ?? planSample(path.join(folder, name), count, adapter);
  plans.set(name, plan);
  return (await plan).table;
}

function planSample(content: string, count: number, adapter: HostAdapter): Promise<TestPlan> {
  writeSample(content, { count, pageSizes: "every" });
  return planned({ api: edgeNetwork, content, hosts: [adapter] });
}

describe("the configurations of several hosts", () => {
  it("have no file in common", () => {
    const files = all.flatMap((host) => host.files?.([table]) ?? []).map(({ file }) => file);
    expect(files.filter((file, index) => files.indexOf(file) < index)).toEqual([]);
  });

  it.each([
    ["cloudflare-pages", "_redirects"],
    ["cloudflare-workers", "_redirects"],
    ["plain", "_redirects"],
  ])("of netlify and %s conflict", (name, file) => {
    const chosen = [hosts.get("netlify"), hosts.get(name)].flatMap((host) => host ?? []);
    for (const order of [chosen, chosen.toReversed()])
      expect(conflictAmong(order)).toBe(`netlify generates ${file}, which ${name} reads too.`);
  });

  it.each(all)("of $name have the names that are compared before they are generated", ({ files, generates = [] }) => {
    const readByHosts = new Set(all.flatMap(({ reads = [] }) => reads));
    const generated = (files?.([table]) ?? []).map(({ file }) => path.basename(file));
    expect(new Set(generated.filter((file) => readByHosts.has(file)))).toEqual(new Set(generates));
  });
});

it("is nothing but the configuration of the hosts that are named", () => {
  expect(configure([], [table])).toEqual({ files: [], configuration: [] });
  expect(configure(adapters(["serve"]), [table]).files.map(({ file }) => file)).toEqual(["serve.json"]);
});

it("init publishes to every host to which one can publish", () => {
  expect(all.filter(({ publishing }) => publishing !== undefined).map(({ name }) => name)).toEqual(publishedHosts);
});

describe.each(all)("the configuration of $name", (adapter) => {
  it("has no pattern of a declaration, which could take exponential time", () => {
    const key = z.string().regex(/^(?:[a-z0-9]+-?)+$/);
    const makers = defineCollection({ purpose: "Makers.", schema: z.strictObject({ id: key }), key: "id", item: true });
    const maker = reference("makers");
    const cars = defineCollection({
      purpose: "Cars.",
      schema: z.strictObject({ id: key, maker }),
      key: "id",
      filters: { maker: "maker" },
    });
    const declared = completeApi(defineApi({ collections: { makers, cars } }));
    const table = makeTable(declared, ["makers", "cars"], () => everyPageSize, [overview]);
    for (const text of textsOf(adapter, table)) expect(text).not.toMatch(/-[?]\)[+]/);
    const query = `maker=${"a".repeat(99)}!`;
    expect(resolve(table, { method: "GET", path: "/api/v1/cars", query }).answer.status).toBe(400);
  });

  it("is the same, byte for byte, for any data with the same page sizes", async () => {
    const few = textsOf(adapter, await tableOf(adapter, 0));
    const many = textsOf(adapter, await tableOf(adapter, 120));
    expect(few.length).toBeGreaterThan(0);
    expect(many).toEqual(few);
  });

  // Hosts that do not see queries.
  if (adapter.name === "plain" || adapter.name === "serve") return;

  it("differs where the page sizes do", () => {
    const other = makeTable(edgeNetwork, names, () => pageSizes([10]), [overview]);
    expect(textsOf(adapter, other)).not.toEqual(textsOf(adapter, table));
  });
});

describe.each([
  [nginx, /(?:map \S+|geo|set) \$(\w+)|location @(\w+)|\?<(\w+)>/g],
  [caddy, /\s@(\w+)|^\((\w+)\)|\{([a-z_]\w*)\}/gm],
  [apache, /[[,]E=(\w+):|IfDefine !(\w+)/g],
])("the configuration of $name", (adapter, definitions) => {
  it("has names that start with the name of the API, and its base in the first line", () => {
    const everything = everythingAt("/api/v1");
    const listed = makeTable(
      everything,
      everything.operations.map(({ name }) => name),
      () => [1, 100],
    );
    const loaded = new Set(adapter.loads?.(everything.base));
    const written = [...(adapter.configuration?.([listed]) ?? []), ...(adapter.files?.([listed]) ?? [])];
    const start = apiName(everything.base);
    expect([...loaded].filter((file) => !file.startsWith(`${start}.`))).toEqual([]);
    const texts = written.map(({ parts }) => Buffer.concat([...parts()]).toString());
    for (const text of texts) expect(text).toMatch(/^# The API at \/api\/v1\.\n/);
    const names = [...texts.join("\n").matchAll(definitions)].map((match) => match.slice(1).find(Boolean) ?? "");
    expect(new Set(names.map((name) => name.slice(0, start.length)))).toEqual(new Set([start]));
  });
});
