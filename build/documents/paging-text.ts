// The description of paging, of orders, filters and keys, which the OpenAPI document and the reference share.
import { withArticle } from "../../src/api.ts";
import type { Filter, ListOperation } from "../../src/operation.ts";
import { maxLimit, type PageSizes, type PagingKind } from "../../src/paging.ts";
import { durationOf } from "./source.ts";

/** A sentence about the lifetime of a cursor. */
export const cursorPromise = (lifetime: number): string =>
  lifetime === 0
    ? "A cursor stops working when the items around it change."
    : `A cursor keeps working for at least ${durationOf(lifetime)} after the page it leads to has changed.`;

/** The meaning of `limit`. */
export const limitMeaning = (sizes: PageSizes, kind: PagingKind): string =>
  `${sizesMeaning(sizes)}${kind === "exact" ? "" : ` ${stableMeaning}`}`;

const stableMeaning =
  "A page holds at most that many items and up to a fifth, rounded up, fewer: `pagination.count` says how many.";

function sizesMeaning(sizes: PageSizes): string {
  const [smallest = maxLimit] = sizes;
  if (smallest === maxLimit) return `Maximum number of items per page. Every page size is ${maxLimit}.`;
  if (sizes.length === maxLimit) return `Maximum number of items per page, from 1 to ${maxLimit}.`;
  return (
    `Maximum number of items per page, from ${smallest} to ${maxLimit}. ` +
    `Page sizes are ${listOf(sizes, "and")}; a limit in between is rounded down to one of these.`
  );
}

/** `1, 5 or 10`. */
const listOf = (words: readonly (string | number)[], conjunction: string): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;

/** Whether lists ascend by texts alone. */
export const isPlainOrder = ({ order }: ListOperation): boolean =>
  order.every(({ type, descending }) => type === "text" && !descending);

/** The fields by which lists are sorted. */
export const orderList = ({ order }: ListOperation): string =>
  order.map(({ field, descending }) => `\`${field}\`${descending ? " descending" : ""}`).join(", then ");

/** A sentence about a part of the path of a single item. */
export function keyMeaning({ resource, item }: ListOperation, field: string): string {
  const other = item?.aliases === undefined ? "" : `, or one of its \`${item.aliases}\``;
  return `The \`${field}\` of ${withArticle(resource.noun)}${other}.`;
}

/** The words before and after the field of a filter, in a clause about items: `with this … in` the field. */
export function aroundField({ by }: Filter): readonly [before: string, after: string] {
  switch (by) {
    case "value":
      return ["with this", ""];
    case "elements":
      return ["with this value in", ""];
    case "names":
      return ["with this key in", ""];
    case "slug":
      return ["whose", " has this slug"];
  }
}
