// The paths of an API as regular expressions, for hosts whose rules consist of them. Expressions have neither anchors nor
// captures unless their description says so.
import { pathForm } from "../../src/model/path-form.ts";
import { itemFile } from "../routing/paths.ts";
import { type DocumentPattern, patternsOf } from "../routing/resolve.ts";
import type { RoutingTable, TableDocument, TableOperation } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import { literal } from "./syntax.ts";

/** Matches one of these paths. The paths of a folder share its name, because hosts limit the length of an expression. */
export function oneOfPaths(of: readonly { readonly path: string }[]): string {
  const byFolder = groupBy(of, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  const branches = [...byFolder].map(([folder, group]) => {
    const names = group.map(({ path }) => literal(path.slice(folder.length)));
    return literal(folder) + (names.length === 1 ? names[0] : `(?:${names.join("|")})`);
  });
  return `(?:${branches.join("|")})`;
}

/** Matches a target, as sent, with a path that an expression matches. Anchored. */
export const targetWith = (path: string): string => `^${path}(?:\\?|$)`;

/** Matches the names of operations. */
export const namesOf = (operations: readonly TableOperation[]): string => operations.map(({ name }) => name).join("|");

export const withoutAnchors = (form: string): string => form.replace(/^\^|\$$/g, "");

/** Documents by what their file has behind their path: nothing, `.html`, `.json` or `index.html`. */
export const byEnding = (documents: readonly TableDocument[]) =>
  groupBy(documents, ({ path, file }) => file.slice(path.length - 1));

/** Documents, and patterns of documents, that are answered with the same headers. */
export interface DocumentKind {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly documents: readonly TableDocument[];
  readonly patterns: readonly DocumentPattern[];
}

export const documentKinds = (table: RoutingTable): readonly DocumentKind[] =>
  [
    ...groupBy([...table.documents, ...patternsOf(table)], ({ contentType, cacheControl }) =>
      JSON.stringify([contentType, cacheControl]),
    ).values(),
  ].map((group) => ({
    contentType: group[0].contentType,
    cacheControl: group[0].cacheControl,
    documents: group.flatMap((each) => ("file" in each ? each : [])),
    patterns: group.flatMap((each) => ("file" in each ? [] : each)),
  }));

/** Matches the path of a document of a pattern, whether or not it exists. */
export const patternPath = ({ folder, minParts, maxParts }: DocumentPattern): string =>
  `${literal(folder)}(?:/${withoutAnchors(pathForm)}){${minParts},${maxParts}}`;

/** The targets of documents as anchored expressions, with the file, in which $1 is a capture, and the number of the kind. */
export const documentTargets = (table: RoutingTable) =>
  documentKinds(table).flatMap(({ documents, patterns }, kind) => [
    ...documents.map((each) => ({ target: targetWith(oneOfPaths([each])), file: `/${each.file}`, kind })),
    ...patterns.map((each) => ({ target: targetWith(`(${patternPath(each)})`), file: `$1${each.ending}`, kind })),
  ]);

/**
 * The paths with files of other names: documents, single items and the pages of tables. The parts of a key are
 * placeholders, as Netlify and `serve` write them: `:key_a`.
 */
export function otherNames(table: RoutingTable): readonly (readonly [path: string, file: string])[] {
  const keyOf = (parts: number) =>
    Array.from({ length: parts }, (_, index) => `:key_${"abcdefghijklmnopqrstuvwxyz"[index]}`).join("/");
  return [
    ...table.documents.filter(({ path, file }) => path !== `/${file}`).map(({ path, file }) => [path, file] as const),
    ...table.operations.flatMap(({ path, itemKeyParts }) => {
      if (itemKeyParts === undefined) return [];
      const key = keyOf(itemKeyParts);
      return [[`${path}/${key}`, itemFile(path, key)] as const];
    }),
    ...patternsOf(table).flatMap(({ folder, minParts, maxParts, ending }) =>
      Array.from({ length: maxParts - minParts + 1 }, (_, index) => {
        const path = `${folder}/${keyOf(minParts + index)}`;
        return [path, path.slice(1) + ending] as const;
      }),
    ),
  ];
}

/** Operations whose single items have keys of the same number of parts, and an expression that matches these keys. */
export const itemKeys = ({ operations }: Pick<RoutingTable, "operations">) =>
  [...groupBy(operations, ({ itemKeyParts }) => itemKeyParts)].flatMap(([parts, group]) =>
    parts === undefined ? [] : { operations: group, key: Array(parts).fill(withoutAnchors(pathForm)).join("/") },
  );

/** Match the paths of everything that answers a preflight. Items and documents of patterns need not exist. */
export const knownPaths = (table: RoutingTable): readonly string[] => [
  oneOfPaths([...table.operations, ...table.documents]),
  ...itemKeys(table).map(({ operations, key }) => `${oneOfPaths(operations)}/${key}`),
  ...patternsOf(table).map(patternPath),
];

/**
 * The paths of the API outside its base: the paths of documents, and the paths of their files, which are answered only
 * at the documents' paths.
 */
export function pathsOutside({ base, documents }: RoutingTable): readonly string[] {
  const paths = documents.flatMap(({ path, file }) => [path, `/${file}`]);
  return [...new Set(paths)].filter((path) => path !== base && !path.startsWith(`${base}/`));
}

/** Matches the decoded paths that are the API's in a site that serves other content too. Anchored at its start. */
export const ownPaths = (table: RoutingTable): string =>
  `^(?:${[`${literal(table.base)}(?:/|$)`, ...pathsOutside(table).map((path) => `${literal(path)}$`)].join("|")})`;

/** Operations whose pages and items tell that they will go, each with the headers that say so. */
export const deprecatedOperations = ({ operations }: Pick<RoutingTable, "operations">) =>
  operations.flatMap(({ headers, ...operation }) => (headers === undefined ? [] : { operation, headers }));

/** The names of these headers, with their values in all other answers. Empty: the header is missing there. */
export function noticedHeaders(table: RoutingTable): readonly (readonly [name: string, otherwise: string])[] {
  const names = new Set(deprecatedOperations(table).flatMap(({ headers }) => Object.keys(headers)));
  return [...names].map((name) => [name, table.headers[name] ?? ""]);
}
