// Walks a listing to its end once, even if the API is published again meanwhile.
import { ownField } from "../../model/fields.ts";
import type { DeclaredOrder } from "../../model/order.ts";
import { comparedText, type TextOrder } from "../../model/text-order.ts";
import type { List, Page } from "../answers.ts";
import type { ApiError, Sender } from "./send.ts";

/** The fields of an item by which lists may be ordered. */
type Item = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** The key of an item, whose parts are joined by slashes. `key` has its field or fields. */
export const keyIn = (
  item: Readonly<Record<string, unknown>>,
  { key }: { readonly key: string | readonly string[] },
): string =>
  [key]
    .flat()
    .map((field) => ownField(item, field))
    .join("/");

export type ListAnswer = List<Item> & Partial<Pick<Page<Item>, "pagination">>;

/**
 * If a cursor has expired, the walk requests the page after it without `limit`, as the contract says. If that page does
 * not exist either, the walk starts again: listings are ordered, so it continues with the items after the last one
 * returned. Before the first item, the cursor is the caller's, and a restart cannot continue from it. If the request for
 * the order fails, the walk fails with its error.
 */
export async function* walk(
  params: Params,
  get: (params: Params) => Promise<ListAnswer>,
  /** Requests the order of the listing. */
  orderOf: () => Promise<readonly DeclaredOrder[]>,
  /** `retries` also limits the restarts that find no new item. */
  sender: Sender,
  signal: AbortSignal | undefined,
): AsyncGenerator<ListAnswer, void, undefined> {
  let request = params;
  let last: Item | undefined;
  let lastSeen: Item | undefined;
  let order: readonly DeclaredOrder[] | undefined;
  const isNew = (item: Item): boolean => !order || !lastSeen || isAfter(item, lastSeen, order);
  /** Since the last new item. */
  let restarts = 0;
  for (;;) {
    const page = await get(request).catch((error?: Partial<ApiError>) => {
      const isOver = request.limit === undefined && (!last || restarts > sender.retries);
      if (error?.code !== "invalid_cursor" || isOver) throw error;
    });
    if (page) {
      const { pagination } = page;
      const data = page.data.filter(isNew);
      const cursor = pagination?.next_cursor;
      if (data.length || !cursor)
        yield pagination ? { ...page, data, pagination: { ...pagination, count: data.length } } : page;
      if (!cursor) return;
      if (data.length) {
        last = data.at(-1);
        restarts = 0;
      }
      request = { ...request, cursor };
    } else if (request.limit === undefined) {
      // A restart waits, because all readers' cursors expire together, and a cache may keep the old first page for a
      // while.
      await sender.backOff(restarts++, signal);
      order ??= await orderOf();
      lastSeen = last;
      request = { ...params, cursor: undefined };
    } else {
      request = { ...request, limit: undefined };
    }
  }
}

/**
 * Whether an item comes after another one in a listing. `order` names fields, each ascending or, with "-", descending.
 * Strings compare by code unit, numbers by value, false before true; null and missing values are last either way.
 */
export function isAfter(item: Item, other: Item, order: readonly DeclaredOrder[]): boolean {
  for (const declared of order) {
    const rule = typeof declared === "string" ? { field: declared } : declared;
    const field = rule.field.replace(/^-/, "");
    const a = ownField(item, field) ?? null;
    const b = ownField(other, field) ?? null;
    if (a === b) continue;
    if (a === null || b === null) return a === null;
    const x = compared(a, rule);
    const y = compared(b, rule);
    return (x === y ? a > b : x > y) === (rule.field === field);
  }
  return false;
}

const compared = <Value>(value: Value, rule: TextOrder) =>
  typeof value === "string" ? comparedText(value, rule) : value;
