// Caddy: the rules that answer a request.
import { itemFolder } from "../../routing/paths.ts";
import {
  contentTypeOf,
  type Param,
  type RoutingTable,
  type TableError,
  type TableOperation,
} from "../../routing/table.ts";
import {
  documentKinds,
  documentTargets,
  itemKeys,
  knownPaths,
  noticeRules,
  oneOfPaths,
  targetWith,
} from "../known-paths.ts";
import { clashReadings, filterNumbers, filtersIn, refused, targetReadings } from "../readings.ts";
import { literal } from "../syntax.ts";
import { block, characters, type Entry, headerLines, map, quoted, target, verbatim } from "./syntax.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
export const longestTarget = 8_192;

/** The directives of a route, which take time in proportion to the length of the target. */
export function rules(table: RoutingTable): readonly string[] {
  const { operations, headers, methods, allow, methodNotAllowed, notFound, preflight, errorCacheControl } = table;
  const noStore = headerLine("Cache-Control", errorCacheControl);
  const failing = [noStore, "# An error is always sent whole.", "request_header -If-*"];
  return [
    ...characters,
    ...block("header", ...headerLines(headers)),
    `@stillapi_long expression size(${target}) > ${longestTarget}`,
    ...block("handle @stillapi_long", noStore, "header -Content-Type", "respond 414"),
    "# A page is always sent whole, even if the client asks for a range or another version.",
    ...["Range", "If-Match", "If-Unmodified-Since"].map((name) => `request_header -${name}`),
    "@stillapi_preflight method OPTIONS",
    ...block(
      "route @stillapi_preflight",
      ...map(
        target,
        ["known"],
        knownPaths(table).map((path) => [`~${targetWith(path)}`, "1"]),
      ),
      "@stillapi_known vars {stillapi_known} 1",
      ...block(
        "handle @stillapi_known",
        ...block("header", "-Content-Type", "-Cache-Control", ...headerLines(preflight)),
        "respond 204",
      ),
      ...failing,
      "method GET",
      ...send(notFound),
    ),
    `@stillapi_method not method ${methods.join(" ")}`,
    ...block(
      "handle @stillapi_method",
      ...failing,
      headerLine("Allow", allow),
      "# file_server sends no file in answer to another method.",
      "method GET",
      ...send(methodNotAllowed),
    ),
    ...noticeMatchers(table),
    ...map(target, ["operation"], [[`~${targetWith(`(${oneOfPaths(operations)})`)}`, "$1"]]),
    '@stillapi_elsewhere vars {stillapi_operation} ""',
    ...block("route @stillapi_elsewhere", ...elsewhere(table, noStore), ...failing, ...send(notFound)),
    ...targetReadings(table).flatMap(({ slot, entries }) => map(target, [`part_${slot}`], entries)),
    ...pageMap(table),
    ...sendIfFound("page", "header Cache-Control {stillapi_cache_control}", ...notices(table)),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...failing,
    ...chooseError(operations),
    ...block("file_server", "status {stillapi_status}"),
  ];
}

const headerLine = (name: string, value: string): string => `header ${name} ${quoted(verbatim(value))}`;

const send = ({ status, file }: TableError): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** Sends the file that a placeholder names, with these headers, if it exists. The matcher saves reading maps again. */
const sendIfFound = (placeholder: string, ...headers: readonly string[]): readonly string[] => [
  `@stillapi_${placeholder} file {stillapi_${placeholder}}`,
  ...block(`route @stillapi_${placeholder}`, ...headers, "rewrite {http.matchers.file.relative}", "file_server"),
];

/** For each notice a matcher of the targets to which it belongs. */
function noticeMatchers(table: RoutingTable): readonly string[] {
  const targets = noticeRules(table).map((rule, index): Entry => [`~^${rule.target}`, String(index + 1)]);
  if (targets.length === 0) return [];
  const matchers = targets.map(([, number]) => `@stillapi_notice_${number} vars {stillapi_notice} ${number}`);
  return [...map(target, ["notice"], targets), ...matchers];
}

/** Tells of pages and items that they will go. */
const notices = (table: RoutingTable): readonly string[] =>
  noticeRules(table).flatMap(({ headers }, index) =>
    block(`header @stillapi_notice_${index + 1}`, ...headerLines(headers)),
  );

/** Answers a path that is not an operation's: a document, a single item, or a redirect. */
function elsewhere(table: RoutingTable, noStore: string): readonly string[] {
  const { base, operations, redirects } = table;
  const type = contentTypeOf(table);
  const documents = documentTargets(table).map(({ target, file, kind }): Entry => [`~${target}`, file, String(kind)]);
  const items = itemKeys(table).flatMap(({ operations: own, key }) =>
    own.map(({ name, path }): Entry => {
      const item = `${literal(base)}/(${name})/(${key})`;
      return [`~${targetWith(item)}`, `${base}/$1${itemFolder}$2.json`, path];
    }),
  );
  const kinds = [
    ...documentKinds(table).map((kind, index) => [String(index), kind.contentType, kind.cacheControl]),
    ...operations.map(({ path, cacheControl }) => [path, type, cacheControl]),
  ].map(([key = "", ...values]): Entry => [key, ...values.map(verbatim)]);
  const to = redirects.map((each): Entry => [`~${targetWith(oneOfPaths([each]))}`, each.to]);
  return [
    ...map(target, ["document", "kind"], [...documents, ...items], [`/${refused}`, ""]),
    ...map("{stillapi_kind}", ["type", "stored"], kinds, ["", ""]),
    ...sendIfFound(
      "document",
      "header Content-Type {stillapi_type}",
      "header Cache-Control {stillapi_stored}",
      ...notices(table),
    ),
    ...map(target, ["to"], to),
    '@stillapi_redirect not vars {stillapi_to} ""',
    ...block("handle @stillapi_redirect", "header -Content-Type", noStore, "redir {stillapi_to} 308"),
  ];
}

/** For each operation: the page of a request, the errors in its place, and the pages that filters need. */
function pageMap({ base, operations, notFound }: RoutingTable): readonly string[] {
  const filters = filterNumbers(operations);
  const nothing = `/${notFound.file}`;
  const errorOf = ({ params }: TableOperation, kind: Param["kind"]) =>
    `/${(params.find((param) => param.kind === kind)?.error ?? notFound).file}`;
  return map(
    "{stillapi_operation}",
    [
      ...["page", "cache_control", "bad_limit", "bad_cursor", "status"],
      ...filters.flatMap((n) => [`filter_${n}`, `wrong_${n}`]),
    ],
    operations.map((operation) => [
      operation.path,
      page(operation, operation.pathOrder),
      verbatim(operation.cacheControl),
      errorOf(operation, "limit"),
      errorOf(operation, "cursor"),
      String(operation.params[0]?.error.status ?? notFound.status),
      ...filters.flatMap((n) => {
        const filter = filtersIn(operation)[n - 1];
        return filter === undefined ? [nothing, nothing] : [page(operation, [filter.slot]), `/${filter.error.file}`];
      }),
    ]),
    [`${base}/${refused}`, "", nothing, nothing, String(notFound.status), ...filters.flatMap(() => [nothing, nothing])],
  );
}

const page = ({ path }: TableOperation, slots: readonly string[]): string =>
  `${path}${slots.map((slot) => `{stillapi_part_${slot}}`).join("")}.json`;

/** Rewrites to the error, from the last check to the first. */
function chooseError(operations: readonly TableOperation[]): readonly string[] {
  const filters = filterNumbers(operations);
  const params = operations.flatMap((operation) => operation.params);
  const limits = new Set(params.filter(({ kind }) => kind === "limit").map(({ slot }) => slot));
  const clashes = clashReadings(operations);
  const when = (name: string, condition: string, error: string) => [
    `@stillapi_${name} ${condition}`,
    ...block(`route @stillapi_${name}`, `rewrite {stillapi_${error}}`),
  ];
  return [
    "rewrite {stillapi_bad_cursor}",
    ...filters.toReversed().flatMap((n) => when(`filter_${n}`, `not file {stillapi_filter_${n}}`, `wrong_${n}`)),
    ...[...limits].flatMap((slot) => when(slot, `vars {stillapi_part_${slot}} ${refused}`, "bad_limit")),
    ...(clashes.length === 0
      ? []
      : [
          ...map(filters.map((n) => `{stillapi_filter_${n}} `).join(""), ["clash"], clashes),
          ...when("clash", 'not vars {stillapi_clash} ""', "clash"),
        ]),
  ];
}
