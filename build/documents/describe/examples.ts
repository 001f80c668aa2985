// Examples are answers of the build, never invented ones.
import { fieldOf, ownField } from "../../../src/model/fields.ts";
import { type Item, keyFields } from "../../../src/model/key.ts";
import type { ListOperation, Operation } from "../../../src/model/operation.ts";
import { endOfPage, maxLimit, type PageSizes } from "../../../src/model/paging.ts";
import { itemAt, valuesAt } from "../../content/table/items.ts";
import { bytesOf, type OutputFile } from "../../files/file.ts";
import type { Listing } from "../../pages/listing.ts";
import { listingOf, type SiteData } from "./site-data.ts";

/** A request and its answer. */
export interface Example {
  /** The parts of the key of a single item. */
  readonly key?: readonly string[];
  /** Without the question mark; empty if the request has no query. */
  readonly query: string;
  /** The answer's JSON, as an object. */
  readonly answer: Item;
}

/** An answer of an operation: the first short page, the whole list or the document. */
export function exampleOf(data: SiteData, operation: Operation): Example | undefined {
  if (operation.kind === "document") {
    const content = data.deployment.documents.get(operation.name);
    return content && { query: "", answer: operation.documentOf(content) };
  }
  if (operation.paged) return walkOf(data, operation, 1)[0];
  const file = listingOf(data, operation.name)?.page();
  return file && { query: "", answer: answerIn(file) };
}

/**
 * The first short page of a filtered list; undefined if an operation has none, or only by what is deprecated. Tools send all
 * of its parameters.
 */
export function filteredExampleOf(data: SiteData, operation: Operation): Example | undefined {
  const isExample = (listing: Listing): boolean => listing.params.length > 0 && isCurrent(listing);
  return walk(bestListing(data, operation, isExample), 1)[0];
}

/** The listing with values of some parameters from which their examples are taken. */
export const listingWith = (data: SiteData, operation: Operation, params: readonly string[]): Listing | undefined =>
  bestListing(data, operation, (listing) => `${listing.params.map(({ param }) => param)}` === `${params}`);

const isCurrent = ({ operation, order, filters }: Listing): boolean =>
  order?.deprecated === undefined &&
  operation.filters.every(({ param, deprecated }) => !deprecated || filters.every((choice) => choice.param !== param));

/** The usual order is preferred, then a second page, then many filters. */
function bestListing(
  { listings }: SiteData,
  { name }: Operation,
  isExample: (listing: Listing) => boolean,
): Listing | undefined {
  const ranked = listings
    .filter((listing) => listing.operation.name === name && isExample(listing))
    .map((listing) => {
      const { order, params, cuts, items } = listing;
      const isLong = cuts !== undefined && items.count > exampleSize(cuts.sizes);
      const rank = [isCurrent(listing), order === undefined, isLong, params.length, items.count].map(Number);
      return { listing, rank };
    });
  const [first, ...others] = ranked;
  return others.reduce((one, other) => (one && isHigher(other.rank, one.rank) ? other : one), first)?.listing;
}

/** Whether a rank is above another one: by the first number that differs. */
function isHigher(rank: readonly number[], other: readonly number[]): boolean {
  const at = rank.findIndex((value, index) => value !== other[index]);
  return (rank[at] ?? 0) > (other[at] ?? 0);
}

/** The first answers of a walk through an operation's pages. The cursor of each answer leads to the next one. */
export const walkOf = (data: SiteData, operation: ListOperation, steps: number): readonly Example[] =>
  walk(listingOf(data, operation.name), steps);

function walk(listing: Listing | undefined, steps: number, limit?: number): readonly Example[] {
  if (listing?.cuts === undefined) return [];
  const { cuts } = listing;
  const size = limit ?? exampleSize(cuts.sizes);
  const fixed = listing.params.map(({ param, value }) => `${param}=${value}`);
  if (size !== maxLimit) fixed.push(`limit=${size}`);
  const examples: Example[] = [];
  let cursor: string | undefined;
  for (const start of cuts.starts.get(size) ?? []) {
    const answer = answerIn(listing.pageAt({ limit: size, start, end: endOfPage(cuts, size, start) }));
    const example = { query: [...fixed, ...(cursor === undefined ? [] : [`cursor=${cursor}`])].join("&"), answer };
    examples.push(example);
    cursor = nextCursor(example);
    if (examples.length === steps || cursor === undefined) break;
  }
  return examples;
}

/** The cursor of the second page of a listing, whose pages have a size; undefined if there is no second page. */
export const secondCursor = (listing: Listing, limit: number): string | undefined =>
  nextCursor(walk(listing, 1, limit)[0]);

/** The cursor in an answer. */
export function nextCursor(example: Example | undefined): string | undefined {
  const cursor = fieldOf(example?.answer["pagination"], "next_cursor");
  return typeof cursor === "string" ? cursor : undefined;
}

const answerIn = (file: OutputFile): Item => JSON.parse(bytesOf(file).toString());

/** The page size of examples: small, but larger than one if possible. */
export const exampleSize = (sizes: PageSizes): number => sizes.find((size) => size > 1) ?? maxLimit;

interface ItemExample extends Example {
  readonly key: readonly string[];
  /** Another name of the item, if there is one. */
  readonly alias: string | undefined;
}

/** The first item of an operation, preferably with another name; undefined if the operation has no items. */
export function itemExampleOf({ catalog }: SiteData, operation: ListOperation): ItemExample | undefined {
  const items = catalog.items.get(operation.name);
  if (items === undefined || items.count === 0) return undefined;
  // The values of an item end where the next one's start.
  const end = items.aliases?.starts.findIndex((start) => start > 0) ?? 0;
  const index = Math.max(0, end - 1);
  const answer = itemAt(items, index);
  const key = keyFields(operation).map((field) => String(ownField(answer, field)));
  return { key, query: "", alias: items.aliases && valuesAt(items.aliases, index)[0], answer };
}
