// The list of changes: the items that each build added, changed or removed, for consumers who keep a copy. A build finds its
// changes by the digests of the items of the build before it. Both the digests and the list are in the state that a build
// leaves for the next one.
import * as z from "zod";
import type { Change, Changes, CollectionChanges, DeclaredChanges } from "../../src/answers/answers.ts";
import { ownField } from "../../src/model/fields.ts";
import { keyValuesIn } from "../../src/model/order.ts";
import { fieldChanges } from "../values/field-changes.ts";
import type { BuildState, CollectionState, ItemDigests } from "./build-state.ts";
import { digestLength } from "./digests.ts";
import {
  type ChangedItem,
  type ChangedItems,
  type ItemFields,
  type MayPublish,
  maxItems,
  withPublishable,
} from "./values.ts";

/** The limit of keys of a collection in a change. */
const maxKeysOfChange = 1_000;

/** The limit of the document. */
const maxBytes = 500_000;

/** More than a list takes besides its changes, and a change besides its keys. */
const maxBytesOfHead = 300;

const keys = z.array(z.string());
/** An existing time. `Date` would read 30 February as a day of March. */
const time = z.string().refine((text) => {
  const seconds = secondsOf(text);
  return !Number.isNaN(seconds) && timeOf(seconds) === text;
});
const changesOfItem = z.record(z.string(), z.union([z.tuple([z.json(), z.json()]), z.tuple([])]));
const collection = z.object({
  added: keys,
  changed: keys,
  removed: keys,
  more: z.int().exactOptional(),
  reset: z.literal(true).exactOptional(),
  fields: z.record(z.string(), changesOfItem).exactOptional(),
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

/** The list of changes of a build, without what changed in its items. */
export interface ListedChanges {
  readonly changes: Changes;
  /** The items that the entry of this build names as changed, at most a hundred of each list. */
  readonly edited: ChangedItems;
}

export interface ChangesBasis {
  /** Names the content. */
  readonly build: () => string;
  /** In seconds, as `lifetime`. */
  readonly now: number;
  readonly lifetime: number;
  /** What the declaration of this build changed. */
  readonly declared: DeclaredChanges | undefined;
  /** Which values the entries of earlier builds keep. */
  readonly mayPublish: MayPublish;
}

/** The list of a build whose changes are unknown. `build` is called on demand, because it takes the whole state. */
export const firstChanges = (build: () => string, now: number): Changes => ({
  object: "changes",
  since: timeOf(now),
  get build() {
    return build();
  },
  data: [],
});

export function changesAfter(
  before: PublishedChanges,
  content: BuildContent,
  { build, now, lifetime, declared, mayPublish }: ChangesBasis,
): ListedChanges {
  const earlier = withoutFuture(before.changes, timeOf(now));
  const { newest, edited } = changeBetween(before.content, content, declared);
  const data = earlier.data.map((change) => withPublishable(change, mayPublish));
  if (newest !== undefined) data.unshift({ at: timeOf(now), build: build(), ...newest });
  return { changes: bounded(unexpired({ ...earlier, data }, now - lifetime)), edited };
}

/** Whether the list names an item as changed, as in `nodes/nod_x`. */
export function namesChanged(changes: Changes | undefined, item: string): boolean {
  const [list = "", ...key] = item.split("/");
  return changes?.data.some(({ collections }) => ownField(collections, list)?.changed.includes(key.join("/"))) ?? false;
}

/** The list with what changed in the items of the newest entry, of as many items as fit. */
export function withItemFields(changes: Changes, fields: ReadonlyMap<string, ItemFields>): Changes {
  const [newest, ...others] = changes.data;
  if (newest === undefined) return changes;
  for (let max = maxItems; max > 0; max = Math.floor(max / 2)) {
    const collections = new Map(Object.entries(newest.collections));
    for (const [name, all] of fields) {
      const first = Object.entries(all).slice(0, max);
      const collection = collections.get(name);
      if (collection !== undefined && first.length > 0)
        collections.set(name, { ...collection, fields: Object.fromEntries(first) });
    }
    const change = { ...newest, collections: Object.fromEntries(collections) };
    if (bytesOf(change) <= maxBytes - maxBytesOfHead) return bounded({ ...changes, data: [change, ...others] });
  }
  return changes;
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

interface ChangeBetween {
  /** Undefined if nothing differs. */
  readonly newest: Omit<Change, "at" | "build"> | undefined;
  readonly edited: ChangedItems;
}

/** The differences, with as many keys as fit into one list. */
function changeBetween(
  before: BuildContent,
  after: BuildContent,
  declared: DeclaredChanges | undefined,
): ChangeBetween {
  // Those of this build come first.
  const documents = fieldChanges(after.documents ?? {}, before.documents ?? {}).map(({ field }) => field);
  for (let maxKeys = maxKeysOfChange; ; maxKeys = Math.floor(maxKeys / 2)) {
    const collections = new Map<string, CollectionChanges>();
    const edited = new Map<string, readonly ChangedItem[]>();
    for (const name of new Set([...after.collections.keys(), ...before.collections.keys()])) {
      const changes = changesOf(before.collections.get(name), after.collections.get(name), maxKeys);
      if (changes === undefined) continue;
      collections.set(name, changes.listed);
      if (changes.edited.length > 0) edited.set(name, changes.edited.slice(0, maxItems));
    }
    if (collections.size + documents.length === 0 && declared === undefined) return { newest: undefined, edited };
    const newest = { collections: Object.fromEntries(collections), documents, ...(declared && { declared }) };
    if (maxKeys === 0 || bytesOf(newest) <= maxBytes - maxBytesOfHead) return { newest, edited };
  }
}

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(".000", "");

const secondsOf = (time: string): number => Date.parse(time) / 1_000;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value)) + 1;

/** The list from the entry at this index on is left out. */
function withoutFrom(changes: Changes, end: number): Changes {
  const dropped = changes.data[end];
  if (dropped === undefined) return changes;
  return { ...changes, since: dropped.at, build: dropped.build, data: changes.data.slice(0, end) };
}

/** Leaves out the changes up to the time `expired`. */
const unexpired = (changes: Changes, expired: number): Changes =>
  withoutFrom(
    changes,
    changes.data.findIndex(({ at }) => secondsOf(at) <= expired),
  );

/** Leaves out what exceeds the limit of the list: what changed in items first, then whole entries; the oldest first. */
function bounded(changes: Changes): Changes {
  const data = [...changes.data];
  let bytes = maxBytesOfHead + data.reduce((sum, change) => sum + bytesOf(change), 0);
  for (const [index, change] of [...data.entries()].reverse()) {
    if (bytes <= maxBytes) break;
    const shorter = withPublishable(change, () => false);
    bytes -= bytesOf(change) - bytesOf(shorter);
    data[index] = shorter;
  }
  let end = data.length;
  for (const change of data.toReversed()) {
    if (bytes <= maxBytes) break;
    bytes -= bytesOf(change);
    end--;
  }
  return withoutFrom({ ...changes, data }, end);
}

interface ChangedCollection {
  readonly listed: CollectionChanges;
  /** The changed items that are listed. */
  readonly edited: readonly ChangedItem[];
}

function changesOf(
  before: CollectionState | undefined,
  after: CollectionState | undefined,
  maxKeys: number,
): ChangedCollection | undefined {
  if (before === after) return undefined;
  const itemsBefore = before && digestedItems(before);
  const itemsAfter = after && digestedItems(after);
  if (itemsBefore !== undefined && itemsAfter !== undefined && String(itemsBefore.key) !== String(itemsAfter.key)) {
    return { listed: { added: [], changed: [], removed: [], reset: true }, edited: [] };
  }
  const { added, changed, removed } = itemDifferences(itemsBefore, itemsAfter);
  const count = added.length + changed.length + removed.length;
  if (count === 0) return undefined;
  let room = maxKeys;
  const first = <Value>(all: readonly Value[]) => {
    const some = all.slice(0, room);
    room -= some.length;
    return some;
  };
  // An import may add more items than an entry names, and would hide all others.
  const edited = first(changed);
  const listedRemoved = first(removed);
  const listed = { added: first(added), changed: edited.map(({ key }) => key), removed: listedRemoved };
  return { listed: count > maxKeys ? { ...listed, more: count - maxKeys } : listed, edited };
}

/** The items of a collection that has digests. */
interface DigestedItems extends ItemDigests {
  readonly orderKeys: readonly string[];
}

const digestedItems = ({ orderKeys, digests }: CollectionState): DigestedItems | undefined =>
  digests && { orderKeys, ...digests };

const noDigests: DigestedItems = { key: [], order: [], orderKeys: [], bytes: Buffer.alloc(0) };

/** The items that differ, in the order of the list. The fields of the keys are the same. */
function itemDifferences(before = noDigests, after = noDigests) {
  /** The indices of the items that differ or moved, by key. */
  const indicesBefore = new Map<string, number>();
  const indicesAfter = new Map<string, number>();
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
  while (indexBefore < before.orderKeys.length || indexAfter < after.orderKeys.length) {
    const keyBefore = before.orderKeys[indexBefore];
    const keyAfter = after.orderKeys[indexAfter];
    const hasSameKey = isComparable && keyBefore !== undefined && keyBefore === keyAfter;
    if (hasSameKey && isSame(indexBefore, indexAfter)) {
      indexBefore++;
      indexAfter++;
    } else if (keyBefore !== undefined && (keyAfter === undefined || keyBefore <= keyAfter)) {
      indicesBefore.set(keyIn(before, keyBefore), indexBefore);
      indexBefore++;
    } else if (keyAfter !== undefined) {
      indicesAfter.set(keyIn(after, keyAfter), indexAfter);
      indexAfter++;
    }
  }
  const changed: ChangedItem[] = [];
  for (const [key, index] of indicesAfter) {
    const earlier = indicesBefore.get(key);
    if (earlier !== undefined && !isSame(earlier, index)) changed.push({ key, before: earlier, after: index });
  }
  return {
    added: [...indicesAfter.keys()].filter((key) => !indicesBefore.has(key)),
    changed,
    removed: [...indicesBefore.keys()].filter((key) => !indicesAfter.has(key)),
  };
}

const keyIn = ({ order, key }: DigestedItems, orderKey: string): string => keyValuesIn(orderKey, order, key).join("/");
