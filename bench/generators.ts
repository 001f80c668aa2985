// Other generators that make the same pages from the same sorted records, each in its quickest idiom for data. Only
// Astro validates them, with zod. What comes from npm is installed in peers/, apart from the project's packages.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Command, execute } from "./execute.ts";
import { hasHugo, hugoBuild, writeHugoSite } from "./hugo.ts";
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

export const peers = path.join(import.meta.dirname, "peers");

const generators: Readonly<Record<GeneratorName, Generator>> = {
  hugo: { write: writeHugoSite, build: hugoBuild },
  // One template in JavaScript, paginated over a list of the pages. Only the records are written: the template is not
  // copied.
  eleventy: {
    npm: "@11ty/eleventy",
    write(site, records) {
      mkdirSync(site);
      writeRecords(site, records);
    },
    build: (site, out, size) => ({
      file: process.execPath,
      args: [
        path.join(peers, "node_modules/@11ty/eleventy/cmd.cjs"),
        `--input=${path.join(peers, "eleventy")}`,
        `--output=${out}`,
        "--formats=11ty.js",
        "--quiet",
      ],
      env: variables(site, size),
    }),
  },
  // An endpoint over a content collection. The site is a copy of the peers' folder: Astro writes into its root, and
  // resolves its packages from the root and from the output.
  astro: {
    npm: "astro",
    write(site, records) {
      const packages = path.join(peers, "node_modules");
      cpSync(peers, site, { recursive: true, filter: (source) => source !== packages });
      symlinkSync(packages, path.join(site, "node_modules"));
      writeRecords(site, records);
    },
    build: (site, out, size) => ({
      file: process.execPath,
      // Without --force, Astro reuses the collection of the previous build.
      args: [path.join(peers, "node_modules/astro/astro.js"), "build", "--outDir", out, "--force", "--silent"],
      cwd: path.join(site, "astro"),
      env: { ...variables(site, size), ASTRO_TELEMETRY_DISABLED: "1" },
    }),
  },
};

const recordsFile = (site: string): string => path.join(site, "records.json");

const writeRecords = (site: string, records: readonly BenchRecord[]): void =>
  writeFileSync(recordsFile(site), JSON.stringify(records));

const variables = (site: string, size: number) => ({ RECORDS: recordsFile(site), PAGE_SIZE: String(size) });

export const isGenerator = (name: string): name is GeneratorName => Object.hasOwn(generators, name);

/** Undefined if these and all other packages of the peers are installed; if not, the reason. */
export async function installPeers(packages: readonly string[]): Promise<string | undefined> {
  if (packages.every((name) => existsSync(path.join(peers, "node_modules", name)))) return undefined;
  try {
    await execute({ file: "npm", args: ["ci", "--prefix", peers, "--ignore-scripts", "--loglevel", "error"] });
    return undefined;
  } catch (error) {
    return `npm ci --prefix bench/peers failed: ${error instanceof Error ? error.message.trim() : error}`;
  }
}

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
