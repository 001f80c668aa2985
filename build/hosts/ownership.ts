// Which files of its folders the program has written: what the routing table of the last build there says.

import { isApiFile } from "../routing/owned.ts";
import { missingPage } from "../routing/paths.ts";
import { isRoutingTable, tableFile } from "../routing/table.ts";
import { hosts, local } from "./hosts.ts";

const rootFiles: ReadonlySet<string> = new Set([
  tableFile,
  missingPage,
  ...[local, ...hosts.values()].flatMap(({ owns }) => owns),
]);

/** In the publish root. */
export const inPublishRoot = {
  marker: tableFile,
  ownedBy: (table: string) =>
    isRoutingTable(table) ? (file: string) => rootFiles.has(file) || isApiFile(file) : undefined,
};

/** In the folder beside it, which has a folder for each host. */
export const besidePublishRoot = {
  marker: tableFile,
  ownedBy: (table: string) =>
    isRoutingTable(table) ? (file: string) => file === tableFile || hosts.has(file.split("/")[0] ?? "") : undefined,
};
