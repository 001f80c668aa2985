// The side before a change as it is published: a folder of a build, or the address of an API. Its data is not loaded again.
import type { Api } from "../../src/model/api.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import type { Settings } from "../content/settings/chosen-settings.ts";
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
import { counterpartsOf } from "./pair.ts";
import type { PlannedSide, Side, Version } from "./side.ts";

const limits: RequestLimits = {
  purpose: "diff",
  maxBytes: 2e9,
  time: 600_000,
  patience: 20_000,
  waits: [500, 2_000],
};

/** `against` is a folder that has a build, or an address. */
export async function readPublished(against: string, after: NonEmpty<PlannedSide>): Promise<Version> {
  const bases = mapNonEmpty(after, ({ published }) => published.base);
  const files = await openPublished(publishRoot(against, bases), bases[0], limits);
  try {
    const marker = await files.marker();
    const apis = await publishedIn(files, bases, marker);
    if (apis.length === 0)
      throw new MachineError(
        `There is no API of stillapi at ${listed(bases.map((base) => files.root + base))}.`,
        "Check the address and its base.",
      );
    const counterparts = counterpartsOf(
      apis.map(({ base }) => base),
      after,
    );
    const sides: Side[] = [];
    for (const published of apis)
      sides.push(await readSide(files, published, counterparts.get(published.base), after[0].settings));
    return { sides, usage: marker?.usage, warnings: [] };
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

/** `today` is the side with which it is compared. */
async function readSide(
  files: PublishedFiles,
  published: PublishedApi,
  today: PlannedSide | undefined,
  settingsToday: Settings,
): Promise<Side> {
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
  const notes = notesOf(files.root, published, today?.plan.catalog.api, uncompared);
  return { label, published, items, settings, uncompared, notes, plan: undefined };
}

/** Sentences about what is not published. */
function notesOf(
  root: string,
  { base, operations }: PublishedApi,
  today: Api | undefined,
  uncompared: readonly string[],
): readonly string[] {
  const withoutValues = operations.filter(({ values }) => values === undefined);
  const names = operations.map(({ name }) => name);
  const isOther = names.length > 0 && !today?.operations.some(({ name }) => names.includes(name));
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
