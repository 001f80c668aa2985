// The items of an operation from another source than the content, such as a published dump.

import { At } from "../../build/content/formats/value.ts";
import { ItemNames } from "../../build/content/names.ts";
import type { Items } from "../../build/content/table/items.ts";
import { ItemTable } from "../../build/content/table/table.ts";
import { openLog } from "../../build/messages.ts";
import { valuesOf } from "../../src/model/filter.ts";
import { type Item, keyOf } from "../../src/model/key.ts";
import type { ListOperation } from "../../src/model/operation.ts";
import { noSource } from "./reading.ts";

/** The items in the order of the operation. The caller knows that they are valid. */
export function itemsOf(operation: ListOperation, items: Iterable<Item>): Items {
  const table = new ItemTable(operation, { isReferredTo: true, room: 0 });
  const log = openLog();
  const names = new ItemNames(operation, table, { log, isReferredTo: false, referredFields: [], isComplete: true });
  const functions = operation.filters.filter(({ of }) => of !== undefined);
  const aliases = operation.item?.aliases;
  for (const item of items) {
    const derived = new Map(functions.map((filter) => [filter.param, valuesOf(filter, item)]));
    const key = keyOf(operation, item);
    const index = table.add(item, key, derived, { source: noSource });
    if (aliases !== undefined && key !== undefined) names.claim({ index, key, item, isRight: true, at: nowhere });
  }
  return table.items((value) => names.isAlias(value));
}

/** Valid items need no places. */
const nowhere = new At(noSource, []);
