// Which APIs of two versions are compared.
import type { PlannedSide, Side } from "./side.ts";

/** The sides of one API. */
export interface Pair {
  readonly before: Side;
  readonly after: PlannedSide;
}

interface Pairing {
  /** The APIs that both versions have, in the order of the declaration. */
  readonly pairs: readonly Pair[];
  /** The APIs that only one version has. */
  readonly added: readonly PlannedSide[];
  readonly removed: readonly Side[];
}

export function pairSides(before: readonly Side[], after: readonly PlannedSide[]): Pairing {
  const counterparts = counterpartsOf(
    before.map(({ published }) => published.base),
    after,
  );
  const pairs: Pair[] = [];
  const added: PlannedSide[] = [];
  for (const sideAfter of after) {
    const sideBefore = before.find(({ published }) => counterparts.get(published.base) === sideAfter);
    if (sideBefore === undefined) added.push(sideAfter);
    else pairs.push({ before: sideBefore, after: sideAfter });
  }
  return { pairs, added, removed: before.filter(({ published }) => !counterparts.has(published.base)) };
}

/**
 * By the base of an API before, the same API after. If one of either is left, its base has changed: other APIs are gone or
 * new.
 */
export function counterpartsOf(
  basesBefore: readonly string[],
  after: readonly PlannedSide[],
): ReadonlyMap<string, PlannedSide> {
  const counterparts = new Map<string, PlannedSide>();
  for (const side of after) {
    const { base } = side.published;
    if (basesBefore.includes(base)) counterparts.set(base, side);
  }
  const [gone, ...othersGone] = basesBefore.filter((base) => !counterparts.has(base));
  const [added, ...othersAdded] = after.filter(({ published }) => !basesBefore.includes(published.base));
  if (gone !== undefined && added !== undefined && othersGone.length + othersAdded.length === 0)
    counterparts.set(gone, added);
  return counterparts;
}
