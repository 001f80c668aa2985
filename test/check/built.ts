import path from "node:path";
import type { HostAdapter } from "../../build/hosts/host.ts";
import type { Api } from "../../src/model/api.ts";
import { edgeNetwork } from "../edge-network.ts";
import { built, type TestPlan } from "../plan.ts";
import { type Dataset, datasetOf } from "./dataset.ts";
import { type Sample, writeSample } from "./sample.ts";

/** Writes a sample below a folder. */
export function sampleContent(folder: string, sample: Sample): { readonly content: string } {
  const content = path.join(folder, `content-${sample.count}-${sample.pageSizes}`);
  writeSample(content, sample);
  return { content };
}

export interface Built {
  readonly plan: TestPlan;
  readonly dataset: Dataset;
}

/** Builds the default deployment with the configuration of these hosts. Throws on faults. */
export async function buildForTest(
  content: string,
  out: string,
  hosts: readonly HostAdapter[] = [],
  api: Api = edgeNetwork,
): Promise<Built> {
  const plan = await built({ api, content, out, hosts });
  return { plan, dataset: datasetOf(plan.catalog, plan.deployment, plan.documents) };
}
