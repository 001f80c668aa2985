// The list of changes: which items each build added, changed or removed, for consumers who keep a copy. The state that a
// build leaves for the next one has the list and the digests of the items, so that both are of one build.
import * as z from "zod";
import type { Change, Changes, CollectionChanges } from "../../src/answers.ts";
import { type Digests, editedItems, type ItemDigests, type ItemEdits } from "./digests.ts";

/** The most keys of a collection in a change. */
const mostKeys = 1_000;

/** The most bytes of the document. */
const mostBytes = 500_000;

const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const keys = z.array(z.string());
const change = z.object({
  at: time,
  build: z.string(),
  collections: z.record(
    z.string(),
    z.object({
      added: keys,
      changed: keys,
      removed: keys,
      more: z.int().exactOptional(),
      reset: z.literal(true).exactOptional(),
    }),
  ),
  documents: z.array(z.string()),
});

/** The form of the document. */
export const changesForm = z.object({ object: z.literal("changes"), since: time, data: z.array(change) });

/** What an earlier build left. */
export interface Published {
  readonly digests: Digests;
  readonly changes: Changes;
}

/**
 * The list of the build with the content `today`. Without an earlier build it starts anew. `build` names the content,
 * `now` and `lifetime` are in seconds.
 */
export function changesAfter(
  before: Published | undefined,
  today: Digests,
  { build, now, lifetime }: { readonly build: () => string; readonly now: number; readonly lifetime: number },
): Changes {
  if (before === undefined) return { object: "changes", since: timeOf(now), data: [] };
  const { since, data } = before.changes;
  const collections = changedCollections(before.digests, today);
  const documents = changedNames(before.digests.documents, today.documents);
  if (Object.keys(collections).length + documents.length === 0) return bounded(since, data, now - lifetime);
  // Later than all changes before, even if the clock is not, so that no consumer misses it.
  const at = timeOf(Math.max(now, secondsOf(data[0]?.at ?? since) + 1));
  return bounded(since, [{ at, build: build(), collections, documents }, ...data], now - lifetime);
}

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace(".000", "");

const secondsOf = (time: string): number => Date.parse(time) / 1_000;

/** Without the changes up to `expired`, and the oldest ones that take the list past its bound. */
function bounded(since: string, data: readonly Change[], expired: number): Changes {
  let bytes = JSON.stringify({ object: "changes", since, data: [] }).length;
  const isOver = (each: Change) => {
    // Keys, names and times are ASCII.
    bytes += JSON.stringify(each).length + 1;
    return bytes > mostBytes || secondsOf(each.at) <= expired;
  };
  const end = data.findIndex(isOver);
  const first = data[end];
  return first === undefined
    ? { object: "changes", since, data }
    : { object: "changes", since: first.at, data: data.slice(0, end) };
}

function changedCollections(before: Digests, today: Digests): Record<string, CollectionChanges> {
  const names = new Set([...today.collections.keys(), ...before.collections.keys()]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const changes = changesOf(before.collections.get(name), today.collections.get(name));
      return changes === undefined ? [] : [[name, changes]];
    }),
  );
}

function changesOf(before: ItemDigests | undefined, today: ItemDigests | undefined): CollectionChanges | undefined {
  const hasOtherKey = before !== undefined && today !== undefined && String(before.key) !== String(today.key);
  if (before === today) return undefined;
  if (hasOtherKey) return { added: [], changed: [], removed: [], reset: true };
  const edits = editedItems(before, today);
  const count = countOf(edits);
  if (count === 0) return undefined;
  let room = mostKeys;
  const first = (keys: readonly string[]) => {
    const taken = keys.slice(0, room);
    room -= taken.length;
    return taken;
  };
  const kept = { added: first(edits.added), changed: first(edits.changed), removed: first(edits.removed) };
  return count > mostKeys ? { ...kept, more: count - mostKeys } : kept;
}

const countOf = ({ added, changed, removed }: ItemEdits): number => added.length + changed.length + removed.length;

/** The names whose values differ. */
const changedNames = (before: Digests["documents"], today: Digests["documents"]): readonly string[] =>
  [...new Set([...Object.keys(today), ...Object.keys(before)])].filter((name) => before[name] !== today[name]);
