// nginx: the file for server {}. Its locations send the files that the maps name, or an error.
import { asset } from "../../files/asset.ts";
import { errorFile, errorFolder } from "../../routing/paths.ts";
import { bodiless, documentHeaders } from "../../routing/resolve.ts";
import { contentTypeOf, type RoutingTable } from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import { documentKinds, noticedHeaders, outputPath, outputsOutside, pathsOutside } from "../known-paths.ts";
import { filterNumbers, invalidPart } from "../readings.ts";
import { filled } from "../syntax.ts";
import { documentsPlace, headerVariable, partVariables, redirectPlace, refusals } from "./maps.ts";
import { block, quoted, verbatim } from "./syntax.ts";

/** The locations of the API in a server that may serve other content too. */
export function server(table: RoutingTable): string {
  const { base, notFound, redirects, lost } = table;
  const name = apiName(base);
  const root = `root $${name}_root;`;
  const common = bodiless(table);
  const type = contentTypeOf(table);
  const noticed = noticedHeaders(table);
  const otherHeaders = Object.entries(common).filter(([name]) => !noticed.some(([other]) => other === name));
  // Quoted, because an expression has braces.
  const outside = (before: string) =>
    outputsOutside(table).map((output) => `~ ${quoted(`^${before}${outputPath(output)}$`)}`);
  const noStore = { "Cache-Control": table.errorCacheControl };
  return filled(asset("hosts/nginx/server.conf"), {
    name,
    base,
    root,
    notFound: notFound.file,
    methodNotAllowed: table.methodNotAllowed.file,
    page: [
      ...typed(type, root, ...whole),
      ...addHeaders(name, Object.fromEntries(otherHeaders)),
      ...noticed.map(([header], index) => `add_header ${header} ${headerVariable(name, index)} always;`),
      // Without "always", so that nginx's error pages are not cached.
      `add_header Cache-Control $${name}_cache_control;`,
    ],
    errors: chooseError(table),
    preflight: addHeaders(name, { ...common, ...table.preflight }),
    documents: documentKinds(table).flatMap((kind, index) => {
      const { contentType, outputs } = kind;
      const { "Content-Type": _, ...headers } = documentHeaders(kind);
      const place = documentsPlace(name, index);
      // The path of an output may be that of a folder.
      const send = outputs.length > 0 ? `try_files $${name}_document =404;` : `rewrite ^ $${name}_document break;`;
      const sending = (...rules: readonly string[]) => [
        `error_page 404 $${name}_nothing;`,
        ...typed(contentType, root, ...rules),
        ...addHeaders(name, common),
        ...addHeaders(name, headers, ""),
        send,
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
        `location ${redirectPlace(name, index)}`,
        "absolute_redirect off;",
        ...addHeaders(name, { ...common, ...noStore }),
        `return 308 ${quoted(verbatim(name, to))};`,
      ),
    ),
    paths: [base, ...pathsOutside(table)]
      .map((path) => `= ${path}`)
      .concat(outside(""))
      .flatMap((path) =>
        block(
          `location ${path}`,
          `error_page 405 = @${name}_method;`,
          "recursive_error_pages on;",
          `if ($${name}_by_method) { return 405; }`,
          `error_page 404 = $${name}_place;`,
          "return 404;",
        ),
      ),
    tracedPaths: [
      `^~ ${refusals.traced}${base}`,
      ...pathsOutside(table).map((path) => `= ${refusals.traced}${path}`),
      ...outside(refusals.traced),
    ].flatMap((path) =>
      block(
        `location ${path}`,
        "internal;",
        `error_page 404 = ${refusals.refusedPath}${base};`,
        "recursive_error_pages on;",
        `rewrite ^ /${table.methodNotAllowed.file} last;`,
      ),
    ),
    lost:
      lost === undefined
        ? []
        : block(
            `location = /${lost.file}`,
            "# Not reachable from outside.",
            "internal;",
            `error_page 404 = ${refusals.refusedPath}${base};`,
            "recursive_error_pages on;",
            ...typed(lost.contentType, root, ...whole),
            ...addHeaders(name, { ...common, ...noStore }),
          ),
    errorFolder: errorFolder(base),
    error: [...typed(type, root, ...whole), ...addHeaders(name, { ...common, ...noStore })],
    ...refusals,
  });
}

/** Sets the error, from the last check to the first. */
function chooseError(table: RoutingTable): readonly string[] {
  const { base, operations } = table;
  const name = apiName(base);
  const part = partVariables(table);
  const set = (error: string) => `set $${name}_error ${error};`;
  const filters = filterNumbers(operations);
  const errorOf = (param: "limit" | "cursor") => `/${errorFile(base, `invalid_${param}`, `$${name}_operation`)}`;
  const hasLimits = operations.some(({ limit }) => limit !== undefined);
  const hasCursors = operations.some(({ cursor }) => cursor !== undefined);
  return [
    ...(hasCursors ? [set(errorOf("cursor"))] : []),
    ...filters.toReversed().map((n) => `if (!-f $document_root$${name}_filter_${n}) { ${set(`$${name}_wrong_${n}`)} }`),
    ...(hasLimits ? [`if (${part({ name: "limit" })} = "${invalidPart}") { ${set(errorOf("limit"))} }`] : []),
    ...(filters.length < 2 ? [] : [`if ($${name}_clash) { ${set(`$${name}_clash`)} }`]),
  ];
}

const typed = (contentType: string, ...rules: readonly string[]): readonly string[] => [
  "types {}",
  `default_type ${quoted(contentType)};`,
  ...rules,
];

const whole = ["# nginx would answer an invalid range with its error page.", "max_ranges 0;"];

/** Without "always", only successes and redirects have the headers. */
const addHeaders = (name: string, headers: RoutingTable["headers"], when = " always"): readonly string[] =>
  Object.entries(headers).map(([header, value]) => `add_header ${header} ${quoted(verbatim(name, value))}${when};`);
