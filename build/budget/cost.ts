// The cost of a set of page sizes in files, folders and bytes, computed without generating a page.
import { type Cuts, defaultLimit, pagesBySize } from "../../src/paging.ts";
import type { ItemFiles } from "../pages/item.ts";
import type { Listing } from "../pages/listing.ts";
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
export const envelope = 140;

const extension = ".json";

/** The part of the output that does not depend on the page sizes. */
export interface PlannedOutput {
  readonly listings: readonly Listing[];
  readonly items: readonly ItemFiles[];
  /** The number of files that are neither pages nor items. */
  readonly others: number;
  /** The size of the other files that grow with the data. */
  readonly otherBytes: number;
  /** The most compressed copies that a page or an item has. None is larger than its original. */
  readonly copies: number;
}

export function costOf(
  { listings, items: itemFiles, others, otherBytes, copies }: PlannedOutput,
  cutsOf: (listing: Listing) => Cuts | undefined,
): Cost {
  const each = 1 + copies;
  const folders = new Map<string, number>();
  let listing: Most = { name: "", amount: 0 };
  let file: Most = { name: "", amount: 0 };
  let files = others;
  let bytes = otherBytes;
  for (const one of listings) {
    const { base, operation, chosen, items } = one;
    let own = 0;
    for (const { limit, firsts, laters, longest, length } of groups(items, cutsOf(one))) {
      const first = pageFile(base, { operation: operation.name, chosen, limit });
      const cursors = `${first.slice(0, -extension.length)}/cursor`;
      count(folders, first.slice(0, first.lastIndexOf("/")), firsts * each);
      count(folders, cursors, laters * each);
      file = larger(file, { name: longest.start === 0 ? first : `${cursors}/…`, amount: longest.length + envelope });
      own += (firsts + laters) * each;
      bytes += (length + (firsts + laters) * envelope) * each;
    }
    const query = chosen.map(({ param, value }, index) => `${index === 0 ? "?" : "&"}${param}=${value}`).join("");
    listing = larger(listing, { name: `${base}/${operation.name}${query}`, amount: own });
    files += own;
  }
  let items: Most = { name: "", amount: 0 };
  for (const one of itemFiles) {
    for (const [folder, amount] of one.folders) count(folders, folder, amount * each);
    file = larger(file, { name: one.largest.file, amount: one.largest.length });
    items = larger(items, { name: one.path, amount: one.count * each });
    files += one.count * each;
    bytes += one.bytes * each;
  }
  return { files, bytes, folder: fullest(folders), folders, file, listing, items };
}

/** The pages of one limit: the number of first and of later pages, and the length of their items. */
interface PagesOfLimit {
  readonly limit: number;
  readonly firsts: number;
  readonly laters: number;
  readonly length: number;
  readonly longest: { readonly start: number; readonly length: number };
}

function* groups(items: Listing["items"], cuts: Cuts | undefined): Generator<PagesOfLimit> {
  const whole = { limit: defaultLimit, starts: Uint32Array.of(0), ends: Uint32Array.of(items.count) };
  for (const { limit, starts, ends } of cuts === undefined ? [whole] : pagesBySize(cuts)) {
    let length = 0;
    let longest = { start: 0, length: 0 };
    for (const [page, start] of starts.entries()) {
      const own = items.length(start, ends[page] ?? 0);
      length += own;
      if (own > longest.length) longest = { start, length: own };
    }
    const firsts = starts[0] === 0 ? 1 : 0;
    yield { limit, firsts, laters: starts.length - firsts, length, longest };
  }
}

export const fullest = (folders: ReadonlyMap<string, number>): Most =>
  [...folders].reduce((most, [name, amount]) => larger(most, { name, amount }), { name: "", amount: 0 });

function count(counts: Map<string, number>, name: string, more: number): void {
  if (more > 0) counts.set(name, (counts.get(name) ?? 0) + more);
}

const larger = (a: Most, b: Most): Most => (b.amount > a.amount ? b : a);
