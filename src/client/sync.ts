// Brings a copy of a collection up to date, with few requests.
import type { Changes } from "../answers.ts";
import type { ApiError } from "./error.ts";

/** The requests of a collection. Caches do not answer `item` and `dump` with what they kept before the time `at`. */
export interface Source {
  readonly changes: () => Promise<Changes>;
  readonly about: () => Promise<About>;
  readonly item: (key: string, at: string) => Promise<unknown>;
  readonly dump: (at: string) => Promise<readonly unknown[]>;
  readonly pages: () => Promise<readonly unknown[]>;
}

/** What the document at the address of the API says of a collection. */
export interface About {
  readonly key: string | readonly string[];
  /** The path of single items, if there are any. */
  readonly item?: string;
  /** The fields of the items in lists, if they lack some. */
  readonly brief?: readonly string[];
  readonly hasDump: boolean;
}

/**
 * Returns the time of the last change that the copy has. The copy changes after the last request, so that it stays as it
 * is if one fails.
 */
export async function sync(
  name: string,
  copy: Map<string, unknown>,
  since: string | undefined,
  { changes, about, item, dump, pages }: Source,
): Promise<string> {
  const list = await changes();
  const at = list.data[0]?.at ?? list.since;
  let isWhole = !since || since < list.since || since > at;
  /** Whether an item is there, by its key. */
  const edits = new Map<string, boolean>();
  for (const change of [...list.data].reverse()) {
    const own = change.collections[name];
    if (!own || change.at <= `${since}`) continue;
    isWhole ||= !!(own.more || own.reset);
    for (const key of [...own.added, ...own.changed]) edits.set(key, true);
    for (const key of own.removed) edits.set(key, false);
  }
  const wanted = [...edits.keys()].filter((key) => edits.get(key));
  const rules = isWhole || wanted.length ? await about() : undefined;
  // Up to a hundred items, and no more than there are pages.
  const isFew = !isWhole && wanted.length <= Math.max(1, Math.min(100, copy.size / 100));
  if (rules && !(isFew && rules.item)) {
    const all = await (rules.hasDump || rules.brief ? dump(at) : pages());
    copy.clear();
    for (const each of all)
      copy.set(
        [rules.key]
          .flat()
          .map((field) => Object(each)[field])
          .join("/"),
        each,
      );
    return at;
  }
  const found: unknown[] = [];
  for (const key of wanted) found.push(await item(key, at).catch(ifMissing));
  for (const key of edits.keys()) copy.delete(key);
  for (const [index, key] of wanted.entries()) if (found[index]) copy.set(key, found[index]);
  return at;
}

/** The item may have been removed since the list of changes was requested. */
function ifMissing(error: Partial<ApiError>): void {
  if (error?.code !== "not_found") throw error;
}
