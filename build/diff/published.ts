// The side before a change as it is published: a folder of a build, or the address of an API. Its data is not loaded again.
import { everyPageSize } from "../../src/model/paging.ts";
import type { Settings } from "../content/catalog.ts";
import { numberList } from "../content/table/buffers.ts";
import { MachineError } from "../files/machine-error.ts";
import { allAtOnce } from "../published/at-once.ts";
import type { RequestLimits } from "../published/client.ts";
import { openPublished, type PublishedFiles } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import { publishRoot } from "../published/place.ts";
import { Unreadable } from "../published/unreadable.ts";
import { llmsPath } from "../routing/paths.ts";
import { listed } from "../text/words.ts";
import { parseBytes } from "../values/json.ts";
import { mapNonEmpty, type NonEmpty } from "../values/non-empty.ts";
import type { ItemLines } from "./changes.ts";
import { type BuildSide, type PlannedSide, pairedBases, type Side } from "./side.ts";

/** The APIs that are published, in any order. */
interface Opened {
  readonly before: BuildSide;
  /** By base, the lists whose dump is not published: the side has today's items. */
  readonly uncompared: ReadonlyMap<string, readonly string[]>;
  /** By base. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

const limits: RequestLimits = {
  purpose: "diff",
  maxBytes: 2e9,
  time: 600_000,
  patience: 20_000,
  waits: [500, 2_000],
};

/** `against` is a folder that has a build, or an address. */
export async function openPublishedSides(against: string, todays: NonEmpty<PlannedSide>): Promise<Opened> {
  const bases = mapNonEmpty(todays, ({ published }) => published.base);
  const files = await openPublished(publishRoot(against, bases), bases[0], limits);
  try {
    const marker = await files.marker();
    const apis = await publishedIn(files, bases, marker);
    if (apis.length === 0)
      throw new MachineError(
        `There is no API of stillapi at ${listed(bases.map((base) => files.root + base))}.`,
        "Check the address and its base.",
      );
    const counterparts = pairedBases(
      apis.map(({ base }) => base),
      bases,
    );
    const found: Found[] = [];
    for (const published of apis) {
      const today = todays.find((side) => side.published.base === counterparts.get(published.base));
      found.push(await readSide(files, published, today, todays[0].settings));
    }
    return {
      before: { apis: found.map(({ side }) => side), usage: marker?.usage, warnings: [] },
      uncompared: new Map(found.map(({ side, uncompared }) => [side.published.base, uncompared])),
      notes: new Map(found.map((one) => [one.side.published.base, notesOf(one, files)])),
    };
  } finally {
    files.close();
  }
}

/** The APIs that are published: those that the marker names, or those of today and of the `llms.txt` that names one of them. */
async function publishedIn(
  files: PublishedFiles,
  today: readonly string[],
  marker: Awaited<ReturnType<PublishedFiles["marker"]>>,
): Promise<readonly PublishedApi[]> {
  const bases = marker === undefined ? today : [marker.base, ...marker.others.map(({ base }) => base)];
  const apis = await publishedAmong(files, bases);
  if (marker !== undefined || apis.length === 0) return apis;
  const text = String(await files.read(llmsPath).catch(unlessUnreadable));
  const listed = Array.from(text.matchAll(referenceLink), ([, base = ""]) => base);
  // The front page may be that of another repository.
  if (!apis.some(({ base }) => listed.includes(base))) return apis;
  const others = listed.filter((base) => !today.includes(base));
  return [...apis, ...(await publishedAmong(files, others))];
}

async function publishedAmong(files: PublishedFiles, bases: readonly string[]): Promise<readonly PublishedApi[]> {
  const apis: PublishedApi[] = [];
  for (const base of bases) {
    const published = await publishedAt(base, files);
    if (published !== undefined) apis.push(published);
  }
  return apis;
}

/** Nothing depends on `llms.txt`, and a server may refuse a path outside of the API. */
function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof Unreadable)) throw error;
}

/** A link to the reference of an API, whose base is the group. */
const referenceLink = /\]\((?:https?:\/\/[^/()]*)?((?:\/[a-z0-9-][a-z0-9.-]*)+)\/docs\/index\.md\)/g;

interface Found {
  readonly side: Side;
  /** The API of today with which it is compared. */
  readonly today: PlannedSide | undefined;
  readonly uncompared: readonly string[];
}

async function readSide(
  files: PublishedFiles,
  published: PublishedApi,
  today: PlannedSide | undefined,
  settingsToday: Settings,
): Promise<Found> {
  const { label } = files;
  const { base } = published;
  const lists = published.operations.filter(
    ({ name, kind }) => kind === "list" && today?.plan.catalog.api.lists.some((list) => list.name === name),
  );
  const dumps = await allAtOnce(lists, async ({ name }) => {
    const dump = await files.read(`${base}/dumps/${name}.ndjson`);
    return { name, lines: dump && linesIn(dump, name) };
  });
  const items = new Map(today?.items);
  for (const { name, lines } of dumps) if (lines !== undefined) items.set(name, lines);
  const uncompared = dumps.filter(({ lines }) => lines === undefined).map(({ name }) => name);
  const settings = settingsOf(published, today?.settings ?? settingsToday);
  return { side: { label, published, items, settings, plan: undefined }, today, uncompared };
}

/** Sentences about the extent of the comparison. */
function notesOf({ side, today, uncompared }: Found, { root }: PublishedFiles): readonly string[] {
  const { base, operations } = side.published;
  const api = today?.plan.catalog.api;
  const withoutValues = operations.filter(({ values }) => values === undefined);
  const names = operations.map(({ name }) => name);
  const isOther = names.length > 0 && !api?.operations.some(({ name }) => names.includes(name));
  const notes: string[] = [];
  if (isOther)
    notes.push(
      `Another API may be published at ${root}${base}: it has ${listed(names)}, and this API has none of them.`,
    );
  if (uncompared.length > 0) notes.push(`The dumps of ${listed(uncompared)} are not published.`);
  for (const { name } of withoutValues)
    notes.push(`The values of the filters of ${name} are not published, so they are not compared.`);
  return notes;
}

const newlineByte = 10;

/** Throws MachineError if a line is not an item. */
export function linesIn(dump: Buffer, name: string): ItemLines {
  const offsets = numberList();
  offsets.push(0);
  let start = 0;
  while (start < dump.length) {
    const newline = dump.indexOf(newlineByte, start);
    const end = newline === -1 ? dump.length : newline;
    if (typeof (parseBytes(dump.subarray(start, end)) ?? undefined) !== "object") {
      throw new MachineError(`The dump of ${name} is damaged: a line is not an item.`, "Compare with another build.");
    }
    start = end + 1;
    offsets.push(start);
  }
  return { bytes: dump, offsets: offsets.done() };
}

/** The settings, as far as they are published. */
function settingsOf({ title, description, operations }: PublishedApi, today: Settings): Settings {
  const pageSizes = new Map(today.pageSizes);
  for (const { name, page_sizes: sizes } of operations)
    if (sizes !== undefined) pageSizes.set(name, sizes === "every" ? everyPageSize : sizes);
  return { ...today, title: title === "API" ? undefined : title, description, pageSizes };
}
