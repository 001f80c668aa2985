// Recognises the files that the program has written into its folders. It reads the routing table that the last build
// left there, so that it still knows the files of an operation that no longer exists.
import { operations } from "../../src/operations.ts";
import { everyPageSize } from "../../src/paging.ts";
import { ownedFiles } from "../routing/owned.ts";
import { missingPage } from "../routing/paths.ts";
import { makeTable, parseRoutingTable, tableFile } from "../routing/table.ts";
import { hosts, local } from "./hosts.ts";

const everyOperation = makeTable(
  operations.map(({ name }) => name),
  () => everyPageSize,
);

const ownedToday = ownedFiles(everyOperation);

const rootFiles: ReadonlySet<string> = new Set([
  tableFile,
  missingPage,
  ...[local, ...hosts.values()].flatMap(({ owns }) => owns),
]);

/** In the publish root. */
export const inPublishRoot = {
  marker: tableFile,
  ownedBy(marker: string) {
    const table = parseRoutingTable(marker);
    if (table === undefined) return undefined;
    const ownedThen = ownedFiles(table);
    return (file: string): boolean => rootFiles.has(file) || ownedToday(file) || ownedThen(file);
  },
};

/** In the folder beside the publish root, which has a folder for each host. */
export const besidePublishRoot = {
  marker: tableFile,
  ownedBy: (marker: string) =>
    parseRoutingTable(marker) && ((file: string) => file === tableFile || hosts.has(file.split("/")[0] ?? "")),
};
