// The items of a collection in the order in which they are read: their JSON in one buffer, and beside it their order keys,
// values of filters, keys and places. An item is identified by its index.

import { aliasesOf } from "../../../src/model/aliases.ts";
import { ownField } from "../../../src/model/fields.ts";
import { type Filter, isOpenFilter, valuesOf } from "../../../src/model/filter.ts";
import { type Item, isFolderName, keyOf } from "../../../src/model/key.ts";
import type { DerivedValues, ListOperation } from "../../../src/model/operation.ts";
import { type Order, orderKey } from "../../../src/model/order.ts";
import { indexAfter } from "../../../src/model/paging.ts";
import type { Path } from "../../messages.ts";
import { At, type ContentSource } from "../formats/value.ts";
import { jsonBuffer, keyBuffer, numberList, valueList } from "./buffers.ts";
import { type ItemOrder, type Items, type ItemsJson, jsonAt } from "./items.ts";
import { sortedOrder } from "./sort.ts";

/** The options of a table, besides its operation. */
export interface TableOptions {
  /** Whether others refer to the items. */
  readonly isReferredTo: boolean;
  /** An estimate of the bytes of JSON. */
  readonly room: number;
}

/** Where an item comes from. */
interface Origin {
  /** The source, or the table of the item from which it is made. Items that no report is about need none. */
  readonly source?: ContentSource | ItemTable;
  /** The index or the path of the item in its source, if it has one, or the index of the item that it is made from. */
  readonly place?: number | Path | undefined;
  /** The JSON of the item, if it is known. */
  readonly json?: string | undefined;
}

/** A further order, and the order keys of all items in it. */
interface OrderedKeys {
  readonly order: Order;
  readonly keys: ReturnType<typeof keyBuffer>;
}

/** The values of a filter in all items. */
interface FilterValues {
  readonly filter: Filter;
  readonly list: ReturnType<typeof valueList>;
}

export class ItemTable {
  readonly #operation: ListOperation;
  readonly #whole: ReturnType<typeof jsonBuffer>;
  readonly #listed: ReturnType<typeof jsonBuffer> | undefined;
  readonly #orderKeys = keyBuffer();
  readonly #orders: readonly OrderedKeys[];
  /** The keys of the items, if they are asked for often; empty for an item without a key. */
  readonly #keys: string[] | undefined;
  readonly #values: readonly FilterValues[];
  readonly #aliases: ReturnType<typeof valueList> | undefined;
  /** The index of an item in its source plus 1, or 0 if it is all of it; or the index of the item that it is made from. */
  readonly #places = numberList();
  /** The paths of items without an index in their source, such as members of an object. */
  readonly #paths: Path[] = [];
  /** The sources of items that follow each other, and the first item of each. */
  readonly #sources: (ContentSource | ItemTable | undefined)[] = [];
  readonly #firsts = numberList();
  /** In the order of the operation. */
  #items: Items | undefined;

  constructor(operation: ListOperation, { isReferredTo, room }: TableOptions) {
    const { brief, filters, orders, item: single } = operation;
    this.#operation = operation;
    this.#orders = orders.map((order) => ({ order, keys: keyBuffer() }));
    this.#whole = jsonBuffer(room);
    this.#listed = brief === undefined ? undefined : jsonBuffer(room);
    this.#keys = isReferredTo || single !== undefined ? [] : undefined;
    this.#values = filters.map((filter) => ({ filter, list: valueList() }));
    this.#aliases = single?.aliases === undefined ? undefined : valueList();
  }

  get count(): number {
    return this.#places.length;
  }

  /** Returns the index of the item. `derived`: the values of its filters by functions. */
  add(item: Item, key: string | undefined, derived: DerivedValues, { source, place, json }: Origin = {}): number {
    const { brief, item: single } = this.#operation;
    const index = this.#places.length;
    this.#whole.add(json ?? JSON.stringify(item));
    if (brief !== undefined) this.#listed?.add(JSON.stringify(withOnly(brief, item)));
    this.#orderKeys.add(orderKey(this.#operation.order, item));
    for (const { order, keys } of this.#orders) keys.add(orderKey(order.fields, item));
    this.#keys?.push(key ?? "");
    for (const { filter, list } of this.#values) {
      const values = filter.of === undefined ? valuesOf(filter, item) : (derived.get(filter.param) ?? []);
      // A reference that leads nowhere may be any text.
      list.add(isOpenFilter(filter) ? values.filter(isFolderName) : values);
    }
    if (single?.aliases !== undefined) this.#aliases?.add(aliasesOf(single.aliases, item));
    this.#startSource(source);
    if (typeof place === "object") this.#paths[index] = place;
    this.#places.push(typeof place === "number" ? place + 1 : 0);
    return index;
  }

  #startSource(source: ContentSource | ItemTable | undefined): void {
    if (this.#sources.at(-1) === source) return;
    this.#sources.push(source);
    this.#firsts.push(this.count);
  }

  /** The indices of the items in the order of the operation. */
  order(): Uint32Array {
    return sortedOrder(this.#orderKeys.done());
  }

  jsonOf(index: number): Uint8Array {
    return jsonAt(this.#whole.done(), index);
  }

  /** The key of an item; empty if it has none. */
  keyOf(index: number): string {
    return this.#keys === undefined
      ? (keyOf(this.#operation, itemIn(this.jsonOf(index))) ?? "")
      : (this.#keys[index] ?? "");
  }

  /** The place of an item. */
  atOf(index: number): At {
    const places = this.#places.done();
    const source = this.#sources[indexAfter(this.#firsts.done(), index) - 1];
    if (source instanceof ItemTable) return source.atOf((places[index] ?? 0) - 1).fromItem(source.#operation.key);
    if (source === undefined) throw new Error(`There is no item ${index}.`);
    const place = places[index] ?? 0;
    const names = source.dialect.items?.names ?? [];
    return new At(source, this.#paths[index] ?? (place === 0 ? names : [...names, place - 1]));
  }

  /** The items in the order of the operation. Called at the end. `isAlias`: whether an item has a value as its alias. */
  items(isAlias: (value: string) => boolean = () => true): Items {
    this.#items ??= this.#inOrder(isAlias);
    return this.#items;
  }

  #inOrder(isAlias: (value: string) => boolean): Items {
    const unsorted = this.#orderKeys.done();
    const order = sortedOrder(unsorted);
    const all = inOrder(this.#whole.done(), order);
    // Before the next copy is made.
    this.#whole.release();
    const listed = this.#listed === undefined ? all : { ...inOrder(this.#listed.done(), order), whole: all };
    this.#listed?.release();
    const keys = this.#keys;
    return {
      count: order.length,
      ...listed,
      orderKeys: { ...unsorted, starts: picked(unsorted.starts, order), ends: picked(unsorted.ends, order) },
      keys: keys === undefined ? [] : Array.from(order, (index) => keys[index] ?? ""),
      filters: new Map(this.#values.map(({ filter, list }) => [filter.param, list.done(order)])),
      orders: ordersIn(this.#orders, order),
      aliases: this.#aliases?.done(order, isAlias),
    };
  }
}

/** The further orders, of items whose indices in the table are in this order. */
function ordersIn(orders: readonly OrderedKeys[], sorted: Uint32Array): ReadonlyMap<string, ItemOrder> {
  if (orders.length === 0) return new Map();
  const positionOf = new Uint32Array(sorted.length);
  for (const [position, index] of sorted.entries()) positionOf[index] = position;
  return new Map(
    orders.map(({ order, keys }) => {
      const unsorted = keys.done();
      const indices = picked(positionOf, sortedOrder(unsorted));
      const byPosition = { ...unsorted, starts: picked(unsorted.starts, sorted), ends: picked(unsorted.ends, sorted) };
      return [order.name, { indices, orderKeys: byPosition }];
    }),
  );
}

const decoder = new TextDecoder();

export const itemIn = (json: Uint8Array): Item => JSON.parse(decoder.decode(json));

const withOnly = (fields: readonly string[], item: Item): Item =>
  Object.fromEntries(
    fields.map((field) => [field, ownField(item, field)] as const).filter(([, value]) => value !== undefined),
  );

const picked = (numbers: Uint32Array, order: Uint32Array): Uint32Array => order.map((index) => numbers[index] ?? 0);

function inOrder({ bytes, offsets }: ItemsJson, order: Uint32Array): ItemsJson {
  if (order.every((index, position) => index === position)) return { bytes: Uint8Array.from(bytes), offsets };
  const sorted = { bytes: new Uint8Array(bytes.length), offsets: new Uint32Array(offsets.length) };
  for (let position = 0, end = 0; position < order.length; position++) {
    const index = order[position] ?? 0;
    const item = bytes.subarray(offsets[index], offsets[index + 1]);
    sorted.bytes.set(item, end);
    end += item.length;
    sorted.offsets[position + 1] = end;
  }
  return sorted;
}
