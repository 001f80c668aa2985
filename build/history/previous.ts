// The build before this one: loads cursors.json, the state that it left, from a folder or from a published API. A build
// writes its state before its pages and its routing table after them, so a table that names another state shows an
// interrupted build. A state read over HTTP is not checked for this.
import * as z from "zod";
import { sha256 } from "../files/sha256.ts";
import { type Log, noFile } from "../messages.ts";
import { openPublished, type PublishedFiles } from "../published/open.ts";
import { isAddress, publicName, publishRoot } from "../published/place.ts";
import { longerThan, Unreadable } from "../published/unreadable.ts";
import { cursorsFile } from "../routing/paths.ts";
import { parseJson } from "../values/json.ts";

/** This build supersedes the one in a folder or at an address, or none. */
export interface HistoryOptions {
  readonly from: string | undefined;
  /** In seconds since 1970. */
  readonly now: number;
  /** Whether somebody names the build and therefore wants it: it is a fault if it cannot be read. */
  readonly isNamed?: boolean;
  /** Items whose values no entry of the list of changes keeps, as in `nodes/nod_x`. */
  readonly forgotten?: readonly string[];
}

/** The state of the build before this one. */
export type Found =
  | { readonly kind: "none" }
  | FoundState
  /** `reason` is a clause. */
  | { readonly kind: "unusable"; readonly reason: string };

export interface FoundState {
  readonly kind: "state";
  readonly bytes: Buffer;
  /** Whether the build ended after it wrote its state and before all of its pages were in place. */
  readonly isInterrupted: boolean;
  /** Reads the dumps of these lists, one after the other. */
  readonly readDumps: (lists: readonly string[]) => AsyncIterable<ReadDump>;
}

/** The dump of a list, or the reason why it cannot be read, as a clause. Both are undefined if there is none. */
export interface ReadDump {
  readonly list: string;
  readonly bytes: Buffer | undefined;
  readonly lost: string | undefined;
}

/** The state of the earlier build for each API, by its base. One place has all of them: a publish root. */
export async function findAllPrevious(
  options: HistoryOptions | undefined,
  bases: readonly string[],
  log: Log,
): Promise<ReadonlyMap<string, Found>> {
  const { from, isNamed = false } = options ?? {};
  if (from === undefined) return new Map();
  const root = publishRoot(from, bases);
  const find = async (base: string) => [base, await findPrevious(root, base)] as const;
  const found = new Map(await Promise.all(bases.map(find)));
  if (isNamed && [...found.values()].every(({ kind }) => kind === "none")) {
    const text = `There is no previous build at ${publicName(from)}. This build counts as the first.`;
    log.report({ code: "previous-unread", at: noFile, text });
  }
  return found;
}

/** The limit of all files together. V8's longest string is little longer. The state of eight million items is smaller. */
const maxBytes = 500e6;

/** More than enough: hosts limit files to 25 MB at least, so that 20 of them hold `maxBytes`. */
const maxParts = 100;

const limits = { purpose: "build", maxBytes, time: 60_000, patience: 15_000 };

/** The waits before each retry after a temporary fault of the server or the network, in milliseconds. */
const usualWaits = [1_000, 3_000, 6_000];

/**
 * `from` is a folder or an address, `base` the prefix of the API's paths. A folder without a routing table, such as a copy
 * of the state only, is not checked for an interrupted build.
 */
export async function findPrevious(from: string, base: string, waits: readonly number[] = usualWaits): Promise<Found> {
  const files = await openPublished(from, base, { ...limits, waits });
  try {
    const bytes = await readState(base, files);
    if (bytes === undefined) return { kind: "none" };
    const marker = await files.marker();
    const table = [marker, ...(marker?.others ?? [])].find((one) => one?.base === base);
    const state = table?.state;
    const isInterrupted = state !== undefined && state !== sha256(bytes);
    return { kind: "state", bytes, isInterrupted, readDumps: (lists) => readDumps(from, base, lists, waits) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: "unusable", reason: error.reason };
  } finally {
    files.close();
  }
}

/** The limit of a dump: of an address less than of a folder, because its bytes have to be sent. */
const maxDumpBytes = (from: string): number => (isAddress(from) ? 100e6 : maxBytes);

async function* readDumps(
  from: string,
  base: string,
  lists: readonly string[],
  waits: readonly number[],
): AsyncGenerator<ReadDump, void, undefined> {
  const files = await openPublished(from, base, { ...limits, maxBytes: maxDumpBytes(from), waits });
  try {
    for (const list of lists) {
      try {
        yield { list, bytes: await files.read(`${base}/dumps/${list}.ndjson`), lost: undefined };
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        yield { list, bytes: undefined, lost: error.reason };
      }
    }
  } finally {
    files.close();
  }
}

const inParts = z.object({
  digest: z.string(),
  files: z.array(z.string().regex(/^cursors-[1-9]\d{0,3}\.json$/)).min(1),
});

/**
 * If a state is too large for one file, the first file is short and names the others. Undefined if there is none. Throws
 * Unreadable.
 */
async function readState(base: string, files: PublishedFiles): Promise<Buffer | undefined> {
  const first = await files.read(`/${cursorsFile(base)}`);
  if (first === undefined) return undefined;
  const head = first.length > 100_000 ? undefined : inParts.safeParse(parseJson(first.toString())).data;
  if (head === undefined) return first;
  if (head.files.length > maxParts) throw new Unreadable(`it is in more than ${maxParts} files`);
  const parts: string[] = [];
  let length = 0;
  for (const name of head.files) {
    const part = await files.read(`${base}/${name}`);
    const { data } = z.string().safeParse(part && parseJson(part.toString()));
    if (part === undefined || data === undefined) throw new Unreadable(`${name} is missing or damaged`);
    length += part.length;
    if (length > maxBytes) throw new Unreadable(longerThan(maxBytes));
    parts.push(data);
  }
  // Two parts may have half of a surrogate pair each.
  const bytes = Buffer.from(parts.join(""));
  if (sha256(bytes) !== head.digest) throw new Unreadable("its files belong to different builds");
  return bytes;
}
