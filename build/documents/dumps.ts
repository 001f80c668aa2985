// All items of a list operation at once, for those who want everything: NDJSON, one item a line, in the operation's order.
// https://github.com/ndjson/ndjson-spec
import { base } from "../../src/operations.ts";
import type { Listing } from "../pages/listing.ts";
import { apiFolder } from "../routing/paths.ts";
import type { Document } from "./document.ts";

const dumpPath = (operation: string): string => `${base}/dumps/${operation}.ndjson`;

export const dumpOf = ({ operation: { name, cacheControl }, items }: Listing): Document => ({
  path: dumpPath(name),
  file: `${apiFolder}/dumps/${name}.ndjson`,
  contentType: "application/x-ndjson",
  cacheControl,
  parts: () => [items.lines()],
});
