// The side before a change as it is published: a folder of a build, or the address of an API. Nothing of it is loaded or
// made again, but its files, which are planned if today's declaration makes the same documents of its data.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Api } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { isAddress, publicName } from "../address/given.ts";
import type { Items } from "../content/catalog.ts";
import { itemsOf } from "../content/store.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { parseJson } from "../json.ts";
import { MachineError } from "../machine-error.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { wordsIn } from "./breaking.ts";
import { declaredChanges } from "./declaration.ts";
import { inFolder, type Published, publishedAt, publishedBy, type Read, withAddress } from "./published.ts";
import { shapeOf, valuesOf } from "./shape.ts";
import { type PlannedSide, planOf, type Side } from "./side.ts";

/** Whether an address, or a folder that has a build, and no content. */
export const isPublished = (against: string): boolean =>
  isAddress(against) || existsSync(path.join(against, tableFile));

interface OpenedBuild {
  readonly before: Side;
  /** The lists whose dump is not published: the side has today's items. */
  readonly unknown: readonly string[];
  readonly notes: readonly string[];
}

export async function openPublished(
  against: string,
  today: PlannedSide,
  hosts: readonly HostAdapter[],
): Promise<OpenedBuild> {
  const { base } = today.published;
  if (isAddress(against)) return withAddress(against, base, (read) => open(against, base, read, today, hosts));
  const table = parseRoutingTable(readFileSync(path.join(against, tableFile), "utf8"));
  return open(against, table?.base ?? base, inFolder(against), today, hosts);
}

async function open(
  against: string,
  base: string,
  read: Read,
  today: PlannedSide,
  hosts: readonly HostAdapter[],
): Promise<OpenedBuild> {
  const label = publicName(against);
  const published = await publishedAt(base, read);
  if (published === undefined)
    throw new MachineError(`There is no API of this program at ${label}${base}.`, "Check the address and its base.");
  const { api } = today.plan.catalog;
  const items = new Map(today.items);
  const unknown: string[] = [];
  let isAlike = isDeclaredAlike(published, today);
  for (const { name, kind } of published.operations) {
    const list = kind === "list" ? api.lists.find((each) => each.name === name) : undefined;
    const dump = list && (await read(`${base}/dumps/${name}.ndjson`));
    if (list !== undefined && dump === undefined) unknown.push(name);
    if (list === undefined || dump === undefined) continue;
    const lines = linesOf(dump, name);
    const filtered = isAlike ? withFunctions(list, lines) : undefined;
    isAlike = filtered !== undefined;
    items.set(name, filtered ?? itemsOf({ ...list, filters: [] }, lines));
  }
  const side = { ...settingsOf(published, today), label, published, items, deployments: today.deployments };
  const [planned] = isAlike ? await planOf({ ...side, api }, side.deployment, hosts) : [];
  const plan = planned && isSame(published, await publishedBy(planned)) ? planned : undefined;
  const withoutValues = published.operations.filter(({ values }) => values === undefined);
  const notes = [
    ...(unknown.length === 0 ? [] : [`The dumps of ${listed(unknown)} are not published.`]),
    ...withoutValues.map(({ name }) => `The values of the filters of ${name} are not published, so not compared.`),
    ...(plan === undefined
      ? [`The files of ${label} are not compared: the current declaration makes other documents of its data.`]
      : []),
  ];
  return { before: { ...side, plan }, unknown, notes };
}

/** The deployment and the settings, as far as they are published. */
function settingsOf(published: Published, today: PlannedSide): Pick<Side, "deployment" | "settings"> {
  const { title, description, operations } = published;
  const pageSizes = new Map(today.settings.pageSizes);
  const documents = new Map<string, Item>();
  for (const { name, page_sizes: sizes, content } of operations) {
    if (sizes !== undefined) pageSizes.set(name, sizes === "every" ? everyPageSize : sizes);
    if (content !== undefined) documents.set(name, Object(content));
  }
  const vocabulary = vocabularyIn(today.plan.catalog.api, published);
  return {
    deployment: { ...today.deployment, operations: operations.map(({ name }) => name), documents },
    settings: { ...today.settings, vocabulary, title: title === "API" ? undefined : title, description, pageSizes },
  };
}

/** The words of each vocabulary that the published schemas list. */
function vocabularyIn(api: Api, { operations }: Published): Vocabulary {
  const wordsOf = (vocabulary: Api["vocabularies"][number]) =>
    operations.flatMap(({ name, schema }) => {
      const shape = shapeOf(schema);
      const rules = wordsIn(api, name, [vocabulary]).flatMap((field) => shape.get(field)?.rules ?? []);
      return rules.flatMap((each) => valuesOf(each) ?? []).filter((each) => typeof each === "string");
    });
  const known = api.vocabularies.map((each) => [each.name, [...new Set(wordsOf(each))]] as const);
  return Object.fromEntries(known.map(([name, words]) => [name, words.length === 0 ? undefined : words]));
}

/** Whether today's declaration can list what was published. Other words of a vocabulary are content. */
function isDeclaredAlike({ base, operations }: Published, { published, plan }: PlannedSide): boolean {
  const { api } = plan.catalog;
  const words = new Set(operations.flatMap(({ name }) => wordsIn(api, name).map((field) => `${name}.fields.${field}`)));
  return (
    base === published.base &&
    operations.every(({ name }) => api.operations.some((each) => each.name === name)) &&
    declaredChanges(operations, published.operations).every(({ field }) => words.has(field))
  );
}

/** Whether declarations publish the same rules and values of filters. */
const isSame = (one: Published, other: Published): boolean => {
  const valuesIn = ({ operations }: Published) => JSON.stringify(operations.map(({ values = [] }) => [...values]));
  return declaredChanges(one.operations, other.operations).length === 0 && valuesIn(one) === valuesIn(other);
};

function withFunctions(list: ListOperation, items: readonly Item[]): Items | undefined {
  try {
    return itemsOf(list, items);
  } catch {
    // A function that fails for a published item is not the one that listed it.
    return undefined;
  }
}

const linesOf = (dump: Buffer, name: string): readonly Item[] =>
  dump
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const item = parseJson(line);
      if (typeof item === "object" && item !== null) return Object(item);
      throw new MachineError(`The dump of ${name} is damaged: a line is no item.`, "Compare with another build.");
    });
