// Caddy: snippets to import. Finding a page takes one lookup in a map. The rules look for faults only if the page is
// missing.
//
// Relied on: map compares its source with its keys in order, each time an output is used, and inserts captures into the
// output without expanding them again; {http.request.orig_uri} is the target as sent; file_server with pass_thru
// continues if the file is missing, and sets no Content-Type if one is set; directives of a site are sorted, handle
// before route before file_server, and directives in a route are not; since 2.6.3 only the first matching rewrite of a
// block applies, so each rewrite has a separate block.
// https://caddyserver.com/docs/caddyfile/directives https://caddyserver.com/docs/caddyfile/directives/map
// https://caddyserver.com/docs/caddyfile/directives/file_server https://caddyserver.com/docs/conventions#placeholders
import { textFile } from "../../file.ts";
import { goTogether } from "../../routing/combinations.ts";
import { inPathOrder } from "../../routing/parts.ts";
import { itemFolder } from "../../routing/paths.ts";
import type { Param, RoutingTable, TableOperation } from "../../routing/table.ts";
import { type Choice, choicesOf } from "../choices.ts";
import type { HostAdapter, Site } from "../host.ts";
import { itemKeys, pathsOutside } from "../known-paths.ts";
import { publishing, publishScript } from "../publish/script.ts";
import { clashReadings, filterNumbers, filtersIn, namesOf, refused, targetReadings } from "../readings.ts";
import { unknownExpectation } from "../server-gaps.ts";
import { elsewhere, preflight, sendPage } from "./elsewhere.ts";
import { block, type Entries, map, quoted, target, text } from "./syntax.ts";

/** In bytes, like the limit of other servers. A target with the usual parameters is shorter. */
const longestTarget = 8_192;

const server = {
  title: "Caddy",
  check: "caddy validate --config /etc/caddy/Caddyfile",
  reload: "caddy reload --config /etc/caddy/Caddyfile",
};

export const caddy: HostAdapter = {
  name: "caddy",
  signature: ["server", /^Caddy/i],
  publishing: publishing("caddy", server),
  owns: () => [],
  reads: () => [],
  files: () => [],
  beside(table, precompressed = false) {
    const configuration = [textFile("stillapi.caddy", snippets(table, precompressed))];
    const script = publishScript(table, {
      ...server,
      configuration,
      root: { file: "stillapi.root.caddy", text: '(stillapi_root) {\\n\\troot * "%s"\\n}' },
    });
    return [...configuration, ...script];
  },
  loads: ["stillapi.caddy"],
  sidecars: ["br", "gzip"],
  program: {
    command: "caddy",
    install: "sudo apt-get install caddy, brew install caddy, or https://caddyserver.com/docs/install",
    run: (site) => ({
      files: [textFile("Caddyfile", standalone(site))],
      args: ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
      env: { XDG_CONFIG_HOME: site.folder, XDG_DATA_HOME: site.folder },
    }),
  },
  gaps: [
    unknownExpectation("Go's HTTP server, which Caddy is made of,"),
    {
      requests: "paths that are not validly encoded",
      happens: "400 with the text `400 Bad Request`, instead of 404 or 405",
      reason: "Go's HTTP server, which Caddy uses, refuses such a request before Caddy sees it",
      covers: ({ path }) => /%(?![0-9a-f]{2})/i.test(path),
    },
    {
      requests: `a target of more than ${longestTarget} bytes`,
      happens: "414 without a body",
      reason: "reading a query takes time in proportion to its length, and Caddy accepts a megabyte",
      covers: ({ path, query }) => path.length + query.length >= longestTarget,
    },
  ],
};

/** A server that serves nothing but the API. */
const standalone = ({ publishRoot, beside, port }: Site): string =>
  text(
    ...block("", "admin off", "auto_https off", ...block("log", "output stderr", "level ERROR")),
    `import "${beside}/stillapi.caddy"`,
    ...block(`http://:${port}`, "bind 127.0.0.1", `root * "${publishRoot}"`, "import stillapi_only"),
  );

function snippets(table: RoutingTable, precompressed: boolean): string {
  const { base } = table;
  const answers = (matcher: string) => [
    ...block(`handle${matcher}`, "import stillapi_page"),
    ...block(`route${matcher}`, "import stillapi_missing"),
  ];
  return text(
    "# Import this file at the top of the Caddyfile. In the block of a site whose root is the publish root, write",
    "#   import stillapi        if it serves other content too, or",
    "#   import stillapi_only   if it serves nothing but the API.",
    "# Every map reads the target as sent, so that names and values are compared as the contract says.",
    ...block("(stillapi_page)", ...pageOrNothing(table, precompressed)),
    ...block("(stillapi_missing)", ...missing(table, precompressed)),
    ...block(
      "(stillapi)",
      `@stillapi path ${[base, `${base}/*`, ...pathsOutside(table)].join(" ")}`,
      ...answers(" @stillapi"),
    ),
    ...block("(stillapi_only)", ...answers("")),
  );
}

/** A page is always sent whole, even if the client asks for a range or another version. */
const ignored = ["Range", "If-Match", "If-Unmodified-Since"];

/** Answers the most common queries: parameters of the operation in any order, and no others. */
function pageOrNothing(
  { base, operations, headers, methods }: RoutingTable,
  precompressed: boolean,
): readonly string[] {
  const items = itemKeys({ operations });
  const bare: Entries = operations.map(({ path }) => [`${path} GET `, `${path}.json`]);
  const paged: Entries = operations
    .flatMap((operation) => queries(operation).map((query) => ({ ...query, path: operation.path })))
    .sort((one, other) => one.pairs.length - other.pairs.length)
    .map(({ path, pairs, page }) => [
      `~^${path}\\?${pairs.join("&")} (?:${methods.join("|")}) $`,
      `${path}${page}.json`,
    ]);
  const single: Entries = items.map(({ operations: own, key }) => [
    `~^${base}/(${namesOf(own)})/(${key})(?:\\?\\S*)? (?:${methods.join("|")}) $`,
    `${base}/$1${itemFolder}$2.json`,
  ]);
  const cached: Entries = [
    ...operations.map(({ path, cacheControl }) => [path, cacheControl] as const),
    ...items.flatMap(({ operations: own, key }) =>
      own.map(({ path, cacheControl }) => [`~^${path}/${key}$`, cacheControl] as const),
    ),
  ];
  return [
    "# The key contains the method and the headers to which Caddy would react: a request with one of them matches no page.",
    ...map(
      `{http.request.orig_uri} {http.request.method} ${ignored.map((name) => `{http.request.header.${name}}`).join("")}`,
      ["page"],
      [...bare, ...paged, ...single],
      [`${base}/${refused}`],
    ),
    ...map("{http.request.orig_uri.path}", ["cache_control"], cached),
    ...block(
      "header",
      ...Object.entries(headers).map(([name, value]) => `${name} ${quoted(value)}`),
      "Cache-Control {stillapi_cache_control}",
    ),
    ...(precompressed ? ["# file_server adds Vary itself if it sends a compressed file.", ...vary()] : []),
    "rewrite {stillapi_page}",
    ...sendPage(precompressed),
  ];
}

const vary = (): readonly string[] => block("header", 'Vary "Accept-Encoding"', "defer");

/**
 * Every choice of parameters that go together, with the rest of the page's path after the operation: in every order up to
 * three parameters, and in the order of the path if there are more.
 */
function queries(operation: TableOperation): readonly { readonly pairs: readonly string[]; readonly page: string }[] {
  let chosen: readonly (readonly Pair[])[] = [[]];
  for (const param of inPathOrder(operation)) {
    // Without the limits that are rounded to another size: they are many and rarely sent.
    const pairs = choicesOf(param)
      .filter(({ rounded }) => !rounded)
      .map((choice) => ({ ...choice, param }));
    chosen = chosen.flatMap((each) => [each, ...pairs.map((pair) => [...each, pair])]);
  }
  return chosen
    .filter(
      (each) =>
        each.length > 0 &&
        goTogether(
          operation,
          each.map(({ param }) => param),
        ),
    )
    .flatMap((each) =>
      (each.length > 3 ? [each] : orders(each)).map((order) => ({
        pairs: order.map(({ param, pattern }) => `${param.name}=(${pattern})`),
        page: each.map((pair) => pair.part(`$${order.indexOf(pair) + 1}`)).join(""),
      })),
    );
}

interface Pair extends Choice {
  readonly param: Param;
}

const orders = <Each>(list: readonly Each[]): readonly (readonly Each[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((first) => orders(list.filter((each) => each !== first)).map((rest) => [first, ...rest]));

/** Parses the whole query: its order is unusual, it has other parameters, or it has a fault. */
function missing(table: RoutingTable, precompressed: boolean): readonly string[] {
  const { base, operations, methods, allow, methodNotAllowed, notFound, errorCacheControl } = table;
  const nothing = `/${notFound.file}`;
  const params = operations.flatMap((operation) => operation.params);
  const limits = new Set(params.filter(({ kind }) => kind === "limit").map(({ slot }) => slot));
  const filters = filterNumbers(operations);
  const errorOf = ({ params }: TableOperation, kind: Param["kind"]) => {
    const error = params.find((param) => param.kind === kind)?.error;
    return error === undefined ? nothing : `/${error.file}`;
  };
  const noStore = [
    `header Cache-Control "${errorCacheControl}"`,
    "# An error is always sent whole.",
    "request_header -If-*",
  ];
  return [
    "# The following rules take time in proportion to the length of the target.",
    `@stillapi_long expression size(${target}) > ${longestTarget}`,
    ...block(
      "handle @stillapi_long",
      `header Cache-Control "${errorCacheControl}"`,
      "header -Content-Type",
      "respond 414",
    ),
    ...ignored.map((name) => `request_header -${name}`),
    "@stillapi_preflight method OPTIONS",
    ...block("route @stillapi_preflight", ...preflight(table, noStore)),
    `@stillapi_method not method ${methods.join(" ")}`,
    ...block(
      "handle @stillapi_method",
      ...noStore,
      `header Allow ${quoted(allow)}`,
      "# file_server sends no file in answer to another method.",
      "method GET",
      `rewrite * /${methodNotAllowed.file}`,
      ...block("file_server", `status ${methodNotAllowed.status}`),
    ),
    ...map(
      target,
      ["operation"],
      operations.map(({ name, path }) => [`~^${path}(?:\\?|$)`, name]),
    ),
    '@stillapi_elsewhere vars {stillapi_operation} ""',
    ...block("route @stillapi_elsewhere", ...elsewhere(table, noStore, precompressed)),
    ...targetReadings(table, "$1").flatMap(({ slot, entries }) =>
      map(
        target,
        [`part_${slot}`],
        entries.map(([expression, part]) => [`~${expression}`, part]),
      ),
    ),
    ...map(
      "{stillapi_operation}",
      ["any_page", "bad_limit", "bad_cursor", "status", ...filters.flatMap((n) => [`filter_${n}`, `wrong_${n}`])],
      operations.map((operation) => [
        operation.name,
        page(operation, operation.pathOrder),
        errorOf(operation, "limit"),
        errorOf(operation, "cursor"),
        String(operation.params[0]?.error.status ?? notFound.status),
        ...filters.flatMap((n) => {
          const own = filtersIn(operation)[n - 1];
          return own === undefined ? [nothing, nothing] : [page(operation, [own.slot]), `/${own.error.file}`];
        }),
      ]),
      [`${base}/${refused}`, nothing, nothing, String(notFound.status), ...filters.flatMap(() => [nothing, nothing])],
    ),
    ...block("route", "rewrite {stillapi_any_page}", ...sendPage(precompressed)),
    "# The page does not exist: the limit is wrong, or else a filter's value, or else the cursor.",
    ...noStore,
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
    ...refuseClashes(operations),
    ...block("file_server", "status {stillapi_status}"),
  ];
}

function refuseClashes(operations: readonly TableOperation[]): readonly string[] {
  const entries = operations.flatMap(clashReadings);
  if (entries.length === 0) return [];
  return [
    ...map(
      filterNumbers(operations)
        .map((n) => `{stillapi_filter_${n}} `)
        .join(""),
      ["clash"],
      entries.map(({ expression, error }) => [`~${expression}`, `/${error.file}`]),
    ),
    '@stillapi_clash not vars {stillapi_clash} ""',
    ...block("route @stillapi_clash", "rewrite {stillapi_clash}"),
  ];
}

const partVariable = (slot: string): string => `{stillapi_part_${slot}}`;

const page = ({ path }: TableOperation, slots: readonly string[]): string =>
  `${path}${slots.map(partVariable).join("")}.json`;
