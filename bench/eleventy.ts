// The same pages made by Eleventy, in its quickest idiom for data: one template in JavaScript, paginated over a list of
// the pages. Its input is sorted, and it validates nothing.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Command } from "./execute.ts";
import { peers } from "./peer.ts";
import type { BenchRecord } from "./workload.ts";

/** Writes only the records: the template is not copied. */
export function writeEleventySite(site: string, records: readonly BenchRecord[]): void {
  mkdirSync(site);
  writeFileSync(path.join(site, "records.json"), JSON.stringify(records));
}

export const eleventyBuild = (site: string, out: string, size: number): Command => ({
  file: process.execPath,
  args: [
    path.join(peers, "node_modules/@11ty/eleventy/cmd.cjs"),
    `--input=${path.join(peers, "eleventy")}`,
    `--output=${out}`,
    "--formats=11ty.js",
    "--quiet",
  ],
  env: { RECORDS: path.join(site, "records.json"), PAGE_SIZE: String(size) },
});
