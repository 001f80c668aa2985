// The sides of a comparison.

import type { Catalog } from "../content/catalog.ts";
import { bytesOf } from "../files/file.ts";
import type { Log, Message } from "../messages.ts";
import { filesOfApi, type PlannedApi } from "../plan/api.ts";
import { type BuildPlan, usageOfPlan } from "../plan/plan.ts";
import { fileOf } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import type { BuildUsage } from "../routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { type ItemLines, linesOf } from "./changes.ts";

/** The API that a plan publishes, read like any published API. */
async function publishedBy(api: PlannedApi): Promise<PublishedApi> {
  const { find } = filesOfApi(api);
  const published = await publishedAt(api.catalog.api.base, {
    async read(path) {
      const file = find(fileOf(path));
      return file && bytesOf(file);
    },
  });
  if (published === undefined) throw new Error("A plan has no document at its base.");
  return published;
}

/** One side of a comparison: what it publishes, its items and settings. */
export interface Side {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly published: PublishedApi;
  /** By operation. */
  readonly items: ReadonlyMap<string, ItemLines>;
  readonly settings: Catalog["settings"];
  /** Undefined for a published API. */
  readonly plan: PlannedApi | undefined;
}

/** A side whose content is known. */
export type PlannedSide = Side & { readonly plan: PlannedApi };

/** One side: its APIs, with what is known of the build that has them. */
export interface BuildSide {
  readonly apis: readonly Side[];
  /** Undefined for a published build. */
  readonly plan?: BuildPlan | undefined;
  /** Undefined for an address. */
  readonly usage?: BuildUsage | undefined;
  /** The warnings of the plan. */
  readonly warnings: readonly Message[];
}

export interface PlannedBuildSide extends BuildSide {
  readonly apis: NonEmpty<PlannedSide>;
  readonly plan: BuildPlan;
}

export const plannedSide = async (label: string, plan: BuildPlan, log: Log): Promise<PlannedBuildSide> => ({
  apis: await Promise.all(mapNonEmpty(plan.apis, (api) => apiSide(label, api))),
  plan,
  usage: usageOfPlan(plan),
  warnings: log.messages().shown,
});

async function apiSide(label: string, plan: PlannedApi): Promise<PlannedSide> {
  const { items, settings } = plan.catalog;
  return {
    label,
    published: await publishedBy(plan),
    items: new Map([...items].map(([name, table]) => [name, linesOf(table)])),
    settings,
    plan,
  };
}

/**
 * For the base of each API before, the base of the same API after. If one of either is left, its base has changed: other APIs
 * are gone or new.
 */
export function pairedBases(before: readonly string[], after: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map(before.flatMap((base) => (after.includes(base) ? [[base, base]] : [])));
  const [gone, ...othersGone] = before.filter((base) => !after.includes(base));
  const [added, ...othersAdded] = after.filter((base) => !before.includes(base));
  const isMoved = othersGone.length + othersAdded.length === 0;
  if (isMoved && gone !== undefined && added !== undefined) pairs.set(gone, added);
  return pairs;
}
