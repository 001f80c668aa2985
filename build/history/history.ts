// The history of an API: the states of earlier builds, whose cursors are still answered, and the list of changes. Each
// build publishes a document with both for the next one.

import type { Changes } from "../../src/answers/answers.ts";
import { ownField } from "../../src/model/fields.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import { sha256 } from "../files/sha256.ts";
import type { Message } from "../messages.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { once } from "../values/once.ts";
import { type CollectionStates, stateOf } from "./build-state.ts";
import { changesAfter, type PublishedChanges, withFields } from "./changes.ts";
import { declaredBetween } from "./declared.ts";
import { differences, earlierStates } from "./edits.ts";
import { type EditedItems, fieldsIn, type ItemFields, tellingOf } from "./fields.ts";
import { goOn, type Restart, restartsIn } from "./restarts.ts";
import {
  currentPart,
  type EarlierBuild,
  foreign,
  parseState,
  type State,
  type Unused,
  unreadable,
  writeState,
} from "./state.ts";
import { stateDocuments } from "./state-documents.ts";

/** The state of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  /** `isInterrupted`: the build ended after it wrote its state and before all of its pages were in place. */
  | {
      readonly kind: "state";
      readonly bytes: Buffer;
      readonly isInterrupted?: boolean;
      /** Reads the dumps of these lists, one after the other. */
      readonly readDumps?: (lists: readonly string[]) => AsyncIterable<ReadDump>;
    }
  /** `reason` is a clause. */
  | { readonly kind: "unusable"; readonly reason: string };

/** The dump of a list, or the reason why it cannot be read, as a clause. Both are undefined if there is none. */
export interface ReadDump {
  readonly list: string;
  readonly bytes: Buffer | undefined;
  readonly lost: string | undefined;
}

/** Lines of dumps, by the name of the list and their index. */
export type DumpLines = ReadonlyMap<string, ReadonlyMap<number, Buffer>>;

export interface History {
  /** The collections of this build. */
  readonly today: () => CollectionStates;
  /** The collections of the builds whose cursors are still answered, newest first. They are derived on iteration. */
  readonly earlier: Iterable<CollectionStates>;
  /** The number of pages of the largest of these builds and this one. */
  readonly maxPages: number;
  /** The changes of this build and of those before it; undefined if api.yaml turns the list off. */
  readonly changes: Changes | undefined;
  /** The documents that the next build reads. */
  readonly documents: readonly Document[];
  /**
   * The SHA-256 of the whole state, however it is split into documents. The next build compares it to detect an
   * interrupted build.
   */
  readonly state: () => string;
  /** The reasons why cursors of earlier builds are lost, a sentence or two each. */
  readonly warnings: readonly Warning[];
  /** The reason why the state of the earlier build is not used. */
  readonly unused?: Unused | undefined;
  /** Whether the list of changes names an item as changed, as in `nodes/nod_x`. */
  readonly namesChanged: (item: string) => boolean;
  /** The items of which the list of changes tells what changed if it gets the lines of the earlier build's dumps. */
  readonly edited: EditedItems;
  /** The same history, with what changed in these items. */
  readonly withLines: (lines: DumpLines) => History;
}

type Warning = Pick<Message, "code" | "text">;

/** A build, and the state that the build before it left. */
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
  /** Items whose values no entry of the list of changes keeps, as in `nodes/nod_x`. */
  readonly forgotten?: readonly string[] | undefined;
}

/**
 * The state of a first build is computed on demand. Nothing is compared with it, so it is not kept: the order keys of a
 * million items are strings of 70 MB.
 */
export function historyOf(basis: HistoryBasis): History {
  const { catalog, deployment, pages, previous, now, maxBytes = Number.POSITIVE_INFINITY } = basis;
  const { forgotten = [] } = basis;
  const { changes: lifetime, cursorLifetime } = catalog.settings;
  const compute = () => stateOf(catalog, deployment, pages);
  const state = previous.kind === "none" ? compute : once(compute);
  const current = once(() => currentPart(deployment.name, state()));
  const today = (): CollectionStates => state().collections;

  const read = ofSameApi(readFound(previous, deployment.name), catalog);
  const before = isUsed(read) ? read : undefined;
  const restarts = before === undefined ? [] : restartsIn(before.last.collections, today());
  const restarted = new Set(restarts.map(({ name }) => name));
  const isContinued = (name: string) => today().get(name)?.paging !== undefined && !restarted.has(name);
  const isInterrupted = previous.kind === "state" && previous.isInterrupted === true;
  const builds =
    before === undefined
      ? []
      : alive(continued(before, isContinued), { collections: today(), isInterrupted }, now, cursorLifetime);
  const earlier = builds.slice(0, countOf(statesOf(builds, today)));
  const damage = earlier.length < builds.length ? unreadable("it is damaged") : undefined;
  const unused = read === undefined || isUsed(read) ? damage : read;

  const isListed = lifetime > 0;
  const published = before && publishedChanges(before);
  const build = once(() => sha256(...current()).slice(0, 16));
  const declared = published && declaredBetween(published.content.declared, state().declared);
  const telling = tellingOf(catalog.settings, forgotten, declared ?? nothingDeclared);
  const isTold = telling.ofEarlier;
  const listed = isListed ? changesAfter(published, state, { build, now, lifetime, declared, isTold }) : undefined;
  const isNew = isListed && published === undefined && previous.kind !== "none";
  const edited = new Map([...(listed?.edited ?? [])].filter(([list]) => telling.isToldOf(list)));
  const fieldsOf = (lines: DumpLines): ReadonlyMap<string, ItemFields> => {
    const fields = new Map<string, ItemFields>();
    for (const [list, items] of edited) {
      const digests = before?.last.collections.get(list)?.digests?.bytes;
      const itemsAfter = catalog.items.get(list);
      const linesOf = lines.get(list);
      if (digests === undefined || itemsAfter === undefined || linesOf === undefined) continue;
      const isToldOf = (key: string, path: string) => telling.ofToday(list, key, path);
      fields.set(list, fieldsIn(items, linesOf, digests, itemsAfter, isToldOf));
    }
    return fields;
  };
  const historyWith = (changes: Changes | undefined): History => {
    const bytes = once(() => writeState(current(), { earlier, changes }));
    const documents = once(() => stateDocuments(bytes, catalog.api.base, deployment, maxBytes));
    return {
      today,
      earlier: { [Symbol.iterator]: () => statesOf(earlier, today) },
      maxPages: earlier.reduce((max, build) => Math.max(max, build.pages), pages),
      changes,
      get documents() {
        return documents();
      },
      state: once(() => sha256(...bytes())),
      warnings: warningsOf(unused, restarts, isNew),
      unused,
      namesChanged: (item) => isChanged(changes, item),
      edited,
      withLines: (lines) => historyWith(changes && withFields(changes, fieldsOf(lines))),
    };
  };
  return historyWith(listed?.changes);
}

const isChanged = (changes: Changes | undefined, item: string): boolean =>
  changes?.data.some(({ collections }) => {
    const [list = "", ...key] = item.split("/");
    return ownField(collections, list)?.changed.includes(key.join("/"));
  }) ?? false;

const nothingDeclared = { added: [], deprecated: [], removed: [] };

function publishedChanges({ last, changes }: State): PublishedChanges | undefined {
  const { documents, declared } = last;
  if (documents === undefined || declared === undefined || changes === undefined) return undefined;
  return { content: last, changes };
}

const isUsed = (read: State | Unused | undefined): read is State => read !== undefined && "last" in read;

/** Undefined if there is no state. */
function readFound(found: Found, deployment: string): State | Unused | undefined {
  switch (found.kind) {
    case "none":
      return undefined;
    case "unusable":
      return unreadable(found.reason);
    case "state":
      return parseState(found.bytes, deployment);
  }
}

/** If a state has no collection of this API, it is of another API. */
function ofSameApi(read: State | Unused | undefined, { api }: Catalog): State | Unused | undefined {
  if (!isUsed(read)) return read;
  const names = [...read.last.collections.keys()];
  if (names.length === 0 || api.lists.some(({ name }) => names.includes(name))) return read;
  // A name with a question mark is that of an order.
  const collections = names.filter((name) => !name.includes("?"));
  return foreign(`it belongs to another API, with ${shown(listed(collections), 200)}`);
}

function warningsOf(unused: Unused | undefined, restarts: readonly Restart[], isNew: boolean): readonly Warning[] {
  const warnings = restarts.map(({ warning }): Warning => ({ code: "cursors-restart", text: warning }));
  const anew = "the list of changes starts with this build";
  if (unused !== undefined) {
    const consequence = `so earlier pages are not kept${isNew ? `, and ${anew}` : ""}. Existing cursors ${goOn}.`;
    const text = `Could not read the previous build (${unused.reason}), ${consequence}`;
    return [{ code: "previous-unread", text }, ...warnings];
  }
  if (!isNew) return warnings;
  const text = `The previous build has no digests of its items, so ${anew}.`;
  return [...warnings, { code: "cursors-restart", text }];
}

/**
 * Removes the paging of the other collections from all builds. None of their cursors is answered any more, and a collection
 * that is not published any more leaves none of its keys and values in the state.
 */
function continued({ last, earlier, changes }: State, isContinued: (name: string) => boolean): State {
  const collections = new Map(last.collections);
  for (const [name, collection] of collections) {
    if (!isContinued(name)) collections.set(name, { ...collection, paging: undefined });
  }
  const operationsOf = ({ operations }: EarlierBuild): EarlierBuild["operations"] =>
    Object.fromEntries(Object.entries(operations).filter(([name]) => isContinued(name)));
  return {
    last: { ...last, collections },
    earlier: earlier.map((build) => ({ ...build, operations: operationsOf(build) })),
    changes,
  };
}

/**
 * The builds that have not expired and differ from the next one, newest first. A time in the future counts as now, so
 * that a wrong clock does not prolong lifetimes.
 */
function alive(
  { last, earlier }: State,
  today: { readonly collections: CollectionStates; readonly isInterrupted: boolean },
  now: number,
  lifetime: number,
): readonly EarlierBuild[] {
  const newest = { superseded: now, pages: last.pages, operations: differences(today.collections, last.collections) };
  const timed = [newest, ...earlier]
    .filter(({ operations }) => Object.keys(operations).length > 0)
    // After an interrupted build, the pages of the builds before it were still published until now.
    .map((build) => ({ ...build, superseded: today.isInterrupted ? now : Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + lifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/**
 * The collections of each build. Yields one build at a time, because together they may not fit into memory. Ends at a
 * build that cannot be derived from the next one.
 */
function* statesOf(builds: readonly EarlierBuild[], today: () => CollectionStates): Generator<CollectionStates> {
  let later: CollectionStates | undefined;
  for (const build of builds) {
    const earlier = earlierStates(later ?? today(), build);
    if (earlier === undefined) return;
    yield earlier;
    later = earlier;
  }
}

function countOf(values: Iterable<unknown>): number {
  let count = 0;
  for (const _ of values) count++;
  return count;
}
