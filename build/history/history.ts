// The history of an API: snapshots of earlier builds, whose cursors are still answered, and the list of changes. Each
// build publishes a document with both for the next one.
import type { Changes } from "../../src/answers/answers.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import { sha256 } from "../files/sha256.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { once } from "../values/once.ts";
import { changesAfter, digestsOf } from "./changes.ts";
import { differences, earlierSnapshot } from "./edits.ts";
import { goOn, type Restart, restartsIn } from "./restarts.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import { type BuildState, currentPart, type EarlierBuild, parseState, type State, writeState } from "./state.ts";
import { stateDocuments } from "./state-documents.ts";

/** The state of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  /** `isInterrupted`: the build ended after it wrote its state and before all of its pages were in place. */
  | { readonly kind: "state"; readonly bytes: Buffer; readonly isInterrupted?: boolean }
  /** `reason` is a clause. */
  | { readonly kind: "unusable"; readonly reason: string };

export interface History {
  /** This build. */
  readonly today: () => Snapshot;
  /** The builds whose cursors are still answered, newest first. Each snapshot is created on iteration. */
  readonly earlier: Iterable<Snapshot>;
  /** The number of pages of the largest of these builds and this one. */
  readonly maxPages: number;
  /** What this build and those before it changed; undefined if api.yaml turns the list off. */
  readonly changes: Changes | undefined;
  /** The documents that the next build reads. */
  readonly documents: readonly Document[];
  /**
   * The SHA-256 of the whole state, however it is split into documents. The next build compares it to detect an
   * interrupted build.
   */
  readonly state: () => string;
  /** The reasons why cursors of earlier builds are lost, a sentence or two each. */
  readonly warnings: readonly string[];
  /** The reason why the earlier build could not be read, as a clause. */
  readonly lost?: string | undefined;
}

/** A build and what is there of the builds before it. */
export interface HistoryBasis {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  /** The number of pages of this build, without retired ones. */
  readonly pages: number;
  readonly previous: Found;
  /** In seconds since 1970. */
  readonly now: number;
  /** The size limit of a file; none if undefined. */
  readonly maxBytes?: number | undefined;
}

/** The state of a first build is computed on demand. */
export function historyOf(basis: HistoryBasis): History {
  const { catalog, deployment, pages, previous, now, maxBytes = Number.POSITIVE_INFINITY } = basis;
  const { changes: lifetime, cursorLifetime } = catalog.settings;
  const isListed = lifetime > 0;
  const snapshot = once(() => snapshotOf(catalog, deployment));
  const digests = once(() => digestsOf(catalog, deployment, snapshot()));
  const today = (): BuildState => ({ snapshot: snapshot(), pages, digests: isListed ? digests() : undefined });
  const current = once(() => currentPart(deployment.name, today()));

  const read = ownState(readFound(previous, deployment.name, today, current), catalog);
  const state = typeof read === "string" ? undefined : read;
  const restarts = state === undefined ? [] : restartsIn(state.last.snapshot, snapshot());
  const restarted = restarts.map(({ name }) => name);
  const isInterrupted = previous.kind === "state" && previous.isInterrupted === true;
  const builds =
    state === undefined
      ? []
      : alive(without(restarted, state), { snapshot: snapshot(), isInterrupted }, now, cursorLifetime);
  const known = builds.slice(0, countOf(snapshotsOf(builds, snapshot)));
  const damage = known.length < builds.length ? "it is damaged" : undefined;
  const lost = typeof read === "string" ? read : damage;

  const published = state?.last.digests && state.changes && { digests: state.last.digests, changes: state.changes };
  const build = () => sha256(current()).slice(0, 16);
  const changes = isListed ? changesAfter(published, digests, { build, now, lifetime }) : undefined;
  const isNew = isListed && published === undefined && previous.kind !== "none";
  const bytes = once(() => writeState(current(), { earlier: known, changes }));
  return {
    today: snapshot,
    earlier: { [Symbol.iterator]: () => snapshotsOf(known, snapshot) },
    maxPages: known.reduce((max, build) => Math.max(max, build.pages), pages),
    changes,
    documents: stateDocuments(bytes, catalog.api.base, deployment, maxBytes),
    state: () => sha256(...bytes()),
    warnings: warningsOf(lost, restarts, isNew),
    lost,
  };
}

/** The state, or a clause that says why it is unusable; undefined if there is none. */
function readFound(
  found: Found,
  deployment: string,
  today: () => BuildState,
  current: () => Buffer,
): State | string | undefined {
  switch (found.kind) {
    case "none":
      return undefined;
    case "unusable":
      return found.reason;
    case "state":
      return parseState(found.bytes, deployment, today(), current());
  }
}

/** A state that has other collections alone is of another API. */
function ownState(read: State | string | undefined, { api }: Catalog): State | string | undefined {
  if (read === undefined || typeof read === "string") return read;
  const { snapshot, digests } = read.last;
  const names = [...new Set([...snapshot.keys(), ...(digests?.collections.keys() ?? [])])];
  if (names.length === 0 || api.lists.some(({ name }) => names.includes(name))) return read;
  return `it is of another API, with ${shown(listed(names), 200)}`;
}

function warningsOf(lost: string | undefined, restarts: readonly Restart[], isNew: boolean): readonly string[] {
  const warnings = restarts.map(({ warning }) => warning);
  const anew = "the list of changes starts with this build";
  if (lost !== undefined) {
    const consequence = `so earlier pages are not kept${isNew ? `, and ${anew}` : ""}. Existing cursors ${goOn}.`;
    return [`Could not read the previous build (${lost}), ${consequence}`, ...warnings];
  }
  return isNew ? [...warnings, `The previous build has no digests of its items, so ${anew}.`] : warnings;
}

/** The state without some operations, in all builds. */
function without(names: readonly string[], { last, earlier, ...others }: State): State {
  const kept = <T>(entries: Iterable<readonly [string, T]>) => [...entries].filter(([name]) => !names.includes(name));
  const operations = (build: EarlierBuild) => Object.fromEntries(kept(Object.entries(build.operations)));
  return {
    ...others,
    last: { ...last, snapshot: new Map(kept(last.snapshot)) },
    earlier: earlier.map((build) => ({ ...build, operations: operations(build) })),
  };
}

/**
 * The builds that have not expired and differ from the next one, newest first. A time in the future counts as now, so
 * that a wrong clock does not prolong lifetimes.
 */
function alive(
  { last, earlier }: State,
  today: { readonly snapshot: Snapshot; readonly isInterrupted: boolean },
  now: number,
  lifetime: number,
): readonly EarlierBuild[] {
  const newest = { superseded: now, pages: last.pages, operations: differences(today.snapshot, last.snapshot) };
  const timed = [newest, ...earlier]
    .filter(({ operations }) => Object.keys(operations).length > 0)
    // After an interrupted build, the pages of the builds before it were still published until now.
    .map((build) => ({ ...build, superseded: today.isInterrupted ? now : Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + lifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/**
 * Yields one snapshot at a time, because together the snapshots may not fit into memory. Ends at a build that cannot be
 * derived from the next one.
 */
function* snapshotsOf(builds: readonly EarlierBuild[], today: () => Snapshot): Generator<Snapshot> {
  let later: Snapshot | undefined;
  for (const build of builds) {
    const own = earlierSnapshot(later ?? today(), build);
    if (own === undefined) return;
    yield own;
    later = own;
  }
}

function countOf(each: Iterable<unknown>): number {
  let count = 0;
  for (const _ of each) count++;
  return count;
}
