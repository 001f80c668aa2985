// The paths of documents and requests, and the anchors of the reference. All of them are permanent.
import type { Api } from "../../../src/model/api.ts";
import { keyFields } from "../../../src/model/key.ts";
import type { ListOperation, Operation } from "../../../src/model/operation.ts";
import type { OutputFiles } from "../../pages/outputs.ts";
import {
  type Addresses,
  feedFile,
  fileOfQuery,
  itemFile,
  openapiPath,
  operationAnchor,
  parameterAnchor,
  referencePage,
  referencePath,
} from "../../routing/paths.ts";

/** The path of each document. */
export const documentPaths = (base: string) => ({
  openapi: openapiPath(base),
  reference: referencePath(base),
  style: `${base}/docs/style.css`,
  /** The rules of the declared pages. */
  pageStyle: `${base}/docs/pages.css`,
  script: `${base}/docs/page.js`,
  search: `${base}/docs/find.json`,
  tableScript: `${base}/docs/table.js`,
  tableWorker: `${base}/docs/table-worker.js`,
  icon: `${base}/docs/icon.svg`,
  feed: `/${feedFile(base)}`,
  client: `${base}/client.js`,
  clientTypes: `${base}/client.d.ts`,
  front: "/",
});

/** How requests are written for a host, and the parts of the API that it serves. */
export interface Addressing {
  readonly kind: Addresses;
  /** Where the parameters of a list are. */
  readonly parametersIn: "query" | "path";
  /** Whether there are errors for parameters and methods, and a page for paths that do not exist. */
  readonly answersErrors: boolean;
  /** Whether responses have all headers of the API. If not, they only have the ETag. */
  readonly setsHeaders: boolean;
}

/** A host that only serves files is asked for the paths of files, and does the rest in its own way. */
export function addressingOf(kind: Addresses): Addressing {
  const isOfFiles = kind === "files";
  return { kind, parametersIn: isOfFiles ? "path" : "query", answersErrors: !isOfFiles, setsHeaders: !isOfFiles };
}

/** An API as its documents describe it. */
export interface SiteApi extends Api {
  /** The prefix of every path, behind the mount of a host that only serves files. */
  readonly base: string;
  readonly addressing: Addressing;
}

/** The path of an output in a request, or on a host that only serves files that of its file, below `mount`. */
export const outputAddress = (
  { addressing }: Pick<SiteApi, "addressing">,
  mount: string,
  { path, file }: OutputFiles["route"],
): string => mount + (addressing.kind === "files" ? `/${file}` : path);

/** The part of an API on which its paths depend. */
export type Addressed = Pick<SiteApi, "base" | "addressing">;

/** The path of a request, with the parts of the key of a single item. The query has its parameters in their order in a path. */
export function requestPath(
  { base, addressing }: Addressed,
  { name }: Pick<Operation, "name">,
  { key = [], query = "" }: { readonly key?: readonly string[]; readonly query?: string } = {},
): string {
  const path = `${base}/${name}`;
  if (addressing.parametersIn === "path") {
    return `/${key.length > 0 ? itemFile(path, key.join("/")) : fileOfQuery(path, new URLSearchParams(query))}`;
  }
  return [path, ...key].join("/").concat(query === "" ? "" : `?${query}`);
}

/** The path of the overview, which is at the base. */
export const overviewPath = ({ base, addressing }: Addressed): string =>
  addressing.kind === "files" ? `${base}.json` : base;

/** The path of a page for people, by its path below the base: that of its file on a host that only serves files. */
export const pagePath = ({ base, addressing }: Addressed, page: string): string =>
  `${base}/${page}${addressing.kind === "files" ? ".html" : ""}`;

/** The path of the page of the reference that has an operation. */
export function referencePageOf(
  { api, operations }: { readonly api: Addressed; readonly operations: readonly Operation[] },
  operation: Operation,
): string {
  const page = referencePage(operation, operations);
  // The start is the index of its folder on every host.
  return page.endsWith("/") ? `${api.base}/${page}` : pagePath(api, page);
}

/** The path of a page of the reference as Markdown. */
export const markdownOf = (page: string): string =>
  page.endsWith("/") ? `${page}index.md` : `${page.replace(/\.html$/, "")}.md`;

/** The path of a single item, with the fields of the key in braces. */
export const itemPath = (api: Addressed, operation: ListOperation): string =>
  requestPath(api, operation, { key: keyFields(operation).map((field) => `{${field}}`) });

/**
 * The anchors of the reference, from the names of operations, which have no dot and no two hyphens in a row: a part of an
 * operation is behind a dot if its publisher names it, and behind two hyphens otherwise.
 */
export const anchors = {
  operation: operationAnchor,
  item: ({ name }: ListOperation): string => `item-${name}`,
  parameter: parameterAnchor,
  section: (endpoint: string, name: string): string => `${endpoint}--${name}`,
  resource: ({ name }: Pick<Operation, "name">): string => `resource-${name}`,
  /** The path is encoded: an anchor has no spaces, and no character that browsers or tools encode in an address. */
  field: (operation: Pick<Operation, "name">, path: string): string =>
    `${anchors.resource(operation)}.${encodeURIComponent(path)}`,
  error: (code: string): string => `error-${code}`,
  header: (name: string): string => `header-${name.toLowerCase()}`,
};
