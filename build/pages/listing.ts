// A listing is an operation's items in order, all of them or those with chosen values of filters. Their bytes are
// consecutive, so that every page is a slice.
import { combinationsOf, type Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import type { Fnv } from "../../src/paging.ts";
import {
  type Chosen,
  type Cuts,
  cutPages,
  listingHash,
  listingName,
  type PageSizes,
  type PagingKind,
  rankOf,
} from "../../src/paging.ts";
import {
  type Catalog,
  type Deployment,
  filterValues,
  type Items,
  keyAt,
  pagingOf,
  type Values,
  valuesAt,
  wholeOf,
  withKey,
} from "../content/catalog.ts";

export interface Listing {
  /** The prefix of the API's paths. */
  readonly base: string;
  readonly operation: ListOperation;
  /** The values of filters that all items have, in the order of the filters; empty for all items. */
  readonly chosen: readonly Chosen[];
  readonly paging: PagingKind;
  readonly items: SerializedItems;
}

/** The pages of a listing with some page sizes, if it is paged. */
export function cutListing({ operation, chosen, paging, items }: Listing, sizes: PageSizes): Cuts | undefined {
  if (!operation.paged) return undefined;
  const name = listingHash(listingName(operation.name, chosen));
  return cutPages(paging, { count: items.count, rankAt: (index) => rankOf(items.hash(name, index)) }, sizes);
}

export interface SerializedItems {
  readonly count: number;
  orderKey(index: number): string;
  /** The hash of the listing with the order key added. */
  hash(listing: Fnv, index: number): Fnv;
  /** The JSON of the items from `start` up to but without `end`, separated by commas. */
  slice(start: number, end: number): Uint8Array;
  /** The JSON of all items, one item a line. */
  lines(): Uint8Array;
  /** The length of the slice of these items. */
  length(start: number, end: number): number;
}

/** The listings of a deployment: for each operation the whole one, then one for each choice of known values. */
export function* listings(catalog: Catalog, deployment: Deployment): Generator<Listing> {
  const { base, lists } = catalog.api;
  for (const operation of lists) {
    if (!deployment.operations.includes(operation.name)) continue;
    const items = catalog.items.get(operation.name) ?? none;
    const paging = pagingOf(catalog.settings, operation.name);
    yield { base, operation, chosen: [], paging, items: rangeOf(items, 0, items.count) };
    const known = new Map(operation.filters.map((filter) => [filter, filterValues(catalog, operation, filter)]));
    for (const filters of combinationsOf(operation)) {
      const groups = groupBy(items, filters);
      for (const values of everyChoice(filters.map((filter) => known.get(filter) ?? []))) {
        const chosen = filters.map(({ param }, index) => ({ param, value: values[index] ?? "" }));
        const group = groups.get(JSON.stringify(values));
        yield { base, operation, chosen, paging, items: group ?? rangeOf(none, 0, 0) };
      }
    }
  }
}

/** The items of a whole listing with all fields. */
export function wholeItems(
  { items }: Pick<Catalog, "items">,
  { operation: { name }, items: listed }: Listing,
): SerializedItems {
  const own = items.get(name);
  return own?.whole === undefined ? listed : rangeOf(wholeOf(own), 0, own.count);
}

const none: Items = {
  count: 0,
  bytes: new Uint8Array(0),
  offsets: new Uint32Array(1),
  keys: { bytes: new Uint8Array(0), starts: new Uint32Array(0), ends: new Uint32Array(0) },
  names: [],
  filters: new Map(),
};

/** The items from one index up to another. */
function rangeOf({ bytes, offsets, keys }: Items, from: number, to: number): SerializedItems {
  const offsetOf = (index: number): number => offsets[from + index] ?? 0;
  const endOf = (start: number, end: number): number => (start === end ? offsetOf(end) : offsetOf(end) - 1);
  return {
    count: to - from,
    orderKey: (index) => keyAt(keys, from + index),
    hash: (listing, index) => withKey(listing, keys, from + index),
    slice: (start, end) => bytes.subarray(offsetOf(start), endOf(start, end)),
    lines: () => linesOf(bytes, offsets.subarray(from, to + 1)),
    length: (start, end) => endOf(start, end) - offsetOf(start),
  };
}

const newline = 0x0a;

/** Replaces the comma after each item with a newline. */
function linesOf(bytes: Uint8Array, offsets: Uint32Array): Uint8Array {
  const [first = 0, last = 0] = [offsets[0], offsets.at(-1)];
  // Not slice: of a Buffer, it is no copy.
  const lines = new Uint8Array(bytes.subarray(first, last));
  for (let index = 1; index < offsets.length; index++) lines[(offsets[index] ?? 0) - first - 1] = newline;
  return lines;
}

/** The items with each combination of the filters' values, by the JSON of the values. Adjacent items are not copied. */
function groupBy(source: Items, filters: readonly Filter[]): ReadonlyMap<string, SerializedItems> {
  const { filters: known, count } = source;
  const choices = filters.flatMap(({ param }) => {
    const values = known.get(param);
    return values === undefined ? [] : [choicesIn(values)];
  });
  if (choices.length === 0) return new Map();
  return new Map([...indicesByValues(count, choices)].map(([values, members]) => [values, membersOf(source, members)]));
}

const choicesIn = (values: Values): Choices => ({
  idAt(index) {
    const [start = 0, end = 0] = [values.starts[index], values.starts[index + 1]];
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

/** The ascending indices of the items with each combination of values, by the JSON of the values. */
export function indicesByValues(count: number, choices: readonly Choices[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>();
  const groupOf = (values: readonly string[]): number[] => {
    const name = JSON.stringify(values);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    return group;
  };
  // Few combinations occur.
  const groupsOf = new Map<string | number, readonly number[][]>();
  const [first, ...others] = choices;
  for (let index = 0; index < count; index++) {
    const id =
      first !== undefined && others.length === 0
        ? first.idAt(index)
        : choices.map(({ idAt }) => idAt(index)).join("\n");
    let own = groupsOf.get(id);
    if (own === undefined) {
      own = everyChoice(choices.map(({ valuesAt }) => valuesAt(index))).map(groupOf);
      groupsOf.set(id, own);
    }
    for (const group of own) group.push(index);
  }
  return groups;
}

function membersOf(source: Items, members: readonly number[]): SerializedItems {
  const [start = 0, last = 0] = [members[0], members.at(-1)];
  if (last - start === members.length - 1) return rangeOf(source, start, last + 1);
  return rangeOf(gather(source, Uint32Array.from(members)), 0, members.length);
}

function gather({ bytes, offsets, keys }: Items, members: Uint32Array): Items {
  const own = new Uint32Array(members.length + 1);
  for (const [at, index] of members.entries()) {
    own[at + 1] = (own[at] ?? 0) + (offsets[index + 1] ?? 0) - (offsets[index] ?? 0);
  }
  const gathered = new Uint8Array(own[members.length] ?? 0);
  for (const [at, index] of members.entries()) {
    gathered.set(bytes.subarray(offsets[index], offsets[index + 1]), own[at]);
  }
  const ofMembers = (all: Uint32Array): Uint32Array => members.map((index) => all[index] ?? 0);
  const ownKeys = { bytes: keys.bytes, starts: ofMembers(keys.starts), ends: ofMembers(keys.ends) };
  return { count: members.length, bytes: gathered, offsets: own, keys: ownKeys, names: [], filters: new Map() };
}

/** Every choice of one value from each list. */
export const everyChoice = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (chosen, values) => chosen.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
