// The items of a collection as they are read: their JSON in one buffer, and beside it what orders and chooses them. A
// million items are a few large arrays; a million objects would be slow.
import { aliasesIn, type Derived, valuesOf } from "../../src/model/filter.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { orderKey } from "../../src/model/order.ts";
import { MachineError } from "../machine-error.ts";
import type { Items, ItemsJson, OrderKeys, Values } from "./catalog.ts";
import { sortedOrder } from "./sort.ts";

export type ItemStore = ReturnType<typeof itemStore>;

/** `keepsNames`: whether others refer to the items. `room`: about how many bytes of JSON there will be. */
export function itemStore(operation: ListOperation, keepsNames: boolean, room: number) {
  const { brief, filters, item: single } = operation;
  const whole = jsonBuffer(room);
  const listed = brief && jsonBuffer(room);
  const keys = keyBuffer();
  const names: string[] = [];
  const values = filters.map((filter) => ({ filter, list: valueList() }));
  const aliases = single?.aliases === undefined ? undefined : { field: single.aliases, list: valueList() };
  const hasNames = keepsNames || single !== undefined;
  return {
    /** `derived`: the values of the filters that functions derive. */
    add(item: Item, derived: Derived): void {
      whole.add(JSON.stringify(item));
      if (brief !== undefined) listed?.add(JSON.stringify(withOnly(brief, item)));
      keys.add(orderKey(operation, item));
      if (hasNames) names.push(keyOf(operation, item) ?? "");
      for (const { filter, list } of values) {
        list.add(filter.of === undefined ? valuesOf(filter, item) : (derived.get(filter.param) ?? []));
      }
      aliases?.list.add(aliasesIn(item[aliases.field]));
    },
    /** The keys of the items as they were added, if others refer to them; empty for an item without a key. */
    names,
    /** An item by its index among those that were added. */
    at(index: number): Item {
      const { bytes, offsets } = whole.done();
      return JSON.parse(decoder.decode(bytes.subarray(offsets[index], (offsets[index + 1] ?? 0) - 1)));
    },
    /** The items in their order. Called once, at the end. */
    items(): Items {
      const unsorted = keys.done();
      const order = sortedOrder(unsorted);
      const all = inOrder(whole.done(), order);
      return {
        count: order.length,
        ...(listed === undefined ? all : { ...inOrder(listed.done(), order), whole: all }),
        keys: { ...unsorted, starts: picked(unsorted.starts, order), ends: picked(unsorted.ends, order) },
        names: hasNames ? Array.from(order, (index) => names[index] ?? "") : [],
        filters: new Map(values.map(({ filter, list }) => [filter.param, list.done(order)])),
        aliases: aliases?.list.done(order),
      };
    },
  };
}

/** The items of an operation in its order. */
export function itemsOf(operation: ListOperation, items: Iterable<Item>): Items {
  const store = itemStore(operation, true, 0);
  const functions = operation.filters.filter(({ of }) => of !== undefined);
  for (const item of items) {
    store.add(item, new Map(functions.map((filter) => [filter.param, valuesOf(filter, item)])));
  }
  return store.items();
}

const decoder = new TextDecoder();

const withOnly = (fields: readonly string[], item: Item): Item =>
  Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(item, field) ? [[field, item[field]]] : [])));

const picked = (numbers: Uint32Array, order: Uint32Array): Uint32Array => order.map((index) => numbers[index] ?? 0);

function inOrder({ bytes, offsets }: ItemsJson, order: Uint32Array): ItemsJson {
  if (order.every((index, place) => index === place)) return { bytes, offsets };
  const sorted = { bytes: new Uint8Array(bytes.length), offsets: new Uint32Array(offsets.length) };
  for (let place = 0, end = 0; place < order.length; place++) {
    const index = order[place] ?? 0;
    const item = bytes.subarray(offsets[index], offsets[index + 1]);
    sorted.bytes.set(item, end);
    end += item.length;
    sorted.offsets[place + 1] = end;
  }
  return sorted;
}

/** Numbers in an array that grows. */
export function numberList() {
  let numbers = new Uint32Array(1 << 10);
  const list = {
    length: 0,
    push(number: number): void {
      if (list.length === numbers.length) numbers = enlarged(numbers, new Uint32Array(2 * numbers.length));
      numbers[list.length++] = number;
    },
    done: () => numbers.subarray(0, list.length),
  };
  return list;
}

function enlarged<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Offsets have 32 bits. */
const mostBytes = 2 ** 32 - 1;

/** The length of the texts that are encoded together. */
const together = 1 << 16;

/** Texts of JSON as bytes, each followed by a comma. Throws MachineError if they are more than `most` bytes. */
export function jsonBuffer(room: number, most: number = mostBytes) {
  let bytes = Buffer.allocUnsafeSlow(Math.min(room + together, most));
  let end = 0;
  const offsets = numberList();
  offsets.push(0);
  let text = "";
  /** The ends of the texts in `text`, in UTF-16 code units. */
  let ends: number[] = [];
  return {
    add(json: string): void {
      text += `${json},`;
      ends.push(text.length);
      if (text.length > together) encode();
    },
    done(): ItemsJson {
      encode();
      // Views of a Uint8Array are made three times as quickly as those of a Buffer.
      return { bytes: new Uint8Array(bytes.buffer, 0, end), offsets: offsets.done() };
    },
  };

  function encode(): void {
    const all = text;
    const allEnds = ends;
    text = "";
    ends = [];
    const length = Buffer.byteLength(all);
    if (end + length > most) throw tooLarge(end + length);
    if (end + length > bytes.length)
      bytes = enlarged(bytes, Buffer.allocUnsafeSlow(Math.min(Math.max(2 * bytes.length, end + length), most)));
    bytes.write(all, end);
    const isAscii = length === all.length;
    let start = 0;
    for (const each of allEnds) {
      end += isAscii ? each - start : Buffer.byteLength(all.slice(start, each));
      offsets.push(end);
      start = each;
    }
  }
}

const tooLarge = (length: number): MachineError =>
  new MachineError(
    `The items of one operation are ${(length / 1e9).toFixed(1)} GB as JSON; at most ${(mostBytes / 1e9).toFixed(1)} GB can be built.`,
    "Divide them among several deployments.",
  );

/** Order keys as bytes that compare as the code units do (CESU-8). */
function keyBuffer() {
  let bytes = new Uint8Array(1 << 16);
  let end = 0;
  const ends = numberList();
  return {
    add(key: string): void {
      if (end + 3 * key.length > bytes.length) {
        bytes = enlarged(bytes, new Uint8Array(2 * bytes.length + 3 * key.length));
      }
      for (let index = 0; index < key.length; index++) {
        const unit = key.charCodeAt(index);
        if (unit < 0x80) {
          bytes[end++] = unit;
        } else {
          bytes[end++] = 0xe0 | (unit >> 12);
          bytes[end++] = 0x80 | ((unit >> 6) & 0x3f);
          bytes[end++] = 0x80 | (unit & 0x3f);
        }
      }
      ends.push(end);
    },
    done(): OrderKeys {
      const all = ends.done();
      const starts = new Uint32Array(all.length);
      starts.set(all.subarray(0, -1), Math.min(1, all.length));
      return { bytes, starts, ends: all };
    },
  };
}

/** The values of a filter in each item, as indices of the distinct ones. */
function valueList() {
  const known = new Map<string, number>();
  const numbers = numberList();
  const starts = numberList();
  starts.push(0);
  return {
    add(values: readonly string[]): void {
      for (const value of values) {
        const number = known.get(value) ?? known.size;
        if (number === known.size) known.set(value, number);
        numbers.push(number);
      }
      starts.push(numbers.length);
    },
    done(order: Uint32Array): Values {
      const all = numbers.done();
      const allStarts = starts.done();
      const sorted = { numbers: new Uint32Array(all.length), starts: new Uint32Array(order.length + 1) };
      for (let place = 0, end = 0; place < order.length; place++) {
        const index = order[place] ?? 0;
        for (let at = allStarts[index] ?? 0; at < (allStarts[index + 1] ?? 0); at++) {
          sorted.numbers[end++] = all[at] ?? 0;
        }
        sorted.starts[place + 1] = end;
      }
      return { known: [...known.keys()], ...sorted };
    },
  };
}
