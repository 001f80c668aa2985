// What a build has to know of earlier ones, so that the cursors which they gave are still answered: their snapshots. They
// are in a document that each build publishes for the next one.
import type { Catalog, Deployment } from "../content/catalog.ts";
import { digestOf } from "../digest.ts";
import { type Document, json, textDocument } from "../documents/document.ts";
import { generator } from "../generator.ts";
import { cursorsFile } from "../routing/paths.ts";
import { currentBytes, form } from "./current.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import { differences, type EarlierBuild, earlierSnapshot, parseState } from "./state.ts";

/** What was found of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  | { readonly kind: "state"; readonly bytes: Uint8Array }
  /** `reason` ends a sentence. */
  | { readonly kind: "unusable"; readonly reason: string };

export interface History {
  /** This build; undefined where no earlier one counts. */
  readonly today: Snapshot | undefined;
  /** The builds whose cursors are still answered, the newest first. */
  readonly earlier: readonly Snapshot[];
  /** For the next build. */
  readonly documents: readonly Document[];
  /** Why cursors of earlier builds are lost, a sentence or two each. */
  readonly warnings: readonly string[];
  /** Why the earlier build could not be read, as a clause. */
  readonly lost?: string | undefined;
}

/** `now` is in seconds since 1970, `mostBytes` how large a file may be. */
export function remember(
  catalog: Catalog,
  deployment: Deployment,
  found: Found,
  now: number,
  mostBytes = Number.POSITIVE_INFINITY,
): History {
  const current = currentBytes(catalog, deployment);
  const isSame = found.kind === "state" && startsWith(found.bytes, current);
  if (isSame && found.bytes.length === current.length + nothing.length) {
    return {
      today: undefined,
      earlier: [],
      documents: documentsOf([current, nothing], deployment, mostBytes),
      warnings: [],
    };
  }
  const read = found.kind === "state" ? parseState(new TextDecoder().decode(found.bytes), deployment.name) : undefined;
  const state = typeof read === "object" ? read : undefined;
  const today = state && snapshotOf(catalog, deployment);
  const changes = state === undefined || today === undefined || isSame ? {} : differences(today, state.last);
  const before = alive(buildsBefore(state?.earlier ?? [], changes, now), now, catalog);
  const [earlier, isWhole] = today === undefined ? [[], true] : snapshotsOf(before, today);
  const known = before.slice(0, earlier.length);
  const parts = known.length === 0 ? [current, nothing] : [current, encode(`,"earlier":${JSON.stringify(known)}}`)];
  const reason = found.kind === "unusable" ? found.reason : typeof read === "string" ? read : undefined;
  const lost = isWhole ? reason : "it is damaged";
  const warnings =
    lost === undefined ? [] : [`Could not read the previous build (${lost}). Existing cursors will stop working.`];
  const documents = documentsOf(parts, deployment, mostBytes);
  return { today, earlier, documents, warnings, lost };
}

/** The same document again, for a build that supersedes nothing. */
export const keep = (found: Found, deployment: Deployment): History => ({
  today: undefined,
  earlier: [],
  documents: found.kind === "state" ? documentsOf([found.bytes], deployment, Number.POSITIVE_INFINITY) : [],
  warnings: [],
});

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const nothing = encode(',"earlier":[]}');

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean =>
  bytes.length >= start.length && Buffer.compare(bytes.subarray(0, start.length), start) === 0;

/** `changes` is how the last build differs from this one. */
const buildsBefore = (earlier: readonly EarlierBuild[], changes: EarlierBuild["operations"], now: number) =>
  Object.keys(changes).length === 0 ? earlier : [{ superseded: now, operations: changes }, ...earlier];

/** A time in the future counts as now, so that a clock that was wrong keeps nothing for longer. */
function alive(builds: readonly EarlierBuild[], now: number, { settings }: Catalog): readonly EarlierBuild[] {
  const timed = builds.map((build) => ({ ...build, superseded: Math.min(build.superseded, now) }));
  const expired = timed.findIndex(({ superseded }) => superseded + settings.cursorLifetime <= now);
  return expired === -1 ? timed : timed.slice(0, expired);
}

/** Of each build, and whether each could be made of the one after it. */
function snapshotsOf(builds: readonly EarlierBuild[], today: Snapshot): readonly [readonly Snapshot[], boolean] {
  const snapshots: Snapshot[] = [];
  let later = today;
  for (const build of builds) {
    const own = earlierSnapshot(later, build);
    if (own === undefined) return [snapshots, false];
    snapshots.push(own);
    later = own;
  }
  return [snapshots, true];
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
