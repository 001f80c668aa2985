// Texts about paging, orders, filters and keys that the OpenAPI document and the reference share.
import { withArticle } from "../../src/api.ts";
import { combinationsOf, type Filter } from "../../src/filter.ts";
import type { ListOperation } from "../../src/operation.ts";
import { maxLimit, type PageSizes } from "../../src/paging.ts";
import { pagingOf } from "../content/catalog.ts";
import { type DocumentSource, durationOf } from "./source.ts";

/** A sentence about the lifetime of a cursor. */
export const cursorPromise = (lifetime: number): string =>
  lifetime === 0
    ? "A cursor stops working when the items around it change."
    : `A cursor keeps working for at least ${durationOf(lifetime)} after the page it leads to has changed.`;

/** The meaning of `limit`. */
export const limitMeaning = ({ sizesOf, settings }: DocumentSource, { name }: ListOperation): string =>
  `Maximum number of items per page${sizesMeaning(sizesOf(name))}${pagingOf(settings, name) === "exact" ? "" : stableMeaning}`;

const stableMeaning =
  " A page holds at most that many items and up to a fifth, rounded up, fewer: `pagination.count` says how many.";

function sizesMeaning(sizes: PageSizes): string {
  const [smallest = maxLimit] = sizes;
  if (smallest === maxLimit) return `. Every page size is ${maxLimit}.`;
  if (sizes.length === maxLimit) return `, from 1 to ${maxLimit}.`;
  const all = listOf(sizes, "and");
  return `, from ${smallest} to ${maxLimit}. Page sizes are ${all}; a limit in between is rounded down to one of these.`;
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
export const aroundField = ({ by }: Filter): readonly [before: string, after: string] => wordsAround[by];

const wordsAround: Readonly<Record<Filter["by"], readonly [before: string, after: string]>> = {
  value: ["with this", ""],
  elements: ["with this value in", ""],
  names: ["with this key in", ""],
  slug: ["whose", " has this slug"],
};

/**
 * A sentence about the filters that may be sent with a filter: `alone, with maker or with maker and kind`. Empty if there
 * is no other filter.
 */
export function waysToSend(operation: ListOperation, { param }: Filter): string {
  if (operation.filters.length < 2) return "";
  const others = combinationsOf(operation)
    .map((filters) => filters.map((each) => each.param))
    .filter((params) => params.includes(param) && params.length > 1)
    .map((params) => params.filter((each) => each !== param).map((each) => `\`${each}\``));
  const ways = ["alone", ...others.map((params) => `with ${params.join(" and ")}`)];
  return ` Of the filters, it can be sent ${listOf(ways, "or")}.`;
}

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
