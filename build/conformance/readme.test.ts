import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { planBuild } from "../build.ts";
import { hosts } from "../hosts/hosts.ts";
import { behavioursTable } from "./behaviours.ts";
import { datasetOf } from "./dataset.ts";
import { conformanceRequests } from "./requests.ts";

it("has a README with the hosts and gaps there are: npm run generate writes them", async () => {
  const all = [...hosts.values()];
  const [plan] = await planBuild({ content: "content", deployment: undefined, hosts: all });
  if (plan === undefined) throw new Error("The content has faults.");
  const files = new Set([...plan.files].map(({ entry }) => entry.file));
  const table = behavioursTable(all, {
    table: plan.table,
    exists: (file) => files.has(file),
    requests: conformanceRequests(datasetOf(plan.catalog, plan.deployment)),
  });
  const readme = readFileSync("README.md", "utf8");
  const [start, end] = ["<!-- hosts -->\n", "<!-- /hosts -->\n"].map((marker) => readme.indexOf(marker));
  if (start === undefined || end === undefined || start < 0 || end < start) throw new Error("It lacks the markers.");
  const around = [readme.slice(0, readme.indexOf("\n", start) + 1), readme.slice(end)];
  await expect(around.join(`\n${table}\n\n`)).toMatchFileSnapshot("../../README.md");
});
