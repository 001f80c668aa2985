// nginx: files to include, one in http {} and one or two in server {}.
//
// Relied on: map tests its regular expressions in order and is evaluated at most once a request, when it is needed;
// $request_uri is the target as sent, while locations match the decoded and merged path; add_header with
// "always" sends headers with errors too; variables of maps outlive try_files and error_page; a named location that
// error_page leads to keeps the method and, with "=", gives a status of its own.
// https://nginx.org/en/docs/http/ngx_http_map_module.html https://nginx.org/en/docs/http/ngx_http_core_module.html

import { textFile } from "../../file.ts";
import { errorFile, errorFolder } from "../../routing/paths.ts";
import type { Param, RoutingTable, TableOperation } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import {
  type FilterPage,
  filterNumbers,
  filterPages,
  namesOf,
  refused,
  sharedParams,
  targetReadings,
} from "../readings.ts";
import { isLong, longestLine } from "../server-gaps.ts";

export const nginx: HostAdapter = {
  name: "nginx",
  owns: [],
  reads: [],
  files: () => [],
  beside: (table, precompressed = false) => [
    textFile("edge-api.maps.conf", maps(table)),
    textFile("edge-api.server.conf", server(table, precompressed)),
    textFile("edge-api.only.conf", only(table)),
  ],
  sidecars: ["gzip", "br"],
  program: {
    command: "nginx",
    install: "apt-get install nginx-light, brew install nginx, or https://nginx.org/en/download.html",
    run: (site) => ({
      files: [textFile("nginx.conf", standalone(site))],
      args: ["-p", site.folder, "-c", "nginx.conf"],
    }),
  },
  gaps: [
    {
      requests: `a request line of more than ${longestLine} bytes`,
      happens: "414 with nginx's own page",
      reason: "nginx reads no longer one (large_client_header_buffers), which keeps the rules from costing time",
      covers: isLong,
    },
    {
      requests: "a page under the precondition `If-Match` or `If-Unmodified-Since`, where it fails",
      happens: "412 with nginx's own page and the API's CORS headers",
      reason: "nginx evaluates preconditions itself, and has no rule that removes a header of the request",
      covers: ({ headers = {} }, { status }) => status === 200 && preconditions.some((name) => name in headers),
    },
  ],
};

const preconditions = ["if-match", "if-unmodified-since"];

/** A server of the API alone, in a folder of its own. */
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
    `  include "${beside}/edge-api.maps.conf";`,
    "  server {",
    `    listen 127.0.0.1:${port};`,
    `    root "${publishRoot}";`,
    `    include "${beside}/edge-api.server.conf";`,
    `    include "${beside}/edge-api.only.conf";`,
    "  }",
    "}",
  );

function maps(table: RoutingTable): string {
  const { base, operations, methods, notFound } = table;
  return text(
    "# Include this in http {}. Every map reads the target as it was sent, so that names and values are compared as the",
    "# contract says: with their case and not decoded. A repeated parameter is refused.",
    '# Expressions cost less with "pcre_jit on;" at the top of nginx.conf.',
    ...map("$request_uri", "$edge_api", [[`~^${base}/${operationIn(table)}(?:\\?|$)`, "$edge_api_operation"]]),
    "# Most requests are the path of a page in other words.",
    ...map("$request_uri", "$edge_api_page", [spelledOut(table)], `${base}/${refused}`),
    ...map(
      "$request_method",
      "$edge_api_refused",
      methods.map((method) => [method, ""]),
      "1",
    ),
    ...partMaps(table),
    ...map(
      "$edge_api",
      "$edge_api_any_page",
      operations.map((operation) => [operation.name, page(operation, operation.pathOrder)]),
    ),
    ...filterMaps(operations, `/${notFound.file}`),
    "# Set by the expression that the target has matched.",
    ...map(
      "$edge_api_operation",
      "$edge_api_cache_control",
      operations.map(({ name, cacheControl }) => [name, cacheControl]),
    ),
    ...map("$status", "$edge_api_allow", [["405", methods.join(", ")]]),
    "# Whoever goes there has looked at the method, of which error_page then makes GET.",
    ...map("$edge_api_refused", "$edge_api_nothing", [], nothing),
  );
}

type Entries = readonly (readonly [key: string, value: string])[];

/** The first entry whose key matches gives the value. */
const map = (source: string, target: string, entries: Entries, otherwise = ""): readonly string[] => [
  `map ${source} ${target} {`,
  `  default "${otherwise}";`,
  ...entries.map(([key, value]) => `  "${key}" "${value}";`),
  "}",
];

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

/**
 * A target whose words, in order, are the path of a page: the operation, then names and values in the order of the path.
 * The pairs fill the captures from the last one; unused captures leave only slashes. If there is no such page, the target
 * may still have one.
 */
function spelledOut(table: RoutingTable): Entries[number] {
  const { base, operations } = table;
  // nginx has nine captures: two for each pair, and the first for the operation.
  const pairs = Math.min(4, Math.max(...operations.map(({ params }) => params.length)));
  // In lowercase, because a file system that ignores case finds files under other names.
  const pair = "([a-z_]+)=([a-z0-9_-]+)";
  const query = Array.from({ length: pairs }).reduce<string>(
    (before) => (before === "" ? pair : `(?:${before}&)?${pair}`),
    "",
  );
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [`~^${base}/${operationIn(table)}${query && `(?:\\?${query})?`}$`, `${base}${captures}.json`];
}

const operationIn = ({ operations }: RoutingTable): string => `(?<edge_api_operation>${namesOf(operations)})`;

/** A map for each slot: the part of the path that the parameter makes. */
const partMaps = (table: RoutingTable): readonly string[] =>
  targetReadings(table, "$1").flatMap(({ slot, entries }) =>
    map(
      "$request_uri",
      partVariable(slot),
      entries.map(([expression, part]) => [`~${expression}`, part]),
    ),
  );

/** For the first filter of each operation, the second and so on: the page that has to exist, and the error if not. */
const filterMaps = (operations: readonly TableOperation[], found: string): readonly string[] =>
  filterNumbers(operations).flatMap((number) => {
    const entries = (value: (operation: TableOperation, of: FilterPage) => string): Entries =>
      operations.flatMap((operation) => {
        const own = filterPages(operation)[number - 1];
        return own === undefined ? [] : [[operation.name, value(operation, own)] as const];
      });
    return [
      ...map(
        "$edge_api",
        `$edge_api_filter_${number}`,
        entries((operation, { slots }) => page(operation, slots)),
        found,
      ),
      ...map(
        "$edge_api",
        `$edge_api_wrong_${number}`,
        entries((_, { param }) => `/${param.error.file}`),
      ),
    ];
  });

/** Short: nginx's hash of variables has no room for names of more than 46 letters, and a slot may have 32. */
const partVariable = (slot: string): string => `$edge_api_part_${slot}`;

const page = ({ path }: TableOperation, slots: readonly string[]): string =>
  `${path}${slots.map(partVariable).join("")}.json`;

/** What is wrong, from the last check to the first. */
function missingPage(operations: readonly TableOperation[]): readonly string[] {
  const params = sharedParams(operations).map(({ param }) => param);
  const errors = (kind: Param["kind"]) =>
    new Map(
      params
        .filter((param) => param.kind === kind)
        .map(({ slot, error }) => [slot, `/${errorFile(error.body.code, "$edge_api_operation")}`]),
    );
  const set = (error: string) => `set $edge_api_error ${error};`;
  return [
    ...[...errors("cursor").values()].map((error) => `  ${set(error)}`),
    ...filterNumbers(operations)
      .toReversed()
      .map((n) => `  if (!-f $document_root$edge_api_filter_${n}) { ${set(`$edge_api_wrong_${n}`)} }`),
    ...[...errors("limit")].map(([slot, error]) => `  if (${partVariable(slot)} = "${refused}") { ${set(error)} }`),
  ];
}

const pageOf = (status: number, file: string): string => `error_page ${status} /${file};`;

/** The API's place in a server that may serve other things too. */
function server(table: RoutingTable, precompressed: boolean): string {
  const { base, notFound, methodNotAllowed, operations } = table;
  return text(
    "# Include this in server {}, whose root is the publish root.",
    "# TRACE is refused before any location is looked up.",
    pageOf(405, methodNotAllowed.file),
    `location ^~ ${base} {`,
    ...refusal(table),
    ...headers(table),
    ...cached,
    ...(precompressed ? compressed : []),
    "  # Costs less than try_files, which looks for the file before it is opened.",
    "  rewrite ^ $edge_api_page break;",
    "  error_page 404 = @edge_api_other;",
    "  recursive_error_pages on;",
    "  log_not_found off;",
    "}",
    "# The target has other words than the path of its page, or there is no page.",
    "location @edge_api_other {",
    `  ${pageOf(404, notFound.file)}`,
    '  if ($edge_api = "") { return 404; }',
    ...headers(table),
    ...cached,
    ...(precompressed ? compressed : []),
    "  try_files $edge_api_any_page @edge_api_missing;",
    "}",
    "# There is no such page: the cursor is wrong, unless a filter's value is, unless the limit is.",
    "location @edge_api_missing {",
    "  error_page 400 $edge_api_error;",
    `  set $edge_api_error /${notFound.file};`,
    ...missingPage(operations),
    "  return 400;",
    "}",
    `location ^~ /${errorFolder}/ {`,
    "  # From outside there is nothing.",
    "  internal;",
    "  error_page 404 = $edge_api_nothing;",
    "  recursive_error_pages on;",
    ...headers(table),
    `  add_header Cache-Control "${table.errorCacheControl}" always;`,
    "  add_header Allow $edge_api_allow always;",
    "}",
    `location = ${nothing} {`,
    ...absence(table),
    "}",
  );
}

/** The address that nginx goes to where it has refused a request without looking for a location. */
const nothing = `/${errorFolder}/nothing`;

/** https://nginx.org/en/docs/http/ngx_http_gzip_static_module.html https://github.com/google/ngx_brotli */
const compressed: readonly string[] = [
  "  gzip_static on;",
  "  gzip_vary on;",
  "  # Also for proxies, which tell their clients apart by Vary.",
  "  gzip_proxied any;",
  "  # Where nginx has the module for Brotli (Debian: libnginx-mod-http-brotli-static), write brotli_static on; in",
  "  # server {}. Here it would keep every other nginx from starting.",
];

/** The rest of a server that serves nothing but the API. */
const only = (table: RoutingTable): string =>
  text(
    "# Include this in server {} too where it serves nothing but the API.",
    "# A path that is not validly encoded is refused before any location is looked up.",
    "error_page 400 = $edge_api_nothing;",
    "recursive_error_pages on;",
    "location / {",
    ...absence(table),
    "}",
  );

const absence = (table: RoutingTable): readonly string[] => [
  ...refusal(table),
  `  ${pageOf(404, table.notFound.file)}`,
  "  return 404;",
];

const refusal = ({ methodNotAllowed }: RoutingTable): readonly string[] => [
  `  ${pageOf(405, methodNotAllowed.file)}`,
  "  if ($edge_api_refused) { return 405; }",
];

const headers = ({ headers }: RoutingTable): readonly string[] => {
  const { "Content-Type": type = "application/json", ...others } = headers;
  return [
    `  types { ${type} json; }`,
    `  default_type ${type};`,
    "  # A bad range would be answered with nginx's own page.",
    "  max_ranges 0;",
    ...Object.entries(others).map(([name, value]) => `  add_header ${name} "${value}" always;`),
  ];
};

/** Not "always", so that nginx's own errors are not cached. */
const cached: readonly string[] = ["  add_header Cache-Control $edge_api_cache_control;"];
