// Recognises the files that the program has written into its folders. It reads the routing table that the last build
// left there, so that it still knows the files of an operation that no longer exists.
import type { Api } from "../../src/api.ts";
import { everyPageSize } from "../../src/paging.ts";
import { ownedFiles } from "../routing/owned.ts";
import { missingPage } from "../routing/paths.ts";
import { makeTable, parseRoutingTable, tableFile } from "../routing/table.ts";
import { hosts, local } from "./hosts.ts";

const rootFiles = (base: string): ReadonlySet<string> =>
  new Set([tableFile, missingPage, ...[local, ...hosts.values()].flatMap(({ owns }) => owns(base))]);

/** In the publish root. */
export function inPublishRoot(api: Api) {
  const { base, operations } = api;
  const everyOperation = operations.map(({ name }) => name);
  const ownedToday = ownedFiles(makeTable(api, everyOperation, () => everyPageSize));
  return {
    base,
    marker: tableFile,
    ownedBy(marker: string) {
      const table = parseRoutingTable(marker);
      if (table === undefined) return undefined;
      const ownedThen = ownedFiles(table);
      const ofHosts = new Set([base, table.base].flatMap((each) => [...rootFiles(each)]));
      return (file: string): boolean => ofHosts.has(file) || ownedToday(file) || ownedThen(file);
    },
  };
}

/** In the folder beside the publish root, which has a folder for each host. */
export const besidePublishRoot = ({ base }: Api) => ({
  base,
  marker: tableFile,
  ownedBy: (marker: string) =>
    parseRoutingTable(marker) && ((file: string) => file === tableFile || hosts.has(file.split("/")[0] ?? "")),
});
