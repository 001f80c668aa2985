import * as z from "zod";
import { capacity, idOf, regionCode, timestamp } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";
import { type Vocabulary, word } from "../vocabulary.ts";

export const nodeSchema = (vocabulary: Vocabulary) =>
  z.strictObject({
    id: idOf("nod"),
    created_at: timestamp,
    pop: regionCode,
    status: word(vocabulary, "node_status"),
    capacity,
  });

/** A node, as the API returns it. */
export type EdgeNode = Readonly<z.infer<ReturnType<typeof nodeSchema>>>;

const meanings: Meanings<EdgeNode> = {
  id: "Unique identifier of the node. It never changes.",
  created_at: "When the node joined the network.",
  pop: "The region (point of presence) that the node is in.",
  status: "Current state of the node.",
  capacity: "Advertised capacity in gigabits per second.",
};

export const node: Resource<EdgeNode> = {
  noun: "node",
  meaning: "A machine at the edge of the network that serves one region.",
  meanings,
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
