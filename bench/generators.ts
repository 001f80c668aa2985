// Other generators that make the same pages from the same sorted records, each in its quickest idiom for data. Only
// Astro validates them, with zod. Packages of npm are installed in peers/, apart from the project's packages.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

import { type Command, type Contender, execute } from "./execute.ts";
import type { BenchRecord } from "./workload.ts";

export type GeneratorName = "hugo" | "eleventy" | "astro";

interface Generator {
  /** Prepares a site before the clock starts. The records are sorted. */
  readonly write: (site: string, records: readonly BenchRecord[], size: number) => void;
  readonly build: (site: string, out: string, size: number) => Command;
  /** The npm package, if the generator is one. */
  readonly npm?: string;
}

const peers = path.join(import.meta.dirname, "peers");

const generators: Readonly<Record<GeneratorName, Generator>> = {
  // One template that publishes a resource for each page. It names pages by the number of their first item.
  hugo: {
    write(site, records, size) {
      for (const folder of ["data/records", "layouts"]) mkdirSync(path.join(site, folder), { recursive: true });
      const disableKinds = ["taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"];
      writeFileSync(path.join(site, "config.json"), JSON.stringify({ baseURL: "/", disableKinds }));
      writeFileSync(path.join(site, "layouts/index.html"), hugoTemplate(size));
      for (const [name, items] of listsOf(records))
        writeFileSync(path.join(site, `data/records/${name}.json`), JSON.stringify(items));
    },
    build: (site, out) => ({ file: "hugo", args: ["--source", site, "--destination", out, "--quiet"] }),
  },
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

/**
 * For each start, a page of the size, and a page without a limit, which ends at the next hundredth item. Pages are
 * counted in thousands, because Hugo's lists of numbers have at most two thousand elements.
 */
const hugoTemplate = (size: number): string =>
  `{{ range $name, $items := site.Data.records }}
{{ $count := len $items }}
{{ $pages := div (add $count ${size - 1}) ${size} }}
{{ range $thousand := seq 0 (div (sub $pages 1) 1000) }}
{{ range $one := seq 0 (sub (math.Min 1000 (sub $pages (mul $thousand 1000))) 1 | int) }}
{{ $page := add (mul $thousand 1000) $one }}
{{ $start := mul $page ${size} }}
{{ range $limit := ${size === 100 ? "slice 100" : `slice ${size} 100`} }}
{{ $length := cond (eq $limit 100) (sub 100 (mod $start 100)) $limit }}
{{ $data := first $length (after $start $items) }}
{{ $more := lt (add $start $length) $count }}
{{ $next := cond $more (printf "k%d" (add $start $length)) nil }}
{{ $pagination := dict "limit" $limit "count" (len $data) "has_more" $more "next_cursor" $next }}
{{ $text := dict "object" "list" "data" $data "pagination" $pagination | jsonify }}
{{ (resources.FromString (printf "api/v1/records/%s/%d/%d.json" $name $limit $page) $text).Publish }}
{{ end }}
{{ end }}
{{ end }}
{{ end }}
`;

/** All records, and the records of each collection. */
function listsOf(records: readonly BenchRecord[]): ReadonlyMap<string, readonly BenchRecord[]> {
  const names = new Set(records.map(({ collection }) => collection));
  const lists = [...names].map((name) => [name, records.filter((record) => record.collection === name)] as const);
  return new Map([["all", records], ...lists]);
}

const recordsFile = (site: string): string => path.join(site, "records.json");

const writeRecords = (site: string, records: readonly BenchRecord[]): void =>
  writeFileSync(recordsFile(site), JSON.stringify(records));

const variables = (site: string, size: number) => ({ RECORDS: recordsFile(site), PAGE_SIZE: String(size) });

export const isGenerator = (name: string): name is GeneratorName => Object.hasOwn(generators, name);

/** Undefined if these and all other packages of the peers are installed; if not, the reason. */
async function installPeers(packages: readonly string[]): Promise<string | undefined> {
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
  if (names.has("hugo") && spawnSync("hugo", ["version"]).status !== 0) leaveOut(["hugo"], "it is not installed.");
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
    if (!hasRightPages(out(round), records, size)) throw new Error(`${name} wrote wrong pages into ${out(round)}.`);
  };
  return { name, run: (round) => build(site, out(round), size), verify };
}

/** Checks the number of pages, and the second page of all records, with and without a limit. */
function hasRightPages(out: string, records: readonly BenchRecord[], size: number): boolean {
  const folder = path.join(out, "api/v1/records");
  const limits = [...new Set([size, 100])];
  const pages = [...listsOf(records).values()].map(({ length }) => Math.ceil(length / size) * limits.length);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  if (files.length !== pages.reduce((sum, count) => sum + count, 0)) return false;
  return limits.every((limit) => {
    const { data } = JSON.parse(readFileSync(path.join(folder, `all/${limit}/1.json`), "utf8"));
    return isDeepStrictEqual(data, records.slice(size, limit === size ? 2 * size : 100));
  });
}
