// The number of retired pages that fit: never so many that they exceed a host's limit that today's files respect.
import type { HostAdapter } from "../hosts/host.ts";
import type { RetiredPage } from "../pages/retired.ts";
import { pageFile } from "../routing/paths.ts";
import { type Cost, envelope, fullest } from "./cost.ts";

/** The most retired pages for each page of the largest build. */
const mostPerPage = 4;

const noRoom =
  "There is no room for all pages of earlier builds, so some of their cursors expire early. A shorter cursor_lifetime needs fewer.";

export interface Retired {
  readonly pages: readonly RetiredPage[];
  /** One if some pages do not fit. */
  readonly warnings: readonly string[];
  /** The cost of today's pages and the retired ones. */
  readonly cost: Cost;
}

/**
 * Takes pages from the first on until there is no more room. `mostPages` is the number of pages of the largest build,
 * among today's and the builds that the pages come from; `cost` is the cost of today's pages.
 */
export function fitting(
  hosts: readonly HostAdapter[],
  retired: Iterable<RetiredPage>,
  mostPages: number,
  cost: Cost,
): Retired {
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const room = (what: (typeof limits)[number]["what"], used: number): number =>
    Math.min(...limits.filter((each) => each.what === what && used <= each.most).map(({ most }) => most));
  const { files, bytes, folders } = cost;
  const [mostFiles, mostBytes] = [room("files", files), room("bytes in all", bytes)];
  const mostInFolder = room("files in one folder", cost.folder.amount);
  const inFolder = new Map(folders);
  const pages: RetiredPage[] = [];
  let length = bytes;
  for (const page of retired) {
    const { listing, limit, cursor, start, end } = page;
    const { base, operation, chosen, items } = listing;
    const file = pageFile(base, { operation: operation.name, chosen, limit, cursor });
    const folder = file.slice(0, file.lastIndexOf("/"));
    const there = (inFolder.get(folder) ?? 0) + 1;
    length += items.length(start, end) + envelope;
    const own = pages.length + 1;
    const isTooMuch =
      own > mostPerPage * mostPages || files + own > mostFiles || length > mostBytes || there > mostInFolder;
    if (isTooMuch) return { pages, warnings: [noRoom], cost: costWith(length - items.length(start, end) - envelope) };
    inFolder.set(folder, there);
    pages.push(page);
  }
  return { pages, warnings: [], cost: costWith(length) };

  function costWith(bytes: number): Cost {
    return { ...cost, files: files + pages.length, bytes, folders: inFolder, folder: fullest(inFolder) };
  }
}
