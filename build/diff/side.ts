// One side of a comparison.
import type { BuildPlan } from "../build.ts";
import type { Catalog } from "../content/catalog.ts";
import { bytesOf } from "../files/file.ts";
import type { Log, Message } from "../messages.ts";
import { fileOf } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import { type ItemLines, linesOf } from "./changes.ts";

/** The API that a plan publishes, read like any published API. */
export async function publishedBy({ catalog, find }: BuildPlan): Promise<PublishedApi> {
  const published = await publishedAt(catalog.api.base, {
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
  /** Undefined for a published build of another declaration, whose files are not known. */
  readonly plan: BuildPlan | undefined;
  /** The warnings of its plan. */
  readonly warnings: readonly Message[];
}

export async function sideOf(label: string, plan: BuildPlan, log: Log): Promise<Side> {
  const { items, settings } = plan.catalog;
  const lines = new Map([...items].map(([name, table]) => [name, linesOf(table)]));
  return { label, published: await publishedBy(plan), items: lines, settings, plan, warnings: log.messages().shown };
}
