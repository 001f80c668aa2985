// The items to which others may refer. They are also returned if the content has faults, to help with correcting it.
import type { Item } from "../../src/resource.ts";
import type { Keys } from "./link.ts";
import type { Reading } from "./read.ts";

export interface Referable {
  /**
   * The items with well-formed keys, without repeats, in order of code units. They are as written: other fields may be
   * missing or wrong.
   */
  readonly items: readonly Item[];
  /** False if there may be more items, so that an unknown reference is not necessarily a fault. */
  readonly whole: boolean;
}

export function referable(readings: readonly Reading[], { keyIn, possible, whole, wellFormed }: Keys): Referable {
  const byKey = new Map<string, Item>();
  for (const item of readings.flatMap(itemsIn)) {
    const key = keyIn(item);
    if (key !== undefined && !byKey.has(key) && wellFormed(key)) byKey.set(key, item);
  }
  const keys = [...byKey.keys()].sort();
  return { items: keys.map((key) => byKey.get(key) ?? {}), whole: whole && possible.size === 0 };
}

const decoder = new TextDecoder();

function itemsIn({ rows, entries }: Reading): readonly Item[] {
  const plain = rows.flatMap(({ bytes, starts, ends }) =>
    Array.from(starts, (start, index): Item => JSON.parse(decoder.decode(bytes.subarray(start, ends[index])))),
  );
  return [...plain, ...entries.map(({ value }): Item => Object(value))];
}
