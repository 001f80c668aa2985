// The input of the oracle: the API, and the data of a deployment as plain lists.
import path from "node:path";

import type { Catalog, Deployment } from "../../build/content/catalog.ts";
import type { Settings } from "../../build/content/settings/chosen-settings.ts";
import { allItems } from "../../build/content/table/items.ts";
import { cursorAfter } from "../../build/files/cursor.ts";
import type { Document } from "../../build/files/document.ts";
import type { Api, ApiOutput } from "../../src/model/api.ts";
import type { Audience } from "../../src/model/audience.ts";
import { cursorListing } from "../../src/model/cursor.ts";
import { Failure } from "../../src/model/failure.ts";
import { fieldOf } from "../../src/model/fields.ts";
import { combinationsOf, type Filter, slugOf } from "../../src/model/filter.ts";
import { type Item, keyFields } from "../../src/model/key.ts";
import type { ListOperation, Operation } from "../../src/model/operation.ts";
import { type Order, type OrderField, orderInListing, orderKey } from "../../src/model/order.ts";
import { type Chosen, listingName, type PagingKind } from "../../src/model/paging.ts";
import type { TextOrder } from "../../src/model/text-order.ts";
import { pageStarts } from "./boundaries.ts";

export interface Dataset {
  readonly api: Api;
  /** The operations of the deployment. */
  readonly operations: readonly Operation[];
  /**
   * The items of every operation, by its name and in its order. Operations that the deployment lacks are included,
   * because their keys may be the values of a filter.
   */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  /** As the API returns them, by the name of their operation. */
  readonly documents: ReadonlyMap<string, Item>;
  /** The documents beside the operations. */
  readonly published: readonly PublishedDocument[];
  /** The outputs of which there is a file for each item, and the files beside the data by depth and ending. */
  readonly outputs: readonly PublishedOutput[];
  /** By paged operation. */
  readonly pageSizes: ReadonlyMap<string, readonly number[]>;
  /** By paged operation; `exact` if it is absent. */
  readonly paging: ReadonlyMap<string, PagingKind>;
  /** The words of a vocabulary, if they are limited. */
  readonly vocabulary: Settings["vocabulary"];
  readonly audience: Audience;
  /** By operation, the key field of its items. The last field of a composite key. */
  readonly keys: ReadonlyMap<string, string>;
}

export interface PublishedDocument {
  readonly path: string;
  readonly contentType: string;
  readonly cacheControl: string;
  /** The value of Content-Security-Policy, if there is one. */
  readonly policy?: string;
  /** Undefined: any text. */
  readonly text: string | undefined;
}

export interface PublishedOutput extends Omit<PublishedDocument, "text"> {
  /** The texts of its files, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export function datasetOf(
  catalog: Catalog,
  { operations: served, documents }: Deployment,
  published: readonly Document[] = [],
): Dataset {
  const { api } = catalog;
  const itemsOf = (operation: ListOperation) =>
    sortedItems(allItems(catalog.items.get(operation.name)), operation.order);
  const items = new Map(api.lists.map((operation) => [operation.name, itemsOf(operation)]));
  const isServed = ({ each }: ApiOutput) => each === undefined || served.includes(each);
  const outputs = api.outputs.filter(isServed).map((output) => outputWith(output, catalog, items));
  return {
    api,
    operations: api.operations.filter(({ name }) => served.includes(name)),
    items,
    documents: new Map(
      api.documents.flatMap(({ name, documentOf }) => {
        const content = documents.get(name);
        return content === undefined ? [] : [[name, documentOf(content)]];
      }),
    ),
    published: [
      ...published.map(({ parts, ...about }) => ({ ...about, text: Buffer.concat([...parts()]).toString() })),
      ...outputs.flatMap(({ texts, ...output }) => {
        const isOneFile = !output.path.includes("{") && texts.size > 0;
        return isOneFile ? [{ ...output, text: texts.get(output.path) }] : [];
      }),
    ],
    outputs: [...outputs.filter(({ path }) => path.includes("{")), ...assetsIn(catalog, served)],
    pageSizes: catalog.settings.pageSizes,
    paging: catalog.settings.paging,
    vocabulary: catalog.settings.vocabulary,
    audience: catalog.settings,
    keys: new Map(api.lists.map((list) => [list.name, list.key])),
  };
}

/** The files of an output, with its function. */
function outputWith(
  { path, each, contentType, cache: cacheControl, render }: ApiOutput,
  { api: { base }, settings: { title = "API" } }: Catalog,
  items: Dataset["items"],
): PublishedOutput {
  const collections = Object.fromEntries(
    [...items].map(([name, all]) => [name, Object.assign([...all], { count: all.length })]),
  );
  const data = {
    base,
    title,
    description: undefined,
    url: undefined,
    license: undefined,
    feed: undefined,
    changes: [],
    collections,
    documents: {},
  };
  const rows = each === undefined ? [{}] : (items.get(each) ?? []);
  const texts = rows.flatMap((item) => {
    const bytes = render({ ...data, request: () => "", page: () => "" }, item);
    if (bytes instanceof Failure) throw new Error(bytes.text);
    const address = path.replace(/\{(.*?)\}/g, (_, field: string) => String(fieldOf(item, field)));
    return bytes === undefined ? [] : [[address, Buffer.from(bytes).toString()] as const];
  });
  return { path, contentType, cacheControl, texts: new Map(texts) };
}

/** The Content-Security-Policy of an SVG beside the data. */
export const svgPolicy = "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline'; sandbox";

/** The files that the items of a deployment name. */
function assetsIn({ api: { base, filesCache }, assets = new Map() }: Catalog, served: readonly string[]) {
  const byForm = new Map<string, PublishedOutput & { readonly texts: Map<string, string> }>();
  for (const [file, { facts, parts }] of served.flatMap((name) => [...(assets.get(name) ?? [])])) {
    const ending = path.extname(file);
    const depth = file.split("/").length;
    const form = `${base}/files/${Array(depth).fill("{part}").join("/")}${ending}`;
    const { content_type: type } = facts;
    const contentType = type.startsWith("text/") ? `${type}; charset=utf-8` : type;
    const { texts } = byForm.get(form) ?? { texts: new Map() };
    texts.set(`${base}/files/${file}`, Buffer.concat([...parts()]).toString());
    const about = { path: form, contentType, cacheControl: filesCache, texts };
    byForm.set(form, ending === ".svg" ? { ...about, policy: svgPolicy } : about);
  }
  return [...byForm.values()];
}

/** The values that a filter accepts. */
export function acceptedValues(
  { items, keys, vocabulary }: Dataset,
  { name }: ListOperation,
  filter: Filter,
): readonly string[] {
  const { accepts } = filter;
  if (accepts.kind === "listed") return accepts.values;
  if (accepts.kind === "keys") {
    return (items.get(accepts.of) ?? []).map((item) => String(item[keys.get(accepts.of) ?? ""]));
  }
  const words = accepts.kind === "words" ? vocabulary[accepts.vocabulary] : undefined;
  return words ?? [...new Set((items.get(name) ?? []).flatMap((item) => filterValuesOf(item, filter)))];
}

/** The values of a filter with which an item is listed. */
export function filterValuesOf(item: Item, { field, by, of }: Filter): readonly string[] {
  const derived = of?.(item);
  if (derived instanceof Failure) throw new Error(derived.text);
  if (derived !== undefined) return derived;
  const value = item[field ?? ""] ?? undefined;
  if (value === undefined) return [];
  if (by === "elements") return Object.values(value).map(String);
  if (by === "names") return Object.keys(value);
  return by === "slug"
    ? [value]
        .flat()
        .map((value) => slugOf(String(value)))
        .filter(Boolean)
    : [String(value)];
}

/** The key and the aliases of an item, with which the paths of the single item end. */
export function addressesOf(one: Item, { scope, key: last, item }: ListOperation): readonly string[] {
  const key = keyFields({ scope, key: last }).map((field) => String(one[field]));
  if (item?.aliases === undefined) return [key.join("/")];
  const { field, isSlug } = item.aliases;
  const aliases = [one[field]].flat().flatMap((value) => (value === undefined || value === null ? [] : String(value)));
  return [key.join("/"), ...(isSlug ? aliases.map(slugOf).filter(Boolean) : aliases)];
}

/** A listing, computed from its items. */
export interface ListingOfItems {
  readonly items: readonly Item[];
  /** The cursor of the position after a number of items. */
  readonly cursorTo: (position: number) => string;
  /** The positions at which pages of a size start, ascending. */
  readonly startsOf: (size: number) => readonly number[];
}

/** What requests choose items by: the filters, and before them the orders, as the known values of `sort`. */
export const choicesOf = ({ orders, filters }: ListOperation): readonly Filter[] => {
  const accepts = { kind: "listed", type: "text", values: orders.map(({ name }) => name) } as const;
  const sort: Filter = { param: "sort", field: undefined, by: "function", accepts };
  return orders.length === 0 ? filters : [sort, ...filters];
};

export const choicesOfAny = (operation: Operation): readonly Filter[] =>
  operation.kind === "list" ? choicesOf(operation) : [];

/** The sets of choices that a request may send. */
export function choiceSets(operation: ListOperation): readonly (readonly Filter[])[] {
  const sets = combinationsOf(operation);
  const [sort] = choicesOf(operation);
  if (operation.orders.length === 0 || sort === undefined) return sets;
  return [...sets, ...[[], ...sets].map((set) => [sort, ...set])];
}

export function expectedListing(dataset: Dataset, operation: ListOperation, chosen: readonly Chosen[]): ListingOfItems {
  const { name, filters } = operation;
  const sort = chosen.find(({ param }) => param === "sort")?.value;
  const order = operation.orders.find((one) => one.name === sort);
  const all = dataset.items.get(name) ?? [];
  const items = (order === undefined ? all : sortedItems(all, order.fields)).filter((item) =>
    chosen.every(
      ({ param, value }) =>
        (param === "sort" && order !== undefined) ||
        filters.some((filter) => filter.param === param && filterValuesOf(item, filter).includes(value)),
    ),
  );
  const listing = listingName(
    name,
    chosen.map((choice) => (order !== undefined && choice.param === "sort" ? sortIn(order) : choice)),
  );
  const filtered = chosen.filter(({ param }) => order === undefined || param !== "sort");
  const cursors = cursorListing(operation, order, filtered);
  const keys = items.map((item) => orderKey(order?.fields ?? operation.order, item));
  const texts = keys.map((key) => listing + key);
  return {
    items,
    cursorTo: (position) => cursorAfter(cursors, keys[position - 1] ?? ""),
    startsOf: pageStarts(dataset.paging.get(name) ?? "exact", texts),
  };
}

/** Whether parameters may be sent together: a single one, or parameters that a set of `together` names. */
export const mayGoTogether = ({ together }: ListOperation, params: readonly string[]): boolean =>
  params.length < 2 || together.some((names) => params.every((param) => names.includes(param)));

const sortIn = (order: Order): Chosen => ({ param: "sort", value: orderInListing(order) });

/** Sorted field by field: texts by code unit, numbers by value, false before true, null last. */
const sortedItems = (items: readonly Item[], order: readonly OrderField[]): readonly Item[] =>
  items.toSorted((one, other) => {
    for (const { field, descending, ...rules } of order) {
      const a = one[field] ?? null;
      const b = other[field] ?? null;
      if (a === b) continue;
      if (a === null || b === null) return a === null ? 1 : -1;
      const difference = compareTexts(String(a), String(b), rules) || (a < b ? -1 : 1);
      return descending ? -difference : difference;
    }
    return 0;
  });

/** Compares texts part by part: numbers by value, and letters without case and accents. 0 without rules. */
function compareTexts(one: string, other: string, { fold, natural }: TextOrder): number {
  if (!fold && !natural) return 0;
  const partsOf = (text: string) => {
    const folded = fold
      ? text
          .normalize("NFKD")
          .replace(/[\u0300-\u036f]/g, "")
          .toLowerCase()
      : text;
    return natural ? (folded.match(/[0-9]+|[^0-9]/g) ?? []) : folded.split("");
  };
  const parts = partsOf(one);
  const others = partsOf(other);
  for (const [index, part] of parts.entries()) {
    const second = others[index];
    if (second === undefined) return 1;
    const areNumbers = natural === true && /[0-9]/.test(part) && /[0-9]/.test(second);
    const [a, b] = areNumbers ? [BigInt(part), BigInt(second)] : [part, second];
    if (a !== b) return a < b ? -1 : 1;
  }
  return parts.length - others.length;
}
