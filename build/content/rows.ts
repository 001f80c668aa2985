// Valid items as rows: their JSON is in one buffer, in order, and the values that order and link items are in columns. A
// million rows are a few large arrays; a million objects would be slow.

import { aliasesIn, textOf, valuesIn } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { type Item, keyFields } from "../../src/resource.ts";
import { MachineError } from "../machine-error.ts";
import { eachItem, type Items, type ItemsJson, type Values } from "./catalog.ts";
import { caselessHash } from "./repeats.ts";
import { collectKeys, joinKeys, type KeyPart, mergedOrder, type SortKeys, sortKeys, type Texts } from "./sort-keys.ts";

/** Items of one operation, in its order. */
export interface Rows {
  /** The JSON of the items, in any order and with other text between them. */
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly keys: SortKeys;
  /** Hashes of the keys, ignoring case, in any order. */
  readonly hashes: Float64Array;
  /** The keys if they are kept; otherwise empty. */
  readonly names: readonly string[];
  /** In the order of `columnsOf`. */
  readonly columns: readonly NamedColumn[];
}

/** A field with few distinct values: a number for the text of each, and each item's number. Null is the empty text. */
interface Column {
  readonly numbers: ReadonlyMap<string, number>;
  readonly rows: Uint32Array;
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

/** `keepsKeys` as in `Lane`. Rows are added in any order. */
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
  const keys = collectKeys();
  const names: string[] = [];
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
      if (keepsKeys) names.push(key);
      keys.add(values, layout.order);
      for (let index = 0; index < columns.length; index++) {
        columns[index]?.add(values[layout.columns[index] ?? 0] ?? "");
      }
    },
    done() {
      const unsorted = keys.done();
      const order = sortKeys(unsorted);
      return {
        bytes,
        starts: order.map((row) => starts[row] ?? 0),
        ends: order.map((row) => ends[row] ?? 0),
        keys: inOrder(unsorted, order),
        hashes: hashes.slice(0, count),
        names: ordered(names, order),
        columns: columns.map((column) => orderedColumn(column.done(), order)),
      };
    },
  };
}

/** `keepsKeys` as in `Lane`. */
export function rowsOf(operation: ListOperation, keepsKeys: boolean, items: readonly Item[]): Rows {
  const orderFields = operation.order.map(({ field }) => field);
  const fields = [...new Set([...keyFields(operation.resource), ...orderFields, ...columnsOf(operation)])];
  const texts = items.map((item) => JSON.stringify(item));
  const bytes = Buffer.alloc(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  const layout = layoutOf(operation, (field) => fields.indexOf(field));
  const rows = collectRows(operation, keepsKeys, bytes, layout);
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
export function itemsOf(all: readonly Rows[], operation: ListOperation): Items {
  const items = merged(all, operation);
  const { brief } = operation;
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

function merged(all: readonly Rows[], { filters, item }: ListOperation): Items {
  const filled = all.filter(({ starts }) => starts.length > 0);
  const keys = joinKeys(filled.map((rows) => rows.keys));
  const order = mergedOrder(
    keys,
    filled.map(({ starts }) => starts.length),
  );
  const columns = (all[0]?.columns ?? []).map(({ field }, index) => {
    const { numbers, rows } = joinColumns(all.flatMap((each) => each.columns[index] ?? []));
    return [field, { numbers, rows: order.map((row) => rows[row] ?? 0) }] as const;
  });
  const valuesBy = (name: string, decode: (text: string) => readonly string[]): Values =>
    valuesOf(columns.find(([field]) => field === name)?.[1], decode);
  const names = filled.flatMap((rows) => rows.names);
  return {
    count: order.length,
    ...gathered(filled, order),
    keys: {
      bytes: keys.bytes,
      starts: order.map((row) => keys.starts[row] ?? 0),
      ends: order.map((row) => keys.starts[row + 1] ?? 0),
    },
    names: ordered(names, order),
    filters: new Map(
      filters.map((each) => [each.param, valuesBy(each.field, (text) => valuesIn(each, text))] as const),
    ),
    aliases: item?.aliases === undefined ? undefined : valuesBy(item.aliases, aliasesIn),
  };
}

function valuesOf(column: Column | undefined, decode: (text: string) => readonly string[]): Values {
  const { numbers: texts = new Map<string, number>(), rows = new Uint32Array() } = column ?? {};
  const numberByValue = new Map<string, number>();
  const decoded = [...texts.keys()].map((text) => decode(text).map((value) => numberOf(value, numberByValue)));
  const starts = new Uint32Array(rows.length + 1);
  for (let item = 0; item < rows.length; item++) {
    starts[item + 1] = (starts[item] ?? 0) + (decoded[rows[item] ?? 0]?.length ?? 0);
  }
  const numbers = new Uint32Array(starts.at(-1) ?? 0);
  for (let item = 0; item < rows.length; item++) numbers.set(decoded[rows[item] ?? 0] ?? [], starts[item]);
  return { known: [...numberByValue.keys()], numbers, starts };
}

/** One source is copied after the other, because random access to all of them would wait for memory. */
function gathered(sources: readonly Rows[], order: Uint32Array): ItemsJson {
  const lengths = joined(sources.map(({ starts, ends }) => ends.map((end, row) => end - (starts[row] ?? 0) + 1)));
  const offsets = new Uint32Array(order.length + 1);
  const places = new Uint32Array(order.length);
  let length = 0;
  for (let index = 0; index < order.length; index++) {
    const row = order[index] ?? 0;
    places[row] = length;
    length += lengths[row] ?? 0;
    offsets[index + 1] = length;
  }
  if (length > mostBytes) throw tooLarge(length);
  const bytes = new Uint8Array(length);
  bytes.fill(comma);
  let first = 0;
  for (const { bytes: source, starts, ends } of sources) {
    for (let row = 0; row < ends.length; row++) {
      bytes.set(source.subarray(starts[row], ends[row]), places[first + row]);
    }
    first += ends.length;
  }
  return { bytes, offsets };
}

/** Keys in order. A key is copied within one array, which takes a third of the time of copying it to another one. */
function inOrder({ bytes, starts }: SortKeys, order: Uint32Array): SortKeys {
  const length = starts[order.length] ?? 0;
  const copy = new Uint8Array(2 * length);
  copy.set(bytes.subarray(0, length));
  const orderedStarts = new Uint32Array(order.length + 1);
  let end = length;
  for (let index = 0; index < order.length; index++) {
    const key = order[index] ?? 0;
    const from = starts[key] ?? 0;
    const to = starts[key + 1] ?? 0;
    copy.copyWithin(end, from, to);
    end += to - from;
    orderedStarts[index + 1] = end - length;
  }
  return { bytes: copy.slice(length), starts: orderedStarts };
}

/** Offsets have 32 bits. */
const mostBytes = 2 ** 32 - 1;

const tooLarge = (length: number): MachineError =>
  new MachineError(
    `The items of one operation are ${(length / 1e9).toFixed(1)} GB as JSON; at most ${(mostBytes / 1e9).toFixed(1)} GB can be built.`,
    "Divide them among several deployments.",
  );

const comma = 0x2c;

/** No names if they are not kept. */
const ordered = (names: readonly string[], order: Uint32Array): readonly string[] =>
  names.length === 0 ? [] : Array.from(order, (row) => names[row] ?? "");

const orderedColumn = ({ field, numbers, rows }: NamedColumn, order: Uint32Array): NamedColumn => ({
  field,
  numbers,
  rows: order.map((row) => rows[row] ?? 0),
});

function joined(columns: readonly Uint32Array[]): Uint32Array {
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
