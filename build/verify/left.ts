// What a published API has left for its next build, as far as a reader can use it: see build/history.
import * as z from "zod";
import type { Dataset } from "../conformance/dataset.ts";
import { generator } from "../generator.ts";
import { cursorsFile, isCursorsFile } from "../routing/paths.ts";
import type { Client } from "./client.ts";
import { parsed } from "./parsed.ts";

const operation = z.object({
  paging: z.enum(["exact", "stable"]),
  sizes: z.array(z.int().min(1).max(100)).min(1),
  /** By the parameter of a filter. */
  known: z.record(z.string(), z.array(z.string())),
});

const whole = z.object({ generator: z.literal(generator), operations: z.record(z.string(), operation) });

const inParts = z.object({ files: z.array(z.string().regex(/^cursors-[1-9]\d{0,3}\.json$/)).min(1) });

export interface Left extends z.infer<typeof whole> {
  /** By file, as published. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Undefined where it is not there or damaged. */
export async function parseLeft(load: (file: string) => Promise<string | undefined>): Promise<Left | undefined> {
  const first = await load(cursorsFile());
  if (first === undefined) return undefined;
  const texts = new Map([[cursorsFile(), first]]);
  const value = parsed(first);
  const parts: string[] = [];
  for (const name of inParts.safeParse(value).data?.files ?? []) {
    const file = cursorsFile().replace(/[^/]+$/, name);
    const text = await load(file);
    const part = text === undefined ? undefined : z.string().safeParse(parsed(text)).data;
    if (text === undefined || part === undefined) return undefined;
    texts.set(file, text);
    parts.push(part);
  }
  const read = whole.safeParse(parts.length === 0 ? value : parsed(parts.join(""))).data;
  return read === undefined ? undefined : { ...read, texts };
}

/** The state that an API has published; undefined where there is none. */
export async function cursorsText(client: Client): Promise<string | undefined> {
  const answer = await client.send({ method: "GET", path: `/${cursorsFile()}`, query: "" });
  return typeof answer === "string" || answer.status !== 200 ? undefined : answer.body;
}

const current = z.object({ operations: z.record(z.string(), z.unknown()) });

/**
 * A dataset made of content does not know which builds came before the published one: its state is what is published,
 * where that says the same of today. Of a state in several files nothing is known.
 */
export function withPublishedCursors(dataset: Dataset, text: string | undefined): Dataset {
  const todayIn = (state: string): string => JSON.stringify(current.safeParse(parsed(state)).data?.operations);
  const published = dataset.published.map((each) => {
    if (!isCursorsFile(each.path.slice(1)) || each.text === undefined || text === undefined) return each;
    const isWhole = each.path === `/${cursorsFile()}` && current.safeParse(parsed(each.text)).success;
    if (!isWhole) return { ...each, text: undefined };
    return todayIn(each.text) === todayIn(text) ? { ...each, text } : each;
  });
  return { ...dataset, published };
}
