// The Edge Network API of the specification: its table of operations. A new operation needs one entry here, one file for
// its resource and its content.
import { type Api, apiOf } from "../api.ts";
import { checkOperations } from "../check-operations.ts";
import { list } from "../operation.ts";
import { type AnswerSchemas, schemasOf } from "../schemas.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { collection } from "./collection.ts";
import { image } from "./image.ts";
import { node } from "./node.ts";
import { record } from "./record.ts";
import { region } from "./region.ts";
import { status } from "./status.ts";

const minute = "public, max-age=60";

const table = checkOperations([
  list({
    name: "records",
    purpose: "List records within a collection.",
    resource: record,
    order: ["collection", "created_at", "id"],
    filter: { param: "collection", field: "collection" },
    paged: true,
    cacheControl: minute,
  }),
  list({
    name: "nodes",
    purpose: "Edge nodes and their advertised capacity.",
    resource: node,
    order: ["created_at", "id"],
    filter: { param: "region", field: "pop" },
    paged: true,
    cacheControl: minute,
  }),
  list({
    name: "regions",
    purpose: "Regions served by the edge network.",
    resource: region,
    order: ["code"],
    paged: false,
    cacheControl: "public, max-age=300",
  }),
  list({
    name: "images",
    purpose: "Source images available for transformation.",
    resource: image,
    order: ["created_at", "id"],
    paged: true,
    cacheControl: minute,
  }),
  list({
    name: "schema",
    purpose: "Field definitions for each collection.",
    resource: collection,
    order: ["name"],
    paged: false,
    cacheControl: "public, max-age=3600",
  }),
  {
    kind: "document",
    name: "status",
    purpose: "Machine-readable service status.",
    resource: status,
    required: true,
    cacheControl: "no-store",
  },
]);

/** The entries with their literal types, in order; the client's methods derive from them. */
export type OperationTable = typeof table;

export const edgeNetwork: Api = apiOf("/api/v1", table);

/** The validators for the client's option `schemas`. A vocabulary limits the valid words. */
export const answerSchemas = (vocabulary: Vocabulary = {}): AnswerSchemas<OperationTable> =>
  schemasOf(table, vocabulary);
