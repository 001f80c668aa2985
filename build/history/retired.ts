// Retired pages: a request that an earlier build answered with a page is still answered with one, so that a reader with
// the cursor of that page can continue. The page holds the items that follow the cursor's position now, up to the next
// start of a page of its size. From there on the reader is on today's pages.
import {
  cutPages,
  defaultLimit,
  endOfPage,
  fnvAdd,
  isStart,
  listingHash,
  maxLimit,
  type PageCut,
  type PageSizes,
  rankOf,
  sizeFor,
  startsOf,
} from "../../src/model/paging.ts";
import type { OutputFile } from "../files/file.ts";
import { cursorAfter } from "../files/sha256.ts";
import type { Limit } from "../hosts/host.ts";
import { type Cost, folderOf, fullest } from "../pages/cost.ts";
import { indicesByValues, type Listing } from "../pages/listing.ts";
import { listingPage, pageLength } from "../pages/page.ts";
import { pageOf } from "../routing/paths.ts";
import { once } from "../values/once.ts";
import type { History } from "./history.ts";
import type { OperationSnapshot, Snapshot } from "./snapshot.ts";

/** A page of an earlier build whose address is not the address of a page of this build. */
export interface RetiredPage extends PageCut {
  readonly listing: Listing;
  readonly cursor: string;
}

export const retiredFile = ({ listing, ...page }: RetiredPage): OutputFile => listingPage(listing, page);

/** Each address once, the addresses of the newest builds first. */
export function* retire(
  listings: readonly Listing[],
  { today, earlier }: Pick<History, "today" | "earlier">,
): Generator<RetiredPage> {
  const keysOfToday = once(() => keysIn(today()));
  let followed = listings.map((listing) => ({ listing, retired: follow(listing, keysOfToday) }));
  for (const build of earlier) {
    const keysOf = keysIn(build);
    const going: typeof followed = [];
    for (const each of followed) {
      const { name } = each.listing.operation;
      const own = build.get(name);
      const keys = keysOf(each.listing);
      // A listing that was missing from a build counts as new: the builds before that one are ignored.
      if (own === undefined || keys === undefined || own.signature !== today().get(name)?.signature) continue;
      yield* each.retired(keys, own);
      going.push(each);
    }
    followed = going;
  }
}

/** Follows one listing back from build to build: the pages of each that no later build has, at today's sizes. */
function follow(listing: Listing, keysOfToday: () => ReturnType<typeof keysIn>) {
  const { name, cuts: today } = listing;
  const hash = listingHash(name);
  /** Sizes and builds share most cursors. */
  const cursors = new Map<string, string>();
  const cursorOf = (key: string): string => {
    const cursor = cursors.get(key) ?? cursorAfter(name, key);
    cursors.set(key, cursor);
    return cursor;
  };
  /** The positions of today's cursors. */
  let positions: ReadonlyMap<string, number> | undefined;
  /** The cursors of retired pages, each with its size. */
  const given = new Set<string>();
  /** The smallest limit that all builds up to here accept. */
  let lowest = 0;
  let later: { readonly keys: readonly string[]; readonly paging: string; readonly sizes: PageSizes } | undefined;

  return function* (keys: readonly string[], { paging, sizes }: OperationSnapshot): Generator<RetiredPage> {
    const keysToday = keysOfToday()(listing) ?? [];
    if (today === undefined) return;
    const next = later ?? { keys: keysToday, paging: today.kind, sizes: today.sizes };
    lowest = Math.max(lowest, today.sizes[0] ?? defaultLimit, sizes[0] ?? defaultLimit);
    later = { keys, paging, sizes };
    if (paging === next.paging && isEqual(sizes, next.sizes) && isEqual(keys, next.keys)) return;
    const own = cutPages(paging, { count: keys.length, rankAt: (at) => rankOf(fnvAdd(hash, keys[at] ?? "")) }, sizes);
    positions ??= new Map(Array.from(today.anyStarts.subarray(1), (at) => [cursorOf(keysToday[at - 1] ?? ""), at]));
    for (const [limit, ownLimit] of answers(today.sizes, sizes, lowest)) {
      for (const start of startsOf(own, ownLimit).subarray(1)) {
        const key = keys[start - 1] ?? "";
        const cursor = cursorOf(key);
        const position = positions.get(cursor);
        const isToday = position !== undefined && isStart(today, limit, position);
        if (isToday || given.has(`${limit} ${cursor}`)) continue;
        given.add(`${limit} ${cursor}`);
        const from = countUpTo(keysToday, key);
        yield { listing, limit, cursor, start: from, end: endOfPage(today, limit, from) };
      }
    }
  };
}

const isEqual = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one === other || (one.length === other.length && one.every((each, index) => each === other[index]));

/** Today's page sizes, each with the earlier size that answered the same limit. Limits below `lowest` are ignored. */
function answers(today: PageSizes, earlier: PageSizes, lowest: number): Iterable<readonly [number, number]> {
  const pairs = new Map<string, readonly [number, number]>();
  for (let limit = lowest; limit <= maxLimit; limit++) {
    const size = sizeFor(limit, today);
    const ownSize = sizeFor(limit, earlier);
    if (size !== undefined && ownSize !== undefined) pairs.set(`${size} ${ownSize}`, [size, ownSize]);
  }
  return pairs.values();
}

/** The number of keys that are at most `key`. The keys ascend. */
function countUpTo(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? "") <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The order keys of a listing in a build; undefined if the build did not have the listing. */
function keysIn(build: Snapshot) {
  const groups = new Map<string, ReadonlyMap<string, readonly string[]>>();
  return ({ operation: { name }, chosen }: Listing): readonly string[] | undefined => {
    const own = build.get(name);
    if (own === undefined || chosen.length === 0) return own?.items[0];
    if (!chosen.every(({ param, value }) => own.known.get(param)?.includes(value))) return undefined;
    const params = chosen.map(({ param }) => param);
    const group = JSON.stringify([name, params]);
    const known = groups.get(group) ?? grouped(own, params);
    groups.set(group, known);
    return known.get(JSON.stringify(chosen.map(({ value }) => value))) ?? [];
  };
}

/** The keys of the items with each combination of values, by the JSON of the values. */
function grouped({ known, items }: OperationSnapshot, params: readonly string[]) {
  const [keys = [], ...columns] = items;
  const choices = params.map((param) => {
    const column = columns[[...known.keys()].indexOf(param)] ?? [];
    const idAt = (index: number): string => column[index] ?? "";
    return { idAt, valuesAt: (index: number) => idAt(index).split(" ") };
  });
  const groups = indicesByValues(keys.length, choices);
  return new Map([...groups].map(([values, indices]) => [values, indices.map((index) => keys[index] ?? "")]));
}

export interface Retired {
  readonly pages: readonly RetiredPage[];
  /** One if some pages do not fit. */
  readonly warnings: readonly string[];
  /** The cost of today's files and the retired pages. */
  readonly cost: Cost;
}

/** The most retired pages for each page of the largest build. */
const mostPerPage = 4;

/**
 * Takes pages from the first on until there is no more room: they never exceed a host's limit that today's files
 * respect. `mostPages` is the number of pages of the largest build, among today's and the builds that the pages come
 * from; `cost` is the cost of today's files.
 */
export function fitting(
  limits: readonly Limit[],
  retired: Iterable<RetiredPage>,
  mostPages: number,
  cost: Cost,
): Retired {
  const most = (what: Limit["what"], used: number): number =>
    Math.min(...limits.filter((limit) => limit.what === what && used <= limit.most).map((limit) => limit.most));
  const mostNew = Math.min(mostPerPage * mostPages, most("files", cost.files) - cost.files);
  const mostBytes = most("bytes in all", cost.bytes);
  const mostInFolder = most("files in one folder", cost.folder.amount);
  const folders = new Map(cost.folders);
  const pages: RetiredPage[] = [];
  const warnings: string[] = [];
  let { bytes } = cost;
  for (const page of retired) {
    const folder = folderOf(pageOf(page.listing.stem, page.limit, page.cursor));
    const inFolder = (folders.get(folder) ?? 0) + 1;
    const length = pageLength(page.listing, page);
    if (pages.length >= mostNew || bytes + length > mostBytes || inFolder > mostInFolder) {
      warnings.push(noRoom);
      break;
    }
    folders.set(folder, inFolder);
    bytes += length;
    pages.push(page);
  }
  const files = cost.files + pages.length;
  return { pages, warnings, cost: { ...cost, files, bytes, folders, folder: fullest(folders) } };
}

const noRoom =
  "There is no room for all pages of earlier builds, so some of their cursors expire early. A shorter cursor_lifetime needs fewer.";
