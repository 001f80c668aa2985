// An API of thirty lists with forty fields each, whose reference has a page for each list.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as z from "zod";
import { completeApi } from "../../build/declaration/complete.ts";
import { defineApi, defineCollection, defineDocument } from "../../src/index.ts";

const names = Array.from(
  { length: 30 },
  (_, index) => `things-${String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26))}`,
);
const fields = Array.from({ length: 38 }, (_, index) => `field_${index}`);
const states = ["open", "closed", "paused"] as const;

const collectionOf = (name: string) =>
  defineCollection({
    purpose: `The ${name} that somebody keeps and publishes.`,
    noun: { one: `${name}-item`, many: name },
    schema: z.strictObject({
      id: z.string().describe("Its name in addresses."),
      state: z.enum(states).describe("Whether it can be used now."),
      ...Object.fromEntries(
        fields.map((field, index) => [
          field,
          (index % 3 === 0 ? z.int() : z.string()).describe(
            `What ${field} of ${name} means, in a sentence of usual length.`,
          ),
        ]),
      ),
    }),
    key: "id",
    item: true,
    filters: { state: "state" },
    ...(name === names[0] && { deprecated: { since: "2026-01-01", use: "things-ab" } }),
  });

export const manyLists = completeApi(
  defineApi({
    collections: Object.fromEntries(names.map((name) => [name, collectionOf(name)])),
    documents: {
      health: defineDocument({ purpose: "Whether it works.", schema: z.strictObject({ ok: z.boolean() }) }),
    },
  }),
);

export function writeManyLists(folder: string): void {
  mkdirSync(path.join(folder, "deployments"), { recursive: true });
  writeFileSync(
    path.join(folder, "deployments/edge.json"),
    JSON.stringify({ operations: [...names, "health"], health: { ok: true } }),
  );
  for (const name of names) {
    const items = Array.from({ length: 12 }, (_, item) => ({
      id: `k${item}`,
      state: states[item % 3],
      ...Object.fromEntries(
        fields.map((field, index) => [field, index % 3 === 0 ? item * index : `text ${item} of ${index}`]),
      ),
    }));
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(items));
  }
}
