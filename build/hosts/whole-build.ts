// The files that a script expects in the folder of a build. The script removes published files that the build does not have,
// so it refuses a folder that lacks a part of the build: it would remove that part.
import type { RoutingTable } from "../routing/table.ts";

/** The documents, and the first page of each operation. */
export const filesOfWholeBuild = ({ documents, operations }: Pick<RoutingTable, "documents" | "operations">) => [
  ...documents.map(({ file }) => file),
  ...operations.map(({ path }) => `${path.slice(1)}.json`),
];
