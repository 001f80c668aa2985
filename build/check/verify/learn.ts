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
import { type Dataset, type PublishedDocument, sortedItems, valuesOf } from "../dataset.ts";
import type { Observation } from "./causes.ts";
import { type Left, readLeft } from "./left.ts";
import { dumpPath, listedDocument, publishedBy, readAnswer } from "./published.ts";
import { itemsIn, nextCursor, walk } from "./walk.ts";

export interface Learned {
  readonly dataset: Dataset;
  readonly observations: readonly Observation[];
}

type Published = readonly PublishedDocument[];

const get = (path: string, query = "") => ({ method: "GET", path, query });

const overviewForm = z.object({
  operations: z.array(z.object({ name: z.string() })),
  documents: z.array(listedDocument),
});

const wholeList = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

/** Throws MachineError if there is no API of this program. */
export async function learn(client: Client, api: Api): Promise<Learned> {
  const { base } = api;
  const observations: Observation[] = [];
  const read = (path: string) => readAnswer(client, path);
  const [overviewText, left] = [await read(base), await readLeft(client, base)];
  const overview = overviewText === undefined ? undefined : overviewForm.safeParse(parseJson(overviewText)).data;
  const named = overview?.operations.map(({ name }) => name) ?? (await answering(client, api));
  const served = api.operations.filter(({ name }) => named.includes(name));
  if (served.length === 0) throw await nothingThere(client, base);
  const published = await publishedBy(api, client, overview?.documents ?? [], overviewText, left);
  const items = new Map<string, readonly Item[]>();
  const documents = new Map<string, Item>();
  const known: Operation[] = [];
  for (const operation of served) {
    const path = `${base}/${operation.name}`;
    const content = await contentOf(client, base, operation, published, read);
    if (content === undefined) {
      observations.push({
        request: get(path),
        cause: "cannot be read, so no other request was sent to their operation",
      });
      continue;
    }
    known.push(operation.kind === "document" ? operation : asKnown(api, operation, published));
    if (operation.kind === "document") documents.set(operation.name, content[0] ?? {});
    else items.set(operation.name, sortedItems(content, operation));
  }
  for (const [name, values] of referencedValues(api, known, left, items)) items.set(name, values);
  const pageSizes = new Map<string, readonly number[]>();
  const paging = new Map<string, PagingKind>();
  for (const { name, kind, ...rest } of known) {
    if (kind !== "list" || !("paged" in rest) || !rest.paged) continue;
    const own = left?.last.get(name);
    const sizes = own?.sizes ?? (await sizesOf(client, `${base}/${name}`));
    pageSizes.set(name, sizes);
    paging.set(name, own?.paging ?? (await pagingOf(client, `${base}/${name}`, sizes)));
  }
  const keys = new Map(api.lists.map(({ name, resource }) => [name, resource.key]));
  const dataset = { api, operations: known, items, documents, published, pageSizes, paging, keys };
  return { dataset: { ...dataset, vocabulary: wordsIn(known, left) }, observations };
}

/**
 * Throws MachineError if the API is not from this program: other servers get no requests with methods such as DELETE.
 */
export async function recognise(client: Client, api: Api): Promise<void> {
  const { base } = api;
  const overview = overviewForm.safeParse(parseJson((await readAnswer(client, base)) ?? "")).success;
  if (overview || (await readLeft(client, base)) !== undefined || (await answering(client, api)).length > 0) return;
  throw await nothingThere(client, base);
}

/** The operations that return JSON, for an API without an overview. */
async function answering(client: Client, { base, operations }: Api): Promise<readonly string[]> {
  const texts = await Promise.all(operations.map(({ name }) => readAnswer(client, `${base}/${name}`)));
  const isOurs = (text = ""): boolean => typeof parseJson(text) === "object";
  return operations.filter((_, index) => isOurs(texts[index])).map(({ name }) => name);
}

async function nothingThere(client: Client, base: string): Promise<MachineError> {
  const answer = await client.send(get(base));
  const message = `There is no API of this program at ${client.root}`;
  if (typeof answer === "string") return new MachineError(`${message}: ${answer}.`, "Check the URL.");
  const { status, headers } = answer;
  const to = headers["location"];
  if (to !== undefined)
    return new MachineError(`${message}.`, `It redirects to ${shown(to, 200)}: verify that address instead?`);
  return new MachineError(`${message}: the status of ${base} is ${status}.`, "Check the URL.");
}

/** The items of a list operation, or its document alone; undefined if they cannot be read. */
async function contentOf(
  client: Client,
  base: string,
  operation: Operation,
  published: Published,
  read: (path: string) => Promise<string | undefined>,
): Promise<readonly Item[] | undefined> {
  const path = `${base}/${operation.name}`;
  const items = dumpIn(base, operation.name, published);
  if (items !== undefined) return items;
  if (operation.kind === "list" && operation.paged) return walk(client, path);
  const text = await read(path);
  const value = text === undefined ? undefined : parseJson(text);
  if (operation.kind === "list") return wholeList.safeParse(value).data?.data;
  const document = z.record(z.string(), z.unknown()).safeParse(value).data;
  return document === undefined ? undefined : [document];
}

/** Without a dump, nothing is known of the fields that lists lack: neither filters by them nor single items are checked. */
function asKnown(api: Pick<Api, "base">, operation: ListOperation, published: Published): ListOperation {
  const { name, brief, filters } = operation;
  const hasAll = brief === undefined || dumpIn(api.base, name, published) !== undefined;
  if (hasAll) return operation;
  return { ...operation, filters: filters.filter(({ field }) => brief.includes(field)), item: undefined };
}

/** The items in the dump of an operation; undefined if there is none, or it cannot be read. */
function dumpIn(base: string, operation: string, published: Published): readonly Item[] | undefined {
  const dump = published.find((each) => each.path === dumpPath(base, operation))?.text;
  return dump === undefined ? undefined : itemsIn(dump);
}

/** For filters whose values are the keys of an operation that the API lacks: items with nothing but these keys. */
function referencedValues(
  { lists }: Api,
  known: readonly Operation[],
  left: Left | undefined,
  items: ReadonlyMap<string, readonly Item[]>,
): ReadonlyMap<string, readonly Item[]> {
  const pairs = known.filter(isList).flatMap((operation) =>
    operation.filters.flatMap((filter) => {
      const { param, accepts } = filter;
      if (accepts.kind !== "keys" || items.has(accepts.of)) return [];
      const to = accepts.of;
      const used = (items.get(operation.name) ?? []).flatMap((item) => valuesOf(item, filter));
      const values = left?.last.get(operation.name)?.known.get(param) ?? [...new Set(used)].sort();
      const key = lists.find(({ name }) => name === to)?.resource.key ?? "";
      return [[to, values.map((value) => ({ [key]: value }))] as const];
    }),
  );
  return new Map(pairs);
}

/** The words of the vocabularies by which filters choose. */
const wordsIn = (known: readonly Operation[], left: Left | undefined): Vocabulary =>
  Object.fromEntries(
    known.filter(isList).flatMap(({ name, filters }) =>
      filters.flatMap(({ param, accepts }) => {
        const words = left?.last.get(name)?.known.get(param);
        return accepts.kind === "words" && words !== undefined ? [[accepts.vocabulary, words]] : [];
      }),
    ),
  );

const isList = (operation: Operation): operation is ListOperation => operation.kind === "list";

/** Finds the page sizes from the largest down: a limit is answered with the next smaller size. */
async function sizesOf(client: Client, path: string): Promise<readonly number[]> {
  const page = z.object({ pagination: z.object({ limit: z.int().min(1).max(100) }) });
  const sizes: number[] = [];
  for (let limit = 100; limit > 0; limit = (sizes[0] ?? 1) - 1) {
    const answer = await client.send(get(path, `limit=${limit}`));
    const size = typeof answer === "string" ? undefined : page.safeParse(parseJson(answer.body)).data?.pagination.limit;
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
    const answer = await client.send(get(path, query));
    const read = typeof answer === "string" ? undefined : counted.safeParse(parseJson(answer.body)).data?.pagination;
    if (read === undefined || read.next_cursor === null) return "exact";
    if (read.count < read.limit) return "stable";
    query = `limit=${size}&cursor=${read.next_cursor}`;
  }
  return "exact";
}

/** This many full pages in a row are almost certainly exact. */
const mostPages = 30;
