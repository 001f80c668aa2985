// The items to which others may refer. They are also returned if the content has faults, to help with correcting it.
import { type Item, keyOf } from "../../src/resource.ts";
import { isWellFormed, type Target } from "./link.ts";
import type { ItemStore } from "./store.ts";

export interface Referable {
  /**
   * The items with well-formed keys, without repeats, in order of code units. Those with faults are as written: other
   * fields may be missing or wrong.
   */
  readonly items: readonly Item[];
  /** False if there may be more items, so that an unknown reference is not necessarily a fault. */
  readonly whole: boolean;
}

const decoder = new TextDecoder();

export function referable({ operation, store, possible, isWhole }: Target & { readonly store: ItemStore }): Referable {
  const byKey = new Map<string, Item>();
  const json = decoder.decode(store.added().bytes.subarray(0, -1));
  for (const item of JSON.parse(`[${json}]`)) {
    const key = keyOf(operation, item);
    if (key !== undefined && !byKey.has(key) && isWellFormed(operation, key)) byKey.set(key, item);
  }
  const keys = [...byKey.keys()].sort();
  return { items: keys.map((key) => byKey.get(key) ?? {}), whole: isWhole && possible.size === 0 };
}
