// The history of an API: the pages of earlier builds, whose cursors are still answered, and the list of changes. Each build
// publishes a document, cursors.json, with the state from which the next one derives both. changes.json is made of the list by
// way of `Site.changes`, in documents/changes/changes.ts; its sentences are in documents/changes/change-list.ts.

import type { Changes } from "../../src/answers/answers.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import { sha256 } from "../files/sha256.ts";
import { type Draft, type Log, noFile } from "../messages.ts";
import type { Answers } from "../pages/answers.ts";
import { publicName } from "../published/place.ts";
import { shown } from "../text/quote.ts";
import { listed } from "../text/words.ts";
import { once } from "../values/once.ts";
import { hasChanges, stateOf } from "./build-state.ts";
import { changesAfter, firstChanges, type PublishedChanges, withItemFields } from "./changes.ts";
import { declaredBetween } from "./declared.ts";
import { type Earlier, earlierBuilds, goOn } from "./earlier.ts";
import type { Found, FoundState, HistoryOptions } from "./previous.ts";
import type { RetiredPages } from "./retired.ts";
import { currentPart, foreign, parseState, type State, type Unused, unreadable, writeState } from "./state.ts";
import { stateDocuments } from "./state-documents.ts";
import { changedValues, mayPublishOf } from "./values.ts";

export interface History {
  /** The pages of earlier builds, as many as there may be on a host without limits. */
  readonly retiredPages: RetiredPages;
  /** The changes of this build and of those before it; undefined if api.yaml turns the list off. */
  readonly changes: Changes | undefined;
  /** The documents that the next build reads. */
  readonly documents: readonly Document[];
  /**
   * The SHA-256 of the whole state, however it is split into documents. The next build compares it to detect an
   * interrupted build.
   */
  readonly stateDigest: () => string;
}

/** A build whose history is wanted. */
export interface HistoryBasis extends HistoryOptions, Pick<Answers, "listings" | "pageCount"> {
  readonly catalog: Catalog;
  readonly deployment: Deployment;
  /** The size limit of a file. */
  readonly maxBytes: number;
}

/** Undefined if an error is reported: somebody names the earlier build, and it cannot be read. */
export async function historyOf(build: HistoryBasis, previous: Found, log: Log): Promise<History | undefined> {
  switch (previous.kind) {
    case "none":
      return firstHistory(build, undefined, log);
    case "unusable":
      return firstHistory(build, unreadable(previous.reason), log);
    case "state": {
      const before = refuseOtherApi(parseState(previous.bytes, build.deployment.name), build.catalog);
      return isUsed(before) ? nextHistory(build, before, previous, log) : firstHistory(build, before, log);
    }
  }
}

/**
 * The state is computed on demand. Nothing is compared with it, so it is not kept: the order keys of a million items are
 * strings of 70 MB.
 */
function firstHistory(build: HistoryBasis, unused: Unused | undefined, log: Log): History | undefined {
  const { catalog, deployment, pageCount } = build;
  const isListed = hasChanges(catalog);
  if (!reportLosses({ unused, restarts: [], isNew: isListed && unused !== undefined }, build, log)) return undefined;
  const current = once(() => currentPart(deployment.name, stateOf(catalog, deployment, pageCount)));
  const changes = isListed ? firstChanges(nameOf(current), build.now) : undefined;
  return historyWith(build, current, { builds: [], pages: { pages: [], isCut: false } }, changes);
}

async function nextHistory(
  build: HistoryBasis,
  before: State,
  previous: FoundState,
  log: Log,
): Promise<History | undefined> {
  const { catalog, deployment, listings, pageCount, now } = build;
  const { isInterrupted } = previous;
  const { changesLifetime: lifetime, cursorLifetime } = catalog.settings;
  const state = stateOf(catalog, deployment, pageCount);
  const earlier = earlierBuilds(before, { listings, state, now, lifetime: cursorLifetime, isInterrupted });
  const { restarts, isDamaged } = earlier;
  const published = publishedChanges(before);
  const unused = isDamaged ? unreadable("it is damaged") : undefined;
  if (!reportLosses({ unused, restarts, isNew: lifetime > 0 && published === undefined }, build, log)) return undefined;
  const current = once(() => currentPart(deployment.name, state));
  const name = nameOf(current);
  if (lifetime === 0) return historyWith(build, current, earlier, undefined);
  if (published === undefined) return historyWith(build, current, earlier, firstChanges(name, now));
  const declared = declaredBetween(published.content.declared, state.declared);
  const { added = [], removed = [] } = declared ?? {};
  const mayPublish = mayPublishOf(catalog.settings, build.forgotten, removed);
  const { changes, edited } = changesAfter(published, state, {
    build: name,
    now,
    lifetime,
    declared,
    mayPublish,
  });
  // What the declaration added is not repeated for each item.
  const mayAdd = mayPublishOf(catalog.settings, build.forgotten, [...removed, ...added]);
  const items = { edited, before: before.last.collections, after: catalog.items };
  const values = await changedValues(items, previous, catalog.settings, mayAdd, log);
  return historyWith(build, current, earlier, withItemFields(changes, values));
}

/** Names the content of a build. */
const nameOf = (current: () => readonly Uint8Array[]) => once(() => sha256(...current()).slice(0, 16));

function historyWith(
  { catalog, deployment, maxBytes }: HistoryBasis,
  current: () => readonly Uint8Array[],
  { builds, pages: retiredPages }: Pick<Earlier, "builds" | "pages">,
  changes: Changes | undefined,
): History {
  const bytes = once(() => writeState(current(), { earlier: builds, changes }));
  return {
    retiredPages,
    changes,
    documents: stateDocuments(bytes, catalog.api.base, deployment, maxBytes),
    stateDigest: once(() => sha256(...bytes())),
  };
}

function publishedChanges({ last, changes }: State): PublishedChanges | undefined {
  const { documents, declared } = last;
  if (documents === undefined || declared === undefined || changes === undefined) return undefined;
  return { content: last, changes };
}

const isUsed = (read: State | Unused): read is State => "last" in read;

/** If a state has no collection of this API, it is of another API. */
function refuseOtherApi(read: State | Unused, { api }: Catalog): State | Unused {
  if (!isUsed(read)) return read;
  const names = [...read.last.collections.keys()];
  if (names.length === 0 || api.lists.some(({ name }) => names.includes(name))) return read;
  // A name with a question mark is that of an order.
  const collections = names.filter((name) => !name.includes("?"));
  return foreign(`it belongs to another API, with ${shown(listed(collections), 200)}`);
}

interface Losses {
  /** Why the state of the earlier build is not used, or not as a whole. */
  readonly unused: Unused | undefined;
  readonly restarts: Earlier["restarts"];
  /** Whether the list of changes starts with this build, although there is an earlier one. */
  readonly isNew: boolean;
}

/** Returns whether the build may go on: not without a build that somebody names and that cannot be read. */
function reportLosses({ unused, restarts, isNew }: Losses, options: HistoryOptions, log: Log): boolean {
  const { from = "", isNamed = false } = options;
  if (isNamed && unused !== undefined && !unused.isForeign) {
    log.report(lostDraft(publicName(from), unused.reason));
    return false;
  }
  const anew = "the list of changes starts with this build";
  if (unused !== undefined) {
    const consequence = `so earlier pages are not kept${isNew ? `, and ${anew}` : ""}. Existing cursors ${goOn}.`;
    const text = `Could not read the previous build (${unused.reason}), ${consequence}`;
    log.report({ code: "previous-unread", at: noFile, text });
  }
  for (const { warning } of restarts) log.report({ code: "cursors-restart", at: noFile, text: warning });
  if (unused === undefined && isNew) {
    const text = `The previous build has no digests of its items, so ${anew}.`;
    log.report({ code: "cursors-restart", at: noFile, text });
  }
  return true;
}

/** `reason` is a clause. */
const lostDraft = (from: string, reason: string): Draft => ({
  code: "previous-lost",
  at: noFile,
  text: `Could not read the previous build at ${from} (${reason}).`,
  hint: "Build again when it can be read. With --previous none, the build starts anew, and existing cursors may stop working.",
});
