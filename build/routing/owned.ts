// Tells by a routing table, of this build or of an earlier one, which files of a publish root belong to the API.
import { apiFolder, errorFolder, isCursorsFile, missingPage } from "./paths.ts";
import { encodings, sidecarsOf, suffixes } from "./sidecar.ts";
import type { AnyRoutingTable } from "./table.ts";

/**
 * Tells whether a path has the form of an answer's file, or of its sidecar, in any build with this table. Content and
 * page sizes play no part.
 */
export function ownedFiles({
  operations,
  documents,
}: Pick<AnyRoutingTable, "operations" | "documents">): (file: string) => boolean {
  const own = new Set(documents.flatMap(({ file }) => [file, ...sidecarsOf(file)]));
  const pages = operations.map(({ name, params }) => {
    const names = params.map((param) => param.name);
    return names.length === 0 ? name : `${name}(?:/${oneOf(names)}/[^/]+)*`;
  });
  const sidecar = oneOf(encodings.map((each) => suffixes[each].replace(".", "\\.")));
  const page = new RegExp(`^${apiFolder}/${oneOf(pages)}\\.json${sidecar}?$`);
  return (file) => page.test(file) || errorForm.test(file) || own.has(file);
}

/**
 * Whether an answer's file may have sidecars: pages and documents do; errors and files that only builds read do not.
 */
export const isPageFile = (file: string): boolean =>
  file !== missingPage && !isCursorsFile(file) && !errorForm.test(file);

const errorForm = new RegExp(`^${errorFolder}/(?:[^/]+/)?[^/]+\\.json$`);

const oneOf = (alternatives: readonly string[]): string => `(?:${alternatives.join("|")})`;
