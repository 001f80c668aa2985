// Reads what an earlier build has left for this one, from its folder or from where it is published. Nothing of it is
// trusted before it is parsed.
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { base } from "../../src/base.ts";
import { digestOf } from "../digest.ts";
import { hasCode, inWords } from "../machine-error.ts";
import { cursorsFile } from "../routing/paths.ts";
import type { Found } from "./history.ts";

/** Longer than what ten million items need. */
const mostBytes = 500_000_000;

/** For the whole of it, in milliseconds. */
const mostTime = 60_000;

/** A part of the state, undefined where there is none. Throws Unusable. */
type Load = (file: string) => Promise<Uint8Array | undefined>;

/** Why the state cannot be had, as the end of a sentence. */
class Unusable extends Error {}

/** `from` is a folder, or an address that starts with http:// or https://. */
export async function findPrevious(from: string): Promise<Found> {
  try {
    const bytes = await assemble(/^https?:\/\//.test(from) ? fromAddress(from) : fromFolder(from));
    return bytes === undefined ? { kind: "none" } : { kind: "state", bytes };
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    return { kind: "unusable", reason: error.message };
  }
}

const inParts = z.object({
  digest: z.number(),
  files: z.array(z.string().regex(/^cursors-[1-9]\d{0,3}\.json$/)).min(1),
});

/** A head of some bytes tells that the rest is in further files. */
async function assemble(load: Load): Promise<Uint8Array | undefined> {
  const first = await load(cursorsFile());
  const head = first === undefined || first.length > 100_000 ? undefined : inParts.safeParse(parse(first)).data;
  if (head === undefined) return first;
  const texts: string[] = [];
  for (const file of head.files) {
    const part = await load(`${path.posix.dirname(cursorsFile())}/${file}`);
    const text = part && z.string().safeParse(parse(part)).data;
    if (text === undefined) throw new Unusable(`${file} is not there or damaged`);
    texts.push(text);
  }
  const bytes = Buffer.from(texts.join(""));
  if (digestOf([bytes]) !== head.digest) throw new Unusable("its parts are not of one build");
  return bytes;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    // Not JSON; whoever asked sees that it is nothing he knows.
    return undefined;
  }
}

const tooLong = () => new Unusable(`it is longer than ${mostBytes / 1_000_000} MB`);

function fromFolder(folder: string): Load {
  return async (file) => {
    const full = path.join(folder, file);
    try {
      const stats = statSync(full);
      if (!stats.isFile()) throw new Unusable(`${full} is not a file`);
      if (stats.size > mostBytes) throw tooLong();
      return await readFile(full);
    } catch (error) {
      if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
      const reason = inWords(error);
      if (reason === undefined) throw error;
      throw new Unusable(`it cannot be read (${reason})`);
    }
  };
}

function fromAddress(address: string): Load {
  const signal = AbortSignal.timeout(mostTime);
  const root = new URL(address.replace(new RegExp(`${base}/?$`), "").replace(/\/?$/, "/"));
  return async (file) => {
    try {
      const response = await fetchWithin(new URL(file, root), signal);
      if (response.status === 404 || response.status === 410) {
        await response.body?.cancel();
        return undefined;
      }
      if (response.status !== 200) throw new Unusable(`the answer is ${response.status}`);
      return await bodyOf(response);
    } catch (error) {
      if (error instanceof Unusable) throw error;
      if (signal.aborted) throw new Unusable(`it did not come within ${mostTime / 1_000} seconds`);
      if (error instanceof TypeError) throw new Unusable(`it cannot be fetched (${reasonOf(error)})`);
      throw error;
    }
  };
}

const reasonOf = ({ message, cause }: TypeError): string => (cause instanceof Error ? cause.message : message);

const mostRedirects = 5;

/** Follows redirects within the origin only: what another one says of this API is not to be trusted. */
async function fetchWithin(url: URL, signal: AbortSignal, followed = 0): Promise<Response> {
  const response = await fetch(url, { redirect: "manual", signal, headers: { "Cache-Control": "no-cache" } });
  const location = response.headers.get("Location");
  if (response.status < 300 || response.status > 399 || location === null) return response;
  await response.body?.cancel();
  const next = new URL(location, url);
  if (next.origin !== url.origin) throw new Unusable(`the answer leads to another origin, ${next.origin}`);
  if (followed === mostRedirects) throw new Unusable(`the answer leads on more than ${mostRedirects} times`);
  return fetchWithin(next, signal, followed + 1);
}

async function bodyOf({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > mostBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
