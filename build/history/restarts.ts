// Operations, or orders of them, whose declaration has changed, so that their earlier pages are not kept. If only the
// filters have changed, a cursor still works if a page of the new build starts at its position. If the key or the order has
// changed, all cursors have: see src/model/cursor.ts.
import { derivedMark } from "../../src/model/cursor.ts";
import { keyValuesIn } from "../../src/model/order.ts";
import { withAnd } from "../text/words.ts";
import { parseJson } from "../values/json.ts";
import type { CollectionState, CollectionStates, ItemDigests } from "./build-state.ts";
import { digestLength } from "./digests.ts";

export interface Restart {
  readonly name: string;
  /** A sentence or two. */
  readonly warning: string;
}

export function restartsIn(before: CollectionStates, after: CollectionStates): readonly Restart[] {
  const restarts: Restart[] = [];
  for (const [name, collectionAfter] of after) {
    const collectionBefore = before.get(name);
    const signatureBefore = collectionBefore?.paging?.signature;
    const signatureAfter = collectionAfter.paging?.signature;
    if (collectionBefore === undefined || signatureBefore === undefined || signatureAfter === undefined) continue;
    const isDerived = signatureAfter.includes(derivedMark);
    const isSame = signatureBefore === signatureAfter;
    if (isSame && !(isDerived && isDerivedAnew(name, before, after))) continue;
    const changed = isSame ? ["order"] : changedIn(signatureBefore, signatureAfter);
    const isSameOrder = isSame || changed.every((part) => part === "filters");
    const mayGoOn = isSameOrder && isShared(collectionBefore, collectionAfter);
    restarts.push({ name, warning: restartWarning(name, changed, mayGoOn) });
  }
  return restarts;
}

/** The state of the cursors whose pages are not kept, unless their order has changed. */
export const goOn = "only work if a page of the new build starts at their position";

/** `mayGoOn`: whether a page of the new build may start behind the same order key as a page of an earlier one. */
export function restartWarning(name: string, changed: readonly string[], mayGoOn: boolean): string {
  const what = changed.length === 0 ? "key, order or filters" : withAnd(changed);
  const have = what.endsWith("s") || changed.length > 1 ? "have" : "has";
  const cursors = mayGoOn ? goOn : "stop working";
  return `The ${what} of ${name} ${have} changed, so earlier pages are not kept: existing cursors of ${name} ${cursors}.`;
}

/**
 * Whether the function of an order derives another value from an item that has not changed. Order keys of the two functions
 * are not comparable.
 */
function isDerivedAnew(name: string, before: CollectionStates, after: CollectionStates): boolean {
  const [collection = "", order] = name.split("?");
  if (order === undefined || before.get(name) === after.get(name)) return false;
  const itemsBefore = before.get(collection);
  const itemsAfter = after.get(collection);
  if (itemsBefore?.digests === undefined || itemsAfter?.digests === undefined) return false;
  const digestsBefore = digestsByKey(itemsBefore, itemsBefore.digests);
  const derivedBefore = derivedByKey(before.get(name), itemsBefore.digests);
  const derivedAfter = derivedByKey(after.get(name), itemsAfter.digests);
  for (const [key, digest] of digestsByKey(itemsAfter, itemsAfter.digests)) {
    if (digestsBefore.get(key) === digest && derivedBefore.get(key) !== derivedAfter.get(key)) return true;
  }
  return false;
}

/** By the key of the item. */
const digestsByKey = ({ keys }: CollectionState, { order, key, bytes }: ItemDigests): ReadonlyMap<string, bigint> =>
  new Map(
    keys.map((orderKey, index) => [
      keyValuesIn(orderKey, order, key).join("/"),
      bytes.readBigUInt64LE(digestLength * index),
    ]),
  );

/** The values that the function of an order derived, by the key of the item. The fields of the key follow the value. */
function derivedByKey(state: CollectionState | undefined, { order, key }: ItemDigests): ReadonlyMap<string, string> {
  const ascending = key.map((field) => ({
    field,
    type: order.find((rule) => rule.field === field)?.type ?? "text",
    descending: false,
  }));
  return new Map(
    state?.keys.map((orderKey) => {
      const end = orderKey.indexOf(" ");
      return [keyValuesIn(orderKey.slice(end + 1), ascending, key).join("/"), orderKey.slice(0, end)];
    }),
  );
}

/** The parts of a signature, in its order. */
const parts = ["key", "order", "filters"];

/** The names of the parts that differ. Empty if one of the signatures has other parts. */
function changedIn(before: string, after: string): readonly string[] {
  const one = parseJson(before);
  const other = parseJson(after);
  if (!Array.isArray(one) || !Array.isArray(other)) return [];
  return parts.filter((_, index) => JSON.stringify(one[index]) !== JSON.stringify(other[index]));
}

/** Whether both builds have an order key, and therefore the cursor behind it. */
function isShared(before: CollectionState, after: CollectionState): boolean {
  const keysAfter = new Set(after.keys);
  return before.keys.some((key) => keysAfter.has(key));
}
