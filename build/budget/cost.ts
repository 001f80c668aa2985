// The cost of a set of page sizes in files, folders and bytes, computed without generating a page, and the number of
// retired pages that fit beside today's pages.
import { type Cuts, defaultLimit, type PagesOfSize, pagesBySize } from "../../src/paging.ts";
import type { HostAdapter } from "../hosts/host.ts";
import type { ItemFiles } from "../pages/item.ts";
import type { Listing } from "../pages/listing.ts";
import type { RetiredPage } from "../pages/retired.ts";
import { pageFile } from "../routing/paths.ts";

export interface Cost {
  readonly files: number;
  /** The size of all pages, items and documents. */
  readonly bytes: number;
  /** The folder with the most files directly in it. */
  readonly folder: Most;
  /** The number of files directly in each folder. */
  readonly folders: ReadonlyMap<string, number>;
  readonly file: Most;
  /** The listing with the most files. */
  readonly listing: Most;
  /** The operation with the most single items: its path and the number of their files. */
  readonly items: Most;
}

/** The largest folder, file or listing: its name and its size, in files or bytes. */
export interface Most {
  readonly name: string;
  readonly amount: number;
}

/** The most bytes that a page holds besides its items. The numbers and the cursor vary in length. */
const envelope = 140;

/** The part of the output that does not depend on the page sizes. */
export interface PlannedOutput {
  readonly listings: readonly Listing[];
  readonly items: readonly ItemFiles[];
  /** The number of files that are neither pages nor items. */
  readonly others: number;
  /** The size of the other files that grow with the data. */
  readonly otherBytes: number;
}

export function costOf(
  { listings, items: itemFiles, others, otherBytes }: PlannedOutput,
  cutsOf: (listing: Listing) => Cuts | undefined,
): Cost {
  const folders = new Map<string, number>();
  const count = (folder: string, amount: number): void => {
    if (amount > 0) folders.set(folder, (folders.get(folder) ?? 0) + amount);
  };
  let [files, bytes] = [others, otherBytes];
  let [file, listing, items] = [nothing, nothing, nothing];
  for (const one of listings) {
    const { base, operation, chosen } = one;
    let pages = 0;
    for (const { limit, starts, ends } of pagesOf(one, cutsOf(one))) {
      const first = pageFile(base, { operation: operation.name, chosen, limit });
      const cursors = `${first.slice(0, -".json".length)}/cursor`;
      const firsts = starts[0] === 0 ? 1 : 0;
      count(folderOf(first), firsts);
      count(cursors, starts.length - firsts);
      for (const [page, start] of starts.entries()) {
        const amount = one.items.length(start, ends[page] ?? 0) + envelope;
        bytes += amount;
        if (amount > file.amount) file = { name: start === 0 ? first : `${cursors}/…`, amount };
      }
      pages += starts.length;
    }
    const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
    listing = larger(listing, { name: `${base}/${operation.name}${query}`, amount: pages });
    files += pages;
  }
  for (const one of itemFiles) {
    for (const [folder, amount] of one.folders) count(folder, amount);
    file = larger(file, { name: one.largest.file, amount: one.largest.length });
    items = larger(items, { name: one.path, amount: one.count });
    files += one.count;
    bytes += one.bytes;
  }
  return { files, bytes, folder: fullest(folders), folders, file, listing, items };
}

function pagesOf({ items }: Listing, cuts: Cuts | undefined): Iterable<PagesOfSize> {
  if (cuts !== undefined) return pagesBySize(cuts);
  return [{ limit: defaultLimit, starts: Uint32Array.of(0), ends: Uint32Array.of(items.count) }];
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"));

const fullest = (folders: ReadonlyMap<string, number>): Most =>
  [...folders].reduce((most, [name, amount]) => larger(most, { name, amount }), nothing);

const nothing: Most = { name: "", amount: 0 };

const larger = (a: Most, b: Most): Most => (b.amount > a.amount ? b : a);

export interface Retired {
  readonly pages: readonly RetiredPage[];
  /** One if some pages do not fit. */
  readonly warnings: readonly string[];
  /** The cost of today's pages and the retired ones. */
  readonly cost: Cost;
}

/** The most retired pages for each page of the largest build. */
const mostPerPage = 4;

/**
 * Takes pages from the first on until there is no more room: they never exceed a host's limit that today's files
 * respect. `mostPages` is the number of pages of the largest build, among today's and the builds that the pages come
 * from; `cost` is the cost of today's pages.
 */
export function fitting(
  hosts: readonly HostAdapter[],
  retired: Iterable<RetiredPage>,
  mostPages: number,
  cost: Cost,
): Retired {
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const most = (what: (typeof limits)[number]["what"], used: number): number =>
    Math.min(...limits.filter((limit) => limit.what === what && used <= limit.most).map((limit) => limit.most));
  const mostNew = Math.min(mostPerPage * mostPages, most("files", cost.files) - cost.files);
  const mostBytes = most("bytes in all", cost.bytes);
  const mostInFolder = most("files in one folder", cost.folder.amount);
  const folders = new Map(cost.folders);
  const pages: RetiredPage[] = [];
  const warnings: string[] = [];
  let { bytes } = cost;
  for (const page of retired) {
    const { base, operation, chosen, items } = page.listing;
    const { limit, cursor } = page;
    const folder = folderOf(pageFile(base, { operation: operation.name, chosen, limit, cursor }));
    const inFolder = (folders.get(folder) ?? 0) + 1;
    const length = items.length(page.start, page.end) + envelope;
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
