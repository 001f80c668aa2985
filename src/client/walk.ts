// Walks a listing to its end once, even if the API is published again meanwhile.
import type { List, Page } from "../envelope.ts";
import type { Item } from "../resource.ts";
import type { ApiError } from "./error.ts";

export type Params = Readonly<Record<string, string | number | undefined>>;

export type Answer = List<Item> & Partial<Pick<Page<Item>, "pagination">>;

export interface Walk {
  readonly get: (params: Params) => Promise<Answer>;
  /** The order key of an item, by which its listing ascends in order of code units. Never empty. */
  readonly keyOf: (item: Item) => string;
  /** How often the walk may restart without finding a new item. */
  readonly retries: number;
  /** Waits before the n-th restart, counted from 0. */
  readonly backOff: (n: number) => Promise<void>;
}

/**
 * If a cursor has expired, the walk requests the page after it without `limit`, as the contract says. If that page is
 * missing too, the walk starts again: listings ascend, so the items after the last one returned are those that remain.
 * Before the first item, the cursor is the caller's, and a restart could not continue from it.
 */
export async function* walk(
  params: Params,
  { get, keyOf, retries, backOff }: Walk,
): AsyncGenerator<Answer, void, undefined> {
  let request = params;
  let last = "";
  let behind = "";
  let vain = 0;
  for (;;) {
    const page = await get(request).catch((error?: Partial<ApiError>) => {
      const isOver = request.limit === undefined && (last === "" || vain > retries);
      if (error?.code !== "invalid_cursor" || isOver) throw error;
    });
    if (page) {
      const { pagination } = page;
      const data = page.data.filter((item) => keyOf(item) > behind);
      const end = data.at(-1);
      if (end) {
        last = keyOf(end);
        vain = 0;
      }
      const cursor = pagination?.next_cursor;
      if (end || !cursor)
        yield pagination ? { ...page, data, pagination: { ...pagination, count: data.length } } : page;
      if (!cursor) return;
      request = { ...request, cursor };
    } else if (request.limit !== undefined) {
      request = { ...request, limit: undefined };
    } else {
      // A restart waits, because all readers' cursors expire together, and a cache may keep the old first page for a
      // while.
      await backOff(vain++);
      behind = last;
      request = { ...params, cursor: undefined };
    }
  }
}
