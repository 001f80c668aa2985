// Examples are answers of the build, never invented ones.
import { filtersOf, type ListOperation, type Operation } from "../../src/operation.ts";
import { type Cuts, endOfPage, maxLimit, type PageSizes } from "../../src/paging.ts";
import { type Item, keyFields } from "../../src/resource.ts";
import { itemAt, type Values } from "../content/catalog.ts";
import type { OutputFile } from "../file.ts";
import type { Listing } from "../pages/listing.ts";
import { listingPage, wholeList } from "../pages/page.ts";
import { type DocumentSource, listingOf } from "./source.ts";

/** A request and its answer. */
export interface Example {
  /** The parts of the key of a single item. */
  readonly key?: readonly string[];
  /** Without the question mark; empty if the request has no query. */
  readonly query: string;
  /** The answer's JSON, as an object. */
  readonly answer: Item;
}

/** The first answers of a walk through an operation's pages. The cursor of each answer leads to the next one. */
export function walkOf(source: DocumentSource, operation: ListOperation, steps: number): readonly Example[] {
  const listing = listingOf(source, operation.name);
  return listing === undefined ? [] : walk(listing, source.cutsOf(listing), steps);
}

/** An answer of an operation: the first short page, the whole list or the document. */
export function exampleOf(source: DocumentSource, operation: Operation): Example | undefined {
  if (operation.kind === "document") {
    const content = source.deployment.documents.get(operation.name);
    return content && { query: "", answer: operation.resource.documentOf(content) };
  }
  if (operation.paged) return walkOf(source, operation, 1)[0];
  const listing = listingOf(source, operation.name);
  return listing && { query: "", answer: answerIn(wholeList(listing)) };
}

/** The first short page of the filter values with the most items; undefined if an operation has no filtered list. */
export function filteredExampleOf(source: DocumentSource, operation: Operation): Example | undefined {
  if (filtersOf(operation).length === 0) return undefined;
  const [first, ...others] = source.listings.filter(
    (listing) => listing.operation.name === operation.name && listing.chosen.length > 0,
  );
  if (first === undefined) return undefined;
  const most = others.reduce((one, other) => (other.items.count > one.items.count ? other : one), first);
  return walk(most, source.cutsOf(most), 1)[0];
}

export interface ItemExample extends Example {
  readonly key: readonly string[];
  /** Another name of the item, if there is one. */
  readonly alias: string | undefined;
}

/** The first item of an operation, preferably with another name; undefined if the operation has no items. */
export function itemExampleOf({ catalog }: DocumentSource, operation: ListOperation): ItemExample | undefined {
  const items = catalog.items.get(operation.name);
  if (items === undefined || items.count === 0) return undefined;
  const answer = itemAt(items, items.aliases === undefined ? 0 : firstWith(items.aliases));
  const [alias] = operation.item?.aliases === undefined ? [] : [answer[operation.item.aliases] ?? []].flat();
  const key = keyFields(operation.resource).map((field) => String(answer[field]));
  return { key, query: "", alias: alias === undefined ? undefined : String(alias), answer };
}

/** The index of the first item with a value; 0 if there is none. */
const firstWith = ({ starts }: Values): number => Math.max(0, starts.findIndex((start) => start > 0) - 1);

/** The page size of examples: small, but larger than one if possible. */
export const exampleSize = (sizes: PageSizes): number => sizes.find((size) => size > 1) ?? maxLimit;

function walk(listing: Listing, cuts: Cuts | undefined, steps: number): readonly Example[] {
  if (cuts === undefined) return [];
  const size = exampleSize(cuts.sizes);
  const fixed = listing.chosen.map(({ param, value }) => `${param}=${value}`);
  if (size !== maxLimit) fixed.push(`limit=${size}`);
  const examples: Example[] = [];
  let cursor: unknown;
  for (const start of cuts.starts.get(size) ?? []) {
    const answer = answerIn(listingPage(listing, { limit: size, start, end: endOfPage(cuts, size, start) }));
    examples.push({ query: [...fixed, ...(cursor === undefined ? [] : [`cursor=${cursor}`])].join("&"), answer });
    cursor = Object(answer["pagination"]).next_cursor;
    if (examples.length === steps || typeof cursor !== "string") break;
  }
  return examples;
}

const answerIn = (file: OutputFile): Item => JSON.parse(Buffer.concat(file.parts()).toString());
