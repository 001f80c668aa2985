// How rules made of regular expressions recognise paths: for nginx, Caddy and Apache.
import type { RoutingTable, TableDocument } from "../routing/table.ts";

/** Documents that are answered with the same headers. */
export interface DocumentKind {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly documents: readonly TableDocument[];
}

export function documentKinds({ documents }: RoutingTable): readonly DocumentKind[] {
  const kinds = new Map<string, DocumentKind>();
  for (const document of documents) {
    const { contentType, cacheControl } = document;
    const key = JSON.stringify([contentType, cacheControl]);
    kinds.set(key, { contentType, cacheControl, documents: [...(kinds.get(key)?.documents ?? []), document] });
  }
  return [...kinds.values()];
}

/** Matches one of these paths. Without anchors and captures. */
export const oneOfPaths = (of: readonly { readonly path: string }[]): string =>
  `(?:${of.map(({ path }) => literal(path)).join("|")})`;

/** Matches a target, as sent, with one of these paths. */
export const targetWith = (of: Parameters<typeof oneOfPaths>[0]): string => `^${oneOfPaths(of)}(?:\\?|$)`;

/** Escapes a text for use in a regular expression. */
export const literal = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * The paths of the API outside its base: the paths of documents, and the paths of their files, which are answered only
 * at the documents' paths.
 */
export function pathsOutside({ base, documents }: RoutingTable): readonly string[] {
  const paths = documents.flatMap(({ path, file }) => [path, `/${file}`]);
  return [...new Set(paths)].filter((path) => path !== base && !path.startsWith(`${base}/`));
}
