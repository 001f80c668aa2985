// Content of any size, reproducible: unsorted records of some 142 bytes a line.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compare } from "../build/content/order.ts";
import { randomFrom } from "../test/random.ts";

const collections = ["app", "database", "os", "server-app"] as const;

export interface Shape {
  readonly records: number;
  readonly pageSizes: "every" | readonly number[];
  /** Whether each record is a single item, too. */
  readonly items?: true;
}

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

/**
 * Writes a content folder with one deployment, which lists records and their collections. With single items there is a
 * declaration in the folder above.
 */
export function writeContent(folder: string, { records, pageSizes, items }: Shape): void {
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  const schema = collections.map((name) => ({ name, fields: [{ name: "id", type: "string", nullable: false }] }));
  const status = { status: "operational", region: "Global", components: [], updated_at: timeAt(0) };
  writeFileSync(path.join(folder, "schema.json"), JSON.stringify(schema));
  writeFileSync(
    path.join(folder, "api.json"),
    JSON.stringify({ page_sizes: pageSizes, ...(items && { hosts: ["nginx"] }) }),
  );
  writeFileSync(
    path.join(folder, "deployments/edge.json"),
    JSON.stringify({ operations: ["records", "schema", "status"], status }),
  );
  writeRecords(folder, shuffled(recordsOf(records)));
  if (items) writeFileSync(declarationOf(folder), withItems);
}

/** The declaration of a content folder, if there is one. */
export const declarationOf = (folder: string): string => path.join(folder, "../api.config.ts");

const withItems = `import { defineApi, defineCollection } from "stillapi";
import edgeNetwork from "stillapi/edge-network";

const { collections, documents } = edgeNetwork;
const records = defineCollection({ ...collections.records.declaration, item: true });
export default defineApi({ collections: { ...collections, records }, documents });
`;

export function writeRecords(folder: string, records: readonly BenchRecord[]): void {
  writeFileSync(path.join(folder, "records.ndjson"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** The same records in a pseudo-random order. */
export function shuffled(records: readonly BenchRecord[]): readonly BenchRecord[] {
  const random = randomFrom(records.length + 1);
  return records
    .map((record) => ({ record, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ record }) => record);
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
