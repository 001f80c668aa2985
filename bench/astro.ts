// The same pages made by Astro, in its idiom for data: an endpoint over a content collection, which zod validates. Its
// input is sorted.
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "./execute.ts";
import { peers } from "./peer.ts";
import type { BenchRecord } from "./workload.ts";

/**
 * A copy of the peers' folder: Astro writes into its root, and resolves its packages from the root and from the output.
 */
export function writeAstroSite(site: string, records: readonly BenchRecord[]): void {
  const packages = path.join(peers, "node_modules");
  cpSync(peers, site, { recursive: true, filter: (source) => source !== packages });
  symlinkSync(packages, path.join(site, "node_modules"));
  writeFileSync(path.join(site, "records.json"), JSON.stringify(records));
}

export const astroBuild = (site: string, out: string, size: number): Command => ({
  file: process.execPath,
  // Without --force, Astro reuses the collection of the previous build.
  args: [path.join(peers, "node_modules/astro/astro.js"), "build", "--outDir", out, "--force", "--silent"],
  cwd: path.join(site, "astro"),
  env: { RECORDS: path.join(site, "records.json"), PAGE_SIZE: String(size), ASTRO_TELEMETRY_DISABLED: "1" },
});
