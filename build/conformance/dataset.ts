// What the oracle knows: the table of operations, and the data of a deployment as plain lists.
import type { Filter, ListOperation, Operation } from "../../src/operations.ts";
import { operations } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import { allItems, type Catalog, type Deployment } from "../content/catalog.ts";

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
  /** By paged operation. */
  readonly pageSizes: ReadonlyMap<string, readonly number[]>;
  /** The field that names the items of each operation. */
  readonly keys: ReadonlyMap<string, string>;
}

export function datasetOf(catalog: Catalog, deployment: Deployment): Dataset {
  const served = operations.filter(({ name }) => deployment.operations.includes(name));
  const lists = operations.filter((operation) => operation.kind === "list");
  return {
    operations: served,
    items: new Map(
      lists.map((operation) => [operation.name, inOrder(allItems(catalog.items.get(operation.name)), operation)]),
    ),
    documents: new Map(
      served.flatMap((operation) => {
        const content = deployment.documents.get(operation.name);
        return operation.kind === "list" || content === undefined
          ? []
          : [[operation.name, operation.resource.documentOf(content)]];
      }),
    ),
    pageSizes: catalog.settings.pageSizes,
    keys: new Map(lists.map(({ name, resource }) => [name, resource.key])),
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
const inOrder = (items: readonly Item[], { order }: ListOperation): readonly Item[] =>
  items.toSorted((one, other) => {
    const field = order.find((each) => one[each] !== other[each]);
    return field === undefined ? 0 : String(one[field]) < String(other[field]) ? -1 : 1;
  });
