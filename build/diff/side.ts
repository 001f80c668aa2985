// One side of a comparison: what it publishes, its items and settings, and its plan.
import type { BuildPlan } from "../build.ts";
import { planCatalog } from "../build.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Reported } from "../diagnostics.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { type Published, publishedBy } from "./published.ts";

export interface Side extends Pick<Catalog, "deployments" | "items" | "settings"> {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly published: Published;
  readonly deployment: Deployment;
  /** Undefined for a published build of another declaration, whose files are not known. */
  readonly plan: BuildPlan | undefined;
}

export interface PlannedSide extends Side {
  readonly plan: BuildPlan;
}

export async function sideOf(label: string, plan: BuildPlan): Promise<PlannedSide> {
  const { deployments, items, settings } = plan.catalog;
  return { label, published: await publishedBy(plan), deployments, items, settings, deployment: plan.deployment, plan };
}

/** A side before the change may exceed what hosts accept today, and its pages may fail: it is planned without them. */
export async function planOf(
  then: Catalog,
  deployment: Deployment,
  hosts: readonly HostAdapter[],
  root = "",
): Promise<Reported<BuildPlan>> {
  const [fitting, ...excess] = await planCatalog(then, deployment, { hosts, root });
  if (fitting !== undefined) return [fitting, ...excess];
  const unlimited = hosts.map(({ limits: _, uses: __, ...host }) => host);
  const withoutPages = { ...then, api: { ...then.api, pages: [] } };
  const [plan] = await planCatalog(withoutPages, deployment, { hosts: unlimited, root });
  if (plan === undefined) throw new Error("A build without limits exceeds one.");
  return [plan, ...excess];
}
