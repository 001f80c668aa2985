// The room that the limits of hosts leave for the pages of earlier builds.
import type { RetiredPage } from "../history/retired.ts";
import type { FileMeasure, HostAdapter } from "../hosts/host.ts";
import { type Cost, folderOf, fullest } from "../pages/cost.ts";
import { pageLength } from "../pages/listing.ts";
import { pageFileBelow } from "../routing/paths.ts";

/**
 * The pages from the first on until there is no more room, and the cost with them: they never exceed a limit that the
 * current files respect. `cost` is the cost of the current files.
 */
export function withinLimits(hosts: readonly HostAdapter[], retired: readonly RetiredPage[], cost: Cost) {
  const limits = hosts.flatMap((host) => host.limits ?? []);
  const maxOf = (what: FileMeasure, used: number): number =>
    Math.min(...limits.filter((limit) => limit.what === what && used <= limit.max).map(({ max }) => max));
  const maxFiles = maxOf("files", cost.files) - cost.files;
  const maxBytes = maxOf("bytes in all", cost.bytes);
  const maxInFolder = maxOf("files in one folder", cost.folder.amount);
  const folders = new Map(cost.folders);
  const pages: RetiredPage[] = [];
  let { bytes } = cost;
  for (const page of retired) {
    const folder = folderOf(pageFileBelow(page.listing.stem, page.limit, page.cursor));
    const inFolder = (folders.get(folder) ?? 0) + 1;
    const length = pageLength(page.listing.items, page);
    if (pages.length >= maxFiles || bytes + length > maxBytes || inFolder > maxInFolder) break;
    folders.set(folder, inFolder);
    bytes += length;
    pages.push(page);
  }
  const files = cost.files + pages.length;
  return { pages, cost: { ...cost, files, bytes, folders, folder: fullest(folders) } };
}
