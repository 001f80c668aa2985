// Caddy: the rules for all requests that the rules of index.ts do not answer. They parse the whole query, whose order is
// unusual, or which has other parameters or a fault.
import { itemFolder } from "../../routing/paths.ts";
import {
  contentTypeOf,
  type Param,
  type RoutingTable,
  type TableError,
  type TableOperation,
} from "../../routing/table.ts";
import { documentKinds, folderPath, itemKeys, itemPathsOf, kindOfFolder, targetWith } from "../known-paths.ts";
import { noticedHeaders } from "../notices.ts";
import { clashReadings, filterNumbers, filtersIn, refused, targetReadings } from "../readings.ts";
import { literal } from "../syntax.ts";
import { block, characters, type Entries, headerLines, map, quoted, sendPage, target, verbatim } from "./syntax.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
export const longestTarget = 8_192;

/** A page is always sent whole, even if the client asks for a range or another version. */
export const ignored = ["Range", "If-Match", "If-Unmodified-Since"];

export function missing(table: RoutingTable): readonly string[] {
  const { operations, methods, allow, methodNotAllowed, errorCacheControl } = table;
  const plain = withoutNotice(table);
  const noStore = [
    `header Cache-Control ${quoted(verbatim(errorCacheControl))}`,
    ...plain,
    "# An error is always sent whole.",
    "request_header -If-*",
  ];
  return [
    ...characters,
    "# The following rules take time in proportion to the length of the target.",
    `@stillapi_long expression size(${target}) > ${longestTarget}`,
    ...block(
      "handle @stillapi_long",
      `header Cache-Control ${quoted(verbatim(errorCacheControl))}`,
      "header -Content-Type",
      ...plain,
      "respond 414",
    ),
    ...ignored.map((name) => `request_header -${name}`),
    "@stillapi_preflight method OPTIONS",
    ...block("route @stillapi_preflight", ...preflight(table, noStore)),
    `@stillapi_method not method ${methods.join(" ")}`,
    ...block(
      "handle @stillapi_method",
      ...noStore,
      `header Allow ${quoted(verbatim(allow))}`,
      "# file_server sends no file in answer to another method.",
      "method GET",
      ...send(methodNotAllowed),
    ),
    ...map(
      target,
      ["operation"],
      operations.map(({ path }) => [`~^${literal(path)}(?:\\?|$)`, path]),
    ),
    '@stillapi_elsewhere vars {stillapi_operation} ""',
    ...block("route @stillapi_elsewhere", ...elsewhere(table, noStore)),
    ...targetReadings(table).flatMap(({ slot, entries }) => map(target, [`part_${slot}`], entries)),
    ...pageMap(table),
    ...block("route", "rewrite {stillapi_any_page}", ...sendPage),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...noStore,
    ...chooseError(operations),
    ...block("file_server", "status {stillapi_status}"),
  ];
}

/** Removes the headers of a notice: there is no page. */
function withoutNotice(table: RoutingTable): readonly string[] {
  const others = noticedHeaders(table).flatMap(([name, otherwise]) =>
    otherwise === "" ? [`-${name}`] : headerLines({ [name]: otherwise }),
  );
  return others.length === 0 ? [] : block("header", ...others);
}

/** A preflight. Its query is ignored. */
function preflight(table: RoutingTable, noStore: readonly string[]): readonly string[] {
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
    ...noStore,
    "method GET",
    ...send(notFound),
  ];
}

/** Answers a path that is not an operation's: a document, a redirect, or an unknown path. */
function elsewhere(table: RoutingTable, noStore: readonly string[]): readonly string[] {
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
      ["", ""],
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
    '@stillapi_document not vars {stillapi_document} ""',
    ...block(
      "route @stillapi_document",
      "header Content-Type {stillapi_type}",
      "header Cache-Control {stillapi_stored}",
      "rewrite {stillapi_document}",
      ...sendPage,
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
    `header Content-Type ${quoted(verbatim(contentTypeOf(table)))}`,
    ...noStore,
    ...send(notFound),
  ];
}

/** Single items that a map has not found: the request has an unusual header, or the item does not exist. */
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
    ["any_page", "bad_limit", "bad_cursor", "status", ...filters.flatMap((n) => [`filter_${n}`, `wrong_${n}`])],
    operations.map((operation) => [
      operation.path,
      page(operation, operation.pathOrder),
      errorOf(operation, "limit"),
      errorOf(operation, "cursor"),
      String(operation.params[0]?.error.status ?? notFound.status),
      ...filters.flatMap((n) => {
        const filter = filtersIn(operation)[n - 1];
        return filter === undefined ? [nothing, nothing] : [page(operation, [filter.slot]), `/${filter.error.file}`];
      }),
    ]),
    [`${base}/${refused}`, nothing, nothing, String(notFound.status), ...filters.flatMap(() => [nothing, nothing])],
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
