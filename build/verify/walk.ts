// All items of an operation as the API gives them: of a dump, or page by page.
import * as z from "zod";
import type { Item } from "../../src/resource.ts";
import type { Client } from "./client.ts";
import { parsed } from "./parsed.ts";

const item = z.record(z.string(), z.unknown());

/** The items of NDJSON; undefined where it is none. */
export function itemsIn(text: string): readonly Item[] | undefined {
  const lines = text.split("\n").filter((line) => line !== "");
  return z.array(item).safeParse(lines.map(parsed)).data;
}

const page = z.object({
  data: z.array(item),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});

/** Follows next_cursor to the end; undefined where a page cannot be read or one comes twice. */
export async function walk(client: Client, path: string): Promise<readonly Item[] | undefined> {
  const items: Item[] = [];
  const followed = new Set<string | null>();
  let query = "";
  for (;;) {
    const answer = await client.send({ method: "GET", path, query });
    const read =
      typeof answer === "string" || answer.status !== 200 ? undefined : page.safeParse(parsed(answer.body)).data;
    if (read === undefined) return undefined;
    items.push(...read.data);
    const { next_cursor: next } = read.pagination;
    if (next === null) return items;
    if (followed.has(next)) return undefined;
    followed.add(next);
    query = `cursor=${encodeURIComponent(next)}`;
  }
}
