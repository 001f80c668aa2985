// The state that a published API holds for its next build; see build/history.
import * as z from "zod";
import type { Client } from "../../address/client.ts";
import { readState, Unusable } from "../../history/load.ts";
import type { Snapshot } from "../../history/snapshot.ts";
import { parseState } from "../../history/state.ts";
import { parseJson } from "../../json.ts";
import { cursorsFile, isCursorsFile } from "../../routing/paths.ts";
import type { Dataset } from "../dataset.ts";

export interface Left {
  readonly last: Snapshot;
  /** By file, as published. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Undefined if the API has no state or a damaged one. */
export async function readLeft(client: Client, base: string): Promise<Left | undefined> {
  try {
    const read = await readState(base, async (file) => {
      const answer = await client.send({ method: "GET", path: `/${file}`, query: "" });
      return typeof answer === "string" || answer.status !== 200 ? undefined : Buffer.from(answer.body);
    });
    const state = read && parseState(new TextDecoder().decode(read.bytes));
    if (read === undefined || typeof state !== "object") return undefined;
    return { last: state.last, texts: new Map([...read.files].map(([file, bytes]) => [file, bytes.toString()])) };
  } catch (error) {
    if (error instanceof Unusable) return undefined;
    throw error;
  }
}

/** The text of cursors.json; undefined if there is none. */
export async function cursorsText(client: Client, base: string): Promise<string | undefined> {
  const answer = await client.send({ method: "GET", path: `/${cursorsFile(base)}`, query: "" });
  return typeof answer === "string" || answer.status !== 200 ? undefined : answer.body;
}

const current = z.object({ operations: z.record(z.string(), z.unknown()) });

/**
 * A dataset made of content has no earlier builds, so it accepts any published state with the same current listings. A
 * state in several files is not compared.
 */
export function withPublishedCursors(dataset: Dataset, text: string | undefined): Dataset {
  const { base } = dataset.api;
  const todayIn = (state: string): string => JSON.stringify(current.safeParse(parseJson(state)).data?.operations);
  const published = dataset.published.map((each) => {
    if (!isCursorsFile(base, each.path.slice(1)) || each.text === undefined || text === undefined) return each;
    const isWhole = each.path === `/${cursorsFile(base)}` && current.safeParse(parseJson(each.text)).success;
    if (!isWhole) return { ...each, text: undefined };
    return todayIn(each.text) === todayIn(text) ? { ...each, text } : each;
  });
  return { ...dataset, published };
}
