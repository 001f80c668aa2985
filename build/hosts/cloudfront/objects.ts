// The objects of the bucket: the files of the API, with the headers that S3 sends.
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import { outputAt } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";

/** The key of the list of objects. The function maps no request to it. */
export const listKey = "stillapi.list";

/** The Content-Type and Cache-Control of a file of the publish root. Undefined if the file is not the API's. */
export function headersOfObject(table: RoutingTable, file: string): readonly [string, string] | undefined {
  const { base, documents, operations, errorCacheControl } = table;
  const kind = documents.find((document) => document.file === file) ?? outputAt(table, `/${file}`);
  if (kind !== undefined) return [kind.contentType, kind.cacheControl];
  if (!file.startsWith(`${apiFolder(base)}/`) || !file.endsWith(".json")) return undefined;
  const type = contentTypeOf(table);
  if (file.startsWith(`${errorFolder(base)}/`)) return [type, errorCacheControl];
  const operation = operations.find(({ path }) => `/${file}` === `${path}.json` || `/${file}`.startsWith(`${path}/`));
  return operation && [type, operation.cacheControl];
}
