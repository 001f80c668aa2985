import * as z from "zod";
import { capacity, idOf, regionCode, timestamp } from "../forms.ts";
import type { Resource } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

export const nodeSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    id: idOf("nod"),
    created_at: timestamp,
    pop: regionCode,
    status: word(vocabulary, "node_status"),
    capacity,
  });

/** Seed, "Node". */
export type EdgeNode = Readonly<z.infer<ReturnType<typeof nodeSchema>>>;

export const node: Resource<EdgeNode> = {
  noun: "node",
  key: "id",
  schema: nodeSchema,
  references: [{ field: "pop", to: "regions" }],
  example: {
    id: "nod_000000",
    created_at: "2026-01-01T00:00:00Z",
    pop: "lhr1",
    status: "operational",
    capacity: "10G",
  },
};
