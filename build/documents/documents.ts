// The documents of a deployment, for people and tools: all files of the API but the answers of its operations, the state of
// earlier builds (history/) and the files that a declaration makes (pages/outputs.ts).
import { isFirst } from "../content/catalog.ts";
import type { Document } from "../files/document.ts";
import { notFoundPage } from "../routing/paths.ts";
import { changesDocuments } from "./changes/changes.ts";
import { declaredPages } from "./declared/pages.ts";
import { itemSchemas } from "./describe/schemas.ts";
import type { Site } from "./describe/site.ts";
import { pageAssets } from "./frame/assets.ts";
import { notFoundDocuments } from "./frame/not-found.ts";
import { clientDocuments } from "./programs/client.ts";
import { filterDocuments } from "./programs/filters.ts";
import { openapiDocument } from "./programs/openapi.ts";
import { overview } from "./programs/overview.ts";
import { dataIndexPage } from "./reference/data-index.ts";
import { markdownDocuments } from "./reference/markdown.ts";
import { referenceDocuments } from "./reference/reference.ts";
import { searchDocument } from "./search/search.ts";
import { dataPages } from "./tables/pages.ts";

export function documentsOf(site: Site): readonly Document[] {
  const { api, settings, catalog } = site;
  const hasFrontPage = settings.frontPage && isFirst(catalog);
  const documents = [
    openapiDocument(site),
    ...referenceDocuments(site),
    ...pageAssets(site),
    ...markdownDocuments(site),
    ...declaredPages(site),
    ...dataIndexPage(site),
    ...dataPages(site),
    ...notFoundDocuments(site),
    searchDocument(site),
    ...itemSchemas(site),
    ...filterDocuments(site),
    ...site.dumps.values(),
    ...changesDocuments(site),
    ...clientDocuments(site),
  ].filter(({ path }) => hasFrontPage || path.startsWith(`${api.base}/`));
  const listed = documents.filter(({ path }) => path !== `${api.base}/${notFoundPage}`);
  const all = [overview(site, listed), ...documents];
  return api.addressing.kind === "files" ? all.map((document) => inPublishRoot(settings.mount, document)) : all;
}

/** A document at the path that the routing table gives it: below no mount, and a page without the ending of its file. */
function inPublishRoot(mount: string, document: Document): Document {
  const isBelow = document.path.startsWith(`${mount}/`);
  const path = isBelow ? document.path.slice(mount.length) : document.path;
  const file = isBelow ? document.file.slice(mount.length) : document.file;
  const { contentType, cacheControl, parts } = document;
  return {
    path: contentType.startsWith("text/html") ? path.replace(/\.html$/, "") : path,
    file,
    contentType,
    cacheControl,
    // It may be computed on demand.
    get length() {
      return document.length;
    },
    parts,
  };
}
