// The same pages made by Hugo, in its quickest idiom for data: one template that publishes a resource for each page.
// Its input is sorted, it validates nothing, and it names pages by the number of their first item.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "./execute.ts";
import type { BenchRecord } from "./workload.ts";

export const hasHugo = (): boolean => spawnSync("hugo", ["version"]).status === 0;

/** Writes a site whose build writes the pages of a size that divides 100: of all records, and of each collection. */
export function writeHugoSite(site: string, records: readonly BenchRecord[], size: number): void {
  for (const folder of ["data/records", "layouts"]) mkdirSync(path.join(site, folder), { recursive: true });
  writeFileSync(path.join(site, "config.json"), JSON.stringify(settings));
  writeFileSync(path.join(site, "layouts/index.html"), template(size));
  writeFileSync(path.join(site, "data/records/all.json"), JSON.stringify(records));
  for (const collection of new Set(records.map((record) => record.collection))) {
    const own = records.filter((record) => record.collection === collection);
    writeFileSync(path.join(site, `data/records/${collection}.json`), JSON.stringify(own));
  }
}

export const hugoBuild = (site: string, out: string): Command => ({
  file: "hugo",
  args: ["--source", site, "--destination", out, "--quiet"],
});

const settings = { baseURL: "/", disableKinds: ["taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"] };

/**
 * For each start, a page of the size, and a page without a limit, which ends at the next hundredth item. Pages are
 * counted in thousands, because Hugo's lists of numbers have at most two thousand elements.
 */
const template = (size: number): string =>
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
