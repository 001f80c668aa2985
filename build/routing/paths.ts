// The paths of the answers' files. They are relative to the publish root and start with the folder of the API, which is
// its base without the first slash. A worker bundles this file, so it imports no resources and no schemas.
import { type Chosen, defaultLimit } from "../../src/model/paging.ts";

/** How hosts are asked: by paths with queries or, if they only serve files, by the paths of files. */
export type Addresses = "queries" | "files";

export const apiFolder = (base: string): string => base.slice(1);

export const openapiPath = (base: string): string => `${base}/openapi.json`;

export const referencePath = (base: string): string => `${base}/docs/`;

/** What an assistant reads first. It names all APIs of a host. https://llmstxt.org */
export const llmsPath = "/llms.txt";

/** A reference of more lists than these has a page for each of them. */
const maxOnOnePage = 12;

interface Named {
  readonly kind: "list" | "document";
  readonly name: string;
}

/** Whether each list of the operations has a page of the reference. */
export const isReferenceSplit = (operations: readonly Named[]): boolean =>
  operations.filter(({ kind }) => kind === "list").length > maxOnOnePage;

/** The page of the reference that has one of the operations, below the base. */
export const referencePage = ({ kind, name }: Named, operations: readonly Named[]): string =>
  kind === "list" && isReferenceSplit(operations) ? `docs/collections/${name}` : "docs/";

/** The anchor of an operation in the reference. */
export const operationAnchor = (of: Named): string => `${of.kind === "list" ? "list" : "get"}-${of.name}`;

/** The anchor of a parameter. `endpoint` is the anchor of an operation or of its single items. */
export const parameterAnchor = (endpoint: string, name: string): string => `${endpoint}.${name}`;

/** Identifies a page. Absent: no filters, the default limit, the first page. */
interface PageAddress {
  readonly operation: string;
  /** In the order of the operation's filters. */
  readonly chosen?: readonly Chosen[] | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** `/api/v1/nodes?region=lhr1&limit=5&cursor=k3` is `api/v1/nodes/region/lhr1/limit/5/cursor/k3.json`. */
export const pageFile = (base: string, { operation, chosen = [], limit, cursor }: PageAddress): string =>
  pageFileBelow(listingStem(base, operation, chosen), limit, cursor);

/** The files of a listing start with it: `api/v1/nodes/region/lhr1`. */
export const listingStem = (base: string, operation: string, chosen: readonly Chosen[]): string =>
  `${apiFolder(base)}/${operation}${chosen.map(({ param, value }) => pathPart(param, value)).join("")}`;

/** The file of a page of a listing. */
export const pageFileBelow = (stem: string, limit = defaultLimit, cursor?: string): string =>
  `${stem}${limitPart(limit)}${cursor === undefined ? "" : pathPart("cursor", cursor)}.json`;

/** The file of a request to an operation's path, whose parameters are in the order of their parts in the path of the file. */
export function fileOfQuery(operationPath: string, params: Iterable<readonly [name: string, value: string]>): string {
  const parts = Array.from(params, ([name, value]) =>
    name === "limit" ? limitPart(Number(value)) : pathPart(name, value),
  );
  return `${operationPath.slice(1)}${parts.join("")}.json`;
}

/** The end of a page's file, behind the stem of its listing: the limit and the cursor, if there are any. */
export const pageEnd = /^(?:\/limit\/(\d+))?(?:\/cursor\/([^/]+))?\.json$/;

/**
 * The file of a single item, from the path of its operation: `/api/v1/nodes` and `nod_1` are
 * `api/v1/nodes/item/nod_1.json`. The parts of a composite key, which slashes separate, are folders.
 */
export const itemFile = (operationPath: string, key: string): string =>
  `${operationPath.slice(1)}${itemFolder}${key}.json`;

/** The folder of the single items, directly below the name of their operation. */
export const itemFolder = "/item/";

/** Whether readers reach a file through a page. */
export function isLinked(base: string, file: string): boolean {
  const folder = `${apiFolder(base)}/`;
  return file.startsWith(folder) && linked.test(file.slice(folder.length));
}

/** Single items, and pages behind a cursor, below the folder of the API. Filters may have the values `item` and `cursor`. */
const linked = /^[^/]+\/item\/|.+\/cursor\/[^/]+$/;

export const pathPart = (name: string, value: string | number): string => `/${name}/${value}`;

/** Each page has one file only, so the default limit is left out. */
export const limitPart = (size: number): string => (size === defaultLimit ? "" : pathPart("limit", size));

/** The state of earlier builds, for the next build. State that exceeds one file continues in further files. */
export const cursorsFile = (base: string, part = 1): string =>
  `${apiFolder(base)}/cursors${part === 1 ? "" : `-${part}`}.json`;

export const changesFile = (base: string): string => `${apiFolder(base)}/changes.json`;

/** The list of changes as Atom. */
export const feedFile = (base: string): string => `${apiFolder(base)}/changes.xml`;

/** The page for people who ask for what does not exist, below the base. */
export const notFoundPage = "docs/404";

/** The page with all lists, below the base. Their tables are below it. */
export const dataIndex = "docs/data";

/** The page about changes, below the base. */
export const changesPage = "docs/changes";

export const changesPageFile = (base: string): string => `${apiFolder(base)}/${changesPage}.html`;

/** The folder of the API as a regular expression: a base has no other special characters. */
const folderPattern = (base: string): string => apiFolder(base).replaceAll(".", "[.]");

export const cursorsPattern = (base: string): string => `^${folderPattern(base)}/cursors(-[1-9][0-9]*)?[.]json$`;

export const errorFolder = (base: string): string => `${apiFolder(base)}/errors`;

/** The body of an error, of the whole API or of one operation. */
export const errorFile = (base: string, code: string, operation?: string): string =>
  `${errorFolder(base)}/${operation === undefined ? "" : `${operation}/`}${code}.json`;

/** The body of the error for a filter that cannot be combined with the other filters. Its code is `invalid_` and the name. */
export const conflictFile = (base: string, param: string, operation: string): string =>
  errorFile(base, `together_${param}`, operation);

/** The page that static hosts answer with if they find no file. It holds the JSON of the 404 in spite of its name. */
export const missingPage = "404.html";
