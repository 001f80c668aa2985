// All items of a list operation as the API returns them: from a dump, from the whole list, or page by page.
import * as z from "zod";
import type { ListOperation } from "../../../src/operation.ts";
import type { Item } from "../../../src/resource.ts";
import type { Client } from "../../address/client.ts";
import type { PublishedDocument } from "../dataset.ts";
import { bodyAt, dumpPath, publishedText, valueIn } from "./published.ts";

/** The most items that are held in memory. */
const mostItems = 1_000_000;

export const anItem = z.record(z.string(), z.unknown());

/** The items in the dump of an operation; undefined if there is none, or it is not NDJSON or has too many items. */
export function dumpedItems(
  base: string,
  operation: string,
  published: readonly PublishedDocument[],
): readonly Item[] | undefined {
  const text = published.find(({ path }) => path === dumpPath(base, operation))?.text;
  if (text === undefined) return undefined;
  const items: Item[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const read = valueIn(text.slice(start, end), anItem);
    if (read === undefined || items.push(read) > mostItems) return undefined;
    start = end + 1;
  }
  return items;
}

/** A cursor has no characters that need escapes in a query. */
export const nextCursor = z
  .string()
  .regex(/^[a-z0-9]+$/)
  .nullable();

const page = z.object({
  data: z.array(anItem),
  pagination: z.object({ next_cursor: nextCursor }),
});

/** The items that lists return; undefined if an answer is unreadable, a cursor repeats or there are too many items. */
export async function listedItems(
  client: Client,
  path: string,
  { paged }: ListOperation,
): Promise<readonly Item[] | undefined> {
  if (!paged) return valueIn(await publishedText(client, path), page.pick({ data: true }))?.data;
  const items: Item[] = [];
  const followed = new Set<string>();
  for (let query = ""; ; ) {
    const read = valueIn(await bodyAt(client, path, query), page);
    if (read === undefined) return undefined;
    for (const each of read.data) items.push(each);
    const { next_cursor: next } = read.pagination;
    if (next === null) return items;
    if (followed.has(next) || read.data.length === 0 || items.length > mostItems) return undefined;
    followed.add(next);
    query = `cursor=${next}`;
  }
}
