// The sides before a change as they are published: a folder of a build, or the address of an API. Its data is not loaded again.
// The files are planned if today's declaration makes the same documents from the data.
import { isDeepStrictEqual } from "node:util";
import type { FileFacts } from "../../src/declare/assets.ts";
import { type Api, assetsFolder } from "../../src/model/api.ts";
import { eachAt, isObject, ownField } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { type DeployedApi, planCatalogs } from "../build.ts";
import { type Asset, type Catalog, eachItem, type Items, type Settings } from "../content/catalog.ts";
import { numberList } from "../content/table/buffers.ts";
import { itemsOf } from "../content/table/items-of.ts";
import { MachineError } from "../files/machine-error.ts";
import { type Log, openLog } from "../messages.ts";
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
import { countOf, type ItemLines, lineAt, none } from "./changes.ts";
import { declaredChanges } from "./declaration.ts";
import { type PlannedApi, type PlannedSide, pairedBases, plannedApis, publishedBy, type Side } from "./side.ts";

/** The APIs that are published, in any order. */
interface Opened {
  readonly before: readonly Side[];
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

/** `against` is a folder that has a build, or an address. `day` is today's date, which determines the passed sunsets. */
export async function openPublishedSides(against: string, todays: NonEmpty<PlannedSide>, day: string): Promise<Opened> {
  const bases = mapNonEmpty(todays, ({ published }) => published.base);
  const files = await openPublished(publishRoot(against, bases), bases[0], limits);
  try {
    const apis = await publishedIn(files, bases);
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
    const log = openLog();
    const plans = await plansAgain(found, day, log);
    const warnings = plans.length === 0 ? [] : log.messages().shown;
    const before = found.map(({ side }, index): Side => {
      return { ...side, plan: plans[index], warnings: index === 0 ? warnings : [] };
    });
    const isPlanned = plans.length > 0;
    return {
      before,
      uncompared: new Map(found.map(({ side, uncompared }) => [side.published.base, uncompared])),
      notes: new Map(found.map((one) => [one.side.published.base, notesOf(one, files, isPlanned)])),
    };
  } finally {
    files.close();
  }
}

/** The APIs that are published: those that the marker names, or those of today and of the `llms.txt` that names one of them. */
async function publishedIn(files: PublishedFiles, today: readonly string[]): Promise<readonly PublishedApi[]> {
  const marker = await files.marker();
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

/** A published API before its files are planned. */
interface Found {
  readonly side: Omit<Side, "plan" | "warnings">;
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
  return { side: { label, published, items, settings }, today, uncompared };
}

/** Sentences about the extent of the comparison. `isPlanned`: whether the files before are known. */
function notesOf({ side, today, uncompared }: Found, { root }: PublishedFiles, isPlanned: boolean): readonly string[] {
  const { label, published } = side;
  const { base, operations } = published;
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
  if (!isPlanned)
    notes.push(`The files of ${label} are not compared: the current declaration makes other documents from its data.`);
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

/** The plans of the published files. None if today's declaration makes other documents from the published data. */
async function plansAgain(found: readonly Found[], day: string, log: Log): Promise<readonly PlannedApi[]> {
  const parts = found.flatMap((one) => partAgain(one) ?? []);
  const [first, ...others] = parts;
  const hosts = found[0]?.today?.plan.hosts;
  if (first === undefined || hosts === undefined || parts.length < found.length) return [];
  const build = await planCatalogs([first, ...others], { content: "", hosts, today: day }, log);
  const plans = build === undefined ? [] : plannedApis(build);
  for (const [index, plan] of plans.entries())
    if (!isDeepStrictEqual(await publishedBy(plan), found[index]?.side.published)) return [];
  return plans;
}

/** The published data as the valid content of today's declaration. Undefined if that is another one. */
function partAgain({ side, today }: Found): DeployedApi | undefined {
  if (today === undefined) return undefined;
  const { published, settings } = side;
  const { operations } = published;
  const { catalog, deployment: deploymentToday } = today.plan;
  const { api, deployments } = catalog;
  const isKnown = operations.every(({ name }) => api.operations.some((operation) => operation.name === name));
  const isAlike = declaredChanges(operations, today.published.operations).length === 0;
  const items = isKnown && isAlike && published.base === api.base ? itemsFor(api, side.items) : undefined;
  if (items === undefined) return undefined;
  const documents = new Map(operations.flatMap(({ name, content }) => (content ? [[name, Object(content)]] : [])));
  const deployment = { ...deploymentToday, operations: operations.map(({ name }) => name), documents };
  return { catalog: { api, items, assets: assetsIn(api, items), deployments, settings }, deployment };
}

/** The files beside the data that published items name. Their bytes are not published with the items. */
function assetsIn({ base, lists }: Api, items: ReadonlyMap<string, Items>): Catalog["assets"] {
  const folder = `${base}/${assetsFolder}/`;
  const named = new Map<string, Map<string, Asset>>();
  for (const { name, assets: fields } of lists) {
    const all = new Map<string, Asset>();
    named.set(name, all);
    const collection = items.get(name);
    if (fields.length === 0 || collection === undefined) continue;
    for (const item of eachItem(collection)) {
      for (const { steps } of fields) {
        eachAt(item, steps, (owner, key) => {
          const asset = publishedAsset(ownField(owner, key), folder);
          if (asset !== undefined) all.set(asset.file, asset);
        });
      }
    }
  }
  return named;
}

/** Undefined for what is no answer of a file. */
function publishedAsset(answer: unknown, folder: string): Asset | undefined {
  if (!isObject(answer) || typeof answer["url"] !== "string" || !answer["url"].startsWith(folder)) return undefined;
  // Published items have been checked by the schema.
  const { url, ...facts } = answer as unknown as FileFacts & { readonly url: string };
  const [path = "", digest = ""] = url.split("?v=");
  const unknown = (): never => {
    throw new MachineError(`The bytes of ${path} are not known.`, "Compare with another build.");
  };
  return {
    file: path.slice(folder.length),
    path: path.slice(folder.length),
    facts,
    size: facts.bytes,
    state: url,
    digest: () => digest,
    harm: () => undefined,
    hasPosition: false,
    head: unknown,
    parts: unknown,
  };
}

/** One at a time: the objects of millions of items take many times the memory of their JSON. */
function* parsed(lines: ItemLines): Generator<Item> {
  for (let index = 0; index < countOf(lines); index++) yield JSON.parse(decoder.decode(lineAt(lines, index)));
}

const decoder = new TextDecoder();

/** Undefined if a function of a filter fails for an item: it is not the one that listed the item. */
function itemsFor({ lists }: Api, linesOf: Side["items"]): Map<string, Items> | undefined {
  try {
    return new Map(lists.map((list) => [list.name, itemsOf(list, parsed(linesOf.get(list.name) ?? none))]));
  } catch {
    return undefined;
  }
}
