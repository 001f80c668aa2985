// Content of any size, reproducible: unsorted records of some 142 bytes a line.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compare } from "../build/values/compare.ts";
import { randomFrom } from "../test/random.ts";

const collections = ["app", "database", "os", "server-app"] as const;

export type PageSizes = "every" | readonly number[];

export interface BenchRecord {
  readonly id: string;
  readonly created_at: string;
  readonly collection: string;
  readonly revision: number;
  readonly updated_at: string;
}

/** The records in the order of the API, which differs from the order of the file. */
export function recordsOf(count: number): readonly BenchRecord[] {
  const random = randomFrom(count);
  const records = Array.from({ length: count }, (_, index) => recordAt(index, random));
  return records.sort((a, b) => compare(orderOf(a), orderOf(b)));
}

/** Where the records are: each in a line of one file, or each in a file. */
export type Layout = "lines" | "files";

/** Writes a content folder with one deployment, which lists records and their collections. */
export function writeContent(
  folder: string,
  records: readonly BenchRecord[],
  pageSizes: PageSizes,
  layout: Layout = "lines",
): void {
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  const write = (file: string, value: unknown) => writeFileSync(path.join(folder, file), JSON.stringify(value));
  const status = { status: "operational", region: "Global", components: [], updated_at: timeAt(0) };
  const fields = [{ name: "id", type: "string", nullable: false }];
  write(
    "schema.json",
    collections.map((name) => ({ name, fields })),
  );
  write("api.json", { page_sizes: pageSizes });
  write("deployments/edge.json", { operations: ["records", "schema", "status"], status });
  if (layout === "files") {
    mkdirSync(path.join(folder, "records"));
    for (const record of records) write(`records/${record.id}.json`, record);
  } else writeRecords(folder, records);
}

/** In a pseudo-random order. */
export function writeRecords(folder: string, records: readonly BenchRecord[]): void {
  const random = randomFrom(records.length + 1);
  const lines = records
    .map((record) => ({ line: `${JSON.stringify(record)}\n`, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
  writeFileSync(path.join(folder, "records.ndjson"), lines.join(""));
}

function recordAt(index: number, random: () => number): BenchRecord {
  const created = random() * 3e8;
  const suffix = (0x1000000 + Math.floor(random() * 0xf000000)).toString(36);
  return {
    id: `rec_${index.toString(36).padStart(6, "0")}${suffix}`,
    created_at: timeAt(created),
    collection: collections[Math.floor(random() * collections.length)] ?? "app",
    revision: Math.floor(random() * 100_000),
    updated_at: timeAt(created + random() * 1e7),
  };
}

const timeAt = (seconds: number): string => `${new Date(1.4e12 + seconds * 1000).toISOString().slice(0, 19)}Z`;

const orderOf = ({ collection, created_at, id }: BenchRecord): string => `${collection} ${created_at} ${id}`;
