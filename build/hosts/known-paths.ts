// Paths in the configurations of hosts, and how rules made of regular expressions recognise them.
import { groupBy } from "../group-by.ts";
import type { RoutingTable, TableDocument, TableFolder, TableOperation } from "../routing/table.ts";
import { literal } from "./syntax.ts";

/** The documents in groups that are answered with the same headers. */
export const documentKinds = ({ documents }: RoutingTable) => [...groupBy(documents, headersKey).values()];

const headersKey = ({ contentType, cacheControl }: Pick<TableDocument, "contentType" | "cacheControl">): string =>
  JSON.stringify([contentType, cacheControl]);

/** The index of the kind of documents that are answered with the headers of the folder. */
export const kindOfFolder = (table: RoutingTable, folder: TableFolder): number =>
  documentKinds(table).findIndex(([first]) => headersKey(first) === headersKey(folder));

/** Documents at the paths of their files, pages without the .html of their files, and others. */
export function documentsByName(documents: readonly TableDocument[]) {
  const named = documents.filter(({ path, file }) => path === `/${file}`);
  const pages = documents.filter(({ path, file }) => `${path}.html` === `/${file}`);
  return { named, pages, others: documents.filter((each) => !named.includes(each) && !pages.includes(each)) };
}

/**
 * Matches one of these paths. Without anchors and captures. The paths of a folder share its name, because hosts limit
 * the length of an expression.
 */
export function oneOfPaths(of: readonly { readonly path: string }[]): string {
  const paths = of.map(({ path }) => path);
  const byFolder = groupBy(paths, (path) => path.slice(0, path.lastIndexOf("/") + 1));
  const branches = [...byFolder].map(([folder, group]) => {
    const names = group.map((path) => literal(path.slice(folder.length)));
    return literal(folder) + (names.length === 1 ? names[0] : `(?:${names.join("|")})`);
  });
  return `(?:${branches.join("|")})`;
}

/** Matches a target, as sent, with one of these paths. */
export const targetWith = (of: Parameters<typeof oneOfPaths>[0]): string => `^${oneOfPaths(of)}(?:\\?|$)`;

/**
 * The paths of the API outside its base: the paths of documents, and the paths of their files, which are answered only
 * at the documents' paths.
 */
export function pathsOutside({ base, documents }: RoutingTable): readonly string[] {
  const paths = documents.flatMap(({ path, file }) => [path, `/${file}`]);
  return [...new Set(paths)].filter((path) => path !== base && !path.startsWith(`${base}/`));
}

/** Operations whose single items have keys of the same number of parts, and an expression that matches these keys. */
export interface ItemKeys {
  readonly operations: readonly TableOperation[];
  /** Without anchors and captures. */
  readonly key: string;
  readonly parts: number;
}

export const itemKeys = ({ operations }: Pick<RoutingTable, "operations">): readonly ItemKeys[] =>
  [...groupBy(operations, ({ item }) => item && keyOf(item))].flatMap(([key, group]) =>
    key === undefined ? [] : [{ operations: group, key, parts: key.split("/").length }],
  );

function keyOf({ form, parts }: NonNullable<TableOperation["item"]>): string {
  return Array.from({ length: parts }, () => withoutAnchors(form)).join("/");
}

/** Whether the rule of a folder answers a document. */
export const isInFolder = ({ folders }: Pick<RoutingTable, "folders">, { path }: TableDocument): boolean =>
  folders.some((folder) => path.startsWith(`${folder.path}/`));

/** Matches the path of a document in a folder, whether or not it exists. Without anchors and captures. */
export const folderPath = ({ path, least, most, form }: TableFolder): string =>
  `${literal(path)}(?:/${withoutAnchors(form)}){${least},${most}}`;

export const withoutAnchors = (form: string): string => form.replace(/^\^|\$$/g, "");

/** Matches the path of a single item, whether or not it exists. Without anchors and captures. */
export const itemPathsOf = (table: Pick<RoutingTable, "operations">): readonly string[] =>
  itemKeys(table).map(({ operations, key }) => `${oneOfPaths(operations)}/${key}`);

/** `a` and `a/b` of `a/b/c`. */
export const foldersOf = (file: string): readonly string[] =>
  file
    .split("/")
    .slice(0, -1)
    .map((_, index, steps) => steps.slice(0, index + 1).join("/"));
