// Which items came, went or changed. Of two long lists that are nearly the same, only the items that differ are parsed:
// both are in the order of their keys, and equal bytes are equal items.
import type { Item } from "../../src/resource.ts";
import { type Items, itemAt } from "../content/catalog.ts";
import { compare } from "../content/order.ts";
import { type FieldChange, fieldChanges } from "./fields.ts";

export interface ItemChange {
  readonly kind: "added" | "removed" | "changed";
  /** The value of the resource's key. */
  readonly key: string;
  /** All fields but the key of an item that came or went. */
  readonly fields: readonly FieldChange[];
}

/** In the order of the keys. `key` is the field that names an item. */
export function itemChanges(before: Items, after: Items, key: string): readonly ItemChange[] {
  const [olds, news] = differing(before, after);
  const gone = new Map(olds.map((index) => named(itemAt(before, index), key)));
  const changes: ItemChange[] = [];
  for (const index of news) {
    const [name, item] = named(itemAt(after, index), key);
    const old = gone.get(name);
    gone.delete(name);
    const fields = fieldChanges(old ?? {}, old === undefined ? without(item, key) : item);
    if (old === undefined) changes.push({ kind: "added", key: name, fields });
    else if (fields.length > 0) changes.push({ kind: "changed", key: name, fields });
  }
  for (const [name, item] of gone) {
    changes.push({ kind: "removed", key: name, fields: fieldChanges(without(item, key), {}) });
  }
  return changes.sort((a, b) => compare(a.key, b.key));
}

const named = (item: Item, key: string): readonly [string, Item] => [String(item[key]), item];

const without = (item: Item, key: string): Item =>
  Object.fromEntries(Object.entries(item).filter(([name]) => name !== key));

/** The indices of the items that the other list has not, or not with the same bytes. */
function differing(before: Items, after: Items): readonly [before: readonly number[], after: readonly number[]] {
  const [olds, news] = [columnsOf(before), columnsOf(after)];
  if (olds.bytes.equals(news.bytes)) return [[], []];
  const own: number[] = [];
  const other: number[] = [];
  let [at, from] = [0, 0];
  while (at < before.count && from < after.count) {
    const order = compareParts(olds.keys, news.keys, olds.keyOf(at), news.keyOf(from));
    const isSame = order === 0 && compareParts(olds.bytes, news.bytes, olds.itemOf(at), news.itemOf(from)) === 0;
    if (order <= 0 && !isSame) own.push(at);
    if (order >= 0 && !isSame) other.push(from);
    if (order <= 0) at++;
    if (order >= 0) from++;
  }
  for (; at < before.count; at++) own.push(at);
  for (; from < after.count; from++) other.push(from);
  return [own, other];
}

/** From up to. */
type Part = readonly [start: number, end: number];

const columnsOf = ({ bytes, offsets, keys: { bytes: keys, starts } }: Items) => ({
  bytes: bufferOf(bytes),
  keys: bufferOf(keys),
  itemOf: (index: number): Part => [offsets[index] ?? 0, offsets[index + 1] ?? 0],
  keyOf: (index: number): Part => [starts[index] ?? 0, starts[index + 1] ?? 0],
});

/** The same memory. */
const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, length);

const compareParts = (one: Buffer, other: Buffer, [start, end]: Part, [from, to]: Part): number =>
  one.compare(other, from, to, start, end);
