// The side before a change as it is published: a folder of a build, or the address of an API.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Api } from "../../src/api.ts";
import type { ListOperation } from "../../src/operation.ts";
import { everyPageSize } from "../../src/paging.ts";
import type { Item } from "../../src/resource.ts";
import type { Vocabulary } from "../../src/vocabulary.ts";
import { isAddress, publicName } from "../address/given.ts";
import type { BuildPlan } from "../build.ts";
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

/** The side before is what is published, with its own data: nothing of it is loaded or made again. */
export async function openPublished(
  against: string,
  today: PlannedSide,
  hosts: readonly HostAdapter[],
): Promise<OpenedBuild> {
  const { base } = today.published;
  if (isAddress(against)) return withAddress(against, base, (read) => open(base, read));
  const table = parseRoutingTable(readFileSync(path.join(against, tableFile), "utf8"));
  return open(table?.base ?? base, inFolder(against));

  async function open(at: string, read: Read): Promise<OpenedBuild> {
    const label = publicName(against);
    const published = await publishedAt(at, read);
    if (published === undefined) {
      throw new MachineError(`There is no API of this program at ${label}${at}.`, "Check the address and its base.");
    }
    const { api } = today.plan.catalog;
    let isAlike = isDeclaredAlike(published, today);
    const items = new Map(today.items);
    const unknown: string[] = [];
    for (const { name } of published.operations.filter(({ kind }) => kind === "list")) {
      const list = api.lists.find((each) => each.name === name);
      if (list === undefined) continue;
      const dump = `${at}/dumps/${name}.ndjson`;
      const bytes = await read(dump, dump.slice(1));
      if (bytes === undefined) {
        unknown.push(name);
        continue;
      }
      const lines = linesOf(bytes, name);
      const filtered = isAlike ? withFunctions(list, lines) : undefined;
      isAlike = filtered !== undefined;
      items.set(name, filtered ?? itemsOf({ ...list, filters: [] }, lines));
    }
    const side = sideAt(label, published, items, vocabularyIn(api, published), today);
    const plan = isAlike ? await planAgain(side, api, hosts) : undefined;
    const withoutValues = published.operations.flatMap(({ name, values }) => (values === undefined ? [name] : []));
    const notes = [
      ...(unknown.length === 0 ? [] : [`The dumps of ${listed(unknown)} are not published.`]),
      ...withoutValues.map((name) => `The values of the filters of ${name} are not published, so not compared.`),
      ...(plan === undefined
        ? [`The files of ${label} are not compared: the current declaration makes other documents of its data.`]
        : []),
    ];
    return { before: { ...side, plan }, unknown, notes };
  }
}

function sideAt(
  label: string,
  published: Published,
  items: Side["items"],
  vocabulary: Vocabulary,
  today: Side,
): Omit<Side, "plan"> {
  const { title, description, operations } = published;
  const sizes = operations.flatMap(({ name, page_sizes: own }) =>
    own === undefined ? [] : [[name, own === "every" ? everyPageSize : own] as const],
  );
  const contents = operations.flatMap(({ name, content }) =>
    content === undefined ? [] : [[name, Object(content)] as const],
  );
  return {
    label,
    published,
    items,
    deployments: today.deployments,
    deployment: { ...today.deployment, operations: operations.map(({ name }) => name), documents: new Map(contents) },
    settings: {
      ...today.settings,
      vocabulary,
      title: title === "API" ? undefined : title,
      description,
      pageSizes: new Map([...today.settings.pageSizes, ...sizes]),
    },
  };
}

/** The words of each vocabulary that the published schemas list. */
const vocabularyIn = (api: Api, { operations }: Published): Vocabulary =>
  Object.fromEntries(
    api.vocabularies.map((vocabulary) => {
      const lists = operations.flatMap(({ name, schema }) => {
        const shape = shapeOf(schema);
        return wordsIn(api, name, [vocabulary]).flatMap(
          (field) => shape.get(field)?.rules.flatMap((each) => valuesOf(each) ?? []) ?? [],
        );
      });
      const words = [...new Set(lists)].filter((each) => typeof each === "string");
      return [vocabulary.name, words.length === 0 ? undefined : words];
    }),
  );

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

/** The plan of published data. Undefined if today's declaration publishes other rules or values of filters for it. */
async function planAgain(
  { published, deployment, deployments, items, settings }: Omit<Side, "plan">,
  api: Api,
  hosts: readonly HostAdapter[],
): Promise<BuildPlan | undefined> {
  const [plan] = await planOf({ api, items, deployments, settings }, deployment, hosts);
  const { operations } = await publishedBy(plan);
  const valuesIn = (all: Published["operations"]) => JSON.stringify(all.map(({ values = [] }) => [...values]));
  const isSame = declaredChanges(published.operations, operations).length === 0;
  return isSame && valuesIn(operations) === valuesIn(published.operations) ? plan : undefined;
}

function withFunctions(list: ListOperation, items: readonly Item[]): Items | undefined {
  try {
    return itemsOf(list, items);
  } catch {
    // A function that fails for a published item is not the one that listed it.
    return undefined;
  }
}

function linesOf(dump: Buffer, name: string): readonly Item[] {
  const lines = dump.toString().split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const item = parseJson(line);
      if (typeof item === "object" && item !== null) return Object(item);
      throw new MachineError(`The dump of ${name} is damaged: a line is no item.`, "Compare with another build.");
    });
}
