// The paths that a build may write, as extended regular expressions for grep, a line each.
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import { encodings, suffixes } from "../../routing/sidecar.ts";
import { type RoutingTable, tableFile } from "../../routing/table.ts";

/** `owns`: the files of a host in the publish root. No path that they match needs quotes. */
export function formsOf({ operations, documents }: RoutingTable, owns: readonly string[]): readonly string[] {
  const pages = operations.map(({ name, params }) => {
    const parts = params.length === 0 ? "" : `(/(${params.map((param) => param.name).join("|")})/${word})*`;
    return `^${apiFolder}/${name}${parts}[.]json${sidecar}$`;
  });
  return [
    ...pages,
    ...documents.map(({ file }) => `^${literal(file)}${sidecar}$`),
    `^${errorFolder}/(${word}/)?${word}[.]json$`,
    ...[tableFile, ...owns].map((file) => `^${literal(file)}$`),
  ];
}

const word = "[A-Za-z0-9_-]+";

const sidecar = `(${encodings.map((encoding) => literal(suffixes[encoding])).join("|")})?`;

function literal(text: string): string {
  return text.replaceAll(".", "[.]");
}
