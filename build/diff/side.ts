// The two versions of a comparison, and the sides of their APIs.

import type { Catalog } from "../content/catalog.ts";
import { bytesOf } from "../files/file.ts";
import type { Log, Message } from "../messages.ts";
import { filesOfApi, type PlannedApi } from "../plan/api.ts";
import { type BuildPlan, usageOfPlan } from "../plan/plan.ts";
import { answerFile } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import type { BuildUsage } from "../routing/table.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { type ItemLines, itemLines } from "./changes.ts";

/** One side of a comparison: an API, with what its version can tell of it. */
export interface Side {
  /** The name for readers: a folder, or `HEAD (1a2b3c4d5)`. */
  readonly label: string;
  readonly published: PublishedApi;
  /** By operation. */
  readonly items: ReadonlyMap<string, ItemLines>;
  readonly settings: Catalog["settings"];
  /** The lists whose items are not known: it has today's items instead. */
  readonly uncompared: readonly string[];
  /** Sentences about what is not known. */
  readonly notes: readonly string[];
  /** Undefined for a published API. */
  readonly plan: PlannedApi | undefined;
}

/** A side whose content is known. */
export type PlannedSide = Side & { readonly plan: PlannedApi };

/** One of the two versions that are compared: its APIs, with what is known of the build that has them. */
export interface Version {
  readonly sides: readonly Side[];
  /** Undefined for a published build. */
  readonly plan?: BuildPlan;
  /** Undefined for an address. */
  readonly usage?: BuildUsage | undefined;
  /** The warnings of the plan. */
  readonly warnings: readonly Message[];
}

export interface PlannedVersion extends Version {
  readonly sides: NonEmpty<PlannedSide>;
  readonly plan: BuildPlan;
}

export const plannedVersion = async (label: string, plan: BuildPlan, log: Log): Promise<PlannedVersion> => ({
  sides: await Promise.all(mapNonEmpty(plan.apis, (api) => plannedSide(label, api))),
  plan,
  usage: usageOfPlan(plan),
  warnings: log.messages().shown,
});

async function plannedSide(label: string, plan: PlannedApi): Promise<PlannedSide> {
  const { items, settings } = plan.catalog;
  return {
    label,
    published: await publishedBy(plan),
    items: new Map([...items].map(([name, table]) => [name, itemLines(table)])),
    settings,
    uncompared: [],
    notes: [],
    plan,
  };
}

/** The API that a plan publishes, read like any published API. */
async function publishedBy(api: PlannedApi): Promise<PublishedApi> {
  const { find } = filesOfApi(api);
  const published = await publishedAt(api.catalog.api.base, {
    async read(path) {
      const file = find(answerFile(path));
      return file && bytesOf(file);
    },
  });
  if (published === undefined) throw new Error("A plan has no document at its base.");
  return published;
}
