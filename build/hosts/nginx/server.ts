// nginx: the file for server {}. Its locations send the files that the maps name, or an error.
import { asset } from "../../asset.ts";
import { errorFile, errorFolder } from "../../routing/paths.ts";
import { bodiless } from "../../routing/resolve.ts";
import { contentTypeOf, type Param, type RoutingTable } from "../../routing/table.ts";
import { documentKinds, noticedHeaders, pathsOutside } from "../known-paths.ts";
import { filterNumbers, refused, sharedParams } from "../readings.ts";
import { filled } from "../syntax.ts";
import { documentsPlace, headerVariable, nothing, partVariable, redirectPlace } from "./maps.ts";
import { block, quoted, verbatim } from "./syntax.ts";

/** The locations of the API in a server that may serve other content too. */
export function server(table: RoutingTable): string {
  const { base, notFound, methodNotAllowed, redirects } = table;
  const common = bodiless(table);
  const type = contentTypeOf(table);
  const noticed = noticedHeaders(table);
  const steady = Object.entries(common).filter(([name]) => !noticed.some(([other]) => other === name));
  const noStore = { "Cache-Control": table.errorCacheControl };
  return filled(asset("hosts/nginx/server.conf"), {
    base,
    notFound: notFound.file,
    methodNotAllowed: methodNotAllowed.file,
    page: [
      ...typed(type, ...whole),
      ...addHeaders(Object.fromEntries(steady)),
      ...noticed.map(([name], index) => `add_header ${name} ${headerVariable(index)} always;`),
      // Without "always", so that nginx's error pages are not cached.
      "add_header Cache-Control $stillapi_cache_control;",
    ],
    errors: chooseError(table),
    preflight: addHeaders({ ...common, ...table.preflight }),
    documents: documentKinds(table).flatMap(({ contentType, cacheControl }, kind) => {
      const place = documentsPlace(kind);
      const sending = (...rules: readonly string[]) => [
        `error_page 404 /${notFound.file};`,
        ...typed(contentType, ...rules),
        ...addHeaders(common),
        `add_header Cache-Control ${quoted(verbatim(cacheControl))};`,
        "rewrite ^ $stillapi_document break;",
      ];
      if (contentType !== "application/x-ndjson") return block(`location ${place}`, ...sending(...whole));
      const resumed = ["# A download may be resumed. Of an invalid range, the whole file is sent.", "max_ranges 1;"];
      return [
        ...block(
          `location ${place}`,
          `error_page 416 = ${place}_whole;`,
          "recursive_error_pages on;",
          ...sending(...resumed),
        ),
        ...block(`location ${place}_whole`, ...sending(...whole)),
      ];
    }),
    redirects: redirects.flatMap(({ to }, index) =>
      block(
        `location ${redirectPlace(index)}`,
        "absolute_redirect off;",
        ...addHeaders({ ...common, ...noStore }),
        `return 308 ${quoted(verbatim(to))};`,
      ),
    ),
    paths: [base, ...pathsOutside(table)].flatMap((path) =>
      block(
        `location = ${path}`,
        "error_page 405 = @stillapi_method;",
        "recursive_error_pages on;",
        "if ($stillapi_by_method) { return 405; }",
        "error_page 404 = $stillapi_place;",
        "return 404;",
      ),
    ),
    errorFolder: errorFolder(base),
    error: [...typed(type, ...whole), ...addHeaders({ ...common, ...noStore })],
    nothing: nothing(base),
  });
}

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

const typed = (contentType: string, ...ranges: readonly string[]): readonly string[] => [
  "types {}",
  `default_type ${quoted(contentType)};`,
  ...ranges,
];

const whole = ["# nginx would answer an invalid range with its error page.", "max_ranges 0;"];

const addHeaders = (headers: RoutingTable["headers"]): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `add_header ${name} ${quoted(verbatim(value))} always;`);
