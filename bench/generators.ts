// Other generators that make the same pages from the same records.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { astroBuild, writeAstroSite } from "./astro.ts";
import { eleventyBuild, writeEleventySite } from "./eleventy.ts";
import type { Command } from "./execute.ts";
import { hasHugo, hugoBuild, writeHugoSite } from "./hugo.ts";
import { installPeers } from "./peer.ts";
import type { Contender } from "./rounds.ts";
import type { BenchRecord } from "./workload.ts";

export type GeneratorName = "hugo" | "eleventy" | "astro";

interface Generator {
  /** Prepares a site before the clock starts. The records are sorted. */
  readonly write: (site: string, records: readonly BenchRecord[], size: number) => void;
  readonly build: (site: string, out: string, size: number) => Command;
  /** The npm package, if the generator is one. */
  readonly npm?: string;
}

const generators: Readonly<Record<GeneratorName, Generator>> = {
  hugo: { write: writeHugoSite, build: hugoBuild },
  eleventy: { write: writeEleventySite, build: eleventyBuild, npm: "@11ty/eleventy" },
  astro: { write: writeAstroSite, build: astroBuild, npm: "astro" },
};

export const isGenerator = (name: string): name is GeneratorName => Object.hasOwn(generators, name);

/** Returns the generators that are installed or can be installed; reports the others as missing. */
export async function present(names: ReadonlySet<GeneratorName>): Promise<ReadonlySet<GeneratorName>> {
  const found = new Set(names);
  const leaveOut = (missing: readonly GeneratorName[], why: string) => {
    for (const name of missing) found.delete(name);
    process.stderr.write(`Not compared with ${missing.join(" and ")}: ${why}\n`);
  };
  if (names.has("hugo") && !hasHugo()) leaveOut(["hugo"], "it is not installed.");
  const fromNpm = [...names].filter((name) => generators[name].npm !== undefined);
  const failure = await installPeers(fromNpm.flatMap((name) => generators[name].npm ?? []));
  if (failure !== undefined) leaveOut(fromNpm, failure);
  return found;
}

export function generatorContender(
  name: GeneratorName,
  parent: string,
  records: readonly BenchRecord[],
  size: number,
): Contender {
  const { write, build } = generators[name];
  const site = path.join(parent, name);
  write(site, records, size);
  const out = (round: number) => path.join(parent, `${name}-${round}`);
  const verify = (round: number) => {
    if (!madeRight(out(round), records, size)) throw new Error(`${name} made other pages in ${out(round)}.`);
  };
  return { name, run: (round) => build(site, out(round), size), verify };
}

/** Checks the number of pages, and the second page of all records, with and without a limit. */
function madeRight(out: string, records: readonly BenchRecord[], size: number): boolean {
  const folder = path.join(out, "api/v1/records");
  const limits = [...new Set([size, 100])];
  const lengths = new Map([["all", records.length]]);
  for (const { collection } of records) lengths.set(collection, (lengths.get(collection) ?? 0) + 1);
  const count = [...lengths.values()].reduce((sum, length) => sum + Math.ceil(length / size) * limits.length, 0);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  if (files.length !== count) return false;
  return limits.every((limit) => {
    const { data } = JSON.parse(readFileSync(path.join(folder, `all/${limit}/1.json`), "utf8"));
    return isDeepStrictEqual(data, records.slice(size, limit === size ? 2 * size : 100));
  });
}
