// Brings a copy of a collection up to date by the list of changes. The copy changes after the last request, so that it stays
// as it is if one fails.
import { ownField } from "../../model/fields.ts";
import type { Changes } from "../answers.ts";
import { type ApiState, changesAfter, clock, isSameState, newestIn } from "./changes.ts";
import { keyIn, type ListAnswer } from "./walk.ts";

/** An item, which the client does not check. */
export type SyncedItem = Readonly<Record<string, unknown>>;

/** The part of the document at the address of the API that is about a collection. */
export interface About {
  readonly key: string | readonly string[];
  /** The path of single items, if there are any. */
  readonly item?: string;
  /** The fields of the items in lists, if they lack some. */
  readonly brief?: readonly string[];
  readonly hasDump: boolean;
}

/** The requests of one call. Caches distinguish requests by `state`, which the API ignores. */
export interface SyncRequests {
  /** The name of the collection. */
  readonly name: string;
  /** The list of changes, and the time of the request in milliseconds. */
  readonly list: () => Promise<{ readonly list: Changes; readonly asked: number }>;
  readonly about: () => Promise<About>;
  readonly dump: (state: string) => Promise<readonly SyncedItem[]>;
  readonly pages: (state: string) => AsyncIterable<ListAnswer>;
  /** Undefined if there is no such item. */
  readonly item: (key: string, state: string) => Promise<SyncedItem | undefined>;
  /** How often items are requested again because the API was published meanwhile. */
  readonly retries: number;
}

/**
 * How long a cache or a server may answer with another state than the list that a reader has just read, in milliseconds: a
 * publication, or a rollback, reaches them one after the other.
 */
const settling = 300_000;

/** After this time, in milliseconds, a copy that was made anew is made again, until it has settled. */
const confirming = 60_000;

/**
 * A state of the API that the copy had. It is settled, edited or loaded:
 * - A settled state has no times: its items were requested after all caches and servers had it.
 * - An edited state has been `seen`: the items that had changed were requested.
 * - A loaded state has both times: all items were requested. It settles when they are the same a third time, each time after
 *   `settling`. Twice is not enough: between two calls, a publication may replace the state and a rollback restore it, and
 *   during both of them a server may answer with the items of the other state.
 */
interface CopyState extends ApiState {
  /** Since when the list has named the state, and items that were requested again were the same: 2026-10-21T06:28:00.000Z. */
  readonly seen?: string | undefined;
  /** When all items were last requested. */
  readonly loaded?: string | undefined;
}

function stateIn(text: string): CopyState {
  const [at = "", build = "", seen, loaded] = text.split("/");
  return { at, build, seen, loaded };
}

const textOf = ({ at, build, seen, loaded }: CopyState): string =>
  [at, build, seen ?? [], loaded ?? []].flat().join("/");

/** The times of a state whose items are the same again: none if it has settled. */
function timesOfSame({ seen = "", loaded = "" }: CopyState, now: number): Pick<CopyState, "seen" | "loaded"> {
  const first = clock.parse(seen);
  // The second time moves `seen` to `settling` before it, so that the third one is as long after the second one.
  const isThird = clock.parse(loaded) >= first + settling;
  if (isThird && now >= first + 2 * settling) return {};
  const since = isThird ? first : Math.max(first, now - settling);
  return { seen: new clock(since).toISOString(), loaded: new clock(now).toISOString() };
}

/** A copy of the items of a collection, by key. */
export class Copy {
  readonly #items: Map<string, unknown>;
  /** The newest first, back to a settled one. Without a settled one, the copy will be made anew. */
  #states: readonly [CopyState, ...CopyState[]];
  /** The requested items by key; undefined if an item was removed. */
  readonly #edits = new Map<string, unknown>();
  /** Whether the edits are all items. */
  #isAnew = false;

  constructor(items: Map<string, unknown>, since: string) {
    const [newest = "", ...others] = since.split(" ");
    this.#items = items;
    this.#states = [stateIn(newest), ...others.map(stateIn)];
  }

  /**
   * The list is read again after the items: if it names another state, the items may be of either. Returns the states that
   * the next call needs, as text.
   */
  async update(requests: SyncRequests): Promise<string> {
    let begun = 0;
    for (let round = 0; ; round++) {
      const { list, asked } = await requests.list();
      const [last] = this.#states;
      const newest = newestIn(list);
      begun ||= asked;
      if (round > 0 && isSameState(newest, last)) break;
      if (round > requests.retries) {
        // No list continues a state without a build.
        this.#states = [{ ...newest, build: "" }];
        break;
      }
      const isComplete = await this.#follow(list, round > 0 ? last : this.#confirmed(begun), begun, requests);
      if (isComplete) break;
    }
    if (this.#isAnew) this.#items.clear();
    for (const [key, item] of this.#edits) {
      this.#items.delete(key);
      if (item !== undefined) this.#items.set(key, item);
    }
    return this.#needed(begun).map(textOf).join(" ");
  }

  /**
   * The state after which all changes are requested, also those that were requested before a state had settled.
   * Undefined if the copy has to be made anew.
   */
  #confirmed(now: number): ApiState | undefined {
    const [last] = this.#states;
    return last.loaded && now < clock.parse(last.loaded) + confirming ? last : this.#states.find(({ seen }) => !seen);
  }

  /** Requests the items that changed after a state, or all. Returns whether nothing had to be requested. */
  async #follow(list: Changes, from: ApiState | undefined, now: number, requests: SyncRequests): Promise<boolean> {
    const [last] = this.#states;
    const newest = newestIn(list);
    const isKnown = isSameState(newest, last);
    const edits = from && changesAfter(list, last) && editsAfter(list, from, requests.name);
    const wanted = [...(edits ?? [])].filter(([, isThere]) => isThere).map(([key]) => key);
    const time = new clock(now).toISOString();
    const about = edits && wanted.length === 0 ? undefined : await requests.about();
    // A cache may keep the answer of a stale server under the first address.
    const state = `${newest.at}/${newest.build}${isKnown ? `/${now}` : ""}`;
    // Items are requested one by one up to a hundred, and if they are no more than pages.
    const isFew = wanted.length <= Math.max(1, Math.min(100, this.#items.size / 100));
    if (about && !(edits && isFew && about.item)) {
      const items = new Map((await allItems(about, state, requests)).map((item) => [keyIn(item, about), item]));
      const isSame = isKnown && items.size === this.#items.size && this.#has(items);
      this.#isAnew = true;
      this.#edits.clear();
      for (const [key, item] of items) this.#edits.set(key, item);
      this.#states = [{ ...newest, ...(isSame ? timesOfSame(last, now) : { seen: time, loaded: time }) }];
    } else {
      const items = new Map(await inTurn(wanted, async (key) => [key, await requests.item(key, state)] as const));
      const isSame = this.#has(items);
      for (const key of edits?.keys() ?? []) this.#edits.set(key, items.get(key));
      if (!isKnown) this.#states = [{ ...newest, seen: time }, ...this.#states];
      else if (!isSame) this.#states = [{ ...last, seen: time }, ...this.#states.slice(1)];
    }
    return !about;
  }

  /**
   * Whether the copy has these items. Otherwise the servers do not all have one state, even if the list named it long ago: a
   * rollback names a state again that readers have seen before.
   */
  #has(items: ReadonlyMap<string, unknown>): boolean {
    return [...items].every(([key, item]) => JSON.stringify(item) === JSON.stringify(this.#items.get(key)));
  }

  /** The states back to the newest one that has settled by now. */
  #needed(now: number): readonly CopyState[] {
    const needed: CopyState[] = [];
    for (const state of this.#states) {
      const { at, build, seen, loaded } = state;
      if (!seen || (!loaded && clock.parse(seen) + settling <= now)) return [...needed, { at, build }];
      needed.push(state);
    }
    return needed;
  }
}

async function allItems(about: About, state: string, requests: SyncRequests): Promise<readonly SyncedItem[]> {
  if (about.hasDump) return requests.dump(state);
  const all: SyncedItem[] = [];
  for await (const { data } of requests.pages(state)) all.push(...data);
  // Lists in brief lack fields.
  if (!about.brief || !about.item) return all;
  const whole = await inTurn(all, (each) => requests.item(keyIn(each, about), state));
  return whole.filter((each) => each !== undefined);
}

/** By key, whether an item that changed after a state still exists; undefined if the changes are not known. */
function editsAfter(list: Changes, state: ApiState, name: string): ReadonlyMap<string, boolean> | undefined {
  const builds = changesAfter(list, state);
  if (!builds) return undefined;
  const edits = new Map<string, boolean>();
  for (const { collections } of [...builds].reverse()) {
    const changes = ownField(collections, name);
    if (!changes) continue;
    if (changes.more || changes.reset) return undefined;
    for (const key of [...changes.added, ...changes.changed]) edits.set(key, true);
    for (const key of changes.removed) edits.set(key, false);
  }
  return edits;
}

/** At most six at once, as browsers do. The results are in the order of the values. */
async function inTurn<Value, Result>(
  values: readonly Value[],
  call: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const rest = values.entries();
  let isOver = false;
  const worker = async () => {
    for (const [index, value] of rest) {
      if (isOver) return;
      try {
        results[index] = await call(value);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return results;
}
