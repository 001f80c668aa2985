// Apache: the rules that find the file of an answer.

import { clashesOf } from "../../routing/combinations.ts";
import { errorFile, itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableError } from "../../routing/table.ts";
import { documentKinds, documentsByName, folderPath, itemKeys, itemPathsOf, oneOfPaths } from "../known-paths.ts";
import {
  filtersIn,
  hasHyphen,
  namesOf,
  readings,
  refused,
  type SharedParam,
  sharedParams,
  wordIn,
} from "../readings.ts";
import { literal } from "../syntax.ts";
import {
  answered,
  type DocumentHeaders,
  documentMarks,
  ignoredValues,
  isPreflight,
  isRedirect,
  markPrefix,
} from "./headers.ts";

/** The flag of a last rule: in a folder, or in a server, which then looks for the file. */
export type Over = "END" | "PT";

/**
 * Answers a request whose words, in order, are the path of a file: the operation, then names and values in the order of
 * the path. The pairs fill the captures from the last one; an unused capture leaves only a slash.
 */
export function spelledOut(table: RoutingTable, over: Over): readonly string[] {
  const { base, methods, operations } = table;
  const items = itemKeys(table);
  const start = `^(?:${methods.join("|")}) ${literal(base)}/`;
  // Each directive of a folder costs time, so a folder leaves requests with an ignored header to its other rules.
  const [asking, end, flag] =
    over === "END" ? [`"%{THE_REQUEST}${ignoredValues}"`, ".{8}$", " [NV]"] : ["%{THE_REQUEST}", "HTTP/", ""];
  const answer = (targets: string, words: string, operation: string) =>
    send(
      `${base}/${words}.json`,
      pageFlags(table, over, operation),
      `RewriteCond ${asking} "${start}(?:${targets}) ${end}"${flag}`,
    );
  const single = items.flatMap(({ operations: own, key }) =>
    answer(`(${namesOf(own)})/(${key})(?:\\?\\S*)?`, `%1${itemFolder}%2`, "%1"),
  );
  const bare = `(${namesOf(operations)})`;
  const params = Math.max(0, ...operations.map((each) => each.params.length));
  if (params === 0) return [...answer(bare, "%1", "%1"), ...single];
  // There are nine backreferences: two for each pair, one for the operation with a query and one for it without.
  const pairs = Math.min(3, params);
  const word = wordIn(operations);
  const pair = `(${word})=([a-z0-9_-]+)`;
  const others = Array.from({ length: pairs - 1 }).reduce<string>((before) => `(?:${before}${pair}&)?`, "");
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `%${index + 1}`).join("/");
  const last = `%${2 * pairs + 2}`;
  // The length of a pattern costs time, so this one contains no names: only pages are nested so deeply.
  return [...answer(`(${word})\\?${others}${pair}|${bare}`, `${captures}${last}`, `%1${last}`), ...single];
}

/** Sends a file if it exists and the request meets the condition `asked`, whose captures the path of the file may hold. */
const send = (file: string, flags: string, asked: string): readonly string[] => [
  asked,
  `RewriteCond %{DOCUMENT_ROOT}${file} -f`,
  `RewriteRule ^ ${file} ${flags}`,
];

/** The flags of the last rule for a page. */
const pageFlags = (table: RoutingTable, over: Over, operation: string): string =>
  `[${over},E=${answered}:1,E=${markPrefix(table)}${operation}:1]`;

/** Rules that parse the whole query and check it in the order of the contract. */
export function rules(table: RoutingTable, over: Over): readonly string[] {
  const { base, operations, methodNotAllowed } = table;
  const page = (slots: readonly string[]) =>
    `${base}/${operation}${slots.map((slot) => `%{ENV:${part(slot)}}`).join("")}.json`;
  const missing = (path: string) => `RewriteCond %{DOCUMENT_ROOT}${path} !-f`;
  const whole = "%{ENV:stillapi_page}";
  const flags = pageFlags(table, over, operation);
  const shared = sharedParams(operations);
  const paged = operations.filter(({ params }) => params.length > 0);
  return [
    "RewriteCond %{ENV:REDIRECT_STATUS} ^[45]",
    "RewriteRule ^ - [END]",
    isRefused(table),
    `RewriteRule ^ - [R=${methodNotAllowed.status},END]`,
    ...preflights(table),
    ...elsewhere(table, over),
    `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(base)}/(${hasHyphen(operations) ? "[\\w-]+" : "\\w+"})"`,
    `RewriteRule ^ - [E=stillapi_operation:%1,E=stillapi_page:${base}/%1.json]`,
    ...shared.flatMap(read),
    ...paged.flatMap((each) => [isFor([each]), `RewriteRule ^ - [E=stillapi_page:${page(each.pathOrder)}]`]),
    ...operations.flatMap((each) =>
      clashesOf(each).flatMap(({ params, error }) => [
        isFor([each]),
        ...params.map(({ slot }) => `RewriteCond %{ENV:${part(slot)}} .`),
        fail(error, error.file),
      ]),
    ),
    ...shared
      .filter(({ param }) => param.kind === "limit")
      .flatMap((limit) => refuse(base, limit, `RewriteCond %{ENV:${part(limit.param.slot)}} =${refused}`)),
    ...paged.flatMap((each) =>
      filtersIn(each).flatMap((param) => refuse(base, { param, of: [each] }, missing(page([param.slot])))),
    ),
    ...shared.filter(({ param }) => param.kind === "cursor").flatMap((cursor) => refuse(base, cursor, missing(whole))),
    `RewriteRule ^ ${whole} ${flags}`,
  ];
}

/** Matches the methods that the API refuses at every path. */
export const isRefused = ({ methods }: RoutingTable): string =>
  `RewriteCond %{REQUEST_METHOD} "!^(?:${[...methods, preflight].join("|")})$"`;

const preflight = "OPTIONS";

const preflights = ({ operations, documents, folders, notFound }: RoutingTable): readonly string[] => [
  ...[oneOfPaths([...operations, ...documents]), ...itemPathsOf({ operations }), ...folders.map(folderPath)].flatMap(
    (path) => [
      `RewriteCond %{THE_REQUEST} "^${preflight} ${path}[? ]"`,
      `RewriteRule ^ - [R=204,END,E=${isPreflight}:1]`,
    ],
  ),
  `RewriteCond %{REQUEST_METHOD} =${preflight}`,
  `RewriteRule ^ - [R=${notFound.status},END]`,
];

/** Answers a path that is not an operation's: a document, a redirect, or an unknown path. Skipped for an operation. */
function elsewhere(table: RoutingTable, over: Over): readonly string[] {
  const { base, operations, redirects, notFound } = table;
  const lines = [
    ...documentKinds(table).flatMap((documents) => answerKind(table, documents, over)),
    ...table.folders.flatMap((each) => answerDocument(table, each, over, `(${folderPath(each)})`, "%1.html")),
    ...itemKeys(table).flatMap(({ operations: own, key }) =>
      send(
        `${base}/%1${itemFolder}%2.json`,
        pageFlags(table, over, "%1"),
        `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(base)}/(${namesOf(own)})/(${key})[? ]"`,
      ),
    ),
    ...redirects.flatMap((redirect) => [
      `RewriteCond %{THE_REQUEST} "^\\S+ ${oneOfPaths([redirect])}[? ]"`,
      `RewriteRule ^ ${redirect.to} [R=308,QSD,END,E=${isRedirect}:1]`,
    ]),
    `RewriteRule ^ - [R=${notFound.status},END]`,
  ];
  return [
    `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(base)}/(?:${namesOf(operations)})[? ]"`,
    `RewriteRule ^ - [S=${countRules(lines)}]`,
    ...lines,
  ];
}

export const countRules = (lines: readonly string[]): number =>
  lines.filter((line) => line.startsWith("RewriteRule")).length;

/** Answers documents that have the same headers. */
function answerKind(table: RoutingTable, documents: DocumentKind, over: Over): readonly string[] {
  const answer = (path: string, file: string) => answerDocument(table, documents[0], over, path, file);
  const { named, pages, others } = documentsByName(documents);
  return [
    ...(named.length === 0 ? [] : answer(`(${oneOfPaths(named)})`, "%1")),
    ...(pages.length === 0 ? [] : answer(`(${oneOfPaths(pages)})`, "%1.html")),
    ...others.flatMap(({ path, file }) => answer(literal(path), `/${file}`)),
  ];
}

/** `path` is an expression, whose captures the path of the file may hold. */
function answerDocument(table: RoutingTable, headers: DocumentHeaders, over: Over, path: string, file: string) {
  const flags = [answered, ...documentMarks(table, headers)].map((mark) => `E=${mark}:1`).join(",");
  return send(file, `[${over},${flags}]`, `RewriteCond %{THE_REQUEST} "^\\S+ ${path}[? ]"`);
}

type DocumentKind = ReturnType<typeof documentKinds>[number];

const operation = "%{ENV:stillapi_operation}";

/** The variable that holds a parameter's part of the page's path. */
const part = (slot: string): string => `stillapi_part_${slot}`;

const isFor = (operations: SharedParam["of"]): string => `RewriteCond ${operation} "^(?:${namesOf(operations)})$"`;

const refuse = (base: string, { param: { error }, of }: SharedParam, condition: string): readonly string[] => [
  isFor(of),
  condition,
  fail(error, errorFile(base, error.body.code, operation)),
];

const fail = ({ status }: TableError, file: string): string =>
  `RewriteRule ^ - [E=stillapi_error:${file},R=${status},END]`;

/** Sets the variable of a parameter. A later rule overrides an earlier one, so the readings are reversed. */
const read = ({ param, of }: SharedParam): readonly string[] =>
  readings("^", param, "%1")
    .toReversed()
    .flatMap(([expression, value]) => [
      isFor(of),
      ...(value === refused ? [] : [`RewriteCond %{ENV:${part(param.slot)}} =${refused}`]),
      `RewriteCond %{QUERY_STRING} "${expression}"`,
      `RewriteRule ^ - [E=${part(param.slot)}:${value}]`,
    ]);
