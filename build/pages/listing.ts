// The listings of a deployment, each with its address and its pages: an operation's items in order, all of them or those with
// chosen values of filters.
import { cursorListing } from "../../src/model/cursor.ts";
import { combinationsOf, type Filter } from "../../src/model/filter.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { type Order, orderInListing, sortParam } from "../../src/model/order.ts";
import {
  type Chosen,
  type Cuts,
  cutPages,
  listingHash,
  listingName,
  type PageSizes,
  type PagingKind,
  rankOf,
} from "../../src/model/paging.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  type ItemOrder,
  type Items,
  pageSizesOf,
  pagingOf,
  type Values,
  valuesAt,
} from "../content/catalog.ts";
import { cursorAfter } from "../files/sha256.ts";
import { listingStem } from "../routing/paths.ts";
import { allOf, type ItemView, inOrder, noItems, someOf } from "./items.ts";

export interface Listing {
  readonly operation: ListOperation;
  /** The order, if it is not that of the operation, as the value of `sort`. */
  readonly order: Order | undefined;
  /**
   * The values of filters that all items have, in the order of the filters; empty for all items. `sort` is before them, if
   * the listing has another order.
   */
  readonly chosen: readonly Chosen[];
  /** As in `nodes?region=lhr1`; see `orderInListing`. Boundaries of stable pages depend on it. */
  readonly name: string;
  /** The file of its first page without the ending, such as `api/v1/nodes/region/lhr1`. */
  readonly stem: string;
  readonly items: ItemView;
  /** The positions at which its pages start; undefined if it is one file. */
  readonly cuts: Cuts | undefined;
  /** The cursor of the position behind an order key; see `cursorListing`. */
  readonly cursorAfter: (orderKey: string) => string;
}

/** The values of filters that all items have. */
export const filteredBy = ({ order, chosen }: Pick<Listing, "order" | "chosen">): readonly Chosen[] =>
  order === undefined ? chosen : chosen.slice(1);

/**
 * For each operation of the deployment and each of its orders the whole listing, then a listing for each choice of accepted
 * values.
 */
export function* listings(catalog: Catalog, deployment: Deployment): Generator<Listing> {
  const { api, settings } = catalog;
  for (const operation of api.lists) {
    const { name, filters } = operation;
    if (!deployment.operations.includes(name)) continue;
    const items = catalog.items.get(name) ?? noItems;
    const sizes = pageSizesOf(settings, name);
    const listingOf = (order: Order | undefined, filtered: readonly Chosen[], view: ItemView): Listing => {
      const sorted = (value: string) => [{ param: sortParam, value }, ...filtered];
      const chosen = order === undefined ? filtered : sorted(order.name);
      const cursors = cursorListing(operation, order, filtered);
      const listing = {
        operation,
        order,
        chosen,
        name: listingName(name, order === undefined ? filtered : sorted(orderInListing(order))),
        stem: listingStem(api.base, name, chosen),
        items: view,
        cursorAfter: (orderKey: string) => cursorAfter(cursors, orderKey),
      };
      const cuts = operation.paged ? cutsOf(listing, pagingOf(settings, name), sizes) : undefined;
      return { ...listing, cuts };
    };
    const accepted = new Map(filters.map((filter) => [filter, filterValues(catalog, operation, filter)]));
    for (const order of [undefined, ...operation.orders]) {
      const ordered = order && items.orders.get(order.name);
      yield listingOf(order, [], ordered === undefined ? allOf(items) : inOrder(items, ordered, ordered.indices));
      for (const combined of combinationsOf(operation)) {
        const groups = groupBy(items, combined, ordered);
        for (const values of everyChoice(combined.map((filter) => accepted.get(filter) ?? []))) {
          const chosen = combined.map(({ param }, index) => ({ param, value: values[index] ?? "" }));
          yield listingOf(order, chosen, groups.get(JSON.stringify(values)) ?? allOf(noItems));
        }
      }
    }
  }
}

/** A listing as it would be with other page sizes. */
export const withSizes = (listing: Listing, sizes: PageSizes): Listing =>
  listing.cuts === undefined ? listing : { ...listing, cuts: cutsOf(listing, listing.cuts.kind, sizes) };

function cutsOf({ name, items }: Pick<Listing, "name" | "items">, paging: PagingKind, sizes: PageSizes): Cuts {
  const hash = listingHash(name);
  return cutPages(paging, { count: items.count, rankAt: (index) => rankOf(items.hash(hash, index)) }, sizes);
}

/** The items with each combination of the filters' values, by the JSON of the values. */
function groupBy(items: Items, filters: readonly Filter[], order?: ItemOrder): ReadonlyMap<string, ItemView> {
  const choices = filters.flatMap(({ param }) => {
    const values = items.filters.get(param);
    return values === undefined ? [] : [choicesIn(values)];
  });
  if (choices.length === 0) return new Map();
  const groups = indicesByValues(items.count, choices, order?.indices);
  const viewOf = (members: readonly number[]): ItemView =>
    order === undefined ? someOf(items, members) : inOrder(items, order, Uint32Array.from(members));
  return new Map([...groups].map(([values, members]) => [values, viewOf(members)]));
}

export const choicesIn = (values: Values): Choices => ({
  idAt(index) {
    const start = values.starts[index] ?? 0;
    const end = values.starts[index + 1] ?? 0;
    return end - start === 1 ? (values.numbers[start] ?? 0) : values.numbers.subarray(start, end).join();
  },
  valuesAt: (index) => valuesAt(values, index),
});

/** The values of a filter in each item: several, one or none. */
interface Choices {
  readonly valuesAt: (index: number) => readonly string[];
  /** Items with the same id have the same values. */
  readonly idAt: (index: number) => string | number;
}

/**
 * The indices of the items with each combination of values, by the JSON of the values: ascending, or in the order of
 * `ordered`, which has all indices.
 */
export function indicesByValues(
  count: number,
  choices: readonly Choices[],
  ordered?: Uint32Array,
): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  const groupOf = (values: readonly string[]): number[] => {
    const name = JSON.stringify(values);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    return group;
  };
  // Items with the same ids share their groups.
  const groupsOf = new Map<string | number, readonly number[][]>();
  const [first, ...others] = choices;
  for (let place = 0; place < count; place++) {
    const index = ordered?.[place] ?? place;
    const id =
      first !== undefined && others.length === 0
        ? first.idAt(index)
        : choices.map(({ idAt }) => idAt(index)).join("\n");
    let groupsOfItem = groupsOf.get(id);
    if (groupsOfItem === undefined) {
      groupsOfItem = everyChoice(choices.map(({ valuesAt }) => valuesAt(index))).map(groupOf);
      groupsOf.set(id, groupsOfItem);
    }
    for (const group of groupsOfItem) group.push(index);
  }
  return groups;
}

/** Every choice of one value from each list. */
export const everyChoice = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (chosen, values) => chosen.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
