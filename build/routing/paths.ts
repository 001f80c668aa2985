// Where each answer's file is. Paths are relative to the publish root and start with api/v1/. A worker bundles this, so
// it knows nothing of the resources and their schemas.
import { base } from "../../src/base.ts";
import { defaultLimit } from "../../src/paging.ts";

/** The folder of the API in the publish root. */
export const apiFolder = base.slice(1);

/** What tells one page from another. Absent: no filter, the default limit, the first page. */
export interface PageAddress {
  readonly operation: string;
  readonly filter?: { readonly param: string; readonly value: string } | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** `/api/v1/nodes?region=lhr1&limit=5&cursor=k3` is `api/v1/nodes/region/lhr1/limit/5/cursor/k3.json`. */
export function pageFile({ operation, filter, limit = defaultLimit, cursor }: PageAddress): string {
  let path = `${apiFolder}/${operation}`;
  if (filter !== undefined) path += `/${filter.param}/${filter.value}`;
  if (limit !== defaultLimit) path += `/limit/${limit}`;
  if (cursor !== undefined) path += `/cursor/${cursor}`;
  return `${path}.json`;
}

/** The body of an error, of the whole API or of one operation. */
export const errorFile = (code: string, operation?: string): string =>
  operation === undefined ? `${apiFolder}/errors/${code}.json` : `${apiFolder}/errors/${operation}/${code}.json`;

/** The page that static hosts answer with where they find no file. It holds the JSON of the 404, whatever its name says. */
export const missingPage = "404.html";
