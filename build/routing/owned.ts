// Which files of a publish root are the API's, by a routing table: this build's, or the one that an earlier build left.
import { apiFolder, errorFolder, isCursorsFile, missingPage } from "./paths.ts";
import { encodings, sidecarsOf, suffixes } from "./sidecar.ts";
import type { AnyRoutingTable } from "./table.ts";

/**
 * Tells whether a path has the form of an answer's file or its sidecar in a build with this table, whatever its content
 * and page sizes.
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

/** Whether an answer's file may have sidecars: pages and documents, but no errors and not what only builds read. */
export const isPageFile = (file: string): boolean =>
  file !== missingPage && !isCursorsFile(file) && !errorForm.test(file);

const errorForm = new RegExp(`^${errorFolder}/(?:[^/]+/)?[^/]+\\.json$`);

const oneOf = (alternatives: readonly string[]): string => `(?:${alternatives.join("|")})`;
