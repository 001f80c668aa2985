// Reads a published API: its answers, the documents that its overview lists, and the state that it holds for the next
// build (see build/history).
import * as z from "zod";
import type { Api } from "../../../src/api.ts";
import type { Client } from "../../address/client.ts";
import { json, minutes } from "../../document.ts";
import { generator } from "../../generator.ts";
import { readState, Unusable } from "../../history/load.ts";
import type { Snapshot } from "../../history/snapshot.ts";
import { parseState } from "../../history/state.ts";
import { parseJson } from "../../json.ts";
import { cursorsFile, isCursorsFile } from "../../routing/paths.ts";
import type { Dataset, PublishedDocument } from "../dataset.ts";

/** The body of an answer with the status 200. */
export async function bodyAt(client: Client, path: string, query = ""): Promise<string | undefined> {
  const answer = await client.send({ method: "GET", path, query });
  return typeof answer === "string" || answer.status !== 200 ? undefined : answer.body;
}

/** The text at a path. Plain file hosts serve it at the path of the file. */
export const publishedText = async (client: Client, path: string): Promise<string | undefined> =>
  (await bodyAt(client, path)) ?? (await bodyAt(client, `${path}.json`));

/** The value in a text of JSON; undefined if it does not match the schema. */
export const valueIn = <Value>(text: string | undefined, schema: z.ZodType<Value>): Value | undefined =>
  text === undefined ? undefined : schema.safeParse(parseJson(text)).data;

export const listedDocument = z.object({ path: z.string().startsWith("/"), type: z.string() });

type Listed = z.infer<typeof listedDocument>;

/** The API catalogue (RFC 9727), which the overview does not list. */
const catalog: Listed = { path: "/.well-known/api-catalog", type: "application/linkset+json" };

/** The overview, the state for the next build, and the listed documents. */
export async function publishedBy(
  { base, lists }: Api,
  client: Client,
  listed: readonly Listed[],
  overview: string | undefined,
  left: Left | undefined,
): Promise<readonly PublishedDocument[]> {
  // A dump is cached as long as its operation.
  const cacheControlOf = (path: string): string =>
    lists.find(({ name }) => path === dumpPath(base, name))?.cacheControl ?? minutes;
  const states = [...(left?.texts ?? [[cursorsFile(base), undefined] as const])].map(([file, text]) => ({
    path: `/${file}`,
    contentType: json,
    cacheControl: "no-store",
    text,
  }));
  const published: PublishedDocument[] = [
    { path: base, contentType: json, cacheControl: minutes, text: overview },
    ...states,
  ];
  for (const { path, type } of [...listed, catalog]) {
    if (published.some((each) => each.path === path)) continue;
    const text = await publishedText(client, path);
    if (isInside(base, path) || isGenerated(text)) {
      published.push({ path, contentType: type, cacheControl: cacheControlOf(path), text });
    }
  }
  return published;
}

export const isInside = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`);

/** A site may have other documents outside of the API. The documents of the program name the program. */
const isGenerated = (text: string | undefined): boolean => text?.includes(generator) === true;

export const dumpPath = (base: string, name: string): string => `${base}/dumps/${name}.ndjson`;

/** The state that a published API holds for the next build. */
export interface Left {
  readonly last: Snapshot;
  /** By file, as published. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Undefined if the API has no state or a damaged one. */
export async function readLeft(client: Client, base: string): Promise<Left | undefined> {
  try {
    const read = await readState(base, async (file) => {
      const body = await bodyAt(client, `/${file}`);
      return body === undefined ? undefined : Buffer.from(body);
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
export const cursorsText = (client: Client, base: string): Promise<string | undefined> =>
  bodyAt(client, `/${cursorsFile(base)}`);

const current = z.object({ operations: z.record(z.string(), z.unknown()) });

/**
 * A dataset from content has no earlier builds, so it accepts any published state with the same current listings. A
 * state in several files is not compared.
 */
export function withPublishedCursors(dataset: Dataset, text: string | undefined): Dataset {
  const { base } = dataset.api;
  const todayIn = (state: string) => JSON.stringify(valueIn(state, current)?.operations);
  const published = dataset.published.map((each) => {
    if (!isCursorsFile(base, each.path.slice(1)) || each.text === undefined || text === undefined) return each;
    const today = todayIn(each.text);
    if (each.path !== `/${cursorsFile(base)}` || today === undefined) return { ...each, text: undefined };
    return today === todayIn(text) ? { ...each, text } : each;
  });
  return { ...dataset, published };
}
