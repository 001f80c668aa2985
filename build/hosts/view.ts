// The routing table in the words of configurations: the paths of an API as regular expressions, and what rules need to know of
// its operations, documents and items. Each adapter prints it in the syntax of its host.
//
// Expressions have neither anchors nor captures unless their description says so. The examples are of an API at `/api/v1` with
// the lists `nodes` and `regions`, and a reference.
import { ownField } from "../../src/model/fields.ts";
import { capturingPattern, fieldsInPath, filledPath, patternOfPath, withFields } from "../../src/model/output-path.ts";
import { pathForm } from "../../src/model/path-form.ts";
import { sha256 } from "../files/sha256.ts";
import { type Conflict, conflictsOf, inPathOrder, type Param, paramsOf } from "../routing/params.ts";
import { itemFile } from "../routing/paths.ts";
import { bodiless, documentHeaders, type NotFoundPlace, notFoundPlaces, outputsOf } from "../routing/resolve.ts";
import { contentTypeOf, type RoutingTable, type TableDocument, type TableOperation } from "../routing/table.ts";
import { groupBy } from "../values/group-by.ts";
import {
  conflictReadings,
  filterNumbers,
  type QueryReading,
  type SharedParam,
  sharedParams,
  targetReadings,
} from "./readings.ts";
import { literal, withoutAnchors } from "./syntax.ts";

type Headers = RoutingTable["headers"];

export interface HostView {
  /** All that configurations say in the same words. */
  readonly table: RoutingTable;
  /** Starts every name that a configuration defines. */
  readonly name: string;
  readonly base: string;
  /** The Content-Type of pages and errors. */
  readonly type: string;
  /** The headers of every answer, without the Content-Type. */
  readonly common: Headers;
  readonly operations: readonly ViewOperation[];
  /** The parameters of all operations, each once. */
  readonly params: readonly SharedParam[];
  /** For each variable of parameters, the entries of the map that reads them from the target of a request. */
  readonly readings: ReturnType<typeof targetReadings>;
  /** `[1, 2]` if no operation has more than two filters. The first filter of each operation has number 1. */
  readonly filterNumbers: readonly number[];
  /** The entries of the map that finds the error of filters that cannot be combined. */
  readonly conflicts: readonly QueryReading[];
  /**
   * The headers that announce deprecations on pages and items, each with the values of the deprecated operations, and with its
   * value in all other answers: of `Link`, the links of all answers, of other headers an empty text, because they are absent.
   */
  readonly notices: readonly {
    readonly header: string;
    readonly values: readonly { readonly operation: string; readonly value: string }[];
    readonly otherwise: string;
  }[];
  /**
   * For each number of parts that keys of single items have, the operations with these keys. `key` matches the keys, of two
   * parts for example `nodejs/18.0.1`, `paths` the paths of the items.
   */
  readonly items: readonly {
    readonly operations: readonly ViewOperation[];
    readonly key: string;
    readonly paths: string;
  }[];
  /** One rule sets the headers of a kind, so there are as few kinds as possible. */
  readonly kinds: readonly DocumentKind[];
  readonly outputs: readonly ViewOutput[];
  /**
   * For each document and output, an anchored expression that matches its targets, its file and the index of its kind. `$1`
   * in the file of an output stands for the capture: `^(/api/cities/[…]{0,99}\.json)(?:\?|$)`. The path of a document, or of an
   * output before another one, may have the form of an output's path, so rules have this order.
   */
  readonly documents: readonly { readonly target: string; readonly file: string; readonly kind: number }[];
  /**
   * The places at which there is nothing, in order. `start` matches a path of the place at the start of a text, before a query
   * or a blank: `/api(?:[/? ]|$)`.
   */
  readonly notFoundPlaces: readonly (NotFoundPlace & { readonly start: string })[];
  /**
   * Together, these match the paths of everything that answers a preflight: the first those of operations and documents, the
   * next those of items, and the others those of outputs. Items and files of outputs need not exist.
   */
  readonly known: readonly string[];
  /**
   * Matches the decoded paths that belong to the API in a site that serves other content too:
   * `^(?:/api/v1(?:/|$)|/$|/index\.html$)`. Anchored at its start.
   */
  readonly own: string;
  /**
   * What the API has outside of its base. `paths` are the paths of documents and of their files, although a document is
   * answered only at its path: `/` and `/index.html`. `expressions` match all decoded paths: `/$`, `/index\.html$`. They are
   * anchored at their ends.
   */
  readonly outside: {
    readonly paths: readonly string[];
    readonly outputs: readonly ViewOutput[];
    readonly expressions: readonly string[];
  };
}

export interface ViewOperation extends TableOperation {
  /** In the order in which they are checked. */
  readonly params: readonly Param[];
  /** In the order of their parts in the path of a page. */
  readonly pathParams: readonly Param[];
  readonly conflicts: readonly Conflict[];
}

/** Documents and outputs that are answered with the same headers. `headers` are those that only some kinds have. */
export interface DocumentKind extends Pick<TableDocument, "contentType" | "cacheControl" | "headers"> {
  readonly documents: readonly TableDocument[];
  readonly outputs: readonly TableDocument[];
}

/** An output of which there is a file for each item. */
export interface ViewOutput extends TableDocument {
  /** The index of its kind. */
  readonly kind: number;
  /** Matches its path for an item, whether or not the item exists: `/api/cities/[…]{0,99}\.json`. */
  readonly paths: string;
  /**
   * Whether its files are not at their paths: `/api/v1/classes/{id}/levels` is below the items of a list, and its files are
   * `api/v1/classes/item/{id}/levels.json`.
   */
  readonly isBelowItems: boolean;
  /** Like `paths`, with a capture, and the path of the file with `$1` for it. */
  readonly captured: string;
  readonly capturedFile: string;
  /** Its path with an asterisk for each field: `/api/cities/*.json`. */
  readonly wildcard: string;
}

export function viewOf(table: RoutingTable): HostView {
  const { base } = table;
  const operations = table.operations.map(viewOfOperation);
  const kinds = kindsOf(table);
  const outputs = outputsOf(table).map((output) => viewOfOutput(output, kinds));
  const items = itemsOf(operations);
  const outside = outsideOf(table, outputs);
  return {
    table,
    name: apiName(base),
    base,
    type: contentTypeOf(table),
    common: bodiless(table),
    operations,
    params: sharedParams(operations),
    readings: targetReadings(base, operations),
    filterNumbers: filterNumbers(operations),
    conflicts: conflictReadings(operations),
    notices: noticesOf(table),
    items,
    kinds,
    outputs,
    documents: [
      ...kinds.flatMap(({ documents }, kind) =>
        documents.map((document) => ({ target: targetWith(oneOfPaths([document])), file: `/${document.file}`, kind })),
      ),
      ...outputs.map(({ captured, capturedFile, kind }) => ({
        target: targetWith(captured),
        file: capturedFile,
        kind,
      })),
    ],
    notFoundPlaces: notFoundPlaces(table).map((place) => ({ ...place, start: startOf(place) })),
    known: [
      oneOfPaths([...operations, ...table.documents]),
      ...items.map(({ paths }) => paths),
      ...outputs.map(({ paths }) => paths),
    ],
    own: `^(?:${[`${literal(base)}(?:/|$)`, ...outside.expressions].join("|")})`,
    outside,
  };
}

const viewOfOperation = (operation: TableOperation): ViewOperation => ({
  ...operation,
  params: paramsOf(operation),
  pathParams: inPathOrder(operation),
  conflicts: conflictsOf(operation),
});

function viewOfOutput(output: TableDocument, kinds: readonly DocumentKind[]): ViewOutput {
  const { path, file } = output;
  const paths = patternOfPath(path);
  const isBelowItems = isMoved(output);
  return {
    ...output,
    kind: kinds.findIndex((kind) => kind.outputs.includes(output)),
    paths,
    isBelowItems,
    captured: isBelowItems ? capturingPattern(path) : `(${paths})`,
    capturedFile: isBelowItems ? `/${withFields(file, "$1")}` : "$1",
    wildcard: withPlaceholders(output, "*"),
  };
}

/** Whether the file of a path has another name. */
const isMoved = ({ path, file }: TableDocument): boolean => path !== `/${file}`;

const kindsOf = (table: RoutingTable): readonly DocumentKind[] =>
  [
    ...groupBy([...table.documents, ...outputsOf(table)], (member) => JSON.stringify(documentHeaders(member))).values(),
  ].map((group) => ({
    contentType: group[0].contentType,
    cacheControl: group[0].cacheControl,
    headers: group[0].headers,
    documents: group.filter((member) => table.documents.includes(member)),
    outputs: group.filter((member) => outputsOf(table).includes(member)),
  }));

const itemsOf = (operations: readonly ViewOperation[]): HostView["items"] =>
  [...groupBy(operations, ({ itemKeyParts }) => itemKeyParts)].flatMap(([parts, group]) => {
    if (parts === undefined) return [];
    const key = Array(parts).fill(withoutAnchors(pathForm)).join("/");
    return { operations: group, key, paths: `${oneOfPaths(group)}/${key}` };
  });

function noticesOf({ operations, headers: common }: RoutingTable): HostView["notices"] {
  const names = new Set(operations.flatMap(({ headers = {} }) => Object.keys(headers)));
  return [...names].map((header) => ({
    header,
    values: operations.flatMap(({ name, headers }) =>
      headers === undefined ? [] : { operation: name, value: ownField(headers, header) ?? "" },
    ),
    otherwise: ownField(common, header) ?? "",
  }));
}

const startOf = ({ path }: NotFoundPlace): string => literal(path) + (path.endsWith("/") ? "" : "(?:[/? ]|$)");

function outsideOf({ base, documents }: RoutingTable, all: readonly ViewOutput[]): HostView["outside"] {
  const isOutside = (path: string) => path !== base && !path.startsWith(`${base}/`);
  const paths = [...new Set(documents.flatMap(({ path, file }) => [path, `/${file}`]))].filter(isOutside);
  const outputs = all.filter(({ path }) => isOutside(path));
  return {
    paths,
    outputs,
    expressions: [...paths.map(literal), ...outputs.map((output) => output.paths)].map((path) => `${path}$`),
  };
}

/**
 * Starts every name that a configuration defines, of a file, a variable or a location: `api_v1_b969bf` for `/api/v1`. Several
 * APIs may share a server, and similar bases, such as `/api/v1` and `/api-v1`, must not share a name, so it ends with the
 * digest of the base. Names start with no digit and are short, because a name of PCRE has up to 32 letters.
 */
export function apiName(base: string): string {
  const words = base
    .slice(1)
    .replaceAll(/[^a-z0-9]/g, "_")
    .replace(/^(?=[0-9])/, "_");
  return `${words.slice(0, 15)}_${sha256(base).slice(0, 6)}`;
}

/**
 * The first line of a generated file: `The API at /api/v1.` It has no title: `publish` refuses another configuration unless the
 * server may be reloaded, and a new title must not need that.
 */
export const headingOf = (tables: readonly Pick<RoutingTable, "base">[]): string =>
  tables.map(({ base }) => `The API at ${base}.`).join(" ");

/**
 * Matches one of these paths: `(?:/api/v1/(?:nodes|regions)|/api/v1/docs/)`. The paths of a folder share its name, because
 * hosts limit the length of an expression.
 */
export function oneOfPaths(of: readonly { readonly path: string }[]): string {
  const branches = byFolder(of.map(({ path }) => path)).map(([folder, names]) => {
    const parts = names.map(literal);
    return literal(folder) + (parts.length === 1 ? parts[0] : `(?:${parts.join("|")})`);
  });
  return `(?:${branches.join("|")})`;
}

/** The last parts of paths, by the folders before them, which end with a slash; empty for the publish root. */
export const byFolder = (paths: readonly string[]) =>
  [...groupBy(paths, (path) => path.slice(0, path.lastIndexOf("/") + 1))].map(
    ([folder, group]) => [folder, group.map((path) => path.slice(folder.length))] as const,
  );

/**
 * Matches a target, as sent, whose path an expression matches: `^(?:/api/v1/nodes)(?:\?|$)` matches `/api/v1/nodes` and
 * `/api/v1/nodes?limit=5`. Anchored.
 */
export const targetWith = (path: string): string => `^${path}(?:\\?|$)`;

/**
 * Groups documents by the text that their file adds to their path: `/api/v1/docs/`, with the file `api/v1/docs/index.html`,
 * is in the group `index.html`. A document at the path of its file is in the group of the empty text.
 */
export const byEnding = (documents: readonly TableDocument[]) =>
  groupBy(documents, ({ path, file }) => file.slice(path.length - 1));

/**
 * The paths whose files have other names, and these files: documents, single items and outputs below them. The parts of a key
 * are placeholders, as Netlify and `serve` write them: `/api/v1/nodes/:key_a` and `api/v1/nodes/item/:key_a.json`.
 */
export function otherNames(table: RoutingTable): readonly (readonly [path: string, file: string])[] {
  const keyOf = (parts: number) =>
    Array.from({ length: parts }, (_, index) => `:key_${"abcdefghijklmnopqrstuvwxyz"[index]}`).join("/");
  return [
    ...table.documents.filter(isMoved).map(({ path, file }) => [path, file] as const),
    ...outputsOf(table)
      .filter(isMoved)
      .map(({ path, file }) => {
        const key = keyOf(fieldsInPath(path).length);
        return [withFields(path, key), withFields(file, key)] as const;
      }),
    ...table.operations.flatMap(({ path, itemKeyParts }) => {
      if (itemKeyParts === undefined) return [];
      const key = keyOf(itemKeyParts);
      return [[`${path}/${key}`, itemFile(path, key)] as const];
    }),
  ];
}

/** The path of an output with another text for each field: `/api/cities/*.json`. */
export const withPlaceholders = ({ path }: Pick<TableDocument, "path">, placeholder: string): string =>
  filledPath(path, () => placeholder);
