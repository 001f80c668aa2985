// The history of an API: snapshots of earlier builds, whose cursors are still answered. Each build publishes a document
// with the snapshots for the next one.
import { isAscii } from "node:buffer";
import type { Changes } from "../../src/answers.ts";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { type Document, json } from "../document.ts";
import { encode } from "../file.ts";
import { generator } from "../generator.ts";
import { parseJson } from "../json.ts";
import { apiFolder, cursorsFile } from "../routing/paths.ts";
import { sha256 } from "../sha256.ts";
import { changesAfter, changesForm, type Published } from "./changes.ts";
import { digestsOf } from "./digests.ts";
import { orderKeysIn, type Snapshot, snapshotBytes, snapshotOf, stateForm } from "./snapshot.ts";
import { differences, type EarlierBuild, earlierSnapshot, parseState, without } from "./state.ts";

/** The state of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  /** `isInterrupted`: the build ended after it wrote its state and before all of its pages were in place. */
  | { readonly kind: "state"; readonly bytes: Uint8Array; readonly isInterrupted?: boolean }
  /** `reason` is a clause. */
  | { readonly kind: "unusable"; readonly reason: string };

export interface History {
  /** This build; undefined if there are no earlier builds to compare it with. */
  readonly today: Snapshot | undefined;
  /** The builds whose cursors are still answered, newest first. Each snapshot is created on iteration. */
  readonly earlier: Iterable<Snapshot>;
  /** The number of pages of the largest of these builds and this one. */
  readonly mostPages: number;
  /** What this build and those before it changed; undefined if api.yaml turns the list off. */
  readonly changes: Changes | undefined;
  /** The documents that the next build reads. */
  readonly documents: readonly Document[];
  /**
   * The SHA-256 of the whole state, however it is split into documents. The next build compares it to detect an
   * interrupted build.
   */
  readonly state: string;
  /** The reasons why cursors of earlier builds are lost, a sentence or two each. */
  readonly warnings: readonly string[];
  /** The reason why the earlier build could not be read, as a clause. */
  readonly lost?: string | undefined;
}

/**
 * `pages` is the number of pages without retired ones, `now` in seconds since 1970, `mostBytes` the size limit of a
 * file.
 */
export function remember(
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  found: Found,
  now: number,
  mostBytes = Number.POSITIVE_INFINITY,
): History {
  const { settings } = catalog;
  const keysOf = orderKeysIn(catalog);
  const digests = settings.changes === 0 ? undefined : digestsOf(catalog, deployment, keysOf);
  const current = snapshotBytes(catalog, deployment, pages, digests);
  const unchanged = found.kind === "state" ? restBehind(Buffer.concat([current, noEarlier]), found.bytes) : undefined;
  const { today, known, restarted, lost, published } =
    unchanged === undefined
      ? recall(catalog, deployment, keysOf, found, now)
      : { ...nothing, published: digests && unchanged.changes && { digests, changes: unchanged.changes } };
  const isNew = digests !== undefined && published === undefined && found.kind !== "none";
  const time = { build: () => sha256(current).slice(0, 16), now, lifetime: settings.changes };
  const changes = digests && changesAfter(published, digests, time);
  const earlier = known.length === 0 ? noEarlier : encode(`,"earlier":${JSON.stringify(known)}`);
  const rest = encode(`${changes === undefined ? "" : `,"changes":${JSON.stringify(changes)}`}}`);
  return {
    today: known.length === 0 ? undefined : today,
    earlier: { [Symbol.iterator]: () => snapshotsOf(known, today) },
    mostPages: known.reduce((most, build) => Math.max(most, build.pages), pages),
    changes,
    documents: documentsOf([current, earlier, rest], catalog.api.base, deployment, mostBytes),
    state: sha256(current, earlier, rest),
    warnings: [
      ...(lost === undefined
        ? []
        : [
            `Could not read the previous build (${lost}). Existing cursors will stop working${isNew ? ", and the list of changes starts with this build" : ""}.`,
          ]),
      ...restarted.map(
        (name) => `The key, order or filters of ${name} have changed. Existing cursors of ${name} stop working.`,
      ),
      ...(isNew && lost === undefined ? [restart] : []),
    ],
    lost,
  };
}

const restart = "The previous build has no digests of its items, so the list of changes starts with this build.";

const noEarlier = encode(',"earlier":[]');

/**
 * The end of the last state if it starts with the bytes of this build's. Without this, a build that changes nothing would
 * parse its last state, 50 MB for a million items.
 */
function restBehind(start: Buffer, state: Uint8Array): { readonly changes: Changes | undefined } | undefined {
  if (!start.equals(state.subarray(0, start.length))) return undefined;
  const rest = parseJson(`{"form":0${new TextDecoder().decode(state.subarray(start.length))}`);
  return { changes: changesForm.safeParse(Object(rest).changes).data };
}

interface Recalled {
  readonly today: Snapshot;
  readonly known: readonly EarlierBuild[];
  /** The operations whose order keys are not comparable with the last build's. */
  readonly restarted: readonly string[];
  /** The reason why some builds are lost, as a clause. */
  readonly lost?: string | undefined;
  readonly published?: Published | undefined;
}

/** ASCII needs no decoding, which would be an eighth of what it takes to read the state of 100,000 items. */
const textIn = (bytes: Uint8Array): string =>
  isAscii(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1") : decoder.decode(bytes);
const decoder = new TextDecoder();

const nothing: Recalled = { today: new Map(), known: [], restarted: [] };

/** The builds whose cursors are still answered, newest first. */
function recall(
  catalog: Catalog,
  deployment: Deployment,
  keysOf: (name: string) => readonly string[],
  found: Found,
  now: number,
): Recalled {
  if (found.kind === "none") return nothing;
  const read = found.kind === "state" ? parseState(textIn(found.bytes), deployment.name) : found.reason;
  if (typeof read === "string") return { ...nothing, lost: read };
  const today = snapshotOf(catalog, deployment, keysOf);
  const restarted = [...today].flatMap(([name, { signature }]) =>
    (read.last.get(name)?.signature ?? signature) === signature ? [] : [name],
  );
  const { last, earlier, pages, published } = without(new Set(restarted), read);
  // After an interrupted build, the pages of the builds before it were still published until now.
  const isInterrupted = found.kind === "state" && found.isInterrupted === true;
  const before = earlier.map((build) => (isInterrupted ? { ...build, superseded: now } : build));
  const builds = alive([{ superseded: now, pages, operations: differences(today, last) }, ...before], now, catalog);
  const known = builds.slice(0, countOf(snapshotsOf(builds, today)));
  return { today, known, restarted, lost: known.length < builds.length ? "it is damaged" : undefined, published };
}

/**
 * The builds that have not expired and differ from the next one. A time in the future counts as now, so that a wrong
 * clock does not prolong lifetimes.
 */
function alive(builds: readonly EarlierBuild[], now: number, { settings }: Catalog): readonly EarlierBuild[] {
  const timed = builds
    .filter(({ operations }) => Object.keys(operations).length > 0)
    .map((build) => ({ ...build, superseded: Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + settings.cursorLifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/**
 * Yields one snapshot at a time, because together the snapshots may not fit into memory. Ends at a build that cannot be
 * derived from the next one.
 */
function* snapshotsOf(builds: readonly EarlierBuild[], today: Snapshot): Generator<Snapshot> {
  let later = today;
  for (const build of builds) {
    const own = earlierSnapshot(later, build);
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

/** Splits a state that is too large for one file: each further file holds a part of the JSON, as a string. */
function documentsOf(
  bytes: readonly Uint8Array[],
  base: string,
  deployment: Deployment,
  mostBytes: number,
): readonly Document[] {
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  if (length <= mostBytes) return [documentOf(base, 1, bytes)];
  const whole = Buffer.concat(bytes);
  const text = whole.toString();
  // In JSON and UTF-8 a character may take several bytes.
  const size = Math.floor(mostBytes / 3);
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const files = parts.map((_, index) => cursorsFile(base, index + 2).slice(apiFolder(base).length + 1));
  const head = { generator, form: stateForm, deployment: deployment.name, digest: sha256(whole), files };
  return [head, ...parts].map((part, index) => documentOf(base, index + 1, [encode(JSON.stringify(part))]));
}

const documentOf = (base: string, part: number, parts: readonly Uint8Array[]): Document => ({
  path: `/${cursorsFile(base, part)}`,
  file: cursorsFile(base, part),
  contentType: json,
  cacheControl: "no-store",
  parts: () => parts,
});
