import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  buildOutput,
  checkOutput,
  diffOutput,
  failedOutput,
  publishOutput,
  verifyOutput,
} from "../build/cli/report/json-output.ts";
import { hosts } from "../build/hosts/hosts.ts";
import { type Survey, surveyOf } from "../test/check/behaviours.ts";
import { datasetOf } from "../test/check/dataset.ts";
import { conformanceRequests } from "../test/check/requests.ts";
import { writeSample } from "../test/check/sample.ts";
import { serverRequests } from "../test/check/server-requests.ts";
import { edgeNetwork } from "../test/edge-network.ts";
import { planned } from "../test/plan.ts";
import { anchorsOf, readPage } from "./pages.ts";
import {
  behavioursTable,
  between,
  codesTable,
  type DescribedHost,
  fieldTables,
  gapsText,
  hostsTable,
  operationsTable,
  outputTables,
} from "./tables.ts";

const content = mkdtempSync(path.join(tmpdir(), "stillapi-generated-"));
afterAll(() => rmSync(content, { recursive: true }));

const pageOf = (name: string): string => `docs/hosts/${name}.md`;

const described: readonly DescribedHost[] = [...hosts.values()]
  .filter(({ name }) => existsSync(pageOf(name)))
  .map((host) => {
    const [, title = "", summary = ""] = /^# (.+)\n\n((?:.+\n)+)/.exec(readPage(pageOf(host.name))) ?? [];
    return { host, title, summary: summary.trim().replaceAll("\n", " ") };
  });

/** An operation that was added may be missing until someone writes the tables again. */
const listedIn = (page: string) =>
  edgeNetwork.operations.filter(
    ({ name }) => process.env["npm_lifecycle_event"] === "generate" || page.includes(`/api/v1/${name}\``),
  );

let site: Survey;
beforeAll(async () => {
  writeSample(content, { count: 130, pageSizes: [1, 5, 10, 25, 50, 100] });
  const plan = await planned({ api: edgeNetwork, content });
  const dataset = datasetOf(plan.catalog, plan.deployment, plan.documents);
  const files = new Set([...plan.files.all()].map(({ file }) => file));
  const requests = [...conformanceRequests(dataset), ...serverRequests(dataset)];
  site = surveyOf(plan.table, (file) => files.has(file), requests);
});

it("lists the operations in the README: npm run generate writes them", async () => {
  const readme = readPage("README.md");
  const written = between(readme, "operations", operationsTable(listedIn(readme)));
  await expect(written).toMatchFileSnapshot("../README.md");
});

it("lists the fields of the Edge Network", async () => {
  const page = readPage("docs/edge-network.md");
  const tables = fieldTables(listedIn(readPage("README.md")));
  await expect(between(page, "fields", tables)).toMatchFileSnapshot("edge-network.md");
});

it("lists and compares the hosts", async () => {
  const page = readPage("docs/hosts/README.md");
  // It serves a build on this machine.
  const published = described.filter(({ host }) => host !== hosts.get("serve"));
  const listed = between(page, "hosts", hostsTable(published, site));
  await expect(between(listed, "behaviours", behavioursTable(published, site))).toMatchFileSnapshot("hosts/README.md");
});

describe.each([...hosts.keys()])("the page of %s", (name) => {
  it("describes how to set it up, publish and roll back, and its gaps", async () => {
    const page = readPage(pageOf(name));
    expect(anchorsOf(page)).toEqual(expect.arrayContaining(["set-up", "publish", "roll-back", "gaps"]));
    const host = described.find((entry) => entry.host.name === name);
    if (host === undefined) throw new Error(`${pageOf(name)} has no heading with a paragraph below it.`);
    expect(host.summary).not.toBe("");
    await expect(between(page, "gaps", gapsText(host.host))).toMatchFileSnapshot(`hosts/${name}.md`);
  });
});

it("lists the codes of all faults and warnings", async () => {
  let page = readPage("docs/faults.md");
  for (const about of ["content", "declaration", "build"])
    page = between(
      page,
      about,
      codesTable((meaning) => meaning.severity === "error" && meaning.about === about),
    );
  page = between(
    page,
    "warnings",
    codesTable(({ severity }) => severity === "warning"),
  );
  await expect(page).toMatchFileSnapshot("faults.md");
});

it("describes the output of each command for programs", async () => {
  const text = outputTables({
    "Every command": failedOutput,
    build: buildOutput,
    check: checkOutput,
    diff: diffOutput,
    publish: publishOutput,
    verify: verifyOutput,
  });
  await expect(between(readPage("docs/json-output.md"), "members", text)).toMatchFileSnapshot("json-output.md");
});

it("names the oldest version of Node in the README", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(readPage("README.md")).toContain(`with Node ${engines.node.replace(">=", "")} or newer`);
});
