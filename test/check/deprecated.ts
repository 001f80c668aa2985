// A small API of which a collection, a document, a filter and fields will go.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/declare/declare.ts";
import { deprecated, label, slug } from "../../src/declare/forms.ts";

const places = defineCollection({
  purpose: "Places.",
  noun: { one: "place", many: "places" },
  schema: z.strictObject({
    id: slug.describe("Names the place."),
    zone: slug.describe("Where it is."),
    pop: deprecated(slug.describe("Where it was."), { since: "2026-12-01", use: "zone" }).optional(),
    tags: z.array(z.strictObject({ old: deprecated(label, { since: "2026-12-01", why: "No one asks." }).nullable() })),
  }),
  key: "id",
  filters: {
    zone: "zone",
    pop: { field: "pop", deprecated: { since: "2026-12-01", sunset: "2027-06-01", use: "zone" } },
  },
  together: [["zone", "pop"]],
  item: true,
});

const spots = defineCollection({
  purpose: "Spots.",
  noun: { one: "spot", many: "spots" },
  schema: z.strictObject({ id: slug.describe("Names the spot.") }),
  key: "id",
  item: true,
  deprecated: { since: "2026-12-01", sunset: "2027-06-01", use: "places", why: "A spot is a <place>." },
});

const health = defineDocument({
  purpose: "Health.",
  schema: z.strictObject({ works: z.boolean().describe("Whether it works.") }),
  required: true,
  deprecated: { since: "2026-01-01" },
});

export const ofDeprecated = completeApi(defineApi({ collections: { places, spots }, documents: { health } }));

export function writeDeprecated(folder: string): void {
  const files = {
    "places.json": ["a", "b", "c"].map((id) => ({ id, zone: `z-${id}`, pop: "lhr", tags: [{ old: "x" }] })),
    "spots.json": [{ id: "s" }],
    "deployments/edge.json": { operations: ["places", "spots", "health"], health: { works: true } },
  };
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  for (const [file, value] of Object.entries(files)) writeFileSync(path.join(folder, file), JSON.stringify(value));
}
