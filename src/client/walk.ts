// Walks a listing to its end, once, whatever is published in between.
import type { List, Page } from "../envelope.ts";
import type { Item } from "../resource.ts";
import type { ApiError } from "./error.ts";

export type Params = Readonly<Record<string, string | number | undefined>>;

export type Answer = List<Item> & Partial<Pick<Page<Item>, "pagination">>;

export interface Walk {
  readonly get: (params: Params) => Promise<Answer>;
  /** The order key of an item: what its listing ascends by, by code unit. Never empty. */
  readonly keyOf: (item: Item) => string;
  /** How often the walk may start again, after the first time, without finding an item that it has not given. */
  readonly retries: number;
  /** Waits before the n-th such start, counted from 0. */
  readonly backOff: (n: number) => Promise<void>;
}

/**
 * Where a cursor has expired, the page behind it is asked for without `limit`, as the contract says. Where that does not
 * exist either, the walk starts again: listings ascend, so the items behind the last one given are those that remain.
 * Before any item was given, a cursor is the caller's own, and there is nothing to start again from.
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
      // Not at once, because everyone's cursors expire together, and a cache may keep the old first page for a while.
      await backOff(vain++);
      behind = last;
      request = { ...params, cursor: undefined };
    }
  }
}
