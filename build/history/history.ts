// What a build has to know of earlier ones, so that the cursors which they gave are still answered: their snapshots. They
// are in a document that each build publishes for the next one.
import type { Catalog, Deployment } from "../content/catalog.ts";
import { digestOf } from "../digest.ts";
import { type Document, json, textDocument } from "../document.ts";
import { generator } from "../generator.ts";
import { cursorsFile } from "../routing/paths.ts";
import { currentBytes, form } from "./current.ts";
import { pagedOperations, type Snapshot, signatureOf, snapshotOf } from "./snapshot.ts";
import { differences, type EarlierBuild, earlierSnapshot, parseState, type State, without } from "./state.ts";

/** What was found of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  /** `isInterrupted`: the build ended after it wrote its state and before all of its pages were in place. */
  | { readonly kind: "state"; readonly bytes: Uint8Array; readonly isInterrupted?: boolean }
  /** `reason` ends a sentence. */
  | { readonly kind: "unusable"; readonly reason: string };

export interface History {
  /** This build; undefined where no earlier one counts. */
  readonly today: Snapshot | undefined;
  /** The builds whose cursors are still answered, the newest first. Each is made when it is asked for. */
  readonly earlier: Iterable<Snapshot>;
  /** The pages of the largest of these builds and this one. */
  readonly mostPages: number;
  /** For the next build. */
  readonly documents: readonly Document[];
  /** The digest of the documents' bytes, by which the next build sees that this one came into place. */
  readonly state: number | undefined;
  /** Why cursors of earlier builds are lost, a sentence or two each. */
  readonly warnings: readonly string[];
  /** Why the earlier build could not be read, as a clause. */
  readonly lost?: string | undefined;
}

/**
 * `pages` is how many pages the build has without retired ones, `now` in seconds since 1970, `mostBytes` how large a file
 * may be.
 */
export function remember(
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  found: Found,
  now: number,
  mostBytes = Number.POSITIVE_INFINITY,
): History {
  const current = currentBytes(catalog, deployment, pages);
  const isSame = found.kind === "state" && startsWith(found.bytes, current);
  if (isSame && found.bytes.length === current.length + nothing.length) {
    return {
      today: undefined,
      earlier: [],
      mostPages: pages,
      documents: documentsOf([current, nothing], deployment, mostBytes),
      state: stateDigest([current, nothing]),
      warnings: [],
    };
  }
  const read = found.kind === "state" ? parseState(new TextDecoder().decode(found.bytes), deployment.name) : undefined;
  const restarted = typeof read === "object" ? restartedIn(read, deployment) : new Set<string>();
  const state = typeof read === "object" ? without(restarted, read) : undefined;
  const today = state && snapshotOf(catalog, deployment);
  const changes = state === undefined || today === undefined || isSame ? {} : differences(today, state.last);
  const superseded = { superseded: now, pages: state?.pages ?? 0, operations: changes };
  // Readers had the pages of the builds before an interrupted one until now.
  const isInterrupted = found.kind === "state" && found.isInterrupted === true;
  const listed = (state?.earlier ?? []).map((build) => (isInterrupted ? { ...build, superseded: now } : build));
  const before = alive([superseded, ...listed], now, catalog);
  const snapshots = (builds: readonly EarlierBuild[]) => (today === undefined ? [] : snapshotsOf(builds, today));
  const known = before.slice(0, countOf(snapshots(before)));
  const parts = known.length === 0 ? [current, nothing] : [current, encode(`,"earlier":${JSON.stringify(known)}}`)];
  const reason = found.kind === "unusable" ? found.reason : typeof read === "string" ? read : undefined;
  const lost = known.length === before.length ? reason : "it is damaged";
  const warnings = [
    ...(lost === undefined ? [] : [`Could not read the previous build (${lost}). Existing cursors will stop working.`]),
    ...[...restarted].map(
      (name) => `The key, order or filters of ${name} have changed. Existing cursors of ${name} stop working.`,
    ),
  ];
  const documents = documentsOf(parts, deployment, mostBytes);
  const earlier = { [Symbol.iterator]: () => snapshots(known)[Symbol.iterator]() };
  const mostPages = known.reduce((most, build) => Math.max(most, build.pages), pages);
  return {
    today: known.length === 0 ? undefined : today,
    earlier,
    mostPages,
    documents,
    state: stateDigest(parts),
    warnings,
    lost,
  };
}

/** The operations whose order keys do not compare with those of earlier builds. */
const restartedIn = ({ signatures }: State, deployment: Deployment): ReadonlySet<string> =>
  new Set(
    pagedOperations(deployment)
      .filter((operation) => (signatures.get(operation.name) ?? signatureOf(operation)) !== signatureOf(operation))
      .map(({ name }) => name),
  );

/** The same document again, for a build that supersedes nothing. */
export const keep = (found: Found, deployment: Deployment): History => ({
  today: undefined,
  earlier: [],
  mostPages: 0,
  documents: found.kind === "state" ? documentsOf([found.bytes], deployment, Number.POSITIVE_INFINITY) : [],
  state: found.kind === "state" ? stateDigest([found.bytes]) : undefined,
  warnings: [],
});

/** Of the bytes of the whole state, in however many parts. */
export const stateDigest = (parts: readonly Uint8Array[]): number => digestOf([Buffer.concat(parts)]);

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const nothing = encode(',"earlier":[]}');

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  bytes.length >= start.length && Buffer.compare(bytes.subarray(0, start.length), start) === 0;

/**
 * The builds that have not expired and differ from the next one. A time in the future counts as now, so that a clock that
 * was wrong keeps nothing for longer.
 */
function alive(builds: readonly EarlierBuild[], now: number, { settings }: Catalog): readonly EarlierBuild[] {
  const timed = builds
    .filter(({ operations }) => Object.keys(operations).length > 0)
    .map((build) => ({ ...build, superseded: Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + settings.cursorLifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/** One at a time, because all of them may not fit into memory. They end at a build that does not go with the next one. */
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

/** In several files where one would be too large: each further one holds a part of the JSON, as a string. */
function documentsOf(bytes: readonly Uint8Array[], deployment: Deployment, mostBytes: number): readonly Document[] {
  const length = bytes.reduce((sum, part) => sum + part.length, 0);
  if (length <= mostBytes) return [documentOf(1, bytes)];
  const whole = Buffer.concat(bytes);
  const text = whole.toString();
  // A character may take several bytes, and some are escaped.
  const size = Math.floor(mostBytes / 3);
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  const files = parts.map((_, index) => cursorsFile(index + 2).slice(cursorsFile().lastIndexOf("/") + 1));
  const head = { generator, form, deployment: deployment.name, digest: digestOf([whole]), files };
  return [head, ...parts].map((part, index) => documentOf(index + 1, [encode(JSON.stringify(part))]));
}

const documentOf = (part: number, bytes: readonly Uint8Array[]): Document => ({
  ...textDocument(
    {
      path: `/${cursorsFile(part)}`,
      file: cursorsFile(part),
      contentType: json,
      cacheControl: "no-store",
      mark: generator,
    },
    "",
  ),
  parts: () => bytes,
});
