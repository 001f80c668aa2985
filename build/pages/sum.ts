// What files cost, counted from their paths and lengths, without generating one.
import type { OutputFile } from "../file.ts";

/** The pages of a listing, or the single items of an operation. */
export interface FileSum {
  /** The target of the request for the listing, or for all items. */
  readonly of: string;
  readonly count: number;
  readonly bytes: number;
  /** The number of files directly in each folder. */
  readonly folders: ReadonlyMap<string, number>;
  readonly largest: Pick<OutputFile, "file" | "length">;
}

export function sumOf(of: string, entries: Iterable<Pick<OutputFile, "file" | "length">>): FileSum {
  const folders = new Map<string, number>();
  let [count, bytes, largest] = [0, 0, { file: "", length: 0 }];
  let [last, inFolder] = ["", 0];
  // Pages of one size follow each other, and share a folder.
  const endFolder = () => {
    const folder = folderOf(last);
    if (inFolder > 0) folders.set(folder, (folders.get(folder) ?? 0) + inFolder);
    inFolder = 0;
  };
  for (const entry of entries) {
    if (entry.file !== last) endFolder();
    last = entry.file;
    inFolder++;
    count++;
    bytes += entry.length;
    if (entry.length > largest.length) largest = entry;
  }
  endFolder();
  return { of, count, bytes, folders, largest };
}

export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"));
