// One side of a comparison of an API.
import type { ApiBuild, BuildPlan } from "../build.ts";
import type { Catalog } from "../content/catalog.ts";
import { bytesOf, type OutputFile } from "../files/file.ts";
import type { Log, Message } from "../messages.ts";
import { fileOf } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import { type ItemLines, linesOf } from "./changes.ts";

/** An API of a build, with what it has of the build: the first one has all that is of no API. */
export interface PlannedApi extends ApiBuild, Pick<BuildPlan, "hosts" | "cost" | "budget" | "beside"> {
  /** All its files, generated one at a time. */
  readonly all: () => Iterable<OutputFile>;
}

export const plannedApis = ({ apis, hosts, cost, budget, beside, ...plan }: BuildPlan): NonEmpty<PlannedApi> =>
  mapNonEmpty(apis, (api, index) => ({
    ...api,
    hosts,
    cost,
    budget: index === 0 ? budget : [],
    beside: index === 0 ? beside : [],
    *all() {
      if (index === 0) yield* [plan.marker(), ...plan.ofHosts];
      yield* api.files();
    },
  }));

/** The API that a plan publishes, read like any published API. */
export async function publishedBy({ catalog, find }: Pick<ApiBuild, "catalog" | "find">): Promise<PublishedApi> {
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
  readonly plan: PlannedApi | undefined;
  /** The warnings of its plan. */
  readonly warnings: readonly Message[];
}

/** A side whose files are known. */
export type PlannedSide = Side & { readonly plan: PlannedApi };

/** A side for each API. The warnings are those of the first. */
export const sidesOf = (label: string, build: BuildPlan, log: Log): Promise<readonly PlannedSide[]> =>
  Promise.all(
    plannedApis(build).map(async (plan, index) => {
      const { items, settings } = plan.catalog;
      return {
        label,
        published: await publishedBy(plan),
        items: new Map([...items].map(([name, table]) => [name, linesOf(table)])),
        settings,
        plan,
        warnings: index === 0 ? log.messages().shown : [],
      };
    }),
  );

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
