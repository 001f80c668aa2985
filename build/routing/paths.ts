// The paths of the answers' files. They are relative to the publish root and start with api/v1/. A worker bundles this
// file, so it imports no resources and no schemas.
import { base } from "../../src/base.ts";
import { defaultLimit } from "../../src/paging.ts";

/** The folder of the API in the publish root. */
export const apiFolder = base.slice(1);

/** Identifies a page. Absent: no filter, the default limit, the first page. */
export interface PageAddress {
  readonly operation: string;
  readonly filter?: { readonly param: string; readonly value: string } | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** `/api/v1/nodes?region=lhr1&limit=5&cursor=k3` is `api/v1/nodes/region/lhr1/limit/5/cursor/k3.json`. */
export const pageFile = ({ cursor, ...page }: PageAddress): string => pageFilesOf(page)(cursor);

/** Maps a cursor to the file of its page, for pages that share the rest of their address. */
export function pageFilesOf({ operation, filter, limit = defaultLimit }: Omit<PageAddress, "cursor">) {
  const listing = `${apiFolder}/${operation}${filter === undefined ? "" : pathPart(filter.param, filter.value)}`;
  const first = `${listing}${limitPart(limit)}`;
  const later = `${first}${pathPart("cursor", "")}`;
  return (cursor: string | undefined): string => (cursor === undefined ? `${first}.json` : `${later}${cursor}.json`);
}

/** Whether a file is a page behind a cursor. */
export const isBehindCursor = (file: string): boolean => file.includes(cursorFolder);

/** Part of the path of each page behind a cursor, and of no other path. */
export const cursorFolder = "/cursor/";

/**
 * The order in which the files of a build are published. At every moment, each cursor on a page that a reader can reach
 * leads to a page. The order is: the state of earlier builds (so that the next build keeps the cursors of a build that
 * is killed after this step), new pages with a cursor, new first pages, changed files. Then stale files are deleted,
 * pages with a cursor last. `upload.sh` has the same order.
 */
export function publicationStep(file: string, isPublished: boolean): number {
  if (isCursorsFile(file)) return 0;
  if (isPublished) return 3;
  return isBehindCursor(file) ? 1 : 2;
}

/** The parameters of a paged operation in the order of their parts, as in `pageFile`. */
export const pathOrder = (filters: readonly string[]): readonly string[] => [...filters, "limit", "cursor"];

/** The file of a page of an operation. The parts are in the order of the path; absent parts are empty. */
export const fileOfParts = (operation: string, parts: readonly string[]): string =>
  `${apiFolder}/${operation}${parts.join("")}.json`;

/** The part of a path for a parameter. */
export const pathPart = (name: string, value: string | number): string => `/${name}/${value}`;

/** Each page has one file only, so the default limit is left out. */
export const limitPart = (size: number): string => (size === defaultLimit ? "" : pathPart("limit", size));

/** The state of earlier builds, for the next build. State that exceeds one file continues in further files. */
export const cursorsFile = (part = 1): string => `${apiFolder}/cursors${part === 1 ? "" : `-${part}`}.json`;

export const isCursorsFile = (file: string): boolean => cursorsForm.test(file);

/** A regular expression in the syntax that JavaScript and POSIX share. */
export const cursorsPattern = `^${apiFolder}/cursors(-[1-9][0-9]*)?[.]json$`;

const cursorsForm = new RegExp(cursorsPattern);

export const errorFolder = `${apiFolder}/errors`;

/** The body of an error, of the whole API or of one operation. */
export const errorFile = (code: string, operation?: string): string =>
  operation === undefined ? `${errorFolder}/${code}.json` : `${errorFolder}/${operation}/${code}.json`;

/** The body of the error if a parameter is sent with others with which it does not go. Its code is that of its value. */
export const clashFile = (param: string, operation: string): string => errorFile(`together_${param}`, operation);

/** The page that static hosts answer with if they find no file. It holds the JSON of the 404 in spite of its name. */
export const missingPage = "404.html";
