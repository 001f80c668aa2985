// What items may refer to: told also where the content has faults, so that whoever corrects them sees what there is.
import type { Item } from "../../src/resource.ts";
import { type Keys, textAt } from "./link.ts";
import type { Reading } from "./read.ts";

export interface Referable {
  /**
   * The items with well-formed keys, each key once, in the order of the keys by code unit. They are as written: fields
   * other than the key may be missing or wrong.
   */
  readonly items: readonly Item[];
  /** False where there may be more of them, so that a reference to what is not among them is not yet a fault. */
  readonly whole: boolean;
}

export function referable(readings: readonly Reading[], { field, possible, whole, wellFormed }: Keys): Referable {
  const byKey = new Map<string, Item>();
  for (const item of readings.flatMap(itemsIn)) {
    const key = textAt(item, field);
    if (key !== undefined && !byKey.has(key) && wellFormed(key)) byKey.set(key, item);
  }
  const keys = [...byKey.keys()].sort();
  return { items: keys.map((key) => byKey.get(key) ?? {}), whole: whole && possible.size === 0 };
}

const decoder = new TextDecoder();

function itemsIn({ rows, entries }: Reading): readonly Item[] {
  const plain = Array.from(rows?.starts ?? [], (start, index): Item => {
    return JSON.parse(decoder.decode(rows?.bytes.subarray(start, rows.ends[index])));
  });
  return [...plain, ...entries.map(({ value }): Item => Object(value))];
}
