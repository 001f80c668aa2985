// What the OpenAPI document and the reference say of paging, in the same words.
import { maxLimit, type PageSizes } from "../../src/paging.ts";
import { durationOf } from "./source.ts";

/** How long a cursor works, in a sentence. */
export const cursorPromise = (lifetime: number): string =>
  lifetime === 0
    ? "A cursor works until the items around it change."
    : `A cursor works for at least ${durationOf(lifetime)} after the page that it leads to has changed.`;

/** What `limit` asks for. */
export function limitMeaning(sizes: PageSizes): string {
  const [smallest = maxLimit] = sizes;
  if (smallest === maxLimit) return `How many items a page has at most. Pages have ${maxLimit}.`;
  if (sizes.length === maxLimit) return `How many items a page has at most: from 1 to ${maxLimit}.`;
  return (
    `How many items a page has at most: from ${smallest} to ${maxLimit}. ` +
    `Pages have ${listOf(sizes, "or")} items; a limit between two of these is answered with the smaller one.`
  );
}

/** `1, 5 or 10`. */
const listOf = (words: readonly (string | number)[], conjunction: string): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
