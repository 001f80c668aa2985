import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Item } from "../../src/model/key.ts";
import { everyPageSize, type PageSizes, pageSizes } from "../../src/model/paging.ts";
import { writeSample } from "../../test/check/sample.ts";
import { run } from "../../test/cli/run-command.ts";
import { catalogItems, noSettings } from "../../test/content/folder.ts";
import { edgeNetwork } from "../../test/edge-network.ts";
import { tableOf } from "../../test/hosts/filter-table.ts";
import { lineOf } from "../../test/plan.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { textFile } from "../files/file.ts";
import { type FileMeasure, fileMeasures, type HostAdapter, type Limit, limitOf } from "../hosts/host.ts";
import { hosts } from "../hosts/hosts.ts";
import { openLog } from "../messages.ts";
import { answersOf, filesOfAnswers } from "../pages/answers.ts";
import type { ItemView } from "../pages/items.ts";
import type { Listing } from "../pages/listing.ts";
import { listings } from "../pages/listings.ts";
import { makeTable } from "../routing/table.ts";
import { budgetOf, checkBudget } from "./budget.ts";

const { operations } = edgeNetwork;

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

const region: Item = { code: "lhr1", name: "London", zone: "eu-west", country: "GB", status: "ready" };

const catalogOf = (items: Readonly<Record<string, readonly Item[]>>, sizes: PageSizes): Catalog => ({
  api: edgeNetwork,
  items: catalogItems(items),
  deployments: new Map([["edge", deployment]]),
  settings: {
    ...noSettings,
    pageSizes: new Map(edgeNetwork.lists.filter(({ paged }) => paged).map(({ name }) => [name, sizes])),
  },
});

type Checked = Parameters<typeof checkBudget>[1][0];

const tableOfSizes = (sizes: PageSizes) => makeTable(edgeNetwork, deployment.operations, () => sizes);

const nothing: Checked = {
  catalog: catalogOf({}, [100]),
  listings: [],
  items: [],
  others: [],
  documents: [],
  outputs: [],
  assets: [],
  table: tableOfSizes([100]),
  tableWith: tableOfSizes,
};

function budgetWith(
  chosen: readonly HostAdapter[],
  all: readonly Listing[],
  sizes: PageSizes,
  tableWith: Checked["tableWith"] = tableOfSizes,
) {
  const others = Array.from({ length: 20 }, (_, index) => textFile(`${index}.json`, ""));
  const listings = all.map((listing) => listing.with({ sizes }));
  const api = { ...nothing, listings, others, table: tableWith(sizes), tableWith };
  const { cost, errors } = checked(chosen, api);
  return { lines: budgetOf(chosen, cost, [api]), errors };
}

/** The cost, and the errors. The content is in the folder `content`. */
function checked(chosen: readonly HostAdapter[], api: Checked) {
  const log = openLog();
  const cost = checkBudget(chosen, [api], 0, log, log.below("content"));
  return { cost, errors: log.messages().shown };
}

const listingsOf = (items: Parameters<typeof catalogOf>[0], sizes: PageSizes, served = deployment) => [
  ...listings(catalogOf(items, sizes), served),
];

const paged = edgeNetwork.lists.find((operation) => operation.paged);
if (paged === undefined) throw new Error("No operation is paged.");

/** Spends on one paged listing with a number of items and of bytes a page. No item is created. */
function spend(host: HostAdapter, limit: Limit, count: number, bytes: number) {
  const [empty] = listingsOf({}, [100], { ...deployment, operations: [paged?.name ?? ""] });
  if (empty === undefined) throw new Error("There is no listing.");
  const items: ItemView = {
    count,
    orderKey: String,
    hash: (listing) => listing,
    slice: () => new Uint8Array(),
    length: () => bytes,
  };
  const listing = empty.with({ items });
  const { lines, errors } = budgetWith([{ ...host, limits: [limit] }], [listing], pageSizes(count === 1 ? [] : [1]));
  return { used: lines[0]?.used ?? 0, errors };
}

/** Spends about `amount` of each kind of limit, and more for a larger amount. */
const kinds: Record<FileMeasure, (host: HostAdapter, limit: Limit, amount: number) => ReturnType<typeof spend>> = {
  // An item is a page with a limit and one without.
  files: (host, limit, amount) => spend(host, limit, Math.ceil(amount / 2), 100),
  "files in one folder": (host, limit, amount) => spend(host, limit, amount, 100),
  "bytes in one file": (host, limit, amount) => spend(host, limit, 1, amount),
  "bytes in all": (host, limit, amount) => spend(host, limit, 1, amount),
};

const limits = [...hosts.values()].flatMap((host) =>
  (host.limits ?? []).flatMap((limit) => {
    const measure = fileMeasures.find((name) => name === limit.what);
    const title = `${host.name}, ${limit.what}${limit.plan ? `, ${limit.plan}` : ""}`;
    return measure === undefined ? [] : { host, limit, measure, title };
  }),
);

it.each(limits)(
  "the limit of $title accepts what is just under it, and not what is just over it",
  ({ host, limit, measure }) => {
    const use = (amount: number) => kinds[measure](host, limit, amount);
    // The use besides the amount is constant.
    const amount = limit.max - (use(1_000).used - 1_000);
    const under = use(amount);
    const over = use(amount + 3);
    expect(under.errors).toEqual([]);
    expect(limit.max - under.used).toBeGreaterThanOrEqual(0);
    expect(limit.max - under.used).toBeLessThan(3);
    expect(over.used - limit.max).toBeGreaterThan(0);
    expect(over.used - limit.max).toBeLessThan(5);
    if (limit.plan !== undefined) return expect(over.errors).toEqual([]);
    expect(over.errors.map(lineOf)).toEqual([expect.stringMatching(/^content\/api\.yaml:1:1 over-budget /)]);
    expect(over.errors[0]?.text).toContain(limit.source);
  },
);

describe("the use of a configuration", () => {
  const host = (used: number): HostAdapter => ({
    name: "small",
    gaps: [],
    limits: [{ what: "rules", max: 10, source: "https://example.com/limits", used: () => ({ amount: used }) }],
  });

  it("is an error if it exceeds the host's limit, whatever the amount of data", () => {
    expect(budgetWith([host(10)], listingsOf({}, [100]), [100]).errors).toEqual([]);
    expect(budgetWith([host(11)], listingsOf({ nodes: nodes(3) }, [1, 100]), [1, 100]).errors).toMatchObject([
      {
        text: "small accepts at most 10 rules, and this build has 11 (https://example.com/limits).",
        hint: "No page_sizes make it fit: publish fewer collections or fewer filters, or choose another host.",
      },
    ]);
  });

  it("is an error if there are more filters than the host has rules for, and page sizes may help", () => {
    const filters = ["region", "status"];
    const many = Array.from("abcdefghijklmnopqrst", (letter) => ({
      name: `collection_${letter}`,
      filters,
      together: [filters],
    }));
    const chosen = [...hosts.values()];
    const { lines, errors } = budgetWith(chosen, listingsOf({}, everyPageSize), everyPageSize, (sizes) =>
      tableOf(many, sizes),
    );
    expect(errors).toMatchObject([
      {
        code: "over-budget",
        text: expect.stringMatching(/^netlify accepts at most 10,000 rules, and this build has 16,\d{3} \(/),
        hint: expect.stringMatching(/^With page_sizes: \[100\] in api\.yaml it fits: /),
      },
    ]);
    expect(lines.filter(({ used, most, plan }) => used > most && plan === undefined)).toHaveLength(1);
  });

  it("has room for any page sizes, whatever the host", () => {
    const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);
    for (const sizes of [[100], odd, pageSizes(Array.from({ length: 100 }, (_, index) => index + 1))]) {
      const { lines } = budgetWith([...hosts.values()], listingsOf({}, [100]), pageSizes(sizes));
      const ofConfiguration = lines.filter(({ what }) => /^(?:rules|routes|bytes (?:of|in the) .*)$/.test(what));
      expect(ofConfiguration.map(({ host }) => host)).toEqual([
        "cloudflare-pages",
        "cloudflare-workers",
        "netlify",
        "vercel",
        "cloudfront",
        "cloudfront",
      ]);
      for (const { what, used, most } of ofConfiguration) {
        expect(used, what).toBeGreaterThan(0);
        expect(used, what).toBeLessThanOrEqual(most);
      }
    }
  });
});

describe("the cost of page sizes", () => {
  it.each([[pageSizes([])], [pageSizes([1])], [pageSizes([7, 30])]])("is the cost of their pages: %j", (sizes) => {
    const catalog = catalogOf({ nodes: nodes(321), regions: [region] }, sizes);
    const planned = answersOf(catalog, deployment);
    const files = [...filesOfAnswers(planned).all()].map((output) => ({
      file: output.file,
      bytes: Buffer.concat([...output.parts()]).length,
    }));
    const { cost } = checked([], { ...nothing, ...planned, table: tableOfSizes(sizes) });
    expect(cost.files).toBe(files.length);
    const names = edgeNetwork.lists.map(({ name }) => name).join("|");
    const answers = files.filter(({ file }) => new RegExp(`^api/v1/(?:${names})[./]`).test(file));
    const folders = new Map<string, number>();
    for (const { file } of answers) folders.set(path.dirname(file), (folders.get(path.dirname(file)) ?? 0) + 1);
    expect(cost.folder.amount).toBe(Math.max(...folders.values()));
    expect(folders.get(cost.folder.name)).toBe(cost.folder.amount);
    const largest = Math.max(...answers.map(({ bytes }) => bytes));
    expect(cost.file.amount).toBe(largest);
    const bytes = answers.reduce((sum, page) => sum + page.bytes, 0);
    expect(cost.bytes).toBe(bytes);
    expect(cost.listing).toEqual({
      name: "/api/v1/nodes",
      amount: answers.filter(({ file }) => /v1\/nodes(?!\/region)/.test(file)).length,
    });
  });
});

describe("a build that does not fit its host", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "stillapi-budget-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const content = path.join(folder, "content");
  const cli = (...args: readonly string[]) => run([...args, "--content", content, "--host", "cloudflare-workers"]);

  it("is refused before anything is written, with the page sizes that fit", async () => {
    const out = path.join(folder, "dist");
    writeSample(content, { count: 4_500, pageSizes: "every" });
    for (const args of [["check"], ["build", "--out", out]]) {
      const { status, stderr } = await cli(...args);
      expect(stderr).toMatch(
        /api\.yaml:1:15 over-budget cloudflare-workers accepts at most 100,000 files, and this build has \d{3},\d{3} \(https:.*\)\. The largest listing is \/api\/v1\/\w+, with [\d,]+ files\. With page_sizes: \[1, 5, 10, 25, 50, 100\] in api\.yaml it fits: [\d,]+ files\.\n/,
      );
      expect(status).toBe(1);
    }
    expect(existsSync(out)).toBe(false);
    writeFileSync(path.join(content, "api.yaml"), "page_sizes: [1, 5, 10, 25, 50, 100]\n");
    expect(await cli("check")).toMatchObject({
      status: 0,
      stderr: `${content}/api.yaml:1:1 over-plan (warning) cloudflare-workers, Workers Free: at most 20,000 files (https://developers.cloudflare.com/workers/platform/limits/), and this build has more. Other plans accept it.\n`,
    });
  });

  describe("is an error", () => {
    const project = path.join(folder, "project");
    const config = path.join(project, "api.config.ts");

    beforeAll(() => {
      mkdirSync(path.join(project, "content"), { recursive: true });
      symlinkSync(path.resolve("node_modules"), path.join(project, "node_modules"));
      const things = Array.from({ length: 20_000 }, (_, index) => ({ id: `t${index}`, kind: "a" }));
      writeFileSync(path.join(project, "content/things.json"), JSON.stringify(things));
    });

    const declare = (options: string) =>
      writeFileSync(
        config,
        `import * as z from "zod";
import { defineApi, defineCollection } from "stillapi";
import { slug } from "stillapi/forms";
const things = defineCollection({
  purpose: "Things.",
  schema: z.strictObject({ id: slug, kind: z.enum(["a", "b"]) }),
  key: "id",${options}
});
export default defineApi({ collections: { things } });`,
      );

    const placeOf = async (settings: string, file = "api.yaml") => {
      for (const name of ["api.yaml", "api.yml"]) rmSync(path.join(project, "content", name), { force: true });
      if (settings !== "") writeFileSync(path.join(project, "content", file), settings);
      const args = ["--content", path.join(project, "content"), "--config", config, "--host", "cloudflare-workers"];
      const { stderr } = await run(["check", ...args]);
      return path.relative(project, /^(\S+) over-budget cloudflare-workers /m.exec(stderr)?.[1] ?? stderr);
    };

    it("at the page sizes, if they are written and others help", async () => {
      declare("");
      expect(await placeOf("title: Things\npage_sizes: every\n")).toBe("content/api.yaml:2:13");
      expect(await placeOf("page_sizes: every\n", "api.yml")).toBe("content/api.yml:1:13");
    });

    it("else at the collection that has the most files, or its option", async () => {
      declare("");
      expect(await placeOf("")).toBe("api.config.ts:4:16");
      declare('\n  filters: { kind: "kind" },');
      expect(await placeOf("title: Things\n")).toBe("api.config.ts:4:16");
    });
  });

  it("is an error of the single items, or of what api.yaml says of hosts, if those are what exceeds the limit", () => {
    const at = { line: 3, column: 5, endLine: 3, endColumn: 9 };
    const placeOf = (option = "start") => ({ file: `api.yaml ${option}`, ...at });
    const listing = listingsOf({ nodes: nodes(3) }, [100]).map((listing) =>
      listing.with({
        operation: { ...listing.operation, placeOf: (option: string) => ({ file: `api.config.ts ${option}`, ...at }) },
      }),
    );
    const { operation } = listing[0] ?? expect.fail();
    const { base } = edgeNetwork;
    const max = 10;
    const source = "https://example.com/limits";
    const few: HostAdapter = { name: "few", gaps: [], limits: [limitOf("files", { max, source })] };
    const file = { name: "", amount: 0 };
    const items = [
      {
        of: `${base}/${operation.name}`,
        files: 50,
        bytes: 0,
        folders: new Map(),
        file,
        all: () => [],
        find: () => undefined,
      },
    ];
    expect(checked([few], { ...nothing, listings: listing, items }).errors).toMatchObject([
      { place: { file: "api.config.ts item", ...at } },
    ]);
    const used = () => ({ amount: 11 });
    const rules: HostAdapter = { name: "rules", gaps: [], limits: [{ what: "rules", max, source, used }] };
    const filesOfRules = (of: Catalog["settings"]["placeOf"] = () => undefined) => {
      const { catalog } = nothing;
      const settings = { ...catalog.settings, placeOf: of };
      const api = { ...nothing, catalog: { ...catalog, settings }, listings: listing, items };
      return checked([rules], api).errors.map(({ place }) => place.file);
    };
    expect(filesOfRules(placeOf)).toEqual(["content/api.yaml hosts"]);
    expect(filesOfRules((option) => (option === undefined ? placeOf() : undefined))).toEqual([
      "content/api.yaml start",
    ]);
    expect(filesOfRules()).toEqual(["content/api.yaml"]);
  });
});
