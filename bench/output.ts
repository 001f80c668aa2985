// The files that a build has written.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BenchRecord } from "./workload.ts";

/** Absolute paths by paths below the folder. */
export function filesIn(out: string): ReadonlyMap<string, string> {
  const entries = readdirSync(out, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((full) => [path.relative(out, full), full]),
  );
}

export const isPage = (file: string): boolean => file.startsWith("api/v1/") && !file.startsWith("api/v1/errors/");

/** One hash of the names and bytes of the chosen files. */
export function hashOf(out: string, isChosen: (file: string) => boolean = () => true): string {
  const hash = createHash("sha1");
  for (const [name, full] of [...filesIn(out)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (isChosen(name)) hash.update(`${name}\n`).update(readFileSync(full));
  }
  return hash.digest("hex");
}

/** Throws unless the first page lists the first records. */
export function spotCheck(out: string, sorted: readonly BenchRecord[]): void {
  const { data, pagination } = JSON.parse(readFileSync(path.join(out, "api/v1/records.json"), "utf8"));
  const first = sorted.slice(0, 100).map(({ id }) => id);
  const isFirst = data.length === first.length && first.every((id, index) => data[index].id === id);
  if (!isFirst || pagination.has_more !== sorted.length > 100) throw new Error(`${out} has another first page.`);
}
