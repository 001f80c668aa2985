// Items on their way into the catalog, as rows: the JSON of each is somewhere in a buffer, and what is needed of its
// values is beside those of the others. A million rows are a few large arrays; a million objects would be slow.
import { type ListOperation, orderKey } from "../../src/operations.ts";
import type { Item } from "../../src/resource.ts";
import { encode } from "../file.ts";
import type { Items } from "./catalog.ts";
import { collectKeys, sortKeys } from "./sort-keys.ts";

export interface Rows {
  readonly count: () => number;
  /** The rows that are added next are in this buffer. */
  open(bytes: Uint8Array): void;
  add(start: number, end: number, values: RowValues): void;
  addItem(item: Item): void;
  /** Whether two rows have the same key, case ignored: certainly not, or perhaps. */
  mayRepeat(): boolean;
  /** The values of a field that refers to other items. */
  referred(field: string): ReadonlySet<string>;
  /** In the operation's order. */
  sorted(): Items;
}

export interface RowValues {
  readonly key: string;
  /** The values of the order's fields, or all of them joined by blanks. */
  readonly order: readonly string[];
  /** The values of the fields that refer to other items, in the order of the resource's list. */
  readonly references: readonly string[];
}

export function rowsOf(operation: ListOperation): Rows {
  const { key, references } = operation.resource;
  const sources: Uint8Array[] = [];
  const sourceOf: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const hashes: number[] = [];
  const keys = collectKeys();
  const columns = references.map(({ field }) => numberedColumn(field));
  return { count: () => starts.length, open, add, addItem, mayRepeat, referred, sorted };

  function open(bytes: Uint8Array): void {
    sources.push(bytes);
  }

  function add(start: number, end: number, values: RowValues): void {
    sourceOf.push(sources.length - 1);
    starts.push(start);
    ends.push(end);
    hashes.push(caselessHash(values.key));
    keys.add(values.order);
    for (let index = 0; index < columns.length; index++) columns[index]?.add(values.references[index] ?? "");
  }

  function addItem(item: Item): void {
    const bytes = encode(JSON.stringify(item));
    const own = references.map(({ field }) => String(item[field]));
    open(bytes);
    add(0, bytes.length, {
      key: String(item[key]).toLowerCase(),
      order: [orderKey(operation, item)],
      references: own,
    });
  }

  function mayRepeat(): boolean {
    const sorted = Float64Array.from(hashes).sort();
    return sorted.some((hash, index) => hash === sorted[index - 1]);
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
      const item = sources[sourceOf[row] ?? 0]?.subarray(starts[row], ends[row]);
      if (item !== undefined) bytes.set(item, offsets[index]);
      bytes[(offsets[index + 1] ?? 0) - 1] = comma;
    }
    const inOrder = columns.map((column) => [column.field, column.inOrder(order)] as const);
    return { count: order.length, bytes, offsets, references: new Map(inOrder) };
  }
}

const comma = 0x2c;

/** The values of a field, of which there are few, as numbers. */
function numberedColumn(field: string) {
  const numbers = new Map<string, number>();
  const rows: number[] = [];
  return {
    field,
    values: () => numbers.keys(),
    add(value: string): void {
      const number = numbers.get(value) ?? numbers.size;
      if (number === numbers.size) numbers.set(value, number);
      rows.push(number);
    },
    inOrder: (order: Uint32Array) => ({ numbers, rows: order.map((row) => rows[row] ?? 0) }),
  };
}

/** 53 bits; equal for keys that only differ in the case of ASCII letters, and for few others. */
function caselessHash(key: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < key.length; index++) {
    const unit = key.charCodeAt(index) | 0x20;
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
  }
  return (low >>> 0) + (high & 0x1fffff) * 2 ** 32;
}
