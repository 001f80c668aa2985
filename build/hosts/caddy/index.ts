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
import { unknownExpectation } from "../gaps.ts";
import type { HostAdapter, Site } from "../host.ts";
import { itemKeys, pathsOutside } from "../known-paths.ts";
import { noticeRules } from "../notices.ts";
import { publishing, publishScript, type Server } from "../publish/script.ts";
import { namesOf, refused } from "../readings.ts";
import { literal, text } from "../syntax.ts";
import { ignored, longestTarget, missing } from "./missing.ts";
import { block, characters, type Entries, headerLines, map, quoted, sendPage, verbatim } from "./syntax.ts";

const server: Server = {
  title: "Caddy",
  check: "caddy validate --config /etc/caddy/Caddyfile",
  reload: "caddy reload --config /etc/caddy/Caddyfile",
  root: { file: "stillapi.root.caddy", text: '(stillapi_root) {\\n\\troot * "%s"\\n}' },
};

export const caddy: HostAdapter = {
  name: "caddy",
  signature: ["server", /^Caddy/i],
  publishing: publishing("caddy", server),
  owns: () => [],
  reads: () => [],
  files: () => [],
  beside(table) {
    const configuration = [textFile("stillapi.caddy", snippets(table))];
    return [...configuration, ...publishScript(server, configuration)];
  },
  loads: ["stillapi.caddy"],
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

function snippets(table: RoutingTable): string {
  const { base } = table;
  const outside = pathsOutside(table).map((path) => `${literal(path)}$`);
  const answers = (matcher: string) => [
    ...block(`handle${matcher}`, "import stillapi_page"),
    ...block(`route${matcher}`, "import stillapi_missing"),
  ];
  return text(
    "# Import this file at the top of the Caddyfile. In the block of a site whose root is the publish root, write",
    "#   import stillapi        if it serves other content too, or",
    "#   import stillapi_only   if it serves nothing but the API.",
    "# Every map reads the target as sent, so that names and values are compared as the contract says.",
    ...block("(stillapi_page)", ...pageOrNothing(table)),
    ...block("(stillapi_missing)", ...missing(table)),
    ...block(
      "(stillapi)",
      `@stillapi path_regexp ${quoted(`^(?:${[`${literal(base)}(?:/|$)`, ...outside].join("|")})`)}`,
      ...answers(" @stillapi"),
    ),
    ...block("(stillapi_only)", ...answers("")),
  );
}

/** Answers the most common queries: parameters of the operation in any order, and no others. */
function pageOrNothing(table: RoutingTable): readonly string[] {
  const { base, operations, headers } = table;
  const methods = `(?:${table.methods.join("|")})`;
  const bare: Entries = operations.map(({ path }) => [`${path} GET `, `${path}.json`]);
  const paged: Entries = operations
    .flatMap((operation) => queries(operation).map((query) => ({ ...query, path: operation.path })))
    .sort((one, other) => one.pairs.length - other.pairs.length)
    .map(({ path, pairs, page }) => [`~^${literal(path)}\\?${pairs.join("&")} ${methods} $`, `${path}${page}.json`]);
  const items = itemKeys(table);
  const single: Entries = items.map(({ operations: own, key }) => [
    `~^${literal(base)}/(${namesOf(own)})/(${key})(?:\\?\\S*)? ${methods} $`,
    `${base}/$1${itemFolder}$2.json`,
  ]);
  return [
    ...characters,
    "# The key contains the method and the headers to which Caddy would react: a request with one of them matches no page.",
    ...map(
      `{http.request.orig_uri} {http.request.method} ${ignored.map((name) => `{http.request.header.${name}}`).join("")}`,
      ["page"],
      [...bare, ...paged, ...single],
      [`${base}/${refused}`],
    ),
    ...map(
      "{http.request.orig_uri.path}",
      ["list"],
      [
        ...operations.map(({ path }) => [path, path] as const),
        ...items.flatMap(({ operations: own, key }) =>
          own.map(({ path }) => [`~^${literal(path)}/${key}$`, path] as const),
        ),
      ],
    ),
    ...map(
      "{stillapi_list}",
      ["cache_control"],
      operations.map(({ path, cacheControl }) => [path, verbatim(cacheControl)]),
    ),
    ...block("header", ...headerLines(headers), "Cache-Control {stillapi_cache_control}"),
    ...notices(table),
    "rewrite {stillapi_page}",
    ...sendPage,
  ];
}

/** Tells of pages and items that they will go. A route, because directives of a handle block are sorted. */
function notices(table: RoutingTable): readonly string[] {
  const rules = noticeRules(table);
  if (rules.length === 0) return [];
  const methods = `(?:${table.methods.join("|")})`;
  return [
    ...map(
      "{http.request.method} {http.request.orig_uri}",
      ["notice"],
      rules.map(({ target }, index) => [`~^${methods} ${target}`, String(index + 1)]),
    ),
    ...rules.map((_, index) => `@stillapi_notice_${index + 1} vars {stillapi_notice} ${index + 1}`),
    ...block(
      "route",
      ...rules.flatMap(({ headers }, index) => block(`header @stillapi_notice_${index + 1}`, ...headerLines(headers))),
    ),
  ];
}

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
