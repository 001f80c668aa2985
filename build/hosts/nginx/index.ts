// nginx: files to include, one in http {} and one or two in server {}.
//
// Relied on: map tests its regular expressions in order and is evaluated at most once a request, when it is needed;
// $request_uri is the target as sent, while locations match the decoded and merged path; add_header with "always" sends
// headers with errors too; variables of maps outlive try_files and error_page; a named location of error_page keeps the
// method and, with "=", sets the status; a map's value and the address of error_page may contain variables.
// https://nginx.org/en/docs/http/ngx_http_map_module.html https://nginx.org/en/docs/http/ngx_http_core_module.html

import { textFile } from "../../file.ts";
import { clashesOf } from "../../routing/combinations.ts";
import { errorFile, errorFolder } from "../../routing/paths.ts";
import type { Param, RoutingTable } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import { documentKinds, pathsOutside } from "../known-paths.ts";
import { publishing, publishScript } from "../publish/script.ts";
import { filterNumbers, refused, sharedParams } from "../readings.ts";
import { isLong, longestLine } from "../server-gaps.ts";
import { byMethod, documentsPlace, maps, nothing, partVariable, redirectPlace } from "./maps.ts";
import { block, quoted, text } from "./syntax.ts";

export const nginx: HostAdapter = {
  name: "nginx",
  signature: ["server", /^nginx/i],
  publishing: publishing("nginx", { title: "nginx", check: "sudo nginx -t", reload: "sudo nginx -s reload" }),
  owns: () => [],
  reads: () => [],
  files: () => [],
  beside(table, precompressed = false) {
    const configuration = [
      textFile("stillapi.maps.conf", maps(table)),
      textFile("stillapi.server.conf", server(table, precompressed)),
      textFile("stillapi.only.conf", only(table)),
    ];
    const script = publishScript(table, {
      title: "nginx",
      configuration,
      root: { file: "stillapi.root.conf", text: 'root "%s";' },
      check: "nginx -t",
      reload: "nginx -s reload",
    });
    return [...configuration, ...script];
  },
  loads: ["stillapi.maps.conf", "stillapi.server.conf", "stillapi.only.conf"],
  sidecars: ["gzip", "br"],
  program: {
    command: "nginx",
    install: "sudo apt-get install nginx-light, brew install nginx, or https://nginx.org/en/download.html",
    run: (site) => ({
      files: [textFile("nginx.conf", standalone(site))],
      args: ["-p", site.folder, "-c", "nginx.conf"],
    }),
  },
  gaps: [
    {
      requests: `a request line of more than ${longestLine} bytes`,
      happens: "414 with nginx's error page",
      reason: "nginx reads no longer one (large_client_header_buffers), which keeps the rules from costing time",
      covers: isLong,
    },
    {
      requests: "a page with a precondition `If-Match` or `If-Unmodified-Since` that fails",
      happens: "412 with nginx's error page and the API's CORS headers",
      reason: "nginx evaluates preconditions itself, and has no rule that removes a header of the request",
      covers: ({ headers = {} }, { status }) => status === 200 && preconditions.some((name) => name in headers),
    },
  ],
};

const preconditions = ["if-match", "if-unmodified-since"];

/** A server that serves nothing but the API. */
const standalone = ({ publishRoot, beside, port }: Site): string =>
  text(
    "daemon off;",
    "# One process that keeps its user, so that it can read what that user can.",
    "master_process off;",
    "pid nginx.pid;",
    "error_log stderr crit;",
    "events {}",
    "http {",
    "  access_log off;",
    ...["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `  ${name}_temp_path ${name};`),
    `  include "${beside}/stillapi.maps.conf";`,
    "  server {",
    `    listen 127.0.0.1:${port};`,
    `    root "${publishRoot}";`,
    `    include "${beside}/stillapi.server.conf";`,
    `    include "${beside}/stillapi.only.conf";`,
    "  }",
    "}",
  );

/** Sets the error, from the last check to the first. */
function missingPage({ base, operations }: RoutingTable): readonly string[] {
  const params = sharedParams(operations).map(({ param }) => param);
  const errors = (kind: Param["kind"]) =>
    new Map(
      params
        .filter((param) => param.kind === kind)
        .map(({ slot, error }) => [slot, `/${errorFile(base, error.body.code, "$stillapi_operation")}`]),
    );
  const set = (error: string) => `set $stillapi_error ${error};`;
  return [
    ...[...errors("cursor").values()].map(set),
    ...filterNumbers(operations)
      .toReversed()
      .map((n) => `if (!-f $document_root$stillapi_filter_${n}) { ${set(`$stillapi_wrong_${n}`)} }`),
    ...[...errors("limit")].map(([slot, error]) => `if (${partVariable(slot)} = "${refused}") { ${set(error)} }`),
    ...(operations.some((each) => clashesOf(each).length > 0)
      ? [`if ($stillapi_clash) { ${set("$stillapi_clash")} }`]
      : []),
  ];
}

const pageOf = (status: number, file: string): string => `error_page ${status} /${file};`;

/** The locations of the API in a server that may serve other content too. */
function server(table: RoutingTable, precompressed: boolean): string {
  const { base, notFound, methodNotAllowed } = table;
  return text(
    "# Include this in server {}, whose root is the publish root.",
    "# TRACE is refused before any location is looked up.",
    pageOf(405, methodNotAllowed.file),
    ...block(
      `location ^~ ${base}`,
      ...refusal,
      ...headers(table),
      ...cached,
      ...(precompressed ? compressed : []),
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
      ...headers(table),
      ...cached,
      ...(precompressed ? compressed : []),
      "try_files $stillapi_any_page @stillapi_missing;",
    ),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...block(
      "location @stillapi_missing",
      "error_page 400 $stillapi_error;",
      `set $stillapi_error /${notFound.file};`,
      ...missingPage(table),
      "return 400;",
    ),
    ...methodLocation(table),
    ...documentLocations(table, precompressed),
    ...block(
      `location ^~ /${errorFolder(base)}/`,
      "# Not reachable from outside.",
      "internal;",
      "error_page 404 = $stillapi_nothing;",
      "recursive_error_pages on;",
      ...headers(table),
      `add_header Cache-Control ${quoted(table.errorCacheControl)} always;`,
      "add_header Allow $stillapi_allow always;",
    ),
    ...block(`location = ${nothing(base)}`, ...absence(table)),
  );
}

/** The location for methods that no file answers. */
const methodLocation = ({ notFound, methodNotAllowed, ...table }: RoutingTable): readonly string[] => {
  const { "Content-Type": _, ...others } = table.headers;
  return block(
    "location @stillapi_method",
    pageOf(404, notFound.file),
    pageOf(405, methodNotAllowed.file),
    ...addHeaders({ ...others, ...table.preflight }),
    `if (${byMethod} = 204) { return 204; }`,
    `if (${byMethod} = 404) { return 404; }`,
    "return 405;",
  );
};

function documentLocations(table: RoutingTable, precompressed: boolean): readonly string[] {
  const { notFound, redirects, errorCacheControl } = table;
  const { "Content-Type": _, ...others } = table.headers;
  return [
    ...documentKinds(table).flatMap(({ contentType, cacheControl }, index) =>
      block(
        `location ${documentsPlace(index)}`,
        pageOf(404, notFound.file),
        ...headers({ headers: { ...table.headers, "Content-Type": contentType } }),
        `add_header Cache-Control ${quoted(cacheControl)};`,
        ...(precompressed ? compressed : []),
        "rewrite ^ $stillapi_document break;",
      ),
    ),
    ...redirects.flatMap(({ to }, index) =>
      block(
        `location ${redirectPlace(index)}`,
        "absolute_redirect off;",
        ...addHeaders({ ...others, "Cache-Control": errorCacheControl }),
        `return 308 ${quoted(to)};`,
      ),
    ),
    ...pathsOutside(table)
      .filter((path) => !path.startsWith(table.base))
      .flatMap((path) => block(`location = ${path}`, ...refusal, "error_page 404 = $stillapi_place;", "return 404;")),
  ];
}

/** https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html https://github.com/google/ngx_brotli */
const compressed: readonly string[] = [
  "gzip_static on;",
  "gzip_vary on;",
  "# Also for proxies, which tell their clients apart by Vary.",
  "gzip_proxied any;",
  "# Where nginx has the module for Brotli (Debian: libnginx-mod-http-brotli-static), write brotli_static on; in",
  "# server {}. Here it would keep every other nginx from starting.",
];

/** The rest of a server that serves nothing but the API. */
const only = (table: RoutingTable): string =>
  text(
    "# Also include this in server {} if it serves nothing but the API.",
    "# A path that is not validly encoded is refused before any location is looked up.",
    "error_page 400 = $stillapi_nothing;",
    "recursive_error_pages on;",
    ...block("location /", ...absence(table)),
  );

const absence = (table: RoutingTable): readonly string[] => [
  ...refusal,
  pageOf(404, table.notFound.file),
  "return 404;",
];

const refusal: readonly string[] = [
  "error_page 405 = @stillapi_method;",
  "recursive_error_pages on;",
  `if (${byMethod}) { return 405; }`,
];

const headers = ({ headers }: Pick<RoutingTable, "headers">): readonly string[] => {
  const { "Content-Type": type = "application/json", ...others } = headers;
  return [
    "types {}",
    `default_type ${quoted(type)};`,
    "# nginx would answer an invalid range with its error page.",
    "max_ranges 0;",
    ...addHeaders(others),
  ];
};

const addHeaders = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(headers).map(([name, value]) => `add_header ${name} ${quoted(value)} always;`);

/** Without "always", so that nginx's error pages are not cached. */
const cached: readonly string[] = ["add_header Cache-Control $stillapi_cache_control;"];
