// The cost of a build in files, folders and bytes.
import type { FileSum } from "../pages/sum.ts";

export interface Cost {
  readonly files: number;
  /** The size of all pages and items, and of documents if a host limits all bytes together. */
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

export interface Spent {
  /** Of each listing. */
  readonly pages: Iterable<FileSum>;
  /** Of each operation with single items. */
  readonly items: Iterable<FileSum>;
  /** The number of other files, and the size of those that grow with the data. */
  readonly others: number;
  readonly otherBytes: number;
}

export function costOf({ pages, items, others, otherBytes }: Spent): Cost {
  const folders = new Map<string, number>();
  const total = { files: others, bytes: otherBytes, file: nothing };
  const most = (sums: Iterable<FileSum>): Most => {
    let largest = nothing;
    for (const sum of sums) {
      total.files += sum.count;
      total.bytes += sum.bytes;
      total.file = larger(total.file, { name: sum.largest.file, amount: sum.largest.length });
      largest = larger(largest, { name: sum.of, amount: sum.count });
      for (const [folder, count] of sum.folders) folders.set(folder, (folders.get(folder) ?? 0) + count);
    }
    return largest;
  };
  const [listing, single] = [most(pages), most(items)];
  return { ...total, folders, folder: fullest(folders), listing, items: single };
}

export const fullest = (folders: ReadonlyMap<string, number>): Most =>
  [...folders].reduce((most, [name, amount]) => larger(most, { name, amount }), nothing);

const nothing: Most = { name: "", amount: 0 };

const larger = (a: Most, b: Most): Most => (b.amount > a.amount ? b : a);
