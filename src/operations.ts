// The table of the API's operations. Listings, file paths, routing, every host's configuration, the preview and the
// tests are derived from it. A new operation needs one entry here, one file in resources/ and its content.
import { checkOperations } from "./check-operations.ts";
import { type ListOperation, list, type Operation } from "./operation.ts";
import type { Item, Resource } from "./resource.ts";
import { collection } from "./resources/collection.ts";
import { image } from "./resources/image.ts";
import { node } from "./resources/node.ts";
import { record } from "./resources/record.ts";
import { region } from "./resources/region.ts";
import { status } from "./resources/status.ts";

export { base } from "./base.ts";

export type { Filter, ListOperation, Operation } from "./operation.ts";
export { filtersOf } from "./operation.ts";

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

export const operations: readonly Operation[] = table;

export const listOperations = operations.filter((operation) => operation.kind === "list");

export const documentOperations = operations.filter((operation) => operation.kind === "document");

/** The operation that lists the items a field refers to. */
export function referenced({ noun, references }: Resource, field: string): ListOperation {
  const to = references.find((reference) => reference.field === field)?.to;
  const target = listOperations.find(({ name }) => name === to);
  if (target === undefined) throw new Error(`The ${field} of a ${noun} refers to no operation's items.`);
  return target;
}

/**
 * The order key of an item: the values of the order's fields, joined by spaces, which sort before every character that
 * these fields may contain. Order keys compare by code unit, across builds as well.
 */
export const orderKey = (operation: ListOperation, item: Item): string =>
  operation.order.map((field) => String(item[field])).join(" ");
