// Caddy: the snippets that answer requests.
import { asset } from "../../files/asset.ts";
import { inPathOrder, type Param, paramsOf } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import { lostPlaces } from "../../routing/resolve.ts";
import {
  contentTypeOf,
  type ErrorAnswer,
  type RoutingTable,
  type TableError,
  type TableOperation,
} from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import {
  deprecatedOperations,
  documentKinds,
  documentTargets,
  itemKeys,
  knownPaths,
  ownPaths,
  startOf,
} from "../known-paths.ts";
import { conflictReadings, filterNumbers, invalidPart, targetReadings } from "../readings.ts";
import { filled, literal, variable } from "../syntax.ts";
import { oneOfPaths, targetWith } from "../view.ts";
import { block, headerLines, type MapRow, map, quoted, target, verbatim } from "./syntax.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
export const longestTarget = 8_192;

/** The directives of a route, which take time in proportion to the length of the target. */
export function snippets(table: RoutingTable): string {
  const { operations, headers, methods, allow, methodNotAllowed, notFound, preflight, errorCacheControl, lost } = table;
  const name = apiName(table.base);
  const [noStore = ""] = headerLines(name, { "Cache-Control": errorCacheControl });
  const notices = deprecatedOperations(table);
  const numbered = notices.map(({ operation }, index): MapRow => {
    const pagesAndItems = `~^${literal(operation.path)}(?:[/? ]|$)`;
    return [pagesAndItems, String(index + 1)];
  });
  return filled(asset("hosts/caddy/site.conf"), {
    name,
    headers: headerLines(name, headers),
    longest: String(longestTarget),
    noStore: `header ${noStore}`,
    failing: [`header ${noStore}`, "# An error is always sent whole.", "request_header -If-*"],
    known: map(
      name,
      target,
      ["known"],
      knownPaths(table).map((path) => [`~${targetWith(path)}`, "1"]),
    ),
    preflight: headerLines(name, preflight),
    notFound: lost === undefined ? send(notFound) : sendMissing(table),
    methods: methods.join(" "),
    allow: headerLines(name, { Allow: allow }).map((line) => `header ${line}`),
    methodNotAllowed: send(methodNotAllowed),
    noticeMatchers: [
      ...(notices.length === 0 ? [] : map(name, target, ["notice"], numbered)),
      ...numbered.map(([, number]) => `@${name}_notice_${number} vars {${name}_notice} ${number}`),
    ],
    notices: notices.flatMap((notice, index) =>
      block(`header @${name}_notice_${index + 1}`, ...headerLines(name, notice.headers)),
    ),
    operation: map(name, target, ["operation"], [[`~${targetWith(`(${oneOfPaths(operations)})`)}`, "$1"]]),
    documents: documentMaps(table),
    kinds: kindHeaders(table),
    redirects: map(
      name,
      target,
      ["to"],
      table.redirects.map((redirect) => [`~${targetWith(oneOfPaths([redirect]))}`, redirect.to]),
    ),
    parts: targetReadings(table.base, operations).flatMap((part) =>
      map(name, target, [`part_${part.name}`], part.entries),
    ),
    pages: pageMap(table),
    errors: chooseError(name, operations),
    own: quoted(ownPaths(table)),
  });
}

const send = ({ status, file }: TableError): readonly string[] => [
  `rewrite * /${file}`,
  ...block("file_server", `status ${status}`),
];

/** The answer to a path at which there is nothing, which may be the page for people. */
function sendMissing(table: RoutingTable): readonly string[] {
  const name = apiName(table.base);
  const { notFound } = table;
  const sent = ({ file, contentType = contentTypeOf(table) }: ErrorAnswer) => [`/${file}`, verbatim(name, contentType)];
  return [
    ...map(
      name,
      target,
      ["nothing", "nothing_type"],
      lostPlaces(table).map((place) => [`~^${startOf(place)}`, ...sent(place.answer)]),
      sent(notFound),
    ),
    `header Content-Type {${name}_nothing_type}`,
    `rewrite * {${name}_nothing}`,
    ...block("file_server", `status ${notFound.status}`),
  ];
}

/** The file of a document or single item, and its headers. */
function documentMaps(table: RoutingTable): readonly string[] {
  const { base, operations } = table;
  const name = apiName(base);
  const documents = documentTargets(table).map(({ target, file, kind }): MapRow => [`~${target}`, file, String(kind)]);
  const items = itemKeys(table).flatMap(({ operations: lists, key }) =>
    lists.map(({ name: list, path }): MapRow => {
      const item = `${literal(base)}/(${list})/(${key})`;
      return [`~${targetWith(item)}`, `${base}/$1${itemFolder}$2.json`, path];
    }),
  );
  const kinds = [
    ...documentKinds(table).map((kind, index) => [String(index), kind.contentType, kind.cacheControl]),
    ...operations.map(({ path, cacheControl }) => [path, contentTypeOf(table), cacheControl]),
  ].map(([key = "", ...values]): MapRow => [key, ...values.map((value) => verbatim(name, value))]);
  return [
    ...map(name, target, ["document", "kind"], [...documents, ...items], [`/${invalidPart}`, ""]),
    ...map(name, `{${name}_kind}`, ["type", "stored"], kinds, ["", ""]),
  ];
}

/** The headers that only some kinds of documents have. */
const kindHeaders = (table: RoutingTable): readonly string[] => {
  const name = apiName(table.base);
  return documentKinds(table).flatMap(({ headers }, kind) => {
    if (headers === undefined) return [];
    const matcher = `@${name}_kind_${kind}`;
    return [`${matcher} vars {${name}_kind} ${kind}`, ...block(`header ${matcher}`, ...headerLines(name, headers))];
  });
};

/** For each operation: the page of a request, the errors in its place, and the pages that filters need. */
function pageMap({ base, operations, notFound }: RoutingTable): readonly string[] {
  const name = apiName(base);
  const filters = filterNumbers(operations);
  const nothing = `/${notFound.file}`;
  const errorOf = (param: { readonly error: TableError } | undefined) => `/${(param?.error ?? notFound).file}`;
  return map(
    name,
    `{${name}_operation}`,
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
      page(name, operation, inPathOrder(operation)),
      verbatim(name, operation.cacheControl),
      errorOf(operation.limit),
      errorOf(operation.cursor),
      String(paramsOf(operation)[0]?.error.status ?? notFound.status),
      ...filters.flatMap((n) => {
        const filter = operation.filters[n - 1];
        return filter === undefined ? [nothing, nothing] : [page(name, operation, [filter]), `/${filter.error.file}`];
      }),
    ]),
    [
      `${base}/${invalidPart}`,
      "",
      nothing,
      nothing,
      String(notFound.status),
      ...filters.flatMap(() => [nothing, nothing]),
    ],
  );
}

const page = (name: string, { path }: TableOperation, params: readonly Pick<Param, "name">[]): string =>
  `${path}${params.map((param) => `{${name}_part_${variable(param)}}`).join("")}.json`;

/** Rewrites to the error, from the last check to the first. */
function chooseError(name: string, operations: readonly TableOperation[]): readonly string[] {
  const filters = filterNumbers(operations);
  const hasLimits = operations.some(({ limit }) => limit !== undefined);
  const conflicts = conflictReadings(operations);
  const when = (what: string, condition: string, error: string) => [
    `@${name}_${what} ${condition}`,
    ...block(`route @${name}_${what}`, `rewrite {${name}_${error}}`),
  ];
  return [
    `rewrite {${name}_bad_cursor}`,
    ...filters.toReversed().flatMap((n) => when(`filter_${n}`, `not file {${name}_filter_${n}}`, `wrong_${n}`)),
    ...(hasLimits ? when("limit", `vars {${name}_part_limit} ${invalidPart}`, "bad_limit") : []),
    ...(conflicts.length === 0
      ? []
      : [
          ...map(name, filters.map((n) => `{${name}_filter_${n}} `).join(""), ["clash"], conflicts),
          ...when("clash", `not vars {${name}_clash} ""`, "clash"),
        ]),
  ];
}
