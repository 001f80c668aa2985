// The cost of a build in files, folders and bytes, counted from the paths and lengths of its files without making them.
import type { OutputFile } from "../files/file.ts";
import type { Files } from "../files/files.ts";

export interface Cost {
  readonly files: number;
  /** The size of all pages and items, and of documents if a host limits all bytes together. */
  readonly bytes: number;
  /** The number of files directly in each folder. */
  readonly folders: ReadonlyMap<string, number>;
  /** The folder with the most files directly in it. */
  readonly folder: Largest;
  readonly file: Largest;
  /** The listing with the most files. */
  readonly listing: Largest;
  /** The operation with the most single items: its path and the number of their files. */
  readonly items: Largest;
  /** The output with the most files: its path and the number of its files. */
  readonly output: Largest;
}

/** The largest folder, file or listing: its name and its size, in files or bytes. */
export interface Largest {
  readonly name: string;
  readonly amount: number;
}

/** The pages of a listing, the single items of an operation, or the files of an output. */
export interface FileSum extends Pick<Cost, "files" | "bytes" | "folders" | "file"> {
  /** The target of the request for the listing or for all items, or the path of the output. */
  readonly of: string;
}

/** The files that one entry of the routing table answers, and their sum. */
export interface RouteFiles extends FileSum, Files {}

/** The sum of some files, which are generated one at a time. */
export function sumOf(of: string, all: Iterable<Pick<OutputFile, "file" | "length">>): FileSum {
  const folders = new Map<string, number>();
  let files = 0;
  let bytes = 0;
  let largest = { name: "", amount: 0 };
  for (const { file, length } of all) {
    const folder = folderOf(file);
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
    files++;
    bytes += length;
    if (length > largest.amount) largest = { name: file, amount: length };
  }
  return { of, files, bytes, folders, file: largest };
}

/** `others` are the files of none of these sums, `otherBytes` is the size of those that grow with the data. */
export function costOf(
  { pages, items, outputs }: Readonly<Record<"pages" | "items" | "outputs", readonly FileSum[]>>,
  others: number,
  otherBytes: number,
): Cost {
  const all = [...pages, ...items, ...outputs];
  const folders = new Map<string, number>();
  for (const sum of all) {
    for (const [folder, count] of sum.folders) folders.set(folder, (folders.get(folder) ?? 0) + count);
  }
  const filesIn = ({ of, files }: FileSum): Largest => ({ name: of, amount: files });
  return {
    files: all.reduce((sum, { files }) => sum + files, others),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, otherBytes),
    folders,
    folder: fullest(folders),
    file: largest(all.map(({ file }) => file)),
    listing: largest(pages.map(filesIn)),
    items: largest(items.map(filesIn)),
    output: largest(outputs.map(filesIn)),
  };
}

export const fullest = (folders: ReadonlyMap<string, number>): Largest =>
  largest([...folders].map(([name, amount]) => ({ name, amount })));

const largest = (all: readonly Largest[]): Largest =>
  all.reduce((max, candidate) => (candidate.amount > max.amount ? candidate : max), { name: "", amount: 0 });

export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"));
