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
  folderPath,
  itemKeys,
  itemPathsOf,
  kindOfFolder,
  oneOfPaths,
  targetWith,
} from "../known-paths.ts";
import { noticeRules } from "../notices.ts";
import { clashReadings, filterNumbers, filtersIn, refused, targetReadings } from "../readings.ts";
import { literal } from "../syntax.ts";
import { block, characters, type Entries, headerLines, map, quoted, target, verbatim } from "./syntax.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
export const longestTarget = 8_192;

/** The directives of a route, which take time in proportion to the length of the target. */
export function rules(table: RoutingTable): readonly string[] {
  const { operations, headers, methods, allow, methodNotAllowed, errorCacheControl } = table;
  const noStore = `header Cache-Control ${quoted(verbatim(errorCacheControl))}`;
  const failing = [noStore, "# An error is always sent whole.", "request_header -If-*"];
  return [
    ...characters,
    ...block("header", ...headerLines(headers)),
    `@stillapi_long expression size(${target}) > ${longestTarget}`,
    ...block("handle @stillapi_long", noStore, "header -Content-Type", "respond 414"),
    "# A page is always sent whole, even if the client asks for a range or another version.",
    ...["Range", "If-Match", "If-Unmodified-Since"].map((name) => `request_header -${name}`),
    "@stillapi_preflight method OPTIONS",
    ...block("route @stillapi_preflight", ...preflight(table, failing)),
    `@stillapi_method not method ${methods.join(" ")}`,
    ...block(
      "handle @stillapi_method",
      ...failing,
      `header Allow ${quoted(verbatim(allow))}`,
      "# file_server sends no file in answer to another method.",
      "method GET",
      ...send(methodNotAllowed),
    ),
    ...noticeMatchers(table),
    ...map(target, ["operation"], [[`~^(${oneOfPaths(operations)})(?:\\?|$)`, "$1"]]),
    '@stillapi_elsewhere vars {stillapi_operation} ""',
    ...block("route @stillapi_elsewhere", ...elsewhere(table, failing)),
    ...targetReadings(table).flatMap(({ slot, entries }) => map(target, [`part_${slot}`], entries)),
    ...pageMap(table),
    ...sendIfFound("page", "header Cache-Control {stillapi_cache_control}", ...notices(table)),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...failing,
    ...chooseError(operations),
    ...block("file_server", "status {stillapi_status}"),
  ];
}

/** Sends the file that a placeholder names, with these headers, if it exists. The matcher saves reading maps again. */
const sendIfFound = (placeholder: string, ...headers: readonly string[]): readonly string[] => [
  `@stillapi_${placeholder} file {stillapi_${placeholder}}`,
  ...block(`route @stillapi_${placeholder}`, ...headers, "rewrite {http.matchers.file.relative}", "file_server"),
];

/** For each notice a matcher of the targets to which it belongs. */
function noticeMatchers(table: RoutingTable): readonly string[] {
  const rules = noticeRules(table);
  if (rules.length === 0) return [];
  return [
    ...map(
      target,
      ["notice"],
      rules.map((rule, index) => [`~^${rule.target}`, String(index + 1)]),
    ),
    ...rules.map((_, index) => `@stillapi_notice_${index + 1} vars {stillapi_notice} ${index + 1}`),
  ];
}

/** Tells of pages and items that they will go. */
const notices = (table: RoutingTable): readonly string[] =>
  noticeRules(table).flatMap(({ headers }, index) =>
    block(`header @stillapi_notice_${index + 1}`, ...headerLines(headers)),
  );

/** A preflight. Its query is ignored. */
function preflight(table: RoutingTable, failing: readonly string[]): readonly string[] {
  const { operations, documents, folders, preflight, notFound } = table;
  return [
    ...map(
      target,
      ["known"],
      [
        [`~${targetWith([...operations, ...documents])}`, "1"],
        ...[...itemPathsOf(table), ...folders.map(folderPath)].map((path) => [`~^${path}(?:\\?|$)`, "1"] as const),
      ],
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
  ];
}

/** Answers a path that is not an operation's: a document, a redirect, or an unknown path. */
function elsewhere(table: RoutingTable, failing: readonly string[]): readonly string[] {
  const { operations, folders, redirects, errorCacheControl, notFound } = table;
  return [
    ...map(
      target,
      ["document", "kind"],
      [
        ...documentKinds(table).flatMap((kind, index) =>
          kind.map((document) => [`~${targetWith([document])}`, `/${document.file}`, String(index)] as const),
        ),
        ...folders.map(
          (each) => [`~^(${folderPath(each)})(?:\\?|$)`, "$1.html", String(kindOfFolder(table, each))] as const,
        ),
        ...singleItems(table),
      ],
      [`/${refused}`, ""],
    ),
    ...map(
      "{stillapi_kind}",
      ["type", "stored"],
      [
        ...documentKinds(table).map(
          ([{ contentType, cacheControl }], index) =>
            [String(index), verbatim(contentType), verbatim(cacheControl)] as const,
        ),
        ...operations.map(
          ({ path, cacheControl }) => [path, verbatim(contentTypeOf(table)), verbatim(cacheControl)] as const,
        ),
      ],
      ["", ""],
    ),
    ...sendIfFound(
      "document",
      "header Content-Type {stillapi_type}",
      "header Cache-Control {stillapi_stored}",
      ...notices(table),
    ),
    ...(redirects.length === 0
      ? []
      : [
          ...map(
            target,
            ["to"],
            redirects.map((redirect) => [`~${targetWith([redirect])}`, redirect.to]),
          ),
          '@stillapi_redirect not vars {stillapi_to} ""',
          ...block(
            "handle @stillapi_redirect",
            "header -Content-Type",
            `header Cache-Control ${quoted(verbatim(errorCacheControl))}`,
            "redir {stillapi_to} 308",
          ),
        ]),
    ...failing,
    ...send(notFound),
  ];
}

const singleItems = (table: RoutingTable): Entries =>
  itemKeys(table).flatMap(({ operations, key }) =>
    operations.map(({ name, path }) => [
      `~^${literal(table.base)}/(${name})/(${key})(?:\\?|$)`,
      `${table.base}/$1${itemFolder}$2.json`,
      path,
    ]),
  );

const send = ({ status, file }: TableError): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** For each operation: the page of a request, the errors in its place, and the pages that filters need. */
function pageMap({ base, operations, notFound }: RoutingTable): readonly string[] {
  const filters = filterNumbers(operations);
  const nothing = `/${notFound.file}`;
  const errorOf = ({ params }: TableOperation, kind: Param["kind"]) =>
    `/${(params.find((param) => param.kind === kind)?.error ?? notFound).file}`;
  return map(
    "{stillapi_operation}",
    [
      "page",
      "cache_control",
      "bad_limit",
      "bad_cursor",
      "status",
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
  `${path}${slots.map(partVariable).join("")}.json`;

const partVariable = (slot: string): string => `{stillapi_part_${slot}}`;

/** Rewrites to the error, from the last check to the first. */
function chooseError(operations: readonly TableOperation[]): readonly string[] {
  const filters = filterNumbers(operations);
  const params = operations.flatMap((operation) => operation.params);
  const limits = new Set(params.filter(({ kind }) => kind === "limit").map(({ slot }) => slot));
  const clashes = clashReadings(operations);
  return [
    "rewrite {stillapi_bad_cursor}",
    ...filters
      .toReversed()
      .flatMap((n) => [
        `@stillapi_filter_${n} not file {stillapi_filter_${n}}`,
        ...block(`route @stillapi_filter_${n}`, `rewrite {stillapi_wrong_${n}}`),
      ]),
    ...[...limits].flatMap((slot) => [
      `@stillapi_${slot} vars ${partVariable(slot)} ${refused}`,
      ...block(`route @stillapi_${slot}`, "rewrite {stillapi_bad_limit}"),
    ]),
    ...(clashes.length === 0
      ? []
      : [
          ...map(filters.map((n) => `{stillapi_filter_${n}} `).join(""), ["clash"], clashes),
          '@stillapi_clash not vars {stillapi_clash} ""',
          ...block("route @stillapi_clash", "rewrite {stillapi_clash}"),
        ]),
  ];
}
