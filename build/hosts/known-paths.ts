// The paths of an API as regular expressions, for hosts whose rules consist of them: the paths of documents, of single items,
// of files with other names, and of everything that is answered. Expressions have neither anchors nor captures unless their
// description says so.
//
// The examples are of an API at `/api/v1` with the lists `nodes` and `regions`, and a reference.
import { ownField } from "../../src/model/fields.ts";
import { filledPath, patternOfPath } from "../../src/model/output-path.ts";
import { pathForm } from "../../src/model/path-form.ts";
import { itemFile } from "../routing/paths.ts";
import { documentHeaders, type LostPlace, outputsOf } from "../routing/resolve.ts";
import type { RoutingTable, TableDocument, TableOutput } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import { literal, withoutAnchors } from "./syntax.ts";
import { type DocumentKind, oneOfPaths, targetWith } from "./view.ts";

/**
 * Groups documents by the text that their file adds to their path: `/api/v1/docs/`, with the file `api/v1/docs/index.html`,
 * is in the group `index.html`. A document at the path of its file is in the group of the empty text.
 */
export const byEnding = (documents: readonly TableDocument[]) =>
  groupBy(documents, ({ path, file }) => file.slice(path.length - 1));

/** One rule sets the headers of a kind, so there are as few rules as possible. */
export const documentKinds = (table: RoutingTable): readonly DocumentKind[] =>
  [
    ...groupBy([...table.documents, ...outputsOf(table)], (member) => JSON.stringify(documentHeaders(member))).values(),
  ].map((group) => ({
    contentType: group[0].contentType,
    cacheControl: group[0].cacheControl,
    headers: group[0].headers,
    documents: group.filter((member): member is TableDocument => "file" in member),
    outputs: group.filter((member) => !("file" in member)),
  }));

/** Matches the path of an output for an item, whether or not it exists: `/api/cities/[…]{0,99}\.json`. */
export const outputPath = ({ path }: TableOutput): string => patternOfPath(path);

/**
 * For each document and output, an anchored expression that matches its targets, its file and the number of its kind. In
 * the file of an output, `$1` stands for the capture: `^(/api/cities/[…]{0,99}\.json)(?:\?|$)`.
 */
export function documentTargets(table: RoutingTable) {
  const listed = documentKinds(table).flatMap(({ documents }, kind) =>
    documents.map((document) => ({ target: targetWith(oneOfPaths([document])), file: `/${document.file}`, kind })),
  );
  const further = outputsWithKinds(table).map(({ output, kind }) => ({
    target: targetWith(`(${outputPath(output)})`),
    file: "$1",
    kind,
  }));
  return [...listed, ...further];
}

/**
 * The outputs of which there is a file for each item, with the numbers of their kinds. The path of a document, or of an
 * output before another one, may have the form of an output's path, so the rules for documents and outputs have this order.
 */
export function outputsWithKinds(table: RoutingTable) {
  const kinds = documentKinds(table);
  return outputsOf(table).map((output) => ({
    output,
    kind: kinds.findIndex(({ outputs }) => outputs.includes(output)),
  }));
}

/**
 * The paths whose files have other names, and these files: documents and single items. The parts of a key are placeholders, as Netlify and `serve` write them: `/api/v1/nodes/:key_a` and `api/v1/nodes/item/:key_a.json`.
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
 * one for the items of each form of keys, and one for each output. Items and files of outputs need not exist.
 */
export const knownPaths = (table: RoutingTable): readonly string[] => [
  oneOfPaths([...table.operations, ...table.documents]),
  ...itemKeys(table).map(({ operations, key }) => `${oneOfPaths(operations)}/${key}`),
  ...outputsOf(table).map(outputPath),
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
export const outputsOutside = (table: RoutingTable): readonly TableOutput[] =>
  outputsOf(table).filter(({ path }) => !path.startsWith(`${table.base}/`));

/**
 * Matches the decoded paths that belong to the API in a site that serves other content too:
 * `^(?:/api/v1(?:/|$)|/$|/index\.html$)`. Anchored at its start.
 */
export const ownPaths = (table: RoutingTable): string =>
  `^(?:${[`${literal(table.base)}(?:/|$)`, ...ownPathsOutside(table)].join("|")})`;

/** Match the decoded paths outside of the base: `/$`, `/index\.html$`. Anchored at their ends. */
export const ownPathsOutside = (table: RoutingTable): readonly string[] =>
  [...pathsOutside(table).map(literal), ...outputsOutside(table).map(outputPath)].map((path) => `${path}$`);

/** The path of an output with another text for each field: `/api/cities/*.json`. */
export const withPlaceholders = ({ path }: TableOutput, placeholder: string): string =>
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
  return [...names].map((name) => [name, ownField(table.headers, name) ?? ""]);
}
