// The table of the API's operations. Listings, file paths, routing, every host's configuration, the preview and
// the tests are derived from it: a further operation is one entry here and one file in resources/.
import type { Item, Resource } from "./resource.ts";
import { collection } from "./resources/collection.ts";
import { image } from "./resources/image.ts";
import { node } from "./resources/node.ts";
import { record } from "./resources/record.ts";
import { region } from "./resources/region.ts";

export { base } from "./base.ts";

export interface Filter<Field extends string = string> {
  /** The query parameter. */
  readonly param: string;
  /** The field it is compared with: one that names an item of another resource. Those items' keys are the known values. */
  readonly field: Field;
}

/** An operation that lists the items of a resource. */
export interface ListOperation<Field extends string = string> {
  readonly kind: "list";
  readonly name: string;
  readonly purpose: string;
  readonly resource: Resource<Field>;
  /** Fields of strings; the items ascend by the first, then the second and so on, by code unit. */
  readonly order: readonly Field[];
  readonly filter?: Filter<Field>;
  /** Whether it takes `limit` and `cursor` and its answers carry `pagination`. */
  readonly paged: boolean;
  readonly cacheControl: string;
}

/** An operation that gives one document, the deployment's status. */
export interface DocumentOperation {
  readonly kind: "document";
  readonly name: string;
  readonly purpose: string;
  readonly cacheControl: string;
}

export type Operation = ListOperation | DocumentOperation;

/** Checks an entry against the fields of its own resource; from then on any will do. */
const list = <Field extends string>(
  operation: { readonly resource: Resource<Field> } & Omit<ListOperation<NoInfer<Field>>, "kind" | "resource">,
): ListOperation => ({ kind: "list", ...operation });

const minute = "public, max-age=60";

export const operations: readonly Operation[] = [
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
  { kind: "document", name: "status", purpose: "Machine-readable service status.", cacheControl: "no-store" },
];

export const listOperations = operations.filter((operation) => operation.kind === "list");

/** The operation that lists the items which a field of a resource refers to. */
export function referenced({ noun, references }: Resource, field: string): ListOperation {
  const to = references.find((reference) => reference.field === field)?.to;
  const target = listOperations.find(({ name }) => name === to);
  if (target === undefined) throw new Error(`The ${field} of a ${noun} refers to no operation's items.`);
  return target;
}

/**
 * Where an item stands in its operation's order: the values of the order's fields, joined by spaces, which sort
 * before every character of these fields. Keys compare by code unit, also with those of items of another build.
 */
export const orderKey = (operation: ListOperation, item: Item): string =>
  operation.order.map((field) => String(item[field])).join(" ");
