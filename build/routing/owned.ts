// Recognises the files of the API in a publish root by a routing table, of this build or of an earlier one.
import { encodings, folderPattern, isCursorsFile, itemFolder, missingPage, sidecarsOf, suffixes } from "./paths.ts";
import type { AnyRoutingTable } from "./table.ts";

/**
 * Whether a path has the form of an answer's file, or of its sidecar, in any build with this table. The form depends
 * neither on content nor on page sizes.
 */
export function ownedFiles({
  base,
  operations,
  documents,
}: Pick<AnyRoutingTable, "base" | "operations" | "documents">): (file: string) => boolean {
  const own = new Set(documents.flatMap(({ file }) => [file, ...sidecarsOf(file)]));
  const pages = operations.flatMap(({ name, params, item }) => {
    const names = params.map((param) => param.name);
    const page = names.length === 0 ? name : `${name}(?:/${oneOf(names)}/[^/]+)*`;
    return item === undefined ? [page] : [page, `${name}${itemFolder.slice(0, -1)}(?:/[^/]+){${item.parts}}`];
  });
  const sidecar = oneOf(encodings.map((each) => suffixes[each].replace(".", "\\.")));
  const page = new RegExp(`^${folderPattern(base)}/${oneOf(pages)}\\.json${sidecar}?$`);
  const error = errorForm(base);
  return (file) => page.test(file) || error.test(file) || own.has(file);
}

/**
 * Whether an answer's file may have sidecars: pages and documents do; errors and files that only builds read do not.
 */
export function pageFiles(base: string): (file: string) => boolean {
  const error = errorForm(base);
  return (file) => file !== missingPage && !isCursorsFile(base, file) && !error.test(file);
}

const errorForm = (base: string): RegExp => new RegExp(`^${folderPattern(base)}/errors/(?:[^/]+/)?[^/]+\\.json$`);

const oneOf = (alternatives: readonly string[]): string => `(?:${alternatives.join("|")})`;
