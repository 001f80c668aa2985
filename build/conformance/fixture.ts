import { existsSync } from "node:fs";
import { build } from "../build.ts";
import type { BuildPlan } from "../build-plan.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Dataset, datasetOf } from "./dataset.ts";

const real = "../shared/datasets/edge";

/** The content that tests build: the project's own and, if present, a larger one made of public data. */
export const datasets: readonly {
  readonly name: string;
  readonly content: string;
  readonly missing: string | undefined;
}[] = [
  { name: "the project's content", content: "content", missing: undefined },
  { name: "the real dataset", content: real, missing: existsSync(real) ? undefined : `there is no ${real}` },
];

export interface Built {
  readonly plan: BuildPlan;
  readonly dataset: Dataset;
}

/** Builds the default deployment with the configuration of these hosts. Throws on faults. */
export async function buildForTest(
  content: string,
  out: string,
  hosts: readonly HostAdapter[] = [],
  precompress = false,
): Promise<Built> {
  let plan: BuildPlan | undefined;
  const quiet = { onChange: () => undefined, onWait: () => undefined };
  const onPlan = (made: BuildPlan) => {
    plan = made;
  };
  const options = { content, out, deployment: undefined, hosts, precompress };
  const [, faults] = await build(options, { ...quiet, onPlan });
  if (plan === undefined) throw new Error(`The content has faults: ${JSON.stringify(faults)}`);
  return { plan, dataset: datasetOf(plan.catalog, plan.deployment) };
}
