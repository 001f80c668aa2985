import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { operations } from "../../src/operations.ts";
import { planBuild } from "../build.ts";
import { hosts } from "../hosts/hosts.ts";
import { behavioursTable } from "./behaviours.ts";
import { between } from "./between.ts";
import { datasetOf } from "./dataset.ts";
import { operationsTable } from "./operations-table.ts";
import { conformanceRequests } from "./requests.ts";
import { writeSample } from "./sample.ts";
import { serverRequests } from "./server-requests.ts";

vi.mock("../documents/documents.ts", async (importOriginal) => {
  const { withFurtherDocuments } = await import("../hosts/further-documents.ts");
  return withFurtherDocuments(await importOriginal<typeof import("../documents/documents.ts")>());
});

const content = mkdtempSync(path.join(tmpdir(), "edge-api-readme-"));
afterAll(() => rmSync(content, { recursive: true }));

it("has a README with the hosts, gaps and operations there are: npm run generate writes them", async () => {
  const readme = readFileSync("README.md", "utf8");
  // An operation that was added may be missing until someone writes the tables again.
  const listed =
    process.env.npm_lifecycle_event === "generate"
      ? operations
      : operations.filter(({ name }) => readme.includes(`/api/v1/${name}\``));
  const written = between(between(readme, "operations", operationsTable(listed)), "hosts", await hostsTable());
  await expect(written).toMatchFileSnapshot("../../README.md");
});

async function hostsTable(): Promise<string> {
  writeSample(content, { count: 130, pageSizes: [1, 5, 10, 25, 50, 100] });
  const [plan] = await planBuild({ content, deployment: undefined, hosts: [] });
  if (plan === undefined) throw new Error("The sample has faults.");
  const dataset = datasetOf(plan.catalog, plan.deployment, plan.documents);
  const files = new Set([...plan.files].map(({ entry }) => entry.file));
  return behavioursTable([...hosts.values()], {
    table: plan.table,
    exists: (file) => files.has(file),
    requests: [...conformanceRequests(dataset), ...serverRequests(dataset)],
  });
}
