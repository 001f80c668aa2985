// Loads cursors.json, the state that a build leaves for the next one, from a folder or from a published API. A build
// writes its state before its pages and its routing table after them, so a table that names another state shows an
// interrupted build. A state read over HTTP is not checked for this.
import * as z from "zod";
import type { Catalog, Deployment } from "../content/catalog.ts";
import { sha256 } from "../files/sha256.ts";
import { type Draft, type Log, noFile } from "../messages.ts";
import { openPublished, type PublishedFiles } from "../published/open.ts";
import { isAddress, publicName, publishRoot } from "../published/place.ts";
import { longerThan, Unreadable } from "../published/unreadable.ts";
import { cursorsFile } from "../routing/paths.ts";
import { parseJson } from "../values/json.ts";
import { linesAt } from "./fields.ts";
import { type Found, type History, historyOf, type ReadDump } from "./history.ts";

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

/** What the earlier build has left of each API, by its base. */
export type FoundByBase = ReadonlyMap<string, Found>;

/** The state of the earlier build for each API. One place has all of them: a publish root. */
export async function findAllPrevious(
  options: HistoryOptions | undefined,
  bases: readonly string[],
): Promise<FoundByBase> {
  const { from } = options ?? {};
  const none: Found = { kind: "none" };
  const root = from && publishRoot(from, bases);
  const find = async (base: string) => [base, root === undefined ? none : await findPrevious(root, base)] as const;
  return new Map(await Promise.all(bases.map(find)));
}

/**
 * `pages` is the number of pages without retired ones, `maxFileBytes` the size limit of a file. Returns undefined, and
 * reports it, if the earlier build is named and cannot be read. An API is new if the earlier build has others of them.
 */
export async function loadHistory(
  options: HistoryOptions | undefined,
  all: FoundByBase,
  catalog: Catalog,
  deployment: Deployment,
  pages: number,
  maxFileBytes: number,
  log: Log,
): Promise<History | undefined> {
  const { from, now = 0, isNamed = false, forgotten } = options ?? {};
  const found: Found = all.get(catalog.api.base) ?? { kind: "none" };
  const basis = { catalog, deployment, pages, previous: found, now, maxBytes: maxFileBytes, forgotten };
  const history = historyOf(basis);
  const isNew = found.kind === "none" && [...all.values()].some(({ kind }) => kind !== "none");
  if (from === undefined || isNew) return history;
  const name = publicName(from);
  const { unused } = history;
  if (isNamed && unused !== undefined && !unused.isForeign) {
    log.report(lostDraft(name, unused.reason));
    return undefined;
  }
  for (const warning of history.warnings) log.report({ ...warning, at: noFile });
  if (isNamed && found.kind === "none") {
    const text = `There is no previous build at ${name}. This build counts as the first.`;
    log.report({ code: "previous-unread", at: noFile, text });
  }
  return withDumps(history, found, log);
}

/** The history with what changed in the items, as far as the dumps of the earlier build say. Most builds change no item. */
async function withDumps(history: History, found: Found, log: Log): Promise<History> {
  const { edited } = history;
  if (edited.size === 0 || found.kind !== "state" || found.readDumps === undefined) return history;
  const lines = new Map<string, ReadonlyMap<number, Buffer>>();
  for await (const { list, bytes, lost } of found.readDumps([...edited.keys()])) {
    const indices = edited.get(list)?.map(({ before }) => before) ?? [];
    if (bytes !== undefined) lines.set(list, linesAt(bytes, indices));
    if (lost !== undefined) log.report(unreadDump(list, lost));
  }
  return history.withLines(lines);
}

const unreadDump = (list: string, reason: string): Draft => ({
  code: "previous-unread",
  at: noFile,
  text: `Could not read the dump of ${list} of the previous build (${reason}), so the list of changes does not say what changed in its items.`,
  hint: `To leave this out, set changes_fields to { ${list}: false } in api.yaml.`,
});

/** `reason` is a clause. */
const lostDraft = (from: string, reason: string): Draft => ({
  code: "previous-lost",
  at: noFile,
  text: `Could not read the previous build at ${from} (${reason}).`,
  hint: "Build again when it can be read. With --previous none, the build starts anew, and existing cursors may stop working.",
});

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
  const parts: Buffer[] = [];
  let length = 0;
  for (const name of head.files) {
    const part = await files.read(`${base}/${name}`);
    const { data } = z.string().safeParse(part && parseJson(part.toString()));
    if (part === undefined || data === undefined) throw new Unreadable(`${name} is missing or damaged`);
    length += part.length;
    if (length > maxBytes) throw new Unreadable(longerThan(maxBytes));
    parts.push(Buffer.from(data));
  }
  const bytes = Buffer.concat(parts);
  if (sha256(bytes) !== head.digest) throw new Unreadable("its files belong to different builds");
  return bytes;
}
