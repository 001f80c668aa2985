// The documents of a deployment: everything that the API publishes beside the answers of its operations.

import { wholeOf } from "../content/catalog.ts";
import type { Diagnostic } from "../diagnostics.ts";
import type { Document } from "../files/document.ts";
import { linesOf, noItems } from "../pages/items.ts";
import type { Listing } from "../pages/listing.ts";
import { isInDataFolder } from "../routing/paths.ts";
import { integer } from "../text/words.ts";
import { changesDocuments } from "./changes.ts";
import { declaredPage, renderedPages } from "./declared-pages.ts";
import { findDocument } from "./find.ts";
import { openapiDocument } from "./openapi.ts";
import { apiCatalog, overview } from "./overview.ts";
import { referenceDocuments } from "./reference/reference.ts";
import { itemSchemas } from "./schemas.ts";
import { changesPagePath, type DocumentSource, dumpPath } from "./source.ts";
import { dataPages } from "./tables/pages.ts";
import { filterDocuments } from "./values.ts";

export interface Documents {
  readonly made: readonly Document[];
  /** The omitted documents, a sentence each. */
  readonly warnings: readonly string[];
  /** The faults of the pages that the API declares. */
  readonly faults: readonly Diagnostic[];
}

/** `mostBytes` is the size limit of a file. A larger dump is left out, because nothing depends on it. */
export function documentsOf(source: DocumentSource, mostBytes: number): Documents {
  const all = source.listings.filter(({ chosen }) => chosen.length === 0).map((listing) => dumpOf(source, listing));
  const dumps = all.filter(({ length = 0 }) => length <= mostBytes);
  const changesPage = changesPagePath(source);
  const changes = changesPage === undefined ? [] : [{ path: changesPage, title: "Changes", kind: "Pages" }];
  const [pages, faults] = renderedPages(source);
  const links = [
    ...pages.map(({ path, title }) => ({ path, title, kind: "Pages" })),
    ...changes,
    ...dumps.map((dump) => ({ ...dump, title: dump.path.slice(dump.path.lastIndexOf("/") + 1), kind: "Downloads" })),
  ];
  const described = { ...source, related: links };
  const listed = [
    openapiDocument(described),
    ...referenceDocuments(described),
    ...pages.map((page) => declaredPage(described, page)),
    ...dataPages(described),
    findDocument(described),
    ...itemSchemas(described),
    ...filterDocuments(described),
    ...dumps,
    ...changesDocuments(described),
    apiCatalog(described),
  ].filter(({ path }) => source.settings.frontPage || path.startsWith(`${source.api.base}/`));
  const named = listed.filter(({ file }) => !isInDataFolder(source.api.base, file));
  return {
    made: [overview(described, named), ...listed],
    warnings: all
      .filter((dump) => !dumps.includes(dump))
      .map(
        ({ name }) =>
          `The dump of ${name} is left out: a host takes no files of more than ${integer(mostBytes)} bytes.`,
      ),
    faults,
  };
}

/** All items of a list operation as NDJSON (https://github.com/ndjson/ndjson-spec), in the operation's order. */
function dumpOf({ api, catalog }: DocumentSource, listing: Listing): Document & { readonly name: string } {
  const { name, cache: cacheControl } = listing.operation;
  const path = dumpPath(api, listing.operation);
  const lines = linesOf(wholeOf(catalog.items.get(name) ?? noItems));
  return {
    name,
    path,
    file: path.slice(1),
    contentType: "application/x-ndjson",
    cacheControl,
    length: lines.length,
    parts: () => [lines.bytes()],
  };
}
