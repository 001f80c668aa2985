// A snapshot is everything that decides a build's cursors: for each paged operation its page sizes, its order keys and
// the values of its filters. Builds with the same snapshot return the same cursors.
import type { Api } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { declaredOrder } from "../../src/order.ts";
import type { PageSizes, PagingKind } from "../../src/paging.ts";
import { keyFields } from "../../src/resource.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  keyAt,
  pagingOf,
  type Values,
  valuesAt,
} from "../content/catalog.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";
import type { Digests } from "./digests.ts";
import type { Columns } from "./edits.ts";

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

/** The operations that have cursors. */
const pagedOperations = ({ lists }: Api, { operations }: Deployment) =>
  lists.filter(({ name, paged }) => paged && operations.includes(name));

/** The declarations on which cursors depend. Order keys of different signatures are not comparable. */
export const signatureOf = (operation: ListOperation): string =>
  JSON.stringify([
    keyFields(operation.resource).join(),
    operation.order.map(declaredOrder),
    operation.filters.map(({ param, field, by }) => [param, field, ...(by === "value" ? [] : [by])]),
  ]);

const aboutOf = (catalog: Catalog, operation: ListOperation) => ({
  signature: signatureOf(operation),
  paging: pagingOf(catalog.settings, operation.name),
  sizes: catalog.settings.pageSizes.get(operation.name) ?? [],
  known: new Map(operation.filters.map((filter) => [filter.param, filterValues(catalog, operation, filter)])),
});

/** Returns the order keys of a collection. They are decoded once. */
export function orderKeysIn({ items }: Catalog): (name: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const own = items.get(name);
    const keys = known.get(name) ?? Array.from({ length: own?.count ?? 0 }, (_, i) => (own ? keyAt(own.keys, i) : ""));
    known.set(name, keys);
    return keys;
  };
}

export const snapshotOf = (
  catalog: Catalog,
  deployment: Deployment,
  keysOf: (name: string) => readonly string[] = orderKeysIn(catalog),
): Snapshot =>
  new Map(
    pagedOperations(catalog.api, deployment).map((operation) => {
      const items = catalog.items.get(operation.name);
      const column = (textAt: (index: number) => string) =>
        Array.from({ length: items?.count ?? 0 }, (_, i) => textAt(i));
      const values = operation.filters.map(({ param }) => {
        const own = items?.filters.get(param);
        return column((index) => (own === undefined ? "" : valuesAt(own, index).join(" ")));
      });
      return [operation.name, { ...aboutOf(catalog, operation), items: [keysOf(operation.name), ...values] }];
    }),
  );

/** The version of the form of cursors.json. Files of another version are unusable. */
export const stateForm = 2;

/**
 * The start of cursors.json, up to the earlier builds: the snapshot of this build and its digests as JSON. Builds with
 * the same cursors and content have the same bytes. `pages` is the number of pages of the build.
 */
export const snapshotBytes = (
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  digests: Digests | undefined,
): Uint8Array =>
  Buffer.concat([...snapshotParts(catalog, deployment, pages), ...(digests === undefined ? [] : digestParts(digests))]);

function* snapshotParts(catalog: Catalog, deployment: Deployment, pages: number): Generator<Uint8Array> {
  const head = { generator, form: stateForm, deployment: deployment.name, pages };
  yield encode(`${JSON.stringify(head).slice(0, -1)},"operations":{`);
  for (const [position, operation] of pagedOperations(catalog.api, deployment).entries()) {
    const items = catalog.items.get(operation.name);
    const { known, ...about } = aboutOf(catalog, operation);
    const start = JSON.stringify({ ...about, known: Object.fromEntries(known) }).slice(0, -1);
    yield encode(`${position > 0 ? "," : ""}${JSON.stringify(operation.name)}:${start},"keys":[`);
    if (items !== undefined) yield* elements(items.count, (index) => keyAt(items.keys, index));
    yield encode('],"values":{');
    for (const [index, [param, accepted]] of [...known].entries()) {
      yield encode(`${index > 0 ? "," : ""}${JSON.stringify(param)}:[`);
      yield* valueIndices(items?.filters.get(param), accepted);
      yield encode("]");
    }
    yield encode("}}");
  }
  yield encode("}");
}

/** Operations with cursors have their order keys in the snapshot. */
function* digestParts({ collections, documents }: Digests): Generator<Uint8Array> {
  yield encode(',"items":{');
  for (const [position, [name, { key, order, keys, digests, isPaged }]] of [...collections].entries()) {
    const about = { key, order, ...(isPaged ? {} : { keys: keys() }) };
    yield encode(`${position > 0 ? "," : ""}${JSON.stringify(name)}:${JSON.stringify(about).slice(0, -1)},"digests":"`);
    yield encode(`${digests.toString("base64")}"}`);
  }
  yield encode(`},"documents":${JSON.stringify(documents)}`);
}

/** The value of each item as its index in `known`: -1 if it has none, a list of indices if it has several. */
function* valueIndices(values: Values | undefined, known: readonly string[]): Generator<Uint8Array> {
  if (values === undefined) return;
  const places = new Map(known.map((value, index) => [value, index]));
  const indices = values.known.map((value) => places.get(value));
  yield* elements(values.starts.length - 1, (item) => {
    const own: number[] = [];
    for (let at = values.starts[item] ?? 0; at < (values.starts[item + 1] ?? 0); at++) {
      const index = indices[values.numbers[at] ?? 0];
      if (index !== undefined) own.push(index);
    }
    return own.length > 1 ? own : (own[0] ?? -1);
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
