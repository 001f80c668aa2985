// The files that a build has written.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { BenchRecord } from "./workload.ts";

/** Paths below the folder, sorted. */
export const filesIn = (out: string): readonly string[] =>
  readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(out, path.join(parentPath, name)))
    .sort();

export function expectSame(out: string, expected: string): void {
  if (hashOf(out) !== hashOf(expected)) throw new Error(`${out} and ${expected} differ.`);
}

/** One hash of the names and bytes of all files. */
function hashOf(out: string): string {
  const hash = createHash("sha1");
  for (const file of filesIn(out)) hash.update(`${file}\n`).update(readFileSync(path.join(out, file)));
  return hash.digest("hex");
}

/** Throws unless the first page lists the first records. */
export function spotCheck(out: string, sorted: readonly BenchRecord[]): void {
  const { data, pagination } = JSON.parse(readFileSync(path.join(out, "api/v1/records.json"), "utf8"));
  const first = sorted.slice(0, 100).map(({ id }) => id);
  const isFirst = data.length === first.length && first.every((id, index) => data[index].id === id);
  if (!isFirst || pagination.has_more !== sorted.length > 100) throw new Error(`${out} has another first page.`);
}
