// The side before a change as it is published: a folder of a build, or the address of an API. Nothing of it is loaded or
// made again, but its files, which are planned if today's declaration makes the same documents of its data.
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Api } from "../../src/model/api.ts";
import type { Item } from "../../src/model/key.ts";
import { everyPageSize } from "../../src/model/paging.ts";
import { isAddress, openClient, publicName } from "../address/client.ts";
import { type BuildPlan, planCatalog } from "../build.ts";
import type { Items, Settings } from "../content/catalog.ts";
import { itemsOf, numberList } from "../content/store.ts";
import type { HostAdapter } from "../hosts/host.ts";
import { MachineError } from "../machine-error.ts";
import { parseRoutingTable, tableFile } from "../routing/table.ts";
import { listed } from "../text/words.ts";
import { parseBytes } from "../values/json.ts";
import { countOf, type ItemLines, lineAt, none } from "./changes.ts";
import { declaredChanges } from "./declaration.ts";
import { fileOf, type PublishedApi, publishedAt, publishedBy, type Read, type Side } from "./published.ts";

interface Opened {
  readonly before: Side;
  /** The lists whose dump is not published: the side has today's items. */
  readonly uncompared: readonly string[];
  readonly notes: readonly string[];
}

type Today = Side & { readonly plan: BuildPlan };

const limits = { purpose: "diff", most: 2e9, time: 600_000, patience: 20_000, waits: [500, 2_000] };

export async function openPublished(against: string, today: Today, hosts: readonly HostAdapter[]): Promise<Opened> {
  const { base } = today.published;
  if (!isAddress(against)) {
    const table = parseRoutingTable(readFileSync(path.join(against, tableFile), "utf8"));
    const read: Read = async (requestPath) => {
      const file = path.join(against, fileOf(requestPath));
      if (!existsSync(file)) return undefined;
      if (statSync(file).size <= limits.most) return readFileSync(file);
      throw new MachineError(
        `${file} is too large to compare: it has more than ${limits.most / 1e6} MB.`,
        "Compare with a commit.",
      );
    };
    const at = table?.base ?? base;
    return open(against, `${against}${at}`, at, read, today, hosts);
  }
  const client = openClient(new URL(against), base, limits);
  const read: Read = async (requestPath) => {
    const answer = await client.fetchFile(requestPath.slice(1));
    if (typeof answer !== "string" && answer.status === 200) return answer.body;
    if (typeof answer !== "string" && [404, 410].includes(answer.status)) return undefined;
    const why = typeof answer === "string" ? answer : `the status is ${answer.status}`;
    throw new MachineError(`${client.root}${requestPath} cannot be read: ${why}.`);
  };
  return open(publicName(against), client.root + base, base, read, today, hosts).finally(client.close);
}

/** `place` is the label with the base. */
async function open(
  label: string,
  place: string,
  base: string,
  read: Read,
  today: Today,
  hosts: readonly HostAdapter[],
): Promise<Opened> {
  const published = await publishedAt(base, read);
  if (published === undefined)
    throw new MachineError(`There is no API of this program at ${place}.`, "Check the address and its base.");
  const { api } = today.plan.catalog;
  const items = new Map(today.items);
  const uncompared: string[] = [];
  for (const { name, kind } of published.operations) {
    if (kind === "document" || !api.lists.some((each) => each.name === name)) continue;
    const dump = await read(`${base}/dumps/${name}.ndjson`);
    if (dump === undefined) uncompared.push(name);
    else items.set(name, linesIn(dump, name));
  }
  const before = { label, published, items, settings: settingsOf(published, today.settings) };
  const plan = await planAgain(before, today, hosts);
  const withoutValues = published.operations.filter(({ values }) => values === undefined);
  const names = published.operations.map(({ name }) => name);
  const isOther = names.length > 0 && !api.operations.some(({ name }) => names.includes(name));
  const other = `Another API may be published at ${place}: it has ${listed(names)}, and this one none of them.`;
  const notes = [
    ...(isOther ? [other] : []),
    ...(uncompared.length === 0 ? [] : [`The dumps of ${listed(uncompared)} are not published.`]),
    ...withoutValues.map(({ name }) => `The values of the filters of ${name} are not published, so not compared.`),
    ...(plan === undefined
      ? [`The files of ${label} are not compared: the current declaration makes other documents of its data.`]
      : []),
  ];
  return { before: { ...before, plan }, uncompared, notes };
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

/** The plan of what is published. Undefined if today's declaration makes other documents of its data. */
async function planAgain(before: Omit<Side, "plan">, today: Today, hosts: readonly HostAdapter[]) {
  const { published, settings } = before;
  const { operations } = published;
  const { api, deployments } = today.plan.catalog;
  const isKnown = operations.every(({ name }) => api.operations.some((each) => each.name === name));
  const isAlike = declaredChanges(operations, today.published.operations).length === 0;
  const items = isKnown && isAlike && published.base === api.base ? itemsFor(api, before.items) : undefined;
  if (items === undefined) return undefined;
  const documents = new Map(operations.flatMap(({ name, content }) => (content ? [[name, Object(content)]] : [])));
  const deployment = { ...today.plan.deployment, operations: operations.map(({ name }) => name), documents };
  const [plan] = await planCatalog({ api, items, deployments, settings }, deployment, { hosts, root: "" });
  return plan && isDeepStrictEqual(await publishedBy(plan), published) ? plan : undefined;
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
