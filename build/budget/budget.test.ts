import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { operations } from "../../src/operations.ts";
import { type PageSizes, pageSizes } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import { writeSample } from "../conformance/sample.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { catalogItems } from "../content/fixture.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { listings } from "../pages/listing.ts";
import { planApi } from "../pages/pages.ts";
import { makeTable } from "../routing/table.ts";
import { type Budget, budgetOf } from "./budget.ts";
import { costOf } from "./cost.ts";

const deployment: Deployment = {
  name: "edge",
  operations: operations.map(({ name }) => name),
  documents: new Map(),
};

const nodes = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `nod_${String(index).padStart(9, "0")}`,
    created_at: "2026-01-01T00:00:00Z",
    pop: "lhr1",
    status: "ready",
    capacity: "10G",
  }));

const region = (name: string): Item => ({ code: "lhr1", name, zone: "eu-west", country: "GB", status: "ready" });

const catalogOf = (items: Readonly<Record<string, readonly Item[]>>, sizes: PageSizes): Catalog => ({
  items: catalogItems(items),
  deployments: new Map([["edge", deployment]]),
  settings: {
    title: undefined,
    defaultDeployment: "edge",
    pageSizes: new Map(["records", "nodes", "images"].map((name) => [name, sizes])),
  },
});

function budgetWith(chosen: readonly HostAdapter[], items: Parameters<typeof catalogOf>[0], sizes: PageSizes): Budget {
  return budgetOf(chosen, {
    listings: [...listings(catalogOf(items, sizes), deployment)],
    others: 20,
    copies: 0,
    sizesOf: () => sizes,
    tableOf: (sizesOf) => makeTable(deployment.operations, sizesOf),
  });
}

/** For each kind of limit, content that uses about `amount` of it, and more the larger the amount is. */
const contents: Record<string, (amount: number) => [Readonly<Record<string, readonly Item[]>>, PageSizes]> = {
  // A node is a page with a limit and one without.
  files: (amount) => [{ nodes: nodes(Math.ceil(amount / 2)), regions: [] }, pageSizes([1])],
  "files in one folder": (amount) => [{ nodes: nodes(amount + 1) }, pageSizes([1])],
  "bytes in one file": (amount) => [{ regions: [region("x".repeat(amount - 220))] }, [100]],
  "bytes in all": (amount) => [{ regions: [region("x".repeat(Math.min(amount, 5e8) - 220))] }, [100]],
};

const limits = [...hosts.values()].flatMap((host) =>
  (host.limits ?? [])
    // A text of a gigabyte is more than a string holds.
    .filter(({ most }) => most < 5e8)
    .map((limit) => ({ host, limit, title: `${host.name}, ${limit.what}${limit.plan ? `, ${limit.plan}` : ""}` })),
);

describe.each(limits)("the limit of $title", ({ host, limit }) => {
  const only = { ...host, limits: [limit] };
  const spend = (amount: number) => {
    const [items, sizes] = contents[limit.what]?.(amount) ?? [{}, [100]];
    const { lines, faults } = budgetWith([only], items, sizes);
    return { used: lines[0]?.used ?? 0, faults };
  };

  it("is kept by content just under it, and exceeded by content just over it", () => {
    let amount = limit.most;
    for (let { used } = spend(amount); used > limit.most; { used } = spend(amount)) amount -= used - limit.most;
    while (spend(amount + 1).used <= limit.most) amount++;
    const under = spend(amount);
    const over = spend(amount + 1);
    expect(under).toMatchObject({ faults: [] });
    expect(limit.most - under.used).toBeLessThan(5);
    expect(over.used - limit.most).toBeLessThan(5);
    if (limit.plan === undefined) {
      expect(over.faults).toEqual([expect.objectContaining({ file: "api.yaml", line: 1, code: "over-budget" })]);
      expect(over.faults[0]?.message).toContain(limit.source);
    } else expect(over.faults).toEqual([]);
  }, 120_000);
});

const gigabytes = [...hosts.values()].flatMap((host) =>
  (host.limits ?? []).filter(({ most }) => most >= 5e8).map((limit) => ({ host, limit })),
);

it.each(gigabytes)(
  "the limit of $host.name, $limit.plan, is kept just under it, and exceeded just over it",
  ({ host, limit }) => {
    // More text than a string holds, so that only its length can be there.
    const spend = (bytes: number) => {
      const [listing] = listings(catalogOf({ regions: [region("London")] }, [100]), {
        ...deployment,
        operations: ["regions"],
      });
      if (listing === undefined) throw new Error("There is no listing.");
      const large = { ...listing, items: { ...listing.items, length: () => bytes } };
      return budgetOf([{ ...host, limits: [limit] }], {
        ...{ listings: [large], others: 20, copies: 0, sizesOf: () => [100] },
        tableOf: (sizesOf) => makeTable(deployment.operations, sizesOf),
      }).lines[0];
    };
    const envelope = spend(0)?.used ?? 0;
    expect(spend(limit.most - envelope)).toMatchObject({ used: limit.most, most: limit.most, plan: limit.plan });
    expect(spend(limit.most - envelope + 1)?.used).toBe(limit.most + 1);
  },
);

describe("what a configuration uses by itself", () => {
  const host = (used: number): HostAdapter => ({
    name: "small",
    owns: [],
    reads: [],
    files: () => [],
    gaps: [],
    uses: () => [{ what: "rules", used, most: 10, source: "https://example.com/limits" }],
  });

  it("is a fault when it is more than the host takes", () => {
    expect(budgetWith([host(10)], {}, [100]).faults).toEqual([]);
    expect(budgetWith([host(11)], { nodes: nodes(3) }, [1, 100]).faults).toMatchObject([
      {
        message:
          "small takes at most 10 rules, and this would be 11 (https://example.com/limits). Most costs /api/v1/nodes, with 6 files.",
        hint: "No page_sizes make it fit: keep less data in one deployment, or choose another host.",
      },
    ]);
  });

  it.each([...hosts.values()].filter(({ uses }) => uses !== undefined))(
    "$name has room for any page sizes",
    ({ uses }) => {
      const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
      for (const sizes of [[100], odd, pageSizes(Array.from({ length: 100 }, (_, index) => index + 1))]) {
        for (const { what, used, most } of uses?.(makeTable(deployment.operations, () => pageSizes(sizes))) ?? []) {
          expect(used, what).toBeGreaterThan(0);
          expect(used, what).toBeLessThanOrEqual(most);
        }
      }
    },
  );
});

describe("the cost of page sizes", () => {
  it.each([[pageSizes([])], [pageSizes([1])], [pageSizes([7, 30])]])("is that of the pages they make: %j", (sizes) => {
    const catalog = catalogOf({ nodes: nodes(321), regions: [region("London")] }, sizes);
    const all = [...listings(catalog, deployment)];
    const api = planApi(catalog, deployment);
    const files = [...api.files].map(({ file, parts }) => ({ file, bytes: Buffer.concat(parts).length }));
    const cost = costOf({ listings: all, others: api.count - api.pages, copies: 0 }, () => sizes);
    expect(cost.files).toBe(files.length);
    const pages = files.filter(({ file }) => /v1\/(?:nodes|regions|records|images|schema)/.test(file));
    const folders = new Map<string, number>();
    for (const { file } of pages) folders.set(path.dirname(file), (folders.get(path.dirname(file)) ?? 0) + 1);
    expect(cost.folder.amount).toBe(Math.max(...folders.values()));
    expect(folders.get(cost.folder.name)).toBe(cost.folder.amount);
    const largest = Math.max(...pages.map(({ bytes }) => bytes));
    expect(cost.file.amount).toBeGreaterThanOrEqual(largest);
    expect(cost.file.amount - largest).toBeLessThan(80);
    const bytes = pages.reduce((sum, page) => sum + page.bytes, 0);
    expect(cost.bytes).toBeGreaterThanOrEqual(bytes);
    expect(cost.bytes - bytes).toBeLessThan(80 * pages.length);
    expect(cost.listing).toEqual({
      name: "/api/v1/nodes",
      amount: pages.filter(({ file }) => /v1\/nodes(?!\/region)/.test(file)).length,
    });
  });
});

it("counts the compressed copies of pages, for a host may be given them too", () => {
  const catalog = catalogOf({ nodes: nodes(3) }, [100]);
  const all = { listings: [...listings(catalog, deployment)], others: 20 };
  const [plain, compressed] = [0, 2].map((copies) => costOf({ ...all, copies }, () => [100]));
  expect(compressed?.files).toBe(20 + 3 * ((plain?.files ?? 0) - 20));
});

describe("a build that does not fit its host", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "edge-api-budget-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...args: readonly string[]) => {
    const cli = ["build/cli.ts", ...args, "--content", path.join(folder, "content"), "--host", "cloudflare-workers"];
    return spawnSync("node_modules/.bin/tsx", cli, { encoding: "utf8" });
  };

  it("is refused before anything is written, with the page sizes that fit", () => {
    const out = path.join(folder, "dist");
    writeSample(path.join(folder, "content"), { count: 4_500, pageSizes: "every" });
    for (const args of [["check"], ["build", "--out", out]]) {
      const { status, stderr } = run(...args);
      expect(stderr).toMatch(
        /api\.yaml:1:1 over-budget cloudflare-workers takes at most 100,000 files, and this would be \d{3},\d{3} \(https:.*\)\. Most costs \/api\/v1\/\w+, with [\d,]+ files\. With page_sizes: \[1, 5, 10, 25, 50, 100\] it fits: [\d,]+ files\.\n/,
      );
      expect(status).toBe(1);
    }
    expect(existsSync(out)).toBe(false);
    writeFileSync(path.join(folder, "content/api.yaml"), "page_sizes: [1, 5, 10, 25, 50, 100]\n");
    const { status, stdout } = run("check");
    expect(stdout).toMatch(/^! cloudflare-workers, Workers Free: at most 20,000 files/m);
    expect(status).toBe(0);
  });
});
