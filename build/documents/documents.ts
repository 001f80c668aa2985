// The documents of a deployment: everything that the API publishes beside the answers of its operations.

import { listNamed } from "../../src/model/api.ts";
import { wholeOf } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import { inDeclaration, type Log } from "../messages.ts";
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

/**
 * `mostBytes` is the size limit of a file. A larger dump is left out with a warning, because nothing depends on it.
 * Undefined if a declared page fails, which is reported.
 */
export function documentsOf(source: DocumentSource, mostBytes: number, log: Log): readonly Document[] | undefined {
  const all = source.listings.filter(({ chosen }) => chosen.length === 0).map((listing) => dumpOf(source, listing));
  const dumps = all.filter(({ length = 0 }) => length <= mostBytes);
  const changesPage = changesPagePath(source);
  const changes = changesPage === undefined ? [] : [{ path: changesPage, title: "Changes", kind: "Pages" }];
  const pages = renderedPages(source, log);
  if (log.hasErrors()) return undefined;
  reportLarge(
    all.filter((dump) => !dumps.includes(dump)),
    mostBytes,
    source,
    log,
  );
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
  return [overview(described, named), ...listed];
}

function reportLarge(
  dumps: readonly { readonly name: string }[],
  mostBytes: number,
  { api }: DocumentSource,
  log: Log,
): void {
  for (const { name } of dumps) {
    const text = `The dump of ${name} is left out: a host takes no files of more than ${integer(mostBytes)} bytes.`;
    log.report({ code: "dump-left-out", at: listNamed(api, name).placeOf("schema") ?? inDeclaration, text });
  }
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
