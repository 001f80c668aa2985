// The paths of an API as regular expressions, for hosts whose rules consist of them: the paths of documents, of single items,
// of files with other names, and of everything that is answered. Expressions have neither anchors nor captures unless their
// description says so.
//
// The examples are of an API at `/api/v1` with the lists `nodes` and `regions`, a reference, and tables.
import { filledPath, patternOfPath } from "../../src/model/output-path.ts";
import { pathForm } from "../../src/model/path-form.ts";
import { itemFile } from "../routing/paths.ts";
import {
  type DocumentPattern,
  documentHeaders,
  isOutput,
  type LostPlace,
  type OutputPattern,
  outputPatternsOf,
  patternsOf,
  tablePatternsOf,
} from "../routing/resolve.ts";
import type { RoutingTable, TableDocument, TableOperation } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import { literal } from "./syntax.ts";

/**
 * Matches one of these paths: `(?:/api/v1/(?:nodes|regions)|/api/v1/docs/)`. The paths of a folder share its name, because
 * hosts limit the length of an expression.
 */
export function oneOfPaths(of: readonly { readonly path: string }[]): string {
  const byFolder = groupBy(of, ({ path }) => path.slice(0, path.lastIndexOf("/") + 1));
  const branches = [...byFolder].map(([folder, group]) => {
    const names = group.map(({ path }) => literal(path.slice(folder.length)));
    return literal(folder) + (names.length === 1 ? names[0] : `(?:${names.join("|")})`);
  });
  return `(?:${branches.join("|")})`;
}

/**
 * Matches a target, as sent, whose path an expression matches: `^(?:/api/v1/nodes)(?:\?|$)` matches `/api/v1/nodes` and
 * `/api/v1/nodes?limit=5`. Anchored.
 */
export const targetWith = (path: string): string => `^${path}(?:\\?|$)`;

/** Matches the names of operations: `nodes|regions`. A group has to surround it. */
export const namesOf = (operations: readonly TableOperation[]): string => operations.map(({ name }) => name).join("|");

/** `^k[0-9a-z]{24}$` becomes `k[0-9a-z]{24}`. */
export const withoutAnchors = (form: string): string => form.replace(/^\^|\$$/g, "");

/**
 * Groups documents by the text that their file adds to their path: `/api/v1/docs/`, with the file `api/v1/docs/index.html`,
 * is in the group `index.html`. A document at the path of its file is in the group of the empty text.
 */
export const byEnding = (documents: readonly TableDocument[]) =>
  groupBy(documents, ({ path, file }) => file.slice(path.length - 1));

/** Documents, and patterns of documents, that are answered with the same headers. */
export interface DocumentKind extends Pick<TableDocument, "contentType" | "cacheControl" | "headers"> {
  readonly documents: readonly TableDocument[];
  readonly patterns: readonly DocumentPattern[];
}

/** One rule sets the headers of a kind, so there are as few rules as possible. */
export const documentKinds = (table: RoutingTable): readonly DocumentKind[] =>
  [
    ...groupBy([...table.documents, ...patternsOf(table)], (member) =>
      JSON.stringify(documentHeaders(member)),
    ).values(),
  ].map((group) => ({
    contentType: group[0].contentType,
    cacheControl: group[0].cacheControl,
    headers: group[0].headers,
    documents: group.filter((member) => "file" in member),
    patterns: group.filter((member) => "ending" in member),
  }));

/**
 * Matches the path of a document of a pattern, whether or not it exists. `/api/v1/docs/data(?:/[…]{0,99}){1,3}` matches
 * `/api/v1/docs/data/nodes` and `/api/v1/docs/data/nodes/region/lhr1`, and `/api/cities/[…]{0,99}\.json` the path of the
 * output of an item.
 */
export const patternPath = (pattern: DocumentPattern): string =>
  isOutput(pattern)
    ? patternOfPath(pattern.path)
    : `${literal(pattern.folder)}(?:/${withoutAnchors(pathForm)}){${pattern.minParts},${pattern.maxParts}}`;

/**
 * For each document and pattern, an anchored expression that matches its targets, its file and the number of its kind. In
 * the file of a pattern, `$1` stands for the capture: `^(/api/v1/docs/data(?:…){1,3})(?:\?|$)` and `$1.html`.
 */
export function documentTargets(table: RoutingTable) {
  const kinds = documentKinds(table);
  const ofPattern = (pattern: DocumentPattern, kind: number) => ({
    target: targetWith(`(${patternPath(pattern)})`),
    file: `$1${pattern.ending}`,
    kind,
  });
  const listed = kinds.flatMap(({ documents, patterns }, kind) => [
    ...documents.map((document) => ({ target: targetWith(oneOfPaths([document])), file: `/${document.file}`, kind })),
    ...patterns.filter((pattern) => !isOutput(pattern)).map((pattern) => ofPattern(pattern, kind)),
  ]);
  return [...listed, ...outputsWithKinds(table).map(({ output, kind }) => ofPattern(output, kind))];
}

/**
 * The outputs of which there is a file for each item, with the numbers of their kinds. The path of a document, or of an
 * output before another one, may have the form of an output's path, so the rules for documents and outputs have this order.
 */
export function outputsWithKinds(table: RoutingTable) {
  const kinds = documentKinds(table).map(({ patterns }) => patterns.filter(isOutput).map(({ path }) => path));
  return outputPatternsOf(table).map((output) => ({
    output,
    kind: kinds.findIndex((paths) => paths.includes(output.path)),
  }));
}

/**
 * The paths whose files have other names, and these files: documents, single items and the pages of tables. The parts of a
 * key are placeholders, as Netlify and `serve` write them: `/api/v1/nodes/:key_a` and `api/v1/nodes/item/:key_a.json`.
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
    ...tablePatternsOf(table).flatMap(({ folder, minParts, maxParts, ending }) =>
      Array.from({ length: maxParts - minParts + 1 }, (_, index) => {
        const path = `${folder}/${keyOf(minParts + index)}`;
        return [path, path.slice(1) + ending] as const;
      }),
    ),
  ];
}

/**
 * For each number of parts that keys of single items have, the operations with these keys, and an expression that matches
 * the keys. The expression for keys of two parts matches `nodejs/18.0.1`.
 */
export const itemKeys = ({ operations }: Pick<RoutingTable, "operations">) =>
  [...groupBy(operations, ({ itemKeyParts }) => itemKeyParts)].flatMap(([parts, group]) =>
    parts === undefined ? [] : { operations: group, key: Array(parts).fill(withoutAnchors(pathForm)).join("/") },
  );

/**
 * Expressions that together match the paths of everything that answers a preflight: one for the operations and documents,
 * one for the items of each form of keys, and one for each pattern. Items and documents of patterns need not exist.
 */
export const knownPaths = (table: RoutingTable): readonly string[] => [
  oneOfPaths([...table.operations, ...table.documents]),
  ...itemKeys(table).map(({ operations, key }) => `${oneOfPaths(operations)}/${key}`),
  ...patternsOf(table).map(patternPath),
];

/**
 * The paths of the API outside its base: `/` and `/index.html`. They are the paths of documents and the paths of their
 * files, although a document is answered only at the path of the document.
 */
export function pathsOutside({ base, documents }: RoutingTable): readonly string[] {
  const paths = documents.flatMap(({ path, file }) => [path, `/${file}`]);
  return [...new Set(paths)].filter((path) => path !== base && !path.startsWith(`${base}/`));
}

/** Matches a path of the place at the start of a text, before a query or a blank: `/api(?:[/? ]|$)`. */
export const startOf = ({ path }: LostPlace): string => literal(path) + (path.endsWith("/") ? "" : "(?:[/? ]|$)");

/** The outputs of the API outside its base of which there is a file for each item. */
export const outputsOutside = (table: RoutingTable): readonly OutputPattern[] =>
  outputPatternsOf(table).filter(({ path }) => !path.startsWith(`${table.base}/`));

/**
 * Matches the decoded paths that belong to the API in a site that serves other content too:
 * `^(?:/api/v1(?:/|$)|/$|/index\.html$)`. Anchored at its start.
 */
export const ownPaths = (table: RoutingTable): string =>
  `^(?:${[`${literal(table.base)}(?:/|$)`, ...ownPathsOutside(table)].join("|")})`;

/** Match the decoded paths outside of the base: `/$`, `/index\.html$`. Anchored at their ends. */
export const ownPathsOutside = (table: RoutingTable): readonly string[] =>
  [...pathsOutside(table).map(literal), ...outputsOutside(table).map(patternPath)].map((path) => `${path}$`);

/** The path of an output with another text for each field: `/api/cities/*.json`. */
export const withPlaceholders = ({ path }: OutputPattern, placeholder: string): string =>
  filledPath(path, () => placeholder);

/** The deprecated operations, each with the headers that announce it on its pages and items. */
export const deprecatedOperations = ({ operations }: Pick<RoutingTable, "operations">) =>
  operations.flatMap(({ headers, ...operation }) => (headers === undefined ? [] : { operation, headers }));

/**
 * The names of these headers, each with its value in all other answers: `Deprecation` with an empty text, because it is
 * absent there, and `Link` with the links of all answers.
 */
export function noticedHeaders(table: RoutingTable): readonly (readonly [name: string, otherwise: string])[] {
  const names = new Set(deprecatedOperations(table).flatMap(({ headers }) => Object.keys(headers)));
  return [...names].map((name) => [name, table.headers[name] ?? ""]);
}
