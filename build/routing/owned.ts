// Recognises the files of the API in a publish root by a routing table, of this build or of an earlier one.
import { folderPattern, itemFolder } from "./paths.ts";
import type { AnyRoutingTable } from "./table.ts";

/**
 * Whether a path has the form of an answer's file in any build with this table. The form depends neither on content nor
 * on page sizes. Earlier versions wrote compressed copies beside pages and documents.
 */
export function ownedFiles({
  base,
  operations,
  documents,
}: Pick<AnyRoutingTable, "base" | "operations" | "documents">): (file: string) => boolean {
  const own = new Set(documents.map(({ file }) => file));
  const pages = operations.flatMap(({ name, params, item }) => {
    const names = params.map((param) => param.name);
    const page = names.length === 0 ? name : `${name}(?:/${oneOf(names)}/[^/]+)*`;
    return item === undefined ? [page] : [page, `${name}${itemFolder.slice(0, -1)}(?:/[^/]+){${item.parts}}`];
  });
  const page = new RegExp(`^${folderPattern(base)}/${oneOf(pages)}\\.json$`);
  const error = new RegExp(`^${folderPattern(base)}/errors/(?:[^/]+/)?[^/]+\\.json$`);
  return (file) => {
    const original = file.replace(/\.(?:br|gz)$/, "");
    return page.test(original) || own.has(original) || error.test(file);
  };
}

const oneOf = (alternatives: readonly string[]): string => `(?:${alternatives.join("|")})`;
