// What the oracle knows: the table of operations, and the data of a deployment as plain lists.
import type { Filter, ListOperation, Operation } from "../../src/operations.ts";
import { documentOperations, listOperations, operations } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import { allItems, type Catalog, type Deployment } from "../content/catalog.ts";
import type { Document } from "../document.ts";
import type { Kind } from "./boundaries.ts";

export interface Dataset {
  /** The operations of the deployment. */
  readonly operations: readonly Operation[];
  /**
   * By the name of their operation, in its order. Of every operation: those that the deployment lacks may still tell the
   * known values of a filter.
   */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  /** As the API gives them, by the name of their operation. */
  readonly documents: ReadonlyMap<string, Item>;
  /** What there is beside the operations. */
  readonly published: readonly Published[];
  /** By paged operation. */
  readonly pageSizes: ReadonlyMap<string, readonly number[]>;
  /** By paged operation; `exact` where it is not there. */
  readonly paging: ReadonlyMap<string, Kind>;
  /** The field that names the items of each operation. */
  readonly keys: ReadonlyMap<string, string>;
}

/** A document with its text; undefined: any. */
export interface Published {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  readonly text: string | undefined;
}

export function datasetOf(
  catalog: Catalog,
  { operations: served, documents }: Deployment,
  published: readonly Document[] = [],
): Dataset {
  const itemsOf = (operation: ListOperation) => inOrder(allItems(catalog.items.get(operation.name)), operation);
  return {
    operations: operations.filter(({ name }) => served.includes(name)),
    items: new Map(listOperations.map((operation) => [operation.name, itemsOf(operation)])),
    documents: new Map(
      documentOperations.flatMap(({ name, resource }) => {
        const content = documents.get(name);
        return content === undefined ? [] : [[name, resource.documentOf(content)]];
      }),
    ),
    published: published.map(({ parts, ...about }) => ({ ...about, text: Buffer.concat(parts()).toString() })),
    pageSizes: catalog.settings.pageSizes,
    paging: catalog.settings.paging,
    keys: new Map(listOperations.map(({ name, resource }) => [name, resource.key])),
  };
}

/** The values that a filter accepts. */
export function knownValues(
  { items, keys }: Dataset,
  { resource }: ListOperation,
  { field }: Filter,
): readonly string[] {
  const to = resource.references.find((reference) => reference.field === field)?.to ?? "";
  return (items.get(to) ?? []).map((item) => String(item[keys.get(to) ?? ""]));
}

/** Sorted field by field, by code unit. */
export const inOrder = (items: readonly Item[], { order }: ListOperation): readonly Item[] =>
  items.toSorted((one, other) => {
    const field = order.find((each) => one[each] !== other[each]);
    return field === undefined ? 0 : String(one[field]) < String(other[field]) ? -1 : 1;
  });
