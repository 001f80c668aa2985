// What a set of page sizes costs in files, folders and bytes, worked out without making a page.
import { pageFile } from "../../src/files.ts";
import { cutPages, defaultLimit, type PageSizes } from "../../src/paging.ts";
import type { Listing } from "../pages/listing.ts";

export interface Cost {
  readonly files: number;
  /** The folder with the most files directly in it. */
  readonly folder: Most;
  readonly file: Most;
  /** The operation with the most files. */
  readonly operation: Most;
}

/** The largest of something: what it is called and how large it is, in files or bytes. */
export interface Most {
  readonly name: string;
  readonly amount: number;
}

/** Room for the envelope around a page's items, whose numbers and cursor vary in length. */
const envelope = 140;

export function costOf(listings: readonly Listing[], sizesOf: (operation: string) => PageSizes, others: number): Cost {
  const operations = new Map<string, number>();
  const folders = new Map<string, number>();
  let file: Most = { name: "", amount: 0 };
  const count = (counts: Map<string, number>, name: string, more: number) =>
    counts.set(name, (counts.get(name) ?? 0) + more);
  for (const { operation, filter, items } of listings) {
    const whole = [{ limit: defaultLimit, start: 0, end: items.count }];
    const cuts = operation.paged ? cutPages(items.count, sizesOf(operation.name)) : whole;
    for (const { limit, start, end } of cuts) {
      const address = { operation: operation.name, filter, limit };
      const first = pageFile(address);
      const name = start === 0 ? first : `${first.slice(0, -".json".length)}/cursor/…`;
      count(operations, operation.name, 1);
      count(folders, name.slice(0, name.lastIndexOf("/")), 1);
      const bytes = items.length(start, end) + envelope;
      if (bytes > file.amount) file = { name, amount: bytes };
    }
  }
  return {
    files: [...operations.values()].reduce((sum, each) => sum + each, others),
    folder: largest(folders),
    file,
    operation: largest(operations),
  };
}

const largest = (counts: ReadonlyMap<string, number>): Most =>
  [...counts].reduce((most, [name, amount]) => (amount > most.amount ? { name, amount } : most), {
    name: "",
    amount: 0,
  });
