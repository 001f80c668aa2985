// What a build opens: the folder that it writes into, and the cache of what it reads.
import path from "node:path";
import type { BuildEvents, BuildOptions, Built } from "./build-plan.ts";
import { type Cache, openCache } from "./cache/cache.ts";
import { readingVersion } from "./content/yaml-cache.ts";
import { besidePublishRoot, inPublishRoot } from "./hosts/ownership.ts";
import { refuseOverlap } from "./output/overlap.ts";
import { openPublication } from "./output/publication.ts";

/** Takes the lock of the output folder, because what is there is read before anything is planned. The caller must close it. */
export function open(
  { content, out, hosts, cache, clean, again }: BuildOptions,
  { onWait }: Pick<BuildEvents, "onWait">,
  earlier?: Pick<Built, "left">,
) {
  refuseOverlap(content, out);
  const needsBeside = hosts.some(({ beside }) => beside !== undefined);
  const indexes = cache && path.join(cache, "indexes");
  const ownership = { ownership: inPublishRoot, beside: besidePublishRoot };
  return openPublication(out, { ...ownership, needsBeside, cache: indexes, clean, again, left: earlier?.left, onWait });
}

/** `folder` is that of all caches; undefined where nothing is to be cached. */
export const openYamlCache = (folder: string | undefined): Cache | undefined =>
  folder === undefined ? undefined : openCache(path.join(folder, "yaml"), readingVersion);
