// The list of changes: the items that each build added, changed or removed, for consumers who keep a copy. A build finds its
// changes by the digests of the items of the build before it. Both the digests and the list are in the state that a build
// leaves for the next one.
import * as z from "zod";
import type { Change, Changes, CollectionChanges } from "../../src/answers/answers.ts";
import { keyValuesIn } from "../../src/model/order.ts";
import type { BuildState, CollectionState, ItemDigests } from "./build-state.ts";
import { declaredBetween } from "./declared.ts";
import { digestLength } from "./digests.ts";

/** The limit of keys of a collection in a change. */
const maxKeysOfChange = 1_000;

/** The limit of the document. */
const maxBytes = 500_000;

/** More than a list takes besides its changes, and a change besides its keys. */
const maxBytesOfHead = 300;

const keys = z.array(z.string());
/** An existing time. `Date` would read 30 February as a day of March. */
const time = z.string().refine((text) => {
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && timeOf(milliseconds / 1_000) === text;
});
const collection = z.object({
  added: keys,
  changed: keys,
  removed: keys,
  more: z.int().exactOptional(),
  reset: z.literal(true).exactOptional(),
});

/** The form of a notice of what will go. */
export const noticeForm = z.object({
  name: z.string(),
  since: z.string(),
  sunset: z.string().exactOptional(),
  use: z.string().exactOptional(),
  why: z.string().exactOptional(),
});

const declared = z.object({
  added: keys,
  deprecated: z.array(noticeForm),
  removed: keys,
});

const change = z.object({
  at: time,
  build: z.string(),
  collections: z.record(z.string(), collection),
  documents: keys,
  declared: declared.exactOptional(),
});

/** The form of the document. */
export const changesForm = z.object({
  object: z.literal("changes"),
  since: time,
  build: z.string(),
  data: z.array(change),
});

/** The digests of the content of a build. */
type BuildContent = Pick<BuildState, "collections" | "documents" | "declared">;

/** The content and the list of changes of the build before this one. */
export interface PublishedChanges {
  readonly content: BuildContent;
  readonly changes: Changes;
}

/**
 * The list of changes of a build. `today` returns its content, and is only called if there is an earlier build: otherwise
 * the list starts anew. `build` names the content, `now` and `lifetime` are in seconds.
 */
export function changesAfter(
  before: PublishedChanges | undefined,
  today: () => BuildContent,
  { build, now, lifetime }: { readonly build: () => string; readonly now: number; readonly lifetime: number },
): Changes {
  if (before === undefined) {
    return {
      object: "changes",
      since: timeOf(now),
      // Computing the name takes the whole state, which a first build computes on demand.
      get build() {
        return build();
      },
      data: [],
    };
  }
  const changes = withoutFuture(before.changes, timeOf(now));
  const newest = changeBetween(before.content, today());
  if (newest === undefined) return bounded(changes, now - lifetime);
  const change = { at: timeOf(now), build: build(), ...newest };
  return bounded({ ...changes, data: [change, ...changes.data] }, now - lifetime);
}

/**
 * If a clock was ahead and has been corrected, times in the future become the present time. A copy with one of them starts
 * anew, because no list has that time any more.
 */
function withoutFuture(changes: Changes, now: string): Changes {
  const atMostNow = (time: string): string => (time > now ? now : time);
  const data = changes.data.map((change) => ({ ...change, at: atMostNow(change.at) }));
  return { ...changes, since: atMostNow(changes.since), data };
}

/** The differences, with as many keys as fit into one list. Undefined if there are none. */
function changeBetween(before: BuildContent, after: BuildContent): Omit<Change, "at" | "build"> | undefined {
  const documentsBefore = new Map(Object.entries(before.documents ?? {}));
  const documentsAfter = new Map(Object.entries(after.documents ?? {}));
  const documents = namesIn(documentsAfter, documentsBefore).filter(
    (name) => documentsBefore.get(name) !== documentsAfter.get(name),
  );
  const declared = declaredBetween(before.declared, after.declared);
  for (let maxKeys = maxKeysOfChange; ; maxKeys = Math.floor(maxKeys / 2)) {
    const collections = new Map<string, CollectionChanges>();
    for (const name of namesIn(after.collections, before.collections)) {
      const changes = changesOf(before.collections.get(name), after.collections.get(name), maxKeys);
      if (changes !== undefined) collections.set(name, changes);
    }
    if (collections.size + documents.length === 0 && declared === undefined) return undefined;
    const change = { collections: Object.fromEntries(collections), documents, ...(declared && { declared }) };
    if (maxKeys === 0 || Buffer.byteLength(JSON.stringify(change)) <= maxBytes - maxBytesOfHead) return change;
  }
}

/** The names in any of the lists, each once. */
const namesIn = (...lists: readonly Iterable<readonly [string, unknown]>[]): readonly string[] => [
  ...new Set(lists.flatMap((entries) => Array.from(entries, ([name]) => name))),
];

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(".000", "");

const secondsOf = (time: string): number => Date.parse(time) / 1_000;

/** Leaves out the changes up to the time `expired`, and the oldest ones that exceed the limit of the list. */
function bounded({ since, build, data }: Changes, expired: number): Changes {
  let bytes = JSON.stringify({ object: "changes", since, build, data: [] }).length;
  const end = data.findIndex((change) => {
    bytes += Buffer.byteLength(JSON.stringify(change)) + 1;
    return bytes > maxBytes || secondsOf(change.at) <= expired;
  });
  const dropped = data[end];
  if (dropped === undefined) return { object: "changes", since, build, data };
  return { object: "changes", since: dropped.at, build: dropped.build, data: data.slice(0, end) };
}

function changesOf(
  before: CollectionState | undefined,
  after: CollectionState | undefined,
  maxKeys: number,
): CollectionChanges | undefined {
  if (before === after) return undefined;
  const itemsBefore = before && digestedItems(before);
  const itemsAfter = after && digestedItems(after);
  if (itemsBefore !== undefined && itemsAfter !== undefined && String(itemsBefore.key) !== String(itemsAfter.key)) {
    return { added: [], changed: [], removed: [], reset: true };
  }
  const { added, changed, removed } = editedItems(itemsBefore, itemsAfter);
  const count = added.length + changed.length + removed.length;
  if (count === 0) return undefined;
  let room = maxKeys;
  const first = (keys: readonly string[]) => {
    const named = keys.slice(0, room);
    room -= named.length;
    return named;
  };
  const named = { added: first(added), changed: first(changed), removed: first(removed) };
  return count > maxKeys ? { ...named, more: count - maxKeys } : named;
}

/** The items of a collection that has digests. */
interface DigestedItems extends ItemDigests {
  readonly keys: readonly string[];
}

const digestedItems = ({ keys, digests }: CollectionState): DigestedItems | undefined =>
  digests && { keys, key: digests.key, order: digests.order, bytes: digests.bytes };

const noItems: DigestedItems = { key: [], order: [], keys: [], bytes: Buffer.alloc(0) };

/** The keys of the items that differ, in the order of the list. The fields of the keys are the same. */
function editedItems(before = noItems, after = noItems) {
  /** The digests of the items that differ or moved, by key. */
  const digestsBefore = new Map<string, bigint>();
  const digestsAfter = new Map<string, bigint>();
  // Order keys of different orders are not comparable.
  const isComparable = JSON.stringify(before.order) === JSON.stringify(after.order);
  const isSame = (indexBefore: number, indexAfter: number): boolean => {
    const start = digestLength * indexBefore;
    const startAfter = digestLength * indexAfter;
    const { bytes } = before;
    return bytes.compare(after.bytes, startAfter, startAfter + digestLength, start, start + digestLength) === 0;
  };
  let indexBefore = 0;
  let indexAfter = 0;
  while (indexBefore < before.keys.length || indexAfter < after.keys.length) {
    const keyBefore = before.keys[indexBefore];
    const keyAfter = after.keys[indexAfter];
    const hasSameKey = isComparable && keyBefore !== undefined && keyBefore === keyAfter;
    if (hasSameKey && isSame(indexBefore, indexAfter)) {
      indexBefore++;
      indexAfter++;
    } else if (keyBefore !== undefined && (keyAfter === undefined || keyBefore <= keyAfter)) {
      digestsBefore.set(keyIn(before, keyBefore), digestAt(before, indexBefore));
      indexBefore++;
    } else if (keyAfter !== undefined) {
      digestsAfter.set(keyIn(after, keyAfter), digestAt(after, indexAfter));
      indexAfter++;
    }
  }
  return {
    added: [...digestsAfter.keys()].filter((key) => !digestsBefore.has(key)),
    changed: [...digestsAfter]
      .filter(([key, digest]) => (digestsBefore.get(key) ?? digest) !== digest)
      .map(([key]) => key),
    removed: [...digestsBefore.keys()].filter((key) => !digestsAfter.has(key)),
  };
}

const digestAt = ({ bytes }: DigestedItems, index: number): bigint => bytes.readBigUInt64LE(digestLength * index);

const keyIn = ({ order, key }: DigestedItems, orderKey: string): string => keyValuesIn(orderKey, order, key).join("/");
