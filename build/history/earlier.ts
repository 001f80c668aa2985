// The builds before this one whose cursors are still answered. The state that the last build left has each of them as the
// difference from its successor, so that they are derived one after the other, newest first.
import type { Listing } from "../pages/listing.ts";
import { withAnd } from "../text/words.ts";
import { parseJson } from "../values/json.ts";
import type { BuildState, CollectionState, CollectionStates } from "./build-state.ts";
import { differences, earlierStates } from "./cursor-edits.ts";
import { EarlierPagesFinder, maxRetired, type RetiredPages } from "./retired.ts";
import type { EarlierBuild, State } from "./state.ts";

export interface Earlier {
  /** Newest first. */
  readonly builds: readonly EarlierBuild[];
  /** Their pages, without those at the address of a page of this build. */
  readonly pages: RetiredPages;
  readonly restarts: readonly Restart[];
  /** Whether there are older builds, which cannot be derived. */
  readonly isDamaged: boolean;
}

/** A list, or an order of it, whose declaration has changed, so that its earlier pages are not kept. */
interface Restart {
  readonly name: string;
  /** A sentence or two. */
  readonly warning: string;
}

/** This build, and how long it answers the cursors of earlier ones. */
interface EarlierBasis {
  readonly listings: readonly Listing[];
  readonly state: BuildState;
  /** In seconds, as `lifetime`. */
  readonly now: number;
  readonly lifetime: number;
  /** Whether the last build ended before all of its pages were in place. */
  readonly isInterrupted: boolean;
}

export function earlierBuilds(before: State, basis: EarlierBasis): Earlier {
  const { listings, state } = basis;
  const { collections } = state;
  const restarts = restartsIn(before.last.collections, collections);
  const restarted = new Set(restarts.map(({ name }) => name));
  const isContinued = (name: string) => collections.get(name)?.paging !== undefined && !restarted.has(name);
  const unexpired = unexpiredBuilds(dropRestarted(before, isContinued), basis);
  const maxPages = unexpired.reduce((max, build) => Math.max(max, build.pages), state.pageCount);
  const found = new EarlierPagesFinder(listings, collections, maxRetired(maxPages));
  const builds: EarlierBuild[] = [];
  for (const { build, earlier } of derivedBuilds(collections, unexpired)) {
    builds.push(build);
    found.add(earlier);
  }
  // The collector itself would keep the order keys of all listings.
  const { pages, isCut } = found;
  return { builds, pages: { pages, isCut }, restarts, isDamaged: builds.length < unexpired.length };
}

/**
 * The builds with their collections. Yields one at a time, because together they may not fit into memory. Ends at a build
 * that cannot be derived from the next one.
 */
export function* derivedBuilds(collections: CollectionStates, builds: readonly EarlierBuild[]) {
  let later = collections;
  for (const build of builds) {
    const earlier = earlierStates(later, build);
    if (earlier === undefined) return;
    yield { build, earlier };
    later = earlier;
  }
}

/**
 * Removes from all builds the paging of collections that are not continued. Their cursors are not answered any more. A
 * collection that is not published any more leaves no keys and values in the state.
 */
function dropRestarted({ last, earlier, changes }: State, isContinued: (name: string) => boolean): State {
  const collections = new Map(last.collections);
  for (const [name, collection] of collections) {
    if (!isContinued(name)) collections.set(name, { ...collection, paging: undefined });
  }
  return {
    last: { ...last, collections },
    earlier: earlier.map((build) => {
      const operations = Object.entries(build.operations).filter(([name]) => isContinued(name));
      return { ...build, operations: Object.fromEntries(operations) };
    }),
    changes,
  };
}

/**
 * The builds that have not expired and differ from the next one, newest first. A time in the future counts as now, so
 * that a wrong clock does not prolong lifetimes.
 */
function unexpiredBuilds(
  { last, earlier }: State,
  { state, now, lifetime, isInterrupted }: EarlierBasis,
): readonly EarlierBuild[] {
  const operations = differences(state.collections, last.collections);
  const timed = [{ superseded: now, pages: last.pageCount, operations }, ...earlier]
    .filter((build) => Object.keys(build.operations).length > 0)
    // After an interrupted build, the pages of the builds before it were still published until now.
    .map((build) => ({ ...build, superseded: isInterrupted ? now : Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + lifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/**
 * If only the filters have changed, a cursor still works if a page of the new build starts at its position. If the key or the
 * order has changed, all cursors have: see src/model/cursor.ts.
 */
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
  const keysAfter = new Set(after.orderKeys);
  return before.orderKeys.some((key) => keysAfter.has(key));
}
