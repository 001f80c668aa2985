import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { BuildPlan } from "../../build/build.ts";
import { build } from "../../build/build.ts";
import type { HostAdapter } from "../../build/hosts/host.ts";
import type { Api } from "../../src/api.ts";
import { edgeNetwork } from "../edge-network.ts";
import { type Dataset, datasetOf } from "./dataset.ts";
import { type Sample, writeSample } from "./sample.ts";

const real = "../shared/datasets/edge";

export interface TestContent {
  readonly name: string;
  readonly content: string;
  /** The reason why the content cannot be tested. */
  readonly missing: string | undefined;
}

/** Writes a sample below a folder. */
export function sampleContent(folder: string, sample: Sample): TestContent {
  const content = path.join(folder, `content-${sample.count}-${sample.pageSizes}-${sample.paging ?? "exact"}`);
  writeSample(content, sample);
  const paging = sample.paging === "both" ? ", cut exactly and stably" : "";
  const name = `a sample with the page sizes ${sample.pageSizes}${paging}`;
  return { name, content, missing: undefined };
}

/**
 * Copies a larger content of public data below a folder, if the data is present. Few page sizes keep the tests quick:
 * with every page size, the content would be 45,000 files to write and remove.
 */
export function realContent(folder: string): TestContent {
  const content = path.join(folder, "content-real");
  const missing = existsSync(real) ? undefined : `there is no ${real}`;
  if (missing === undefined) {
    for (const file of readdirSync(real, { recursive: true, encoding: "utf8" })) {
      if (!statSync(path.join(real, file)).isFile()) continue;
      mkdirSync(path.dirname(path.join(content, file)), { recursive: true });
      writeFileSync(path.join(content, file), readFileSync(path.join(real, file)));
    }
    writeFileSync(path.join(content, "api.yaml"), "page_sizes: [5, 25, 100]\n");
  }
  return { name: "the real dataset", content, missing };
}

export interface Built {
  readonly plan: BuildPlan;
  readonly dataset: Dataset;
}

/** Builds the default deployment with the configuration of these hosts. Throws on faults. */
export async function buildForTest(
  content: string,
  out: string,
  hosts: readonly HostAdapter[] = [],
  api: Api = edgeNetwork,
): Promise<Built> {
  let plan: BuildPlan | undefined;
  const quiet = { onChange: () => undefined, onWait: () => undefined };
  const onPlan = (made: BuildPlan) => {
    plan = made;
  };
  const options = { api, content, out, deployment: undefined, hosts };
  const [, faults] = await build(options, { ...quiet, onPlan });
  if (plan === undefined) throw new Error(`The content has faults: ${JSON.stringify(faults)}`);
  return { plan, dataset: datasetOf(plan.catalog, plan.deployment, plan.documents) };
}
