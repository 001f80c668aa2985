import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export interface Sample {
  /** How many nodes, images and records there are. */
  readonly count: number;
  /** As in api.yaml. */
  readonly pageSizes: "every" | readonly number[];
}

/** Writes a small content of all six operations: every third filter value is one without items. */
export function writeSample(folder: string, { count, pageSizes }: Sample): void {
  const codes = ["lhr1", "iad1", "nrt1"];
  const collections = ["assets", "captions", "purges"];
  const items = Array.from({ length: count }, (_, index) => index);
  const id = (prefix: string, index: number) => `${prefix}_${index.toString(36).padStart(6, "0")}`;
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString().replace(".000", "");
  const pick = (values: readonly string[], index: number) => values[index % 2];
  const files = {
    "api.yaml": { page_sizes: pageSizes },
    "regions.json": codes.map((code) => ({
      code,
      name: `Region ${code}`,
      zone: "eu-west",
      country: "GB",
      status: "operational",
    })),
    "nodes.json": items.map((index) => ({
      id: id("nod", index),
      created_at: at(index),
      pop: pick(codes, index),
      status: "operational",
      capacity: "10G",
    })),
    "images.json": items.map((index) => ({
      id: id("med", index),
      created_at: at(index),
      content_type: "image/png",
      bytes: index + 1,
      width: 16,
      height: 9,
      status: "ready",
    })),
    "records.json": items.map((index) => ({
      id: id("rec", index),
      created_at: at(index),
      collection: pick(collections, index),
      revision: index,
      updated_at: at(index + 1),
    })),
    "schema.json": collections.map((name) => ({ name, fields: [{ name: "id", type: "string", nullable: false }] })),
    "deployments/edge.json": {
      operations: ["records", "nodes", "regions", "images", "schema", "status"],
      status: {
        status: "operational",
        region: "London",
        components: [{ name: "API", status: "operational" }],
        updated_at: at(0),
      },
    },
  };
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  for (const [file, value] of Object.entries(files)) writeFileSync(path.join(folder, file), JSON.stringify(value));
}
