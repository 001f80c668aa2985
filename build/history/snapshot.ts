// A snapshot is everything that decides a build's cursors: for each paged operation its page sizes, its order keys and
// the values of its filters. Builds with the same snapshot return the same cursors.
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { declaredOrder } from "../../src/model/order.ts";
import type { PageSizes, PagingKind } from "../../src/model/paging.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  type Items,
  keyAt,
  pagingOf,
  valuesAt,
} from "../content/catalog.ts";

/** By the name of a paged operation. */
export type Snapshot = ReadonlyMap<string, OperationSnapshot>;

export interface OperationSnapshot {
  /** See `signatureOf`. */
  readonly signature: string;
  readonly paging: PagingKind;
  readonly sizes: PageSizes;
  /** The accepted values of each filter, by its parameter. */
  readonly known: ReadonlyMap<string, readonly string[]>;
  /** The order keys of the items, then for each filter the values of each item, joined by spaces. */
  readonly items: Columns;
}

/** Items in order: a list of their order keys, and further lists with as many elements. */
export type Columns = readonly (readonly string[])[];

/** The declarations on which cursors depend. Order keys of different signatures are not comparable. */
export const signatureOf = (operation: ListOperation): string =>
  JSON.stringify([
    keyFields(operation).join(),
    operation.order.map(declaredOrder),
    operation.filters.map(({ param, field, by }) => [param, field, ...(by === "value" ? [] : [by])]),
  ]);

export const orderKeysOf = (items: Items | undefined): readonly string[] =>
  items === undefined ? [] : Array.from({ length: items.count }, (_, index) => keyAt(items.keys, index));

export function snapshotOf(catalog: Catalog, { operations }: Deployment): Snapshot {
  const { api, items, settings } = catalog;
  const paged = api.lists.filter(({ name, paged }) => paged && operations.includes(name));
  return new Map(
    paged.map((operation) => {
      const { name, filters } = operation;
      const own = items.get(name);
      const snapshot = {
        signature: signatureOf(operation),
        paging: pagingOf(settings, name),
        sizes: settings.pageSizes.get(name) ?? [],
        known: new Map(filters.map((filter) => [filter.param, filterValues(catalog, operation, filter)])),
        items: [orderKeysOf(own), ...filters.map(({ param }) => valuesOf(own, param))],
      };
      return [name, snapshot];
    }),
  );
}

function valuesOf(items: Items | undefined, param: string): readonly string[] {
  const values = items?.filters.get(param);
  if (items === undefined || values === undefined) return [];
  const { known, numbers, starts } = values;
  return Array.from({ length: items.count }, (_, index) => {
    const start = starts[index] ?? 0;
    const end = starts[index + 1] ?? 0;
    // Most items have one value.
    return end - start === 1 ? (known[numbers[start] ?? 0] ?? "") : valuesAt(values, index).join(" ");
  });
}
