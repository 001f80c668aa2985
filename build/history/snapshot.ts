// A snapshot is everything that decides a build's cursors: for each paged operation its page sizes, its order keys and
// the values of its filters. Builds with the same snapshot return the same cursors.
import type { Api } from "../../src/api.ts";
import type { Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { orderName } from "../../src/order.ts";
import type { PageSizes, PagingKind } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  type Items,
  keyAt,
  pagingOf,
  valuesAt,
} from "../content/catalog.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";

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
      const known = knownValues(catalog, operation);
      const values = new Map(operation.filters.map((filter) => [filter.param, valuesOf(items, filter)]));
      const keys = Array.from({ length: items?.count ?? 0 }, (_, index) => (items ? keyAt(items.keys, index) : ""));
      return [operation.name, { ...pagesOf(catalog, operation), known, rows: { keys, values } }];
    }),
  );

const pagesOf = ({ settings }: Catalog, { name }: ListOperation) => ({
  paging: pagingOf(settings, name),
  sizes: settings.pageSizes.get(name) ?? [],
});

const knownValues = (catalog: Catalog, operation: ListOperation) =>
  new Map(operation.filters.map((filter) => [filter.param, filterValues(catalog, operation, filter)]));

/** Each item's values of a filter. */
function valuesOf(items: Items | undefined, filter: Filter): readonly string[] {
  const values = items?.filters.get(filter.param);
  if (items === undefined || values === undefined) return [];
  return Array.from({ length: items.count }, (_, item) => valuesAt(values, item).join(" "));
}

/** The version of the form of cursors.json. Files of another version are unusable. */
export const stateForm = 2;

/**
 * The start of cursors.json, up to the earlier builds: the snapshot of this build as JSON. Builds with the same cursors
 * have the same bytes.
 */
export const snapshotBytes = (catalog: Catalog, deployment: Deployment, pages: number): Uint8Array =>
  Buffer.concat([...snapshotParts(catalog, deployment, pages)]);

function* snapshotParts(catalog: Catalog, deployment: Deployment, pages: number): Generator<Uint8Array> {
  const head = { generator, form: stateForm, deployment: deployment.name, pages };
  yield encode(`${JSON.stringify(head).slice(0, -1)},"operations":{`);
  for (const [index, operation] of pagedOperations(catalog.api, deployment).entries()) {
    const items = catalog.items.get(operation.name);
    const known = knownValues(catalog, operation);
    const pages = pagesOf(catalog, operation);
    const about = { signature: signatureOf(operation), ...pages, known: Object.fromEntries(known) };
    const name = `${index > 0 ? "," : ""}${JSON.stringify(operation.name)}`;
    yield encode(`${name}:${JSON.stringify(about).slice(0, -1)},"keys":[`);
    if (items !== undefined) yield* elements(items.count, (item) => keyAt(items.keys, item));
    yield encode('],"values":{');
    for (const [position, filter] of operation.filters.entries()) {
      yield encode(`${position > 0 ? "," : ""}${JSON.stringify(filter.param)}:[`);
      yield* valueIndices(items, filter, known.get(filter.param) ?? []);
      yield encode("]");
    }
    yield encode("}}");
  }
  yield encode("}");
}

/** Each item's value as its index in `known`, -1 if the item has none, and a list of indices if it has several. */
function* valueIndices(items: Items | undefined, filter: Filter, known: readonly string[]): Generator<Uint8Array> {
  const values = items?.filters.get(filter.param);
  if (items === undefined || values === undefined) return;
  const indices = new Map(known.map((value, index) => [value, index]));
  yield* elements(items.count, (item) => {
    const [first = -1, ...others] = valuesAt(values, item).flatMap((value) => indices.get(value) ?? []);
    return others.length === 0 ? first : [first, ...others];
  });
}

const elementsPerPart = 10_000;

/** The elements of a JSON list, some at a time: the keys of twelve million items exceed the longest string. */
function* elements(count: number, valueAt: (index: number) => unknown): Generator<Uint8Array> {
  for (let start = 0; start < count; start += elementsPerPart) {
    const length = Math.min(elementsPerPart, count - start);
    const values = Array.from({ length }, (_, index) => valueAt(start + index));
    yield encode(`${start > 0 ? "," : ""}${JSON.stringify(values).slice(1, -1)}`);
  }
}
