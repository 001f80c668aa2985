// The side before a change as it is published: a folder of a build, or the address of an API. Its data is not loaded again.
// Its files are planned if today's declaration makes the same documents from its data.
import { isDeepStrictEqual } from "node:util";
import type { FileFacts } from "../../src/declare/assets.ts";
import { type Api, assetsFolder } from "../../src/model/api.ts";
import { eachAt, isObject } from "../../src/model/fields.ts";
import type { Item } from "../../src/model/key.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { type BuildPlan, planCatalog } from "../build.ts";
import { type Asset, type Catalog, eachItem, type Items, type Settings } from "../content/catalog.ts";
import { numberList } from "../content/table/buffers.ts";
import { itemsOf } from "../content/table/table.ts";
import { MachineError } from "../files/machine-error.ts";
import { type Log, openLog } from "../messages.ts";
import { allAtOnce } from "../published/at-once.ts";
import type { RequestLimits } from "../published/client.ts";
import { openPublished, type PublishedFiles } from "../published/open.ts";
import { type PublishedApi, publishedAt } from "../published/overview.ts";
import { listed } from "../text/words.ts";
import { parseBytes } from "../values/json.ts";
import { countOf, type ItemLines, lineAt, none } from "./changes.ts";
import { declaredChanges } from "./declaration.ts";
import { publishedBy, type Side } from "./side.ts";

interface Opened {
  readonly before: Side;
  /** The lists whose dump is not published: the side has today's items. */
  readonly uncompared: readonly string[];
  readonly notes: readonly string[];
}

type Today = Side & { readonly plan: BuildPlan };

const limits: RequestLimits = {
  purpose: "diff",
  maxBytes: 2e9,
  time: 600_000,
  patience: 20_000,
  waits: [500, 2_000],
};

/** `against` is a folder that has a build, or an address. `day` is today's date, which determines the passed sunsets. */
export async function openPublishedSide(against: string, today: Today, day: string): Promise<Opened> {
  const files = await openPublished(against, today.published.base, limits);
  try {
    return await readSide(files, today, day);
  } finally {
    files.close();
  }
}

async function readSide(files: PublishedFiles, today: Today, day: string): Promise<Opened> {
  const { label, root } = files;
  const base = (await files.marker())?.base ?? today.published.base;
  const published = await publishedAt(base, files);
  if (published === undefined)
    throw new MachineError(`There is no API of stillapi at ${root}${base}.`, "Check the address and its base.");
  const { api } = today.plan.catalog;
  const lists = published.operations.filter(
    ({ name, kind }) => kind === "list" && api.lists.some((list) => list.name === name),
  );
  const dumps = await allAtOnce(lists, async ({ name }) => {
    const dump = await files.read(`${base}/dumps/${name}.ndjson`);
    return { name, lines: dump && linesIn(dump, name) };
  });
  const items = new Map(today.items);
  for (const { name, lines } of dumps) if (lines !== undefined) items.set(name, lines);
  const uncompared = dumps.filter(({ lines }) => lines === undefined).map(({ name }) => name);
  const before = { label, published, items, settings: settingsOf(published, today.settings) };
  const log = openLog();
  const plan = await planAgain(before, today, day, log);
  const withoutValues = published.operations.filter(({ values }) => values === undefined);
  const names = published.operations.map(({ name }) => name);
  const isOther = names.length > 0 && !api.operations.some(({ name }) => names.includes(name));
  const notes: string[] = [];
  if (isOther)
    notes.push(
      `Another API may be published at ${root}${base}: it has ${listed(names)}, and this API has none of them.`,
    );
  if (uncompared.length > 0) notes.push(`The dumps of ${listed(uncompared)} are not published.`);
  for (const { name } of withoutValues)
    notes.push(`The values of the filters of ${name} are not published, so not compared.`);
  if (plan === undefined)
    notes.push(`The files of ${label} are not compared: the current declaration makes other documents from its data.`);
  const warnings = plan === undefined ? [] : log.messages().shown;
  return { before: { ...before, plan, warnings }, uncompared, notes };
}

const newlineByte = 10;

/** Throws MachineError if a line is no item. */
export function linesIn(dump: Buffer, name: string): ItemLines {
  const offsets = numberList();
  offsets.push(0);
  let start = 0;
  while (start < dump.length) {
    const newline = dump.indexOf(newlineByte, start);
    const end = newline === -1 ? dump.length : newline;
    if (typeof (parseBytes(dump.subarray(start, end)) ?? undefined) !== "object") {
      throw new MachineError(`The dump of ${name} is damaged: a line is no item.`, "Compare with another build.");
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

/** The plan of the published files. Undefined if today's declaration makes other documents from the published data. */
async function planAgain(before: Omit<Side, "plan" | "warnings">, today: Today, day: string, log: Log) {
  const { published, settings } = before;
  const { operations } = published;
  const { api, deployments } = today.plan.catalog;
  const isKnown = operations.every(({ name }) => api.operations.some((operation) => operation.name === name));
  const isAlike = declaredChanges(operations, today.published.operations).length === 0;
  const items = isKnown && isAlike && published.base === api.base ? itemsFor(api, before.items) : undefined;
  if (items === undefined) return undefined;
  const documents = new Map(operations.flatMap(({ name, content }) => (content ? [[name, Object(content)]] : [])));
  const deployment = { ...today.plan.deployment, operations: operations.map(({ name }) => name), documents };
  const { hosts } = today.plan;
  const options = { content: "", hosts, today: day };
  const assets = assetsIn(api, items);
  const plan = await planCatalog({ api, items, assets, deployments, settings }, deployment, options, log);
  return plan && isDeepStrictEqual(await publishedBy(plan), published) ? plan : undefined;
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
          const asset = publishedAsset(owner[key], folder);
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
