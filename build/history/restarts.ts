// Operations, or orders of them, whose declaration has changed, so that their earlier pages are not kept. If only the
// filters have changed, a cursor still works if a page of the new build starts at its position. If the key or the order has
// changed, all cursors have: see src/model/cursor.ts.
import { withAnd } from "../text/words.ts";
import { parseJson } from "../values/json.ts";
import type { CollectionState, CollectionStates } from "./build-state.ts";

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
    if (signatureBefore === signatureAfter) continue;
    const changed = changedIn(signatureBefore, signatureAfter);
    const mayGoOn = changed.every((part) => part === "filters") && isShared(collectionBefore, collectionAfter);
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
