// Learns the data of an API from the API itself: operations and documents from the overview, items from the dumps or
// page by page, page sizes and known values of filters from cursors.json.
import * as z from "zod";
import type { Api } from "../../../src/api.ts";
import type { ListOperation, Operation } from "../../../src/operation.ts";
import type { PagingKind } from "../../../src/paging.ts";
import type { Item } from "../../../src/resource.ts";
import type { Vocabulary } from "../../../src/vocabulary.ts";
import type { Client } from "../../address/client.ts";
import { parseJson } from "../../json.ts";
import { MachineError } from "../../machine-error.ts";
import { shown } from "../../quote.ts";
import { type Dataset, filterValuesOf, sortedItems } from "../dataset.ts";
import type { Observation } from "./findings.ts";
import { anItem, dumpedItems, listedItems, nextCursor } from "./items.ts";
import { bodyAt, type Left, listedDocument, publishedBy, publishedText, readLeft, valueIn } from "./published.ts";

export interface Learned {
  readonly dataset: Dataset;
  readonly observations: readonly Observation[];
}

const overviewForm = z.object({
  operations: z.array(z.object({ name: z.string() })),
  documents: z.array(listedDocument),
});

/** Throws MachineError if there is no API of this program. */
export async function learn(client: Client, api: Api): Promise<Learned> {
  const { base } = api;
  const overviewText = await publishedText(client, base);
  const left = await readLeft(client, base);
  const overview = valueIn(overviewText, overviewForm);
  const named = overview?.operations.map(({ name }) => name) ?? (await answering(client, api));
  const served = api.operations.filter(({ name }) => named.includes(name));
  if (served.length === 0) throw await nothingThere(client, base);
  const published = await publishedBy(api, client, overview?.documents ?? [], overviewText, left);
  const items = new Map<string, readonly Item[]>();
  const documents = new Map<string, Item>();
  const operations: Operation[] = [];
  const observations: Observation[] = [];
  for (const operation of served) {
    const { name } = operation;
    const path = `${base}/${name}`;
    if (operation.kind === "list") {
      const dumped = dumpedItems(base, name, published);
      const found = dumped ?? (await listedItems(client, path, operation));
      if (found !== undefined) {
        operations.push(dumped === undefined ? withoutUnlisted(operation) : operation);
        items.set(name, sortedItems(found, operation));
        continue;
      }
    } else {
      const document = valueIn(await publishedText(client, path), anItem);
      if (document !== undefined) {
        operations.push(operation);
        documents.set(name, document);
        continue;
      }
    }
    const cause = "cannot be read, so no other request was sent to their operation";
    observations.push({ request: { method: "GET", path, query: "" }, cause });
  }
  const lists = operations.filter((operation) => operation.kind === "list");
  for (const [name, values] of referencedValues(api, lists, left, items)) items.set(name, values);
  const pageSizes = new Map<string, readonly number[]>();
  const paging = new Map<string, PagingKind>();
  for (const { name } of lists.filter(({ paged }) => paged)) {
    const known = left?.last.get(name);
    const sizes = known?.sizes ?? (await sizesOf(client, `${base}/${name}`));
    pageSizes.set(name, sizes);
    paging.set(name, known?.paging ?? (await pagingOf(client, `${base}/${name}`, sizes)));
  }
  const keys = new Map(api.lists.map(({ name, resource }) => [name, resource.key]));
  const vocabulary = wordsIn(lists, left);
  return {
    dataset: { api, operations, items, documents, published, pageSizes, paging, vocabulary, keys },
    observations,
  };
}

/**
 * Throws MachineError if the API is not from this program: other servers get no requests with methods such as DELETE.
 */
export async function recognise(client: Client, api: Api): Promise<void> {
  const { base } = api;
  if (valueIn(await publishedText(client, base), overviewForm) !== undefined) return;
  if ((await readLeft(client, base)) !== undefined || (await answering(client, api)).length > 0) return;
  throw await nothingThere(client, base);
}

/** The operations that return JSON, for an API without an overview. */
async function answering(client: Client, { base, operations }: Api): Promise<readonly string[]> {
  const texts = await Promise.all(operations.map(({ name }) => publishedText(client, `${base}/${name}`)));
  return operations.filter((_, index) => typeof parseJson(texts[index] ?? "") === "object").map(({ name }) => name);
}

async function nothingThere(client: Client, base: string): Promise<MachineError> {
  const answer = await client.send({ method: "GET", path: base, query: "" });
  const message = `There is no API of this program at ${client.root}`;
  if (typeof answer === "string") return new MachineError(`${message}: ${answer}.`, "Check the URL.");
  const { status, headers } = answer;
  const to = headers["location"];
  if (to !== undefined)
    return new MachineError(`${message}.`, `It redirects to ${shown(to, 200)}: verify that address instead?`);
  return new MachineError(`${message}: the status of ${base} is ${status}.`, "Check the URL.");
}

/** Without a dump, fields that lists lack are unknown: neither filters by them nor single items are checked. */
function withoutUnlisted(operation: ListOperation): ListOperation {
  const { brief, filters } = operation;
  if (brief === undefined) return operation;
  return { ...operation, filters: filters.filter(({ field }) => brief.includes(field)), item: undefined };
}

/** Items that have only a key, of operations that the API lacks and whose keys are the values of filters. */
function referencedValues(
  api: Api,
  lists: readonly ListOperation[],
  left: Left | undefined,
  items: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, readonly Item[]> {
  const pairs = lists.flatMap(({ name, filters }) =>
    filters.flatMap((filter) => {
      const { param, accepts } = filter;
      if (accepts.kind !== "keys" || items.has(accepts.of)) return [];
      const used = (items.get(name) ?? []).flatMap((item) => filterValuesOf(item, filter));
      const values = left?.last.get(name)?.known.get(param) ?? [...new Set(used)].sort();
      const key = api.lists.find((each) => each.name === accepts.of)?.resource.key ?? "";
      return [[accepts.of, values.map((value) => ({ [key]: value }))] as const];
    }),
  );
  return new Map(pairs);
}

/** The words of the vocabularies that filters accept. */
const wordsIn = (lists: readonly ListOperation[], left: Left | undefined): Vocabulary =>
  Object.fromEntries(
    lists.flatMap(({ name, filters }) =>
      filters.flatMap(({ param, accepts }) => {
        const words = left?.last.get(name)?.known.get(param);
        return accepts.kind === "words" && words !== undefined ? [[accepts.vocabulary, words]] : [];
      }),
    ),
  );

/** Finds the page sizes from the largest down: a limit is answered with the next smaller size. */
async function sizesOf(client: Client, path: string): Promise<readonly number[]> {
  const page = z.object({ pagination: z.object({ limit: z.int().min(1).max(100) }) });
  const sizes: number[] = [];
  for (let limit = 100; limit > 0; limit = (sizes[0] ?? 1) - 1) {
    const size = valueIn(await bodyAt(client, path, `limit=${limit}`), page)?.pagination.limit;
    if (size === undefined || size > limit) break;
    sizes.unshift(size);
  }
  return sizes.length === 0 ? [100] : sizes;
}

const counted = z.object({
  pagination: z.object({ limit: z.int(), count: z.int(), next_cursor: nextCursor }),
});

/** Stable if any of the first pages of a small size, except the last page, is not full. */
async function pagingOf(client: Client, path: string, sizes: readonly number[]): Promise<PagingKind> {
  const size = sizes.find((each) => each > 1) ?? 100;
  let query = `limit=${size}`;
  for (let pages = 0; pages < mostPages; pages++) {
    const read = valueIn(await bodyAt(client, path, query), counted)?.pagination;
    if (read === undefined || read.next_cursor === null) return "exact";
    if (read.count < read.limit) return "stable";
    query = `limit=${size}&cursor=${read.next_cursor}`;
  }
  return "exact";
}

/** So many full pages in a row are almost certainly exact. */
const mostPages = 30;
