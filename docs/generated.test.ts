import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planBuild } from "../build/build.ts";
import { hosts } from "../build/hosts/hosts.ts";
import { type Survey, surveyOf } from "../test/check/behaviours.ts";
import { datasetOf } from "../test/check/dataset.ts";
import { conformanceRequests } from "../test/check/requests.ts";
import { writeSample } from "../test/check/sample.ts";
import { serverRequests } from "../test/check/server-requests.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { between } from "./between.ts";
import { behavioursTable, type DescribedHost, gapsText, hostsTable } from "./host-tables.ts";
import { contentTable, operationsTable } from "./operations-table.ts";
import { anchorsOf } from "./pages.ts";

const { operations } = edgeNetwork;

const content = mkdtempSync(path.join(tmpdir(), "stillapi-generated-"));
afterAll(() => rmSync(content, { recursive: true }));

const pageOf = (name: string): string => `docs/hosts/${name}.md`;

const read = (file: string): string => readFileSync(file, "utf8");

const described: readonly DescribedHost[] = [...hosts.values()]
  .filter(({ name }) => existsSync(pageOf(name)))
  .map((host) => {
    const [, title = "", summary = ""] = /^# (.+)\n\n((?:.+\n)+)/.exec(read(pageOf(host.name))) ?? [];
    return { host, title, summary: summary.trim().replaceAll("\n", " ") };
  });

let site: Survey;
beforeAll(async () => {
  writeSample(content, { count: 130, pageSizes: [1, 5, 10, 25, 50, 100] });
  const [plan] = await planBuild({ api: edgeNetwork, content, deployment: undefined, hosts: [] });
  if (plan === undefined) throw new Error("The sample has faults.");
  const dataset = datasetOf(plan.catalog, plan.deployment, plan.documents);
  const files = new Set([...plan.files()].map(({ file }) => file));
  const requests = [...conformanceRequests(dataset), ...serverRequests(dataset)];
  site = surveyOf(plan.table, (file) => files.has(file), requests);
});

it("has a README with the hosts, operations and resources there are: npm run generate writes them", async () => {
  const readme = read("README.md");
  // An operation that was added may be missing until someone writes the tables again.
  const listed =
    process.env["npm_lifecycle_event"] === "generate"
      ? operations
      : operations.filter(({ name }) => readme.includes(`/api/v1/${name}\``));
  const parts: readonly (readonly [string, string])[] = [
    ["content", contentTable(listed)],
    ["operations", operationsTable(listed)],
    ["hosts", hostsTable(described, site, "docs/hosts")],
  ];
  const written = parts.reduce((text, [name, table]) => between(text, name, table), readme);
  await expect(written).toMatchFileSnapshot("../README.md");
});

it("has a README that names the oldest version of Node", () => {
  const { engines } = JSON.parse(read("package.json"));
  expect(read("README.md")).toContain(`with Node ${engines.node.replace(">=", "")} or newer`);
});

it("compares the hosts there are", async () => {
  const page = read("docs/hosts/README.md");
  const written = between(page, "behaviours", behavioursTable(described, site));
  await expect(written).toMatchFileSnapshot("hosts/README.md");
});

describe.each([...hosts.keys()])("the page of %s", (name) => {
  it("tells how to set it up, publish and roll back, and its gaps", async () => {
    const page = read(pageOf(name));
    expect(anchorsOf(page)).toEqual(expect.arrayContaining(["set-up", "publish", "roll-back", "gaps"]));
    const host = described.find((each) => each.host.name === name);
    if (host === undefined) throw new Error(`${pageOf(name)} has no heading with a paragraph below it.`);
    expect(host.summary).not.toBe("");
    await expect(between(page, "gaps", gapsText(host.host, site))).toMatchFileSnapshot(`hosts/${name}.md`);
  });
});
