// Operations that are declared so differently that a build knows nothing of their earlier cursors: it keeps none of the
// pages to which these lead. What a cursor is does not change, so it still leads to a page that starts behind its item.
import { parseJson } from "../values/json.ts";
import type { OperationSnapshot, Snapshot } from "./snapshot.ts";

export interface Restart {
  readonly name: string;
  /** A sentence or two. */
  readonly warning: string;
}

export function restartsIn(before: Snapshot, today: Snapshot): readonly Restart[] {
  return [...today].flatMap(([name, after]) => {
    const earlier = before.get(name);
    if (earlier === undefined || earlier.signature === after.signature) return [];
    const warning = restartWarning(name, changedIn(earlier.signature, after.signature), isShared(earlier, after));
    return [{ name, warning }];
  });
}

/** The state of the cursors whose pages are not kept. */
export const goOn = "go on only where a page of the new build starts";

/** `mayGoOn`: whether a page of the new build may start behind the same order key as a page of an earlier one. */
export function restartWarning(name: string, changed: readonly string[], mayGoOn: boolean): string {
  const what = changed.length === 0 ? "key, order or filters" : changed.join(" and ");
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
function isShared({ items: [before = []] }: OperationSnapshot, { items: [after = []] }: OperationSnapshot): boolean {
  const known = new Set(after);
  return before.some((key) => known.has(key));
}
