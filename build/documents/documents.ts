// The documents of a deployment: everything that the API publishes beside the answers of its operations.
import type { Diagnostic } from "../diagnostics.ts";
import type { Document } from "../document.ts";
import { type Listing, type SerializedItems, wholeItems } from "../pages/listing.ts";
import { isInDataFolder } from "../routing/paths.ts";
import { integer } from "../text/words.ts";
import { changesDocuments } from "./changes.ts";
import { declaredPages } from "./declared-pages.ts";
import { filterDocuments } from "./filters.ts";
import { findDocument } from "./find.ts";
import { openapiDocument } from "./openapi.ts";
import { apiCatalog, overview } from "./overview.ts";
import { referenceDocuments } from "./reference/reference.ts";
import { itemSchemas } from "./schemas.ts";
import { changesPagePath, type DocumentSource } from "./source.ts";
import { dataPages } from "./tables/pages.ts";

export interface Documents {
  readonly made: readonly Document[];
  /** The omitted documents, a sentence each. */
  readonly warnings: readonly string[];
  /** The faults of the pages that the API declares. */
  readonly faults: readonly Diagnostic[];
}

/** `mostBytes` is the size limit of a file. A larger dump is left out, because nothing depends on it. */
export function documentsOf(source: DocumentSource, mostBytes: number): Documents {
  const lists = source.listings
    .filter(({ chosen }) => chosen.length === 0)
    .map((listing) => ({ ...listing, items: wholeItems(source.catalog, listing) }));
  const isTooLarge = ({ items }: Listing) => dumpLength(items) > mostBytes;
  const dumps = lists.filter((list) => !isTooLarge(list)).map(dumpOf);
  const changesPage = changesPagePath(source);
  const changes = changesPage === undefined ? [] : [{ path: changesPage, title: "Changes", kind: "Pages" }];
  const [pages, faults] = declaredPages({ ...source, related: changes });
  const links = [
    ...pages.map(({ title, document: { path } }) => ({ path, title, kind: "Pages" })),
    ...changes,
    ...dumps.map((dump) => ({ ...dump, title: dump.path.slice(dump.path.lastIndexOf("/") + 1), kind: "Downloads" })),
  ];
  const described = { ...source, related: links };
  const listed = [
    openapiDocument(described),
    ...referenceDocuments(described),
    ...pages.map(({ document }) => document),
    ...dataPages(described),
    findDocument(described),
    ...itemSchemas(described),
    ...filterDocuments(described),
    ...dumps,
    ...changesDocuments(described),
    apiCatalog(described),
  ].filter(({ path }) => source.settings.frontPage || path.startsWith(`${source.api.base}/`));
  return {
    made: [
      overview(
        described,
        listed.filter(({ file }) => !isInDataFolder(source.api.base, file)),
      ),
      ...listed,
    ],
    warnings: lists.filter(isTooLarge).map((list) => tooLarge(list, mostBytes)),
    faults,
  };
}

const tooLarge = ({ operation: { name } }: Listing, mostBytes: number): string =>
  `The dump of ${name} is left out: a host takes no files of more than ${integer(mostBytes)} bytes.`;

/** All items of a list operation as NDJSON (https://github.com/ndjson/ndjson-spec), in the operation's order. */
function dumpOf({ base, operation: { name, cacheControl }, items }: Listing): Document {
  const path = `${base}/dumps/${name}.ndjson`;
  return {
    path,
    file: path.slice(1),
    contentType: "application/x-ndjson",
    cacheControl,
    length: dumpLength(items),
    parts: () => [items.lines()],
  };
}

/** The newline of a line is as long as the comma after an item. The last item has no comma. */
const dumpLength = ({ count, length }: SerializedItems): number => (count === 0 ? 0 : length(0, count) + 1);
