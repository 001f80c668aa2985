// Items that are made from groups of the items of another collection: those that share a value.
import { Failure } from "../../../src/model/failure.ts";
import type { Scalar } from "../../../src/model/filter.ts";
import type { Item } from "../../../src/model/key.ts";
import type { Groups, ListOperation } from "../../../src/model/operation.ts";
import type { Log } from "../../messages.ts";
import { quote } from "../../text/quote.ts";
import type { At, Value } from "../formats/value.ts";
import { failed, nameOf, newItems } from "./functions.ts";

/** The items of a collection that has been read. */
export interface SourceItems {
  readonly operation: ListOperation;
  /** The indices of the items in the order of the collection. */
  readonly order: Iterable<number>;
  readonly itemAt: (index: number) => Item;
  readonly atOf: (index: number) => At;
}

/** An item of a group, and the index of the first item of the group. */
export interface GroupItem {
  readonly value: Value;
  readonly first: number;
}

/**
 * The items of the groups, in the order of their first items. Undefined stands for items that are missing because a function
 * fails, which is reported: if a value fails, for those of all groups, because any of them may have the item.
 */
export function* itemsOfGroups(
  operation: ListOperation,
  groups: Groups,
  source: SourceItems,
  report: Log["report"],
): Generator<GroupItem | undefined> {
  const members = membersByValue(operation, groups, source, report);
  if (members === undefined) yield undefined;
  for (const [value, indices] of members ?? []) {
    const [first = 0] = indices;
    const named = quote(String(value));
    const what = `The function make of from in ${operation.name}, for ${named},`;
    const place = source.atOf(first).fromItem(source.operation.key);
    const made = groups.make(value, indices.map(source.itemAt));
    if (made instanceof Failure) {
      report(failed(what, made, place));
      yield undefined;
    } else if (made !== undefined) {
      const placeOf = (_: unknown, data: unknown) =>
        source.atOf(first).fromItem(source.operation.key, () => nameOf(operation, data)() ?? named);
      const values = newItems([made], what, placeOf, report);
      for (const item of values ?? [undefined]) yield item && { value: item, first };
    }
  }
}

/** The indices of the items with each value, in the order of the collection. Undefined if a value cannot be found. */
function membersByValue(
  operation: ListOperation,
  { by }: Groups,
  { operation: { key }, order, itemAt, atOf }: SourceItems,
  report: Log["report"],
): ReadonlyMap<Scalar, readonly number[]> | undefined {
  const members = new Map<Scalar, number[]>();
  let hasFailed = false;
  for (const index of order) {
    const values = by(itemAt(index));
    if (values instanceof Failure) {
      hasFailed = true;
      report(failed(`The function by of from in ${operation.name}`, values, atOf(index).fromItem(key)));
      continue;
    }
    for (const value of values) {
      const indices = members.get(value);
      if (indices === undefined) members.set(value, [index]);
      else indices.push(index);
    }
  }
  return hasFailed ? undefined : members;
}
