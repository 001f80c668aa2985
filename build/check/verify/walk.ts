// All items of an operation as the API returns them: from a dump, or page by page.
import * as z from "zod";
import type { Item } from "../../../src/resource.ts";
import type { Client } from "../../address/client.ts";
import { parseJson } from "../../json.ts";

/** The most items that are held in memory. */
const mostItems = 1_000_000;

const item = z.record(z.string(), z.unknown());

/** The items of NDJSON; undefined if the text is not NDJSON or has too many items. */
export function itemsIn(text: string): readonly Item[] | undefined {
  const items: Item[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found === -1 ? text.length : found;
    const read = item.safeParse(parseJson(text.slice(start, end))).data;
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
  data: z.array(item),
  pagination: z.object({ next_cursor: nextCursor }),
});

/** Follows next_cursor to the end; undefined if a page is unreadable, a cursor repeats or there are too many items. */
export async function walk(client: Client, path: string): Promise<readonly Item[] | undefined> {
  const items: Item[] = [];
  const followed = new Set<string | null>();
  let query = "";
  for (;;) {
    const answer = await client.send({ method: "GET", path, query });
    const read =
      typeof answer === "string" || answer.status !== 200 ? undefined : page.safeParse(parseJson(answer.body)).data;
    if (read === undefined) return undefined;
    for (const each of read.data) items.push(each);
    const { next_cursor: next } = read.pagination;
    if (next === null) return items;
    if (followed.has(next) || read.data.length === 0 || items.length > mostItems) return undefined;
    followed.add(next);
    query = `cursor=${next}`;
  }
}
