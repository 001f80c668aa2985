// Items on their way into the catalog, as rows: the JSON of each is somewhere in a buffer, and what is needed of its
// values is beside those of the others. A million rows are a few large arrays; a million objects would be slow.
import type { ListOperation } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import { encode } from "../file.ts";
import type { Items } from "./catalog.ts";
import { collectKeys, sortKeys } from "./sort-keys.ts";

export interface Rows {
  readonly count: () => number;
  /** The rows that are added next are in this buffer. */
  open(bytes: Uint8Array): void;
  /** `values` holds an item's values where `layout` says. */
  add(start: number, end: number, values: readonly string[], layout: Layout): void;
  addItem(item: Item): void;
  /** Whether two rows have the same key, case ignored: certainly not, or perhaps. */
  mayRepeat(): boolean;
  /** The values of a field that refers to other items. */
  referred(field: string): ReadonlySet<string>;
  /** In the operation's order. */
  sorted(): Items;
}

/** Where in a list of values are the key, the values of the order, and those of the fields that refer to other items. */
export interface Layout {
  readonly key: number;
  readonly order: readonly number[];
  readonly references: readonly number[];
}

export function layoutOf({ resource, order }: ListOperation, indexOf: (field: string) => number): Layout {
  const references = resource.references.map(({ field }) => indexOf(field));
  return { key: indexOf(resource.key), order: order.map(indexOf), references };
}

export function rowsOf(operation: ListOperation): Rows {
  const fields = [...new Set([operation.resource.key, ...operation.order, ...referringFields(operation)])];
  const ownLayout = layoutOf(operation, (field) => fields.indexOf(field));
  const sources: Uint8Array[] = [];
  let count = 0;
  let sourceOf = new Uint32Array(16);
  let starts = new Uint32Array(16);
  let ends = new Uint32Array(16);
  let hashes = new Float64Array(16);
  const keys = collectKeys();
  const columns = referringFields(operation).map(numberedColumn);
  return { count: () => count, open, add, addItem, mayRepeat, referred, sorted };

  function open(bytes: Uint8Array): void {
    sources.push(bytes);
  }

  function add(start: number, end: number, values: readonly string[], layout: Layout): void {
    if (count === starts.length) grow();
    sourceOf[count] = sources.length - 1;
    starts[count] = start;
    ends[count] = end;
    hashes[count] = caselessHash(values[layout.key] ?? "");
    count++;
    keys.add(values, layout.order);
    for (let index = 0; index < columns.length; index++) {
      columns[index]?.add(values[layout.references[index] ?? 0] ?? "");
    }
  }

  function grow(): void {
    const length = count * 2;
    sourceOf = enlarged(sourceOf, new Uint32Array(length));
    starts = enlarged(starts, new Uint32Array(length));
    ends = enlarged(ends, new Uint32Array(length));
    hashes = enlarged(hashes, new Float64Array(length));
  }

  function addItem(item: Item): void {
    const bytes = encode(JSON.stringify(item));
    const values = fields.map((field) => String(item[field]));
    open(bytes);
    add(0, bytes.length, values, ownLayout);
  }

  /** A set of numbers in one array takes a third of the time of sorting them, and a tenth of that of a Set. */
  function mayRepeat(): boolean {
    const slots = new Float64Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
    for (let row = 0; row < count; row++) {
      // 0 is for a free slot.
      const value = (hashes[row] ?? 0) + 1;
      let slot = value & (slots.length - 1);
      for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) if (slots[slot] === value) return true;
      slots[slot] = value;
    }
    return false;
  }

  function referred(field: string): ReadonlySet<string> {
    return new Set(columns.find((column) => column.field === field)?.values());
  }

  function sorted(): Items {
    const order = sortKeys(keys.done());
    const offsets = new Uint32Array(order.length + 1);
    for (let index = 0; index < order.length; index++) {
      const row = order[index] ?? 0;
      offsets[index + 1] = (offsets[index] ?? 0) + (ends[row] ?? 0) - (starts[row] ?? 0) + 1;
    }
    // Shared, so that a second thread can write pages out of it.
    const bytes = new Uint8Array(new SharedArrayBuffer(offsets[order.length] ?? 0));
    for (let index = 0; index < order.length; index++) {
      const row = order[index] ?? 0;
      copy(sources[sourceOf[row] ?? 0], starts[row] ?? 0, ends[row] ?? 0, bytes, offsets[index] ?? 0);
    }
    const inOrder = columns.map((column) => [column.field, column.inOrder(order)] as const);
    return { count, bytes, offsets, references: new Map(inOrder) };
  }
}

const referringFields = ({ resource }: ListOperation): readonly string[] =>
  resource.references.map(({ field }) => field);

function enlarged<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

const comma = 0x2c;

/** An item and a comma. */
function copy(from: Uint8Array | undefined, start: number, end: number, to: Uint8Array, offset: number): void {
  if (from === undefined) return;
  to.set(from.subarray(start, end), offset);
  to[offset + end - start] = comma;
}

/** The values of a field, of which there are few, as numbers. */
function numberedColumn(field: string) {
  const numbers = new Map<string, number>();
  let rows = new Uint32Array(16);
  let count = 0;
  return {
    field,
    values: () => numbers.keys(),
    add(value: string): void {
      if (count === rows.length) rows = enlarged(rows, new Uint32Array(count * 2));
      let number = numbers.get(value);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(value, number);
      }
      rows[count++] = number;
    },
    inOrder: (order: Uint32Array) => ({ numbers, rows: order.map((row) => rows[row] ?? 0) }),
  };
}

/** 53 bits; equal for keys that only differ in the case of ASCII letters, and for few others. */
function caselessHash(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index) | 0x20;
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (low >>> 0) + (high & 0x1fffff) * 2 ** 32;
}
