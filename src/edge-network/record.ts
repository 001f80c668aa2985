import * as z from "zod";
import { collectionName, counter, idOf, timestamp } from "../forms.ts";
import type { Meanings, Resource } from "../resource.ts";

const times = z.object({ created_at: timestamp, updated_at: timestamp });

export const recordSchema = z
  .strictObject({
    id: idOf("rec"),
    created_at: timestamp,
    collection: collectionName,
    revision: counter,
    updated_at: timestamp,
  })
  .refine((record) => record.updated_at >= record.created_at, {
    path: ["updated_at"],
    error: "no earlier than created_at",
    // The times are compared even if the record has other faults, so that one run reports everything.
    when: ({ value }) => times.safeParse(value).success,
  });

/** A record, as the API returns it. */
export type EdgeRecord = Readonly<z.infer<typeof recordSchema>>;

const meanings: Meanings<EdgeRecord> = {
  id: "Unique identifier of the record. It never changes.",
  created_at: "When the record was created.",
  collection: "The collection that the record belongs to.",
  revision: "How many times the record has been changed; 0 for a new record.",
  updated_at: "When the record was last changed, never before `created_at`.",
};

export const record: Resource<EdgeRecord> = {
  noun: "record",
  meaning: "A versioned entry in a collection.",
  meanings,
  key: "id",
  schema: () => recordSchema,
  references: [{ field: "collection", to: "schema" }],
  notBefore: [{ field: "updated_at", than: "created_at" }],
  fromPath: "collection",
  example: {
    id: "rec_000000",
    created_at: "2026-01-01T00:00:00Z",
    collection: "assets",
    revision: 0,
    updated_at: "2026-01-01T00:01:00Z",
  },
};
