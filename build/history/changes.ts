// The list of changes: which items each build added, changed or removed, for consumers who keep a copy. A build finds its
// changes by the digests of the items of the build before it. Both the digests and the list are in the state that a build
// leaves for the next one.
import * as z from "zod";
import type { Change, Changes, CollectionChanges } from "../../src/answers/answers.ts";
import { keyFields } from "../../src/model/key.ts";
import { keyValuesIn, type OrderField } from "../../src/model/order.ts";
import { type Catalog, type Deployment, wholeOf } from "../content/catalog.ts";
import { encode } from "../files/file.ts";
import { orderKeysOf, type Snapshot } from "./snapshot.ts";

/** The content of a deployment. */
export interface Digests {
  /** By the name of a collection. */
  readonly collections: ReadonlyMap<string, ItemDigests>;
  /** By the name of a document. */
  readonly documents: Readonly<Record<string, string>>;
}

export interface ItemDigests {
  /** The fields of the key. */
  readonly key: readonly string[];
  readonly order: readonly OrderField[];
  /** The order keys, ascending. */
  readonly keys: readonly string[];
  /** The digests, one after the other. */
  readonly digests: Buffer;
}

/** The most keys of a collection in a change. */
const maxKeysOfChange = 1_000;

/** The most bytes of the document. */
const maxBytes = 500_000;

/** More than a list has besides its changes, and a change besides its keys. */
const maxBytesOfHead = 300;

const keys = z.array(z.string());
/** A real instant: no 30 February, which `Date` takes for a day of March. */
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
const change = z.object({
  at: time,
  build: z.string(),
  collections: z.record(z.string(), collection),
  documents: keys,
});

/** The form of the document. */
export const changesForm = z.object({
  object: z.literal("changes"),
  since: time,
  build: z.string(),
  data: z.array(change),
});

/** What an earlier build left. */
export interface PublishedChanges {
  readonly digests: Digests;
  readonly changes: Changes;
}

/**
 * The list of the build with the content `today`, which is only asked for if there is an earlier build. Without one the
 * list starts anew. `build` names the content, `now` and `lifetime` are in seconds.
 */
export function changesAfter(
  before: PublishedChanges | undefined,
  today: () => Digests,
  { build, now, lifetime }: { readonly build: () => string; readonly now: number; readonly lifetime: number },
): Changes {
  if (before === undefined) {
    return {
      object: "changes",
      since: timeOf(now),
      // The name of a first build is only made when somebody reads it.
      get build() {
        return build();
      },
      data: [],
    };
  }
  const changes = withoutFuture(before.changes, timeOf(now));
  const newest = changeBetween(before.digests, today());
  if (newest === undefined) return bounded(changes, now - lifetime);
  const change = { at: timeOf(now), build: build(), ...newest };
  return bounded({ ...changes, data: [change, ...changes.data] }, now - lifetime);
}

/**
 * A clock was ahead, and is set right: its times become the present one. A copy of one of these states starts anew, because
 * its time is in no list any more.
 */
function withoutFuture({ since, data, ...others }: Changes, now: string): Changes {
  const past = (time: string): string => (time > now ? now : time);
  return { ...others, since: past(since), data: data.map((change) => ({ ...change, at: past(change.at) })) };
}

/** The differences, with as many keys as fit into one list. Undefined if there are none. */
function changeBetween(before: Digests, after: Digests): Pick<Change, "collections" | "documents"> | undefined {
  const documents = namesIn(Object.entries(after.documents), Object.entries(before.documents)).filter(
    (name) => before.documents[name] !== after.documents[name],
  );
  for (let maxKeys = maxKeysOfChange; ; maxKeys = Math.floor(maxKeys / 2)) {
    const collections = namesIn(after.collections, before.collections).flatMap((name) => {
      const changes = changesOf(before.collections.get(name), after.collections.get(name), maxKeys);
      return changes === undefined ? [] : [[name, changes] as const];
    });
    if (collections.length + documents.length === 0) return undefined;
    const change = { collections: Object.fromEntries(collections), documents };
    if (maxKeys === 0 || JSON.stringify(change).length <= maxBytes - maxBytesOfHead) return change;
  }
}

/** Of either, each once. */
const namesIn = (...all: readonly Iterable<readonly [string, unknown]>[]): readonly string[] => [
  ...new Set(all.flatMap((each) => [...each].map(([name]) => name))),
];

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(".000", "");

const secondsOf = (time: string): number => Date.parse(time) / 1_000;

/** Without the changes up to `expired`, and the oldest ones that take the list past its bound. */
function bounded({ since, build, data }: Changes, expired: number): Changes {
  let bytes = JSON.stringify({ object: "changes", since, build, data: [] }).length;
  const end = data.findIndex((change) => {
    // Keys, names and times are ASCII.
    bytes += JSON.stringify(change).length + 1;
    return bytes > maxBytes || secondsOf(change.at) <= expired;
  });
  const dropped = data[end];
  if (dropped === undefined) return { object: "changes", since, build, data };
  return { object: "changes", since: dropped.at, build: dropped.build, data: data.slice(0, end) };
}

function changesOf(
  before: ItemDigests | undefined,
  after: ItemDigests | undefined,
  maxKeys: number,
): CollectionChanges | undefined {
  if (before === after) return undefined;
  if (before !== undefined && after !== undefined && String(before.key) !== String(after.key)) {
    return { added: [], changed: [], removed: [], reset: true };
  }
  const { added, changed, removed } = editedItems(before, after);
  const count = added.length + changed.length + removed.length;
  if (count === 0) return undefined;
  let room = maxKeys;
  const first = (keys: readonly string[]) => {
    const taken = keys.slice(0, room);
    room -= taken.length;
    return taken;
  };
  const kept = { added: first(added), changed: first(changed), removed: first(removed) };
  return count > maxKeys ? { ...kept, more: count - maxKeys } : kept;
}

const noItems: ItemDigests = { key: [], order: [], keys: [], digests: Buffer.alloc(0) };

/** The keys of the items that differ, in the order of the list. The fields of the keys are the same. */
function editedItems(before = noItems, after = noItems) {
  const olds = new Map<string, bigint>();
  const owns = new Map<string, bigint>();
  // Order keys of different orders are not comparable.
  const isComparable = JSON.stringify(before.order) === JSON.stringify(after.order);
  const isSame = (at: number, from: number): boolean => {
    const start = digestLength * at;
    const other = digestLength * from;
    const { digests } = before;
    return digests.compare(after.digests, other, other + digestLength, start, start + digestLength) === 0;
  };
  let at = 0;
  let from = 0;
  while (at < before.keys.length || from < after.keys.length) {
    const old = before.keys[at];
    const own = after.keys[from];
    if (isComparable && old !== undefined && old === own && isSame(at, from)) {
      at++;
      from++;
    } else if (old !== undefined && (own === undefined || old <= own)) {
      olds.set(keyIn(before, old), digestAt(before, at++));
    } else if (own !== undefined) {
      owns.set(keyIn(after, own), digestAt(after, from++));
    }
  }
  return {
    added: [...owns.keys()].filter((key) => !olds.has(key)),
    changed: [...owns].filter(([key, digest]) => (olds.get(key) ?? digest) !== digest).map(([key]) => key),
    removed: [...olds.keys()].filter((key) => !owns.has(key)),
  };
}

const digestAt = ({ digests }: ItemDigests, index: number): bigint => digests.readBigUInt64LE(digestLength * index);

const keyIn = ({ order, key }: ItemDigests, orderKey: string): string => keyValuesIn(orderKey, order, key).join("/");

export function digestsOf({ api, items }: Catalog, deployment: Deployment, snapshot: Snapshot): Digests {
  const served = api.lists.filter(({ name }) => deployment.operations.includes(name));
  const collections = served.map((list) => {
    const { name, order } = list;
    const own = items.get(name);
    const whole = own && wholeOf(own);
    const digests = whole === undefined ? Buffer.alloc(0) : digestsIn(whole.bytes, whole.offsets);
    const keys = snapshot.get(name)?.items[0] ?? orderKeysOf(own);
    return [name, { key: keyFields(list), order, keys, digests }] as const;
  });
  const documents = api.documents.flatMap(({ name, documentOf }) => {
    const content = deployment.documents.get(name);
    if (content === undefined) return [];
    const json = encode(JSON.stringify(documentOf(content)));
    return [[name, digestsIn(json, [0, json.length]).toString("base64")] as const];
  });
  return { collections: new Map(collections), documents: Object.fromEntries(documents) };
}

/** The bytes of a digest. */
export const digestLength = 8;

/**
 * Digests of the bytes between the offsets. They tell two versions of an item apart, not items of somebody who looks for
 * two with the same digest. Two lanes of 32 bits, as in MurmurHash: a call of SHA-256 for each item takes ten times as
 * long, 7 % of a build of 100,000 items.
 */
function digestsIn(bytes: Uint8Array, offsets: ArrayLike<number>): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const digests = Buffer.alloc(digestLength * (offsets.length - 1));
  for (let index = 0; index < offsets.length - 1; index++) {
    const start = offsets[index] ?? 0;
    const end = offsets[index + 1] ?? 0;
    let one = end - start;
    let other = ~(end - start);
    for (let at = start; at < end; ) {
      const isWhole = at + 4 <= end;
      const word = isWhole ? view.getInt32(at, true) : view.getUint8(at);
      at += isWhole ? 4 : 1;
      one = Math.imul(one ^ Math.imul(word, 0xcc9e2d51), 0x85ebca6b);
      one ^= one >>> 15;
      other = Math.imul(other ^ Math.imul(word ^ (word >>> 16), 0x1b873593), 0xc2b2ae35);
      other ^= other >>> 13;
    }
    digests.writeInt32LE(one, digestLength * index);
    digests.writeInt32LE(other, digestLength * index + 4);
  }
  return digests;
}
