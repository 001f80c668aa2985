// nginx: the files for server {}. Their locations send the files that the maps name, or an error.
import { errorFile, errorFolder } from "../../routing/paths.ts";
import { bodiless } from "../../routing/resolve.ts";
import { contentTypeOf, type Param, type RoutingTable, type TableError } from "../../routing/table.ts";
import { documentKinds, noticedHeaders, pathsOutside } from "../known-paths.ts";
import { filterNumbers, refused, sharedParams } from "../readings.ts";
import { text } from "../syntax.ts";
import { byMethod, documentsPlace, headerVariable, nothing, partVariable, redirectPlace } from "./maps.ts";
import { block, quoted, verbatim } from "./syntax.ts";

/** The locations of the API in a server that may serve other content too. */
export function server(table: RoutingTable): string {
  const { base, notFound, methodNotAllowed, redirects } = table;
  const common = bodiless(table);
  const noticed = noticedHeaders(table);
  const steady = Object.entries(common).filter(([name]) => !noticed.some(([other]) => other === name));
  const noStore = { "Cache-Control": table.errorCacheControl };
  const page = [
    ...typed(contentTypeOf(table)),
    ...addHeaders(Object.fromEntries(steady)),
    ...noticed.map(([name], index) => `add_header ${name} ${headerVariable(index)} always;`),
    // Without "always", so that nginx's error pages are not cached.
    "add_header Cache-Control $stillapi_cache_control;",
  ];
  return text(
    "# Include this in server {}, whose root is the publish root.",
    "# TRACE is refused before any location is looked up.",
    errorPage(methodNotAllowed),
    ...block(
      `location ^~ ${base}/`,
      ...refusal,
      ...page,
      "# Costs less than try_files, which looks for the file before it is opened.",
      "rewrite ^ $stillapi_page break;",
      "error_page 404 = @stillapi_other;",
      "log_not_found off;",
    ),
    "# The words of the target differ from the path of its page, or there is no page.",
    ...block(
      "location @stillapi_other",
      "error_page 404 = $stillapi_place;",
      "recursive_error_pages on;",
      'if ($stillapi = "") { return 404; }',
      ...page,
      "try_files $stillapi_any_page @stillapi_missing;",
    ),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...block(
      "location @stillapi_missing",
      "error_page 400 $stillapi_error;",
      `set $stillapi_error /${notFound.file};`,
      ...chooseError(table),
      "return 400;",
    ),
    ...block(
      "location @stillapi_method",
      errorPage(notFound),
      errorPage(methodNotAllowed),
      ...addHeaders({ ...common, ...table.preflight }),
      `if (${byMethod} = 204) { return 204; }`,
      `if (${byMethod} = 404) { return 404; }`,
      "return 405;",
    ),
    ...documentKinds(table).flatMap(({ contentType, cacheControl }, index) =>
      block(
        `location ${documentsPlace(index)}`,
        errorPage(notFound),
        ...typed(contentType),
        ...addHeaders(common),
        `add_header Cache-Control ${quoted(verbatim(cacheControl))};`,
        "rewrite ^ $stillapi_document break;",
      ),
    ),
    ...redirects.flatMap(({ to }, index) =>
      block(
        `location ${redirectPlace(index)}`,
        "absolute_redirect off;",
        ...addHeaders({ ...common, ...noStore }),
        `return 308 ${quoted(verbatim(to))};`,
      ),
    ),
    ...[base, ...pathsOutside(table)].flatMap((path) =>
      block(`location = ${path}`, ...refusal, "error_page 404 = $stillapi_place;", "return 404;"),
    ),
    ...block(
      `location ^~ /${errorFolder(base)}/`,
      "# Not reachable from outside.",
      "internal;",
      "error_page 404 = $stillapi_nothing;",
      "recursive_error_pages on;",
      ...typed(contentTypeOf(table)),
      ...addHeaders({ ...common, ...noStore }),
      "add_header Allow $stillapi_allow always;",
    ),
    ...block(`location = ${nothing(base)}`, ...absence(table)),
  );
}

/** The rest of a server that serves nothing but the API. */
export const only = (table: RoutingTable): string =>
  text(
    "# Also include this in server {} if it serves nothing but the API.",
    "# A path that is not validly encoded is refused before any location is looked up.",
    "error_page 400 = $stillapi_nothing;",
    "recursive_error_pages on;",
    ...block("location /", ...absence(table)),
  );

const absence = ({ notFound }: RoutingTable): readonly string[] => [...refusal, errorPage(notFound), "return 404;"];

const refusal: readonly string[] = [
  "error_page 405 = @stillapi_method;",
  "recursive_error_pages on;",
  `if (${byMethod}) { return 405; }`,
];

const errorPage = ({ status, file }: TableError): string => `error_page ${status} /${file};`;

/** Sets the error, from the last check to the first. */
function chooseError({ base, operations }: RoutingTable): readonly string[] {
  const set = (error: string) => `set $stillapi_error ${error};`;
  const filters = filterNumbers(operations);
  const errorsOf = (kind: Param["kind"]) => {
    const own = sharedParams(operations).filter(({ param }) => param.kind === kind);
    const bySlot = new Map(own.map(({ param }) => [param.slot, param.error.body.code]));
    return [...bySlot].map(([slot, code]) => ({ slot, error: `/${errorFile(base, code, "$stillapi_operation")}` }));
  };
  return [
    ...errorsOf("cursor").map(({ error }) => set(error)),
    ...filters
      .toReversed()
      .map((n) => `if (!-f $document_root$stillapi_filter_${n}) { ${set(`$stillapi_wrong_${n}`)} }`),
    ...errorsOf("limit").map(({ slot, error }) => `if (${partVariable(slot)} = "${refused}") { ${set(error)} }`),
    ...(filters.length < 2 ? [] : [`if ($stillapi_clash) { ${set("$stillapi_clash")} }`]),
  ];
}

const typed = (contentType: string): readonly string[] => [
  "types {}",
  `default_type ${quoted(contentType)};`,
  "# nginx would answer an invalid range with its error page.",
  "max_ranges 0;",
];

const addHeaders = (headers: RoutingTable["headers"]): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `add_header ${name} ${quoted(verbatim(value))} always;`);
