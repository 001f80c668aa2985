// How rules made of regular expressions recognise paths: for nginx, Caddy and Apache.
import type { RoutingTable, TableDocument, TableOperation } from "../routing/table.ts";

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

/**
 * Matches one of these paths. Without anchors and captures. The paths of a folder share its name, because hosts limit
 * the length of an expression.
 */
export function oneOfPaths(of: readonly { readonly path: string }[]): string {
  const folders = new Map<string, string[]>();
  for (const { path } of of) {
    const end = path.lastIndexOf("/") + 1;
    const names = folders.get(path.slice(0, end)) ?? [];
    folders.set(path.slice(0, end), [...names, literal(path.slice(end))]);
  }
  const paths = [...folders].map(
    ([folder, names]) => `${literal(folder)}${names.length === 1 ? names[0] : `(?:${names.join("|")})`}`,
  );
  return `(?:${paths.join("|")})`;
}

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

/** Operations whose single items have keys of the same number of parts, and an expression that matches such a key. */
export interface ItemKeys {
  readonly operations: readonly TableOperation[];
  /** Without anchors and captures. */
  readonly key: string;
}

export function itemKeys({ operations }: Pick<RoutingTable, "operations">): readonly ItemKeys[] {
  const byKey = new Map<string, TableOperation[]>();
  for (const operation of operations) {
    const { item } = operation;
    if (item === undefined) continue;
    const part = item.form.replace(/^\^|\$$/g, "");
    const key = Array.from({ length: item.parts }, () => part).join("/");
    byKey.set(key, [...(byKey.get(key) ?? []), operation]);
  }
  return [...byKey].map(([key, own]) => ({ operations: own, key }));
}

/** Matches the path of a single item, whether or not it exists. Without anchors and captures. */
export const itemPathsOf = (table: Pick<RoutingTable, "operations">): readonly string[] =>
  itemKeys(table).map(({ operations, key }) => `${oneOfPaths(operations)}/${key}`);
