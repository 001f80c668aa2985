// The state of a build, which later builds compare with theirs: the data that decides its cursors, and digests of its content.
// Builds whose collections have the same keys, values and paging return the same cursors.
import { orderDeclaration } from "../../src/model/cursor.ts";
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Order, type OrderField, sortParam } from "../../src/model/order.ts";
import type { PageSizes, PagingKind } from "../../src/model/paging.ts";
import { type Catalog, type Deployment, filterValues } from "../content/catalog.ts";
import { pageSizesOf, pagingOf } from "../content/settings/chosen-settings.ts";
import { type Items, keyAt, type Values, wholeOf } from "../content/table/items.ts";
import { encode } from "../files/file.ts";
import { noItems } from "../pages/items.ts";
import { type DeclaredNames, declaredIn } from "./declared.ts";
import { digestsIn } from "./digests.ts";

export interface BuildState {
  /** The number of pages, without retired ones. */
  readonly pageCount: number;
  readonly collections: CollectionStates;
  /** The digests of the documents, by name. Undefined if the build has no list of changes. */
  readonly documents: Readonly<Record<string, string>> | undefined;
  /** Undefined if the build has no list of changes. */
  readonly declared: DeclaredNames | undefined;
}

/**
 * By the name of the collection, or as in `nodes?sort=newest` for a further order: each order has cursors of its own, as if
 * it were a collection.
 */
export type CollectionStates = ReadonlyMap<string, CollectionState>;

export const stateName = (collection: string, order: Pick<Order, "name"> | undefined): string =>
  order === undefined ? collection : `${collection}?${sortParam}=${order.name}`;

/** Collections that are not paged have digests only. The collections of an earlier build than the last one have none. */
export interface CollectionState {
  /** The order keys of the items, ascending. */
  readonly orderKeys: readonly string[];
  /** The values of the items, by the parameter of the filter. Without pages, filters do not count. */
  readonly values: ReadonlyMap<string, Values>;
  /** The settings that decide the cursors together with the items. */
  readonly paging: CollectionPaging | undefined;
  /** Undefined if the build has no list of changes. */
  readonly digests: ItemDigests | undefined;
}

export const noValues: Values = { known: [], numbers: new Uint32Array(0), starts: new Uint32Array(1) };

/** `accepted` and the values of the collection have the same parameters, in the order of the filters. */
export interface CollectionPaging {
  /** See `signatureOf`. */
  readonly signature: string;
  readonly kind: PagingKind;
  readonly sizes: PageSizes;
  /** The values that a filter accepts, by its parameter. Items have no others, and may have none of some. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
}

export interface ItemDigests {
  /** The fields of the key. */
  readonly key: readonly string[];
  readonly order: readonly OrderField[];
  /** The digests of the items, one after the other. */
  readonly bytes: Buffer;
}

/** The declarations on which the cursors of an order depend. Order keys of different signatures are not comparable. */
export function signatureOf(operation: ListOperation, order?: Order): string {
  const { key, fields } = orderDeclaration(operation, order);
  const filters = operation.filters.map(({ param, field, by }) => [param, field, ...(by === "value" ? [] : [by])]);
  return JSON.stringify([key, fields, filters]);
}

export const stateOf = (catalog: Catalog, deployment: Deployment, pageCount: number): BuildState => ({
  pageCount,
  collections: collectionStates(catalog, deployment),
  documents: hasChanges(catalog) ? documentDigests(catalog, deployment) : undefined,
  declared: hasChanges(catalog) ? declaredIn(catalog.api, deployment) : undefined,
});

/** In the order of the API. */
export function collectionStates(catalog: Catalog, deployment: Deployment): CollectionStates {
  const states = new Map<string, CollectionState>();
  for (const list of catalog.api.lists) {
    const isServed = deployment.operations.includes(list.name);
    if (!isServed || !(list.paged || hasChanges(catalog))) continue;
    states.set(list.name, collectionState(catalog, list));
    if (list.paged)
      for (const order of list.orders) states.set(stateName(list.name, order), orderState(catalog, list, order));
  }
  return states;
}

/** Whether the API has a list of changes. */
export const hasChanges = ({ settings }: Catalog): boolean => settings.changesLifetime > 0;

function collectionState(catalog: Catalog, list: ListOperation): CollectionState {
  const items = catalog.items.get(list.name) ?? noItems;
  const params = list.paged ? list.filters.map(({ param }) => param) : [];
  return {
    orderKeys: Array.from({ length: items.count }, (_, index) => keyAt(items.orderKeys, index)),
    values: new Map(params.map((param) => [param, items.filters.get(param) ?? noValues])),
    paging: list.paged ? collectionPaging(catalog, list) : undefined,
    digests: hasChanges(catalog) ? itemDigests(items, list) : undefined,
  };
}

/** The items of a collection in a further order. */
function orderState(catalog: Catalog, list: ListOperation, order: Order): CollectionState {
  const items = catalog.items.get(list.name) ?? noItems;
  const { orderKeys, indices } = items.orders.get(order.name) ?? {
    orderKeys: items.orderKeys,
    indices: new Uint32Array(),
  };
  const params = list.filters.map(({ param }) => param);
  return {
    orderKeys: Array.from(indices, (index) => keyAt(orderKeys, index)),
    values: new Map(params.map((param) => [param, valuesInOrder(items.filters.get(param) ?? noValues, indices)])),
    paging: collectionPaging(catalog, list, order),
    digests: undefined,
  };
}

/** The values of the items with these indices. */
function valuesInOrder({ known, numbers, starts }: Values, indices: Uint32Array): Values {
  const ordered = { numbers: new Uint32Array(numbers.length), starts: new Uint32Array(indices.length + 1) };
  let end = 0;
  for (const [place, index] of indices.entries()) {
    for (let at = starts[index] ?? 0; at < (starts[index + 1] ?? 0); at++) ordered.numbers[end++] = numbers[at] ?? 0;
    ordered.starts[place + 1] = end;
  }
  return { known, ...ordered };
}

function collectionPaging(catalog: Catalog, list: ListOperation, order?: Order): CollectionPaging {
  return {
    signature: signatureOf(list, order),
    kind: pagingOf(catalog.settings, list.name),
    sizes: pageSizesOf(catalog.settings, list.name),
    accepted: new Map(list.filters.map((filter) => [filter.param, filterValues(catalog, list, filter)])),
  };
}

function itemDigests(items: Items, list: ListOperation): ItemDigests {
  const { bytes, offsets } = wholeOf(items);
  return { key: keyFields(list), order: list.order, bytes: digestsIn(bytes, offsets) };
}

function documentDigests({ api }: Catalog, deployment: Deployment): Readonly<Record<string, string>> {
  const digests = new Map<string, string>();
  for (const { name, documentOf } of api.documents) {
    const content = deployment.documents.get(name);
    if (content === undefined) continue;
    const json = encode(JSON.stringify(documentOf(content)));
    digests.set(name, digestsIn(json, [0, json.length]).toString("base64"));
  }
  return Object.fromEntries(digests);
}
