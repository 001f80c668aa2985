// The request that a file of the publish root answers.

import { itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableDocument } from "../../routing/table.ts";
import type { PublishedDocument } from "../dataset.ts";

export interface Address {
  readonly path: string;
  readonly query: string;
}

/** Undefined for files that are neither a page nor a single item nor a document. */
export function addressOf({ operations, documents }: RoutingTable, file: string): Address | undefined {
  const document = documents.find((each) => each.file === file);
  if (document !== undefined) return { path: document.path, query: "" };
  if (!file.endsWith(".json")) return undefined;
  for (const { path, params, item } of operations) {
    if (!file.startsWith(path.slice(1))) continue;
    const rest = file.slice(path.length - 1, -".json".length);
    if (rest === "") return { path, query: "" };
    const key = rest.startsWith(itemFolder) ? rest.slice(itemFolder.length) : undefined;
    if (key?.split("/").length === item?.parts && key !== undefined) return { path: `${path}/${key}`, query: "" };
    const query = queryOf(
      rest,
      params.map((param) => param.name),
    );
    if (query !== undefined) return { path, query };
  }
  return undefined;
}

/** `/region/lhr1/limit/5` is `region=lhr1&limit=5`. */
function queryOf(parts: string, names: readonly string[]): string | undefined {
  const [empty, ...steps] = parts.split("/");
  if (empty !== "" || steps.length % 2 === 1) return undefined;
  const pairs = steps.flatMap((step, index) => (index % 2 === 0 ? [[step, steps[index + 1] ?? ""] as const] : []));
  return pairs.every(([name]) => names.includes(name)) ? pairs.map((pair) => pair.join("=")).join("&") : undefined;
}

/** Documents for the routing table, with the conventional paths of their files. */
export const tableDocuments = (base: string, published: readonly PublishedDocument[]): readonly TableDocument[] =>
  published.map(({ path, contentType, cacheControl }) => ({
    path,
    contentType,
    cacheControl,
    file: fileAt(base, path, contentType),
  }));

function fileAt(base: string, path: string, contentType: string): string {
  if (path.endsWith("/")) return `${path.slice(1)}index.html`;
  if (path === base) return `${path.slice(1)}.json`;
  return path.slice(1) + (contentType.startsWith("text/html") && !path.endsWith(".html") ? ".html" : "");
}
