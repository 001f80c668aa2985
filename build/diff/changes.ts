// The differences of two lists of items, by their keys.
import { type Item, type Key, keyFields, keyOf } from "../../src/model/key.ts";
import { type Items, type ItemsJson, jsonAt } from "../content/table/items.ts";
import { itemIn } from "../content/table/table.ts";
import { compare } from "../values/compare.ts";
import { type FieldChange, fieldChanges } from "../values/field-changes.ts";

export interface ItemChange {
  readonly kind: "added" | "removed" | "changed";
  /** The parts of a composite key are joined by slashes. */
  readonly key: string;
  /** For an item that was added or removed, all fields except the key. */
  readonly fields: readonly FieldChange[];
}

/**
 * Items as JSON with all fields, each followed by one byte: a comma, or the newline of a dump. Together they may be longer
 * than the longest text.
 */
export type ItemLines = ItemsJson;

export const itemLines = (items: Items | undefined): ItemLines => items?.whole ?? items ?? none;

export const none: ItemLines = { bytes: new Uint8Array(), offsets: Uint32Array.of(0) };

export const countOf = ({ offsets }: ItemLines): number => offsets.length - 1;

/** The field of the item in which a field changed: `fields` of `fields[title].type`. */
export const topField = ({ field }: FieldChange): string => field.replace(/[[.].*$/, "");

/** In the order of the keys. Only lines that differ are parsed. */
export function itemChanges(all: ItemLines, allAfter: ItemLines, resource: Key): readonly ItemChange[] {
  const { before, after } = withoutEnds(all, allAfter);
  const byKey = (lines: ItemLines, others: ItemLines) =>
    new Map(Array.from(missingFrom(others, lines), (item) => [keyOf(resource, item) ?? "", item]));
  const itemsBefore = byKey(before, after);
  const itemsAfter = byKey(after, before);
  const changes = [...new Set([...itemsBefore.keys(), ...itemsAfter.keys()])].map((key): ItemChange => {
    const itemBefore = itemsBefore.get(key);
    const itemAfter = itemsAfter.get(key);
    const fields = fieldChanges(itemBefore ?? {}, itemAfter ?? {});
    if (itemBefore !== undefined && itemAfter !== undefined) return { kind: "changed", key, fields };
    const others = fields.filter(({ field }) => !keyFields(resource).includes(field));
    return { kind: itemBefore === undefined ? "added" : "removed", key, fields: others };
  });
  return changes
    .filter(({ kind, fields }) => kind !== "changed" || fields.length > 0)
    .sort((a, b) => compare(a.key, b.key));
}

/**
 * The lines without those that both have at the start and at the end: most of them after a save. Looking each of 300,000
 * lines up takes half a second, comparing their bytes a hundredth of that.
 */
function withoutEnds(before: ItemLines, after: ItemLines): { readonly before: ItemLines; readonly after: ItemLines } {
  const countBefore = countOf(before);
  const countAfter = countOf(after);
  const max = Math.min(countBefore, countAfter);
  const start = longest(max, (from, to) => isSame(sliceOf(before, from, to), sliceOf(after, from, to)));
  const end = longest(max - start, (from, to) =>
    isSame(sliceOf(before, countBefore - to, countBefore - from), sliceOf(after, countAfter - to, countAfter - from)),
  );
  return {
    before: sliceOf(before, start, countBefore - end),
    after: sliceOf(after, start, countAfter - end),
  };
}

/** The largest number, at most `max`, for which all lines from 0 up to it are the same. */
function longest(max: number, isSameFrom: (from: number, to: number) => boolean): number {
  let same = 0;
  for (let high = max; same < high; ) {
    const middle = Math.ceil((same + high) / 2);
    if (isSameFrom(same, middle)) same = middle;
    else high = middle - 1;
  }
  return same;
}

const sliceOf = ({ bytes, offsets }: ItemLines, from: number, to: number): ItemLines => ({
  bytes,
  offsets: offsets.subarray(from, to + 1),
});

const bytesOf = ({ bytes, offsets }: ItemLines): Uint8Array => bytes.subarray(offsets[0], offsets.at(-1));

const isSame = (one: ItemLines, other: ItemLines): boolean => Buffer.compare(bytesOf(one), bytesOf(other)) === 0;

export function* itemsIn(lines: ItemLines): Generator<Item> {
  for (let index = 0; index < countOf(lines); index++) yield itemIn(jsonAt(lines, index));
}

/** The items of the lines that `all` does not have. */
function* missingFrom(all: ItemLines, lines: ItemLines): Generator<Item> {
  const isIn = finderOf(all);
  for (let index = 0; index < countOf(lines); index++) {
    const line = jsonAt(lines, index);
    if (!isIn(line)) yield itemIn(line);
  }
}

/** Finds lines by their bytes. Texts in a Set would take several times the memory of the bytes. */
function finderOf(lines: ItemLines): (line: Uint8Array) => boolean {
  const count = countOf(lines);
  /** The number of a line from 1 at the place of its hash, or at the next one that is free. */
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));
  const last = table.length - 1;
  const placeOf = (line: Uint8Array): number => {
    for (let place = hashOf(line) & last; ; place = (place + 1) & last) {
      const number = table[place] ?? 0;
      if (number === 0 || Buffer.compare(jsonAt(lines, number - 1), line) === 0) return place;
    }
  };
  for (let index = 0; index < count; index++) table[placeOf(jsonAt(lines, index))] = index + 1;
  return (line) => table[placeOf(line)] !== 0;
}

/** The 32-bit FNV-1a hash. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < bytes.length; index++) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}
