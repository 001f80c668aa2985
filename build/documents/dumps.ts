// All items of a list operation as NDJSON (https://github.com/ndjson/ndjson-spec), in the operation's order.
import { base } from "../../src/operations.ts";
import { digestOfText } from "../digest.ts";
import type { Document } from "../document.ts";
import type { Listing, SerializedItems } from "../pages/listing.ts";
import { apiFolder } from "../routing/paths.ts";

const dumpPath = (operation: string): string => `${base}/dumps/${operation}.ndjson`;

export const dumpOf = ({ operation: { name, cacheControl }, items }: Listing): Document => ({
  path: dumpPath(name),
  file: `${apiFolder}/dumps/${name}.ndjson`,
  contentType: "application/x-ndjson",
  cacheControl,
  known: { length: dumpLength(items), digest: items.digest(0, items.count, digestOfText("lines", 0)) },
  parts: () => [items.lines()],
});

/** The newline of a line is as long as the comma behind an item. The last item has no comma. */
export const dumpLength = ({ count, length }: SerializedItems): number => (count === 0 ? 0 : length(0, count) + 1);
