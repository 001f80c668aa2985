// Valid items as rows: the JSON of each is in a buffer, and the values that order and link items are in columns. A
// million rows are a few large arrays; a million objects would be slow.

import { type ListOperation, textOf } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";
import { MachineError } from "../machine-error.ts";
import { type Column, eachItem, type Items, type ItemsJson } from "./catalog.ts";
import { caselessHash } from "./repeats.ts";
import { collectKeys, joinKeys, type KeyPart, type SortKeys, sortKeys, type Texts } from "./sort-keys.ts";

/** Items of one operation that share a buffer. */
export interface Rows {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly order: SortKeys;
  /** Hashes of the keys, ignoring case. */
  readonly hashes: Float64Array;
  /** The keys if they are kept; otherwise empty. */
  readonly keys: readonly string[];
  /** In the order of `columnsOf`. */
  readonly columns: readonly NamedColumn[];
}

export interface NamedColumn extends Column {
  readonly field: string;
}

/** The fields that refer to other items, those by which filters choose, and the other names of items. */
const columnsOf = ({ resource, filters, item }: ListOperation): readonly string[] => [
  ...new Set([
    ...[...resource.references, ...filters].map(({ field }) => field),
    ...(item?.aliases === undefined ? [] : [item.aliases]),
  ]),
];

/** The indices of the key's parts, of the order's values and of the columns in a list of values. */
export interface Layout {
  readonly key: readonly number[];
  readonly order: readonly KeyPart[];
  readonly columns: readonly number[];
}

export const layoutOf = (operation: ListOperation, indexOf: (field: string) => number): Layout => ({
  key: keyFields(operation.resource).map(indexOf),
  order: operation.order.map(({ field, ...about }) => ({ ...about, index: indexOf(field) })),
  columns: columnsOf(operation).map(indexOf),
});

/** The key of an item from the texts of its values. */
export function keyFrom(values: Texts, [first = 0, ...others]: readonly number[]): string {
  const key = values[first] ?? "";
  return others.length === 0 ? key : [key, ...others.map((index) => values[index] ?? "")].join("/");
}

export interface RowCollector {
  /** The layout gives the indices of the item's `values`. */
  add(start: number, end: number, values: Texts): void;
  done(): Rows;
}

/** `keepsKeys` as in `Lane`. */
export function collectRows(
  operation: ListOperation,
  keepsKeys: boolean,
  bytes: Uint8Array,
  layout: Layout,
): RowCollector {
  let count = 0;
  let starts = new Uint32Array(16);
  let ends = new Uint32Array(16);
  let hashes = new Float64Array(16);
  const order = collectKeys();
  const keys: string[] = [];
  const columns = columnsOf(operation).map(collectColumn);
  return {
    add(start, end, values) {
      if (count === starts.length) {
        starts = enlarged(starts, new Uint32Array(count * 2));
        ends = enlarged(ends, new Uint32Array(count * 2));
        hashes = enlarged(hashes, new Float64Array(count * 2));
      }
      const key = keyFrom(values, layout.key);
      starts[count] = start;
      ends[count] = end;
      hashes[count] = caselessHash(key);
      count++;
      if (keepsKeys) keys.push(key);
      order.add(values, layout.order);
      for (let index = 0; index < columns.length; index++) {
        columns[index]?.add(values[layout.columns[index] ?? 0] ?? "");
      }
    },
    done: () => ({
      bytes,
      starts: starts.subarray(0, count),
      ends: ends.subarray(0, count),
      order: order.done(),
      hashes: hashes.subarray(0, count),
      keys,
      columns: columns.map((column) => column.done()),
    }),
  };
}

/** `keepsKeys` as in `Lane`. */
export function rowsOf(operation: ListOperation, keepsKeys: boolean, items: readonly Item[]): Rows {
  const ordered = operation.order.map(({ field }) => field);
  const fields = [...new Set([...keyFields(operation.resource), ...ordered, ...columnsOf(operation)])];
  const texts = items.map((item) => JSON.stringify(item));
  const bytes = Buffer.alloc(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  const rows = collectRows(
    operation,
    keepsKeys,
    bytes,
    layoutOf(operation, (field) => fields.indexOf(field)),
  );
  let end = 0;
  for (const [index, item] of items.entries()) {
    const start = end;
    end += bytes.write(texts[index] ?? "", start);
    rows.add(
      start,
      end,
      fields.map((field) => textOf(item[field])),
    );
  }
  return rows.done();
}

/** All rows of an operation, in its order. */
export function itemsOf(all: readonly Rows[], brief?: readonly string[]): Items {
  const items = sortedRows(all);
  return brief === undefined ? items : { ...items, ...inBrief(items, brief), whole: items };
}

/** The JSON of the items with some of their fields, in the given order. */
function inBrief(items: Items, fields: readonly string[]): ItemsJson {
  const offsets = new Uint32Array(items.count + 1);
  const parts: Uint8Array[] = [];
  let text = "";
  let [index, length] = [0, 0];
  for (const item of eachItem(items)) {
    const own = fields.flatMap((field) => (Object.hasOwn(item, field) ? [[field, item[field]] as const] : []));
    const json = `${JSON.stringify(Object.fromEntries(own))},`;
    text += json;
    length += Buffer.byteLength(json);
    offsets[++index] = length;
    if (text.length > partLength || index === items.count) {
      parts.push(Buffer.from(text));
      text = "";
    }
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return { bytes, offsets };
}

/** So many characters become bytes at a time: fewer are slower, more need memory. */
const partLength = 1 << 20;

function sortedRows(all: readonly Rows[]): Items {
  const filled = all.filter(({ starts }) => starts.length > 0);
  const unsorted = joinKeys(filled.map((rows) => rows.order));
  const order = sortKeys(unsorted);
  const count = order.length;
  const starts = joined(filled.map((rows) => rows.starts));
  const ends = joined(filled.map((rows) => rows.ends));
  const sources = sourcesOf(filled);
  // In order, because random access to rows waits for memory.
  const from = new Uint32Array(count);
  const keyFrom = new Uint32Array(count);
  const offsets = new Uint32Array(count + 1);
  const keyStarts = new Uint32Array(count + 1);
  let [length, keyLength] = [0, 0];
  for (let index = 0; index < count; index++) {
    const row = order[index] ?? 0;
    const start = starts[row] ?? 0;
    const keyStart = unsorted.starts[row] ?? 0;
    from[index] = start;
    keyFrom[index] = keyStart;
    length += (ends[row] ?? 0) - start + 1;
    keyLength += (unsorted.starts[row + 1] ?? 0) - keyStart;
    offsets[index + 1] = length;
    keyStarts[index + 1] = keyLength;
  }
  if (length > mostBytes) throw tooLarge(length);
  // Shared, so that a second thread can write pages from it.
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  const keys = new Uint8Array(keyLength);
  const sourceOf = (index: number) => filled[sources === undefined ? 0 : (sources[order[index] ?? 0] ?? 0)]?.bytes;
  const touched = new Uint8Array(1);
  for (let first = 0; first < count; first += touchedAtOnce) {
    const end = Math.min(first + touchedAtOnce, count);
    for (let index = first; index < end; index++) {
      touched[0] = touch(sourceOf(index), from[index] ?? 0, (offsets[index + 1] ?? 0) - (offsets[index] ?? 0) - 1);
      touched[0] = touch(unsorted.bytes, keyFrom[index] ?? 0, (keyStarts[index + 1] ?? 0) - (keyStarts[index] ?? 0));
    }
    for (let index = first; index < end; index++) {
      const [start = 0, stop = 0] = [offsets[index], offsets[index + 1]];
      copy(sourceOf(index), from[index] ?? 0, bytes, start, stop - 1);
      bytes[stop - 1] = comma;
      copy(unsorted.bytes, keyFrom[index] ?? 0, keys, keyStarts[index] ?? 0, keyStarts[index + 1] ?? 0);
    }
  }
  const columns = (all[0]?.columns ?? []).map(({ field }, index) => {
    const { numbers, rows } = joinColumns(all.flatMap((each) => each.columns[index] ?? []));
    return [field, { numbers, rows: order.map((row) => rows[row] ?? 0) }] as const;
  });
  const names = filled.flatMap((rows) => rows.keys);
  return {
    count,
    bytes,
    offsets,
    keys: { bytes: keys, starts: keyStarts },
    names: names.length === 0 ? [] : Array.from(order, (row) => names[row] ?? ""),
    columns: new Map(columns),
  };
}

/** Offsets have 32 bits. */
const mostBytes = 2 ** 32 - 1;

const tooLarge = (length: number): MachineError =>
  new MachineError(
    `The items of one operation are ${(length / 1e9).toFixed(1)} GB as JSON; at most ${(mostBytes / 1e9).toFixed(1)} GB can be built.`,
    "Divide them among several deployments.",
  );

/** The rows of so many items fit into the processor's first-level cache. */
const touchedAtOnce = 64;

/** The number of bytes that memory delivers at once. */
const cacheLine = 64;

/**
 * Prefetches a row that is copied soon by reading a byte of each cache line. Rows in another order are far apart in
 * memory, and copying takes less than half the time if the waits for them overlap.
 */
function touch(bytes: Uint8Array | undefined, start: number, length: number): number {
  let sum = 0;
  if (bytes !== undefined) for (let at = start; at < start + length; at += cacheLine) sum += bytes[at] ?? 0;
  return sum;
}

const comma = 0x2c;

/** Copies to the bytes from `start` to `end`, excluding `end`. */
function copy(source: Uint8Array | undefined, from: number, to: Uint8Array, start: number, end: number): void {
  if (source === undefined) return;
  to.set(source.subarray(from, from + end - start), start);
}

/** The index of the source of each row; undefined if there is only one source. */
const sourcesOf = (all: readonly Rows[]): Uint32Array | undefined =>
  all.length < 2 ? undefined : joined(all.map(({ starts }, index) => new Uint32Array(starts.length).fill(index)));

function joined(columns: readonly Uint32Array[]): Uint32Array {
  const [only] = columns;
  if (only !== undefined && columns.length === 1) return only;
  const whole = new Uint32Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    whole.set(column, at);
    at += column.length;
  }
  return whole;
}

function collectColumn(field: string) {
  const numbers = new Map<string, number>();
  let rows = new Uint32Array(16);
  let count = 0;
  return {
    add(value: string): void {
      if (count === rows.length) rows = enlarged(rows, new Uint32Array(count * 2));
      rows[count++] = numberOf(value, numbers);
    },
    done: (): NamedColumn => ({ field, numbers, rows: rows.subarray(0, count) }),
  };
}

function joinColumns(columns: readonly Column[]): Column {
  const numbers = new Map<string, number>();
  const rows = new Uint32Array(columns.reduce((sum, column) => sum + column.rows.length, 0));
  let at = 0;
  for (const column of columns) {
    const renumbered = [...column.numbers.keys()].map((value) => numberOf(value, numbers));
    for (const row of column.rows) rows[at++] = renumbered[row] ?? 0;
  }
  return { numbers, rows };
}

function numberOf(value: string, numbers: Map<string, number>): number {
  let number = numbers.get(value);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(value, number);
  }
  return number;
}

function enlarged<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
