// The documents that an API publishes, as its overview lists them.

import * as z from "zod";
import type { Api } from "../../../src/api.ts";
import type { Client } from "../../address/client.ts";
import { json, minutes } from "../../document.ts";
import { generator } from "../../generator.ts";
import { cursorsFile } from "../../routing/paths.ts";
import type { PublishedDocument } from "../dataset.ts";
import type { Left } from "./left.ts";

export const listedDocument = z.object({ path: z.string().startsWith("/"), type: z.string() });

type Listed = z.infer<typeof listedDocument>;

/** The text at a path. Plain file hosts serve the text under the path of its file. */
export async function readAnswer(client: Client, path: string): Promise<string | undefined> {
  for (const each of [path, `${path}.json`]) {
    const answer = await client.send({ method: "GET", path: each, query: "" });
    if (typeof answer !== "string" && answer.status === 200) return answer.body;
  }
  return undefined;
}

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
    const text = await readAnswer(client, path);
    if (isInside(base, path) || isGenerated(text)) {
      published.push({ path, contentType: type, cacheControl: cacheControlOf(path), text });
    }
  }
  return published;
}

export const isInside = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`);

/** Outside of the API a site may have other documents. The documents of the program name the program. */
const isGenerated = (text: string | undefined): boolean => text?.includes(generator) === true;

export const dumpPath = (base: string, name: string): string => `${base}/dumps/${name}.ndjson`;
