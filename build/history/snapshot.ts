// A snapshot is everything that decides a build's cursors: for each paged operation its page sizes, its order keys and
// the values of its filters. Builds with the same snapshot give the same cursors.
import type { Api } from "../../src/api.ts";
import { type Filter, valuesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { orderName } from "../../src/order.ts";
import type { PageSizes, PagingKind } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import { type Catalog, type Deployment, filterValues, type Items, keyAt, pagingOf } from "../content/catalog.ts";

/** By the name of a paged operation. */
export type Snapshot = ReadonlyMap<string, OperationSnapshot>;

export interface OperationSnapshot {
  readonly paging: PagingKind;
  readonly sizes: PageSizes;
  /** The accepted values of each filter, by its parameter. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  readonly rows: SnapshotRows;
}

/** The items, in order. */
export interface SnapshotRows {
  readonly keys: readonly string[];
  /** Each item's values, joined by spaces, by the parameter of the filter. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** The operations that have cursors. */
export const pagedOperations = ({ lists }: Api, { operations }: Deployment) =>
  lists.filter(({ name, paged }) => paged && operations.includes(name));

/** The declarations on which cursors depend. Order keys of different signatures are not comparable. */
export const signatureOf = (operation: ListOperation): string =>
  JSON.stringify([
    keyFields(operation.resource).join(),
    operation.order.map(orderName),
    operation.filters.map(({ param, field, by }) => [param, field, ...(by === "value" ? [] : [by])]),
  ]);

export const snapshotOf = (catalog: Catalog, deployment: Deployment): Snapshot =>
  new Map(
    pagedOperations(catalog.api, deployment).map((operation) => {
      const items = catalog.items.get(operation.name);
      const sizes = catalog.settings.pageSizes.get(operation.name) ?? [];
      const paging = pagingOf(catalog.settings, operation.name);
      const { filters } = operation;
      const known = new Map(filters.map((filter) => [filter.param, filterValues(catalog, operation, filter)]));
      const values = new Map(filters.map((filter) => [filter.param, valuesOf(items, filter)]));
      const keys = Array.from({ length: items?.count ?? 0 }, (_, index) => (items ? keyAt(items.keys, index) : ""));
      return [operation.name, { paging, sizes, known, rows: { keys, values } }];
    }),
  );

/** Each item's values of a filter. */
function valuesOf(items: Items | undefined, filter: Filter): readonly string[] {
  const column = items?.columns.get(filter.field);
  if (column === undefined) return [];
  const texts = [...column.numbers.keys()].map((text) => valuesIn(filter, text).join(" "));
  return Array.from(column.rows, (number) => texts[number] ?? "");
}
