// The items of an operation from another source than the content, such as a published dump.

import type { Items } from "../../build/content/catalog.ts";
import { KeyIndex } from "../../build/content/link/keys.ts";
import { ItemTable } from "../../build/content/table/table.ts";
import { aliasesOf } from "../../src/model/aliases.ts";
import { valuesOf } from "../../src/model/filter.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";

/** The items in the order of the operation. The caller knows that they are valid. */
export function itemsOf(operation: ListOperation, items: Iterable<Item>): Items {
  const table = new ItemTable(operation, { isReferredTo: true, room: 0 });
  const keys = new KeyIndex(operation, table, { isReferredTo: false, joinedBy: [], isComplete: true });
  const functions = operation.filters.filter(({ of }) => of !== undefined);
  const aliases = operation.item?.aliases;
  for (const item of items) {
    const derived = new Map(functions.map((filter) => [filter.param, valuesOf(filter, item)]));
    const key = keyOf(operation, item);
    const index = table.add(item, key, derived);
    if (aliases === undefined || key === undefined) continue;
    keys.claimKey(key, index);
    for (const value of aliasesOf(aliases, item)) keys.claimAlias({ item: index, value, at: nowhere }, key);
  }
  return table.items((value) => keys.isAlias(value));
}

/** Valid items need no places. */
const nowhere = () => {
  throw new Error("The item has no place.");
};
