// Caddy: snippets to import. A page is one lookup in a map, and what goes wrong is only looked into once its file is
// found to be missing.
//
// Relied on: map compares its source with its keys in order, each time an output is used, and puts captures into the
// output without looking at it again; {http.request.orig_uri} is the target as it was sent; file_server with
// pass_thru goes on where the file is missing, and sets no Content-Type where there is one; directives of a site are
// sorted, handle before route before file_server, and those in a route are not.
// https://caddyserver.com/docs/caddyfile/directives https://caddyserver.com/docs/caddyfile/directives/map
// https://caddyserver.com/docs/caddyfile/directives/file_server https://caddyserver.com/docs/conventions#placeholders
import { defaultLimit } from "../../../src/paging.ts";
import { textFile } from "../../file.ts";
import type { Param, RoutingTable } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import { has, holds, limitGroups, repeats, unanchored } from "../pattern.ts";

export const caddy: HostAdapter = {
  name: "caddy",
  owns: [],
  files: () => [],
  beside: (table, precompressed = false) => [textFile("edge-api.caddy", snippets(table, precompressed))],
  sidecars: ["br", "gzip"],
  program: {
    command: "caddy",
    install: "apt-get install caddy, brew install caddy, or https://caddyserver.com/docs/install",
    run: (site) => ({
      files: [textFile("Caddyfile", standalone(site))],
      args: ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
      env: { XDG_CONFIG_HOME: site.folder, XDG_DATA_HOME: site.folder },
    }),
  },
  gaps: [
    {
      requests: "paths that are not validly encoded",
      happens: "400 with the text `400 Bad Request`, instead of 404 or 405",
      reason: "Go's HTTP server, which Caddy is made of, refuses such a request before Caddy sees it",
      covers: ({ path }) => /%(?![0-9a-f]{2})/i.test(path),
    },
  ],
};

/** A server of the API alone, in a folder of its own. */
const standalone = ({ publishRoot, beside, port }: Site): string =>
  text(
    ...block("", "admin off", "auto_https off", ...block("log", "output stderr", "level ERROR")),
    `import "${beside}/edge-api.caddy"`,
    ...block(`http://:${port}`, "bind 127.0.0.1", `root * "${publishRoot}"`, "import edge_api_only"),
  );

type TableOperation = RoutingTable["operations"][number];

/** What stands for a value that is not accepted: no file has it in its name. */
const refused = "!";

function snippets(table: RoutingTable, precompressed: boolean): string {
  const { base } = table;
  const answers = (matcher: string) => [
    ...block(`handle${matcher}`, "import edge_api_page"),
    ...block(`route${matcher}`, "import edge_api_missing"),
  ];
  return text(
    "# Import this file at the top of the Caddyfile. In the block of a site whose root is the publish root, write",
    "#   import edge_api        where it serves other things too, or",
    "#   import edge_api_only   where it serves nothing but the API.",
    "# Every map reads the target as it was sent, so that names and values are compared as the contract says.",
    ...block("(edge_api_page)", ...pageOrNothing(table, precompressed)),
    ...block("(edge_api_missing)", ...missing(table, precompressed)),
    ...block("(edge_api)", `@edge_api path ${base} ${base}/*`, ...answers(" @edge_api")),
    ...block("(edge_api_only)", ...answers("")),
  );
}

type Entries = readonly (readonly [key: string, ...values: string[]])[];

/** Answers what most clients send: parameters of the operation in any order, and no others. */
function pageOrNothing(
  { base, operations, headers, methods }: RoutingTable,
  precompressed: boolean,
): readonly string[] {
  const bare: Entries = operations.map(({ path }) => [`${path} GET `, `${path}.json`]);
  const paged: Entries = operations
    .flatMap(({ path, params }) => queries(params).map((query) => ({ ...query, path })))
    .sort((one, other) => one.pairs.length - other.pairs.length)
    .map(({ path, pairs, page }) => [
      `~^${path}\\?${pairs.join("&")} (?:${methods.join("|")}) $`,
      `${path}${page}.json`,
    ]);
  const cached: Entries = operations.map(({ path, cacheControl }) => [path, cacheControl]);
  return [
    "# The method and the range are in the key, so that only what is to be read whole has a page.",
    ...map(
      "{http.request.orig_uri} {http.request.method} {http.request.header.Range}",
      ["page"],
      [...bare, ...paged],
      [`${base}/${refused}`],
    ),
    ...map("{http.request.orig_uri.path}", ["cache_control"], cached),
    ...block(
      "header",
      ...Object.entries(headers).map(([name, value]) => `${name} "${value}"`),
      "Cache-Control {edge_api_cache_control}",
    ),
    ...(precompressed ? ["# file_server adds it by itself where it sends a compressed file.", ...vary()] : []),
    "rewrite {edge_api_page}",
    ...sendPage(precompressed),
  ];
}

const sendPage = (precompressed: boolean): readonly string[] =>
  block("file_server", "pass_thru", ...(precompressed ? ["precompressed br gzip"] : []));

const vary = (): readonly string[] => block("header", 'Vary "Accept-Encoding"', "defer");

/** A pattern of a pair in a query, and its part of the page's path, where # is what the pattern captures. */
interface Part {
  readonly pair: string;
  readonly path: string;
}

/** Every choice of parameters in every order, with the part of the page's path behind the operation. */
function queries(params: readonly Param[]): readonly { readonly pairs: readonly string[]; readonly page: string }[] {
  const inPath = (["filter", "limit", "cursor"] as const).flatMap((kind) =>
    params.filter((each) => each.kind === kind),
  );
  let choices: readonly (readonly Part[])[] = [[]];
  for (const param of inPath) {
    choices = choices.flatMap((choice) => [choice, ...parts(param).map((part) => [...choice, part])]);
  }
  return choices
    .filter((choice) => choice.length > 0)
    .flatMap((choice) =>
      orders(choice).map((order) => {
        const captured = order.filter(({ path }) => path.includes("#"));
        const page = choice.map((part) => part.path.replace("#", `$$${captured.indexOf(part) + 1}`)).join("");
        return { pairs: order.map(({ pair }) => pair), page };
      }),
    );
}

/** Without the limits that are answered with another size: they are many and seldom sent. */
function parts(param: Param): readonly Part[] {
  const { name } = param;
  const own = (form: string): Part => ({ pair: `${name}=(${form})`, path: `/${name}/#` });
  if (param.kind !== "limit") return [own(unanchored(param.form))];
  return limitGroups(param).flatMap(({ size, pattern }) => {
    if (size === defaultLimit) return [{ pair: `${name}=${pattern}`, path: "" }];
    return size === "same" ? [own(pattern)] : [];
  });
}

const orders = <Each>(list: readonly Each[]): readonly (readonly Each[])[] =>
  list.length < 2
    ? [list]
    : list.flatMap((first) => orders(list.filter((each) => each !== first)).map((rest) => [first, ...rest]));

/** Reads the query in full: it is in another order, has other parameters, or a fault. */
function missing(table: RoutingTable, precompressed: boolean): readonly string[] {
  const { base, operations, methods, methodNotAllowed, notFound, errorCacheControl } = table;
  const target = "{http.request.orig_uri}";
  const nothing = `/${notFound.file}`;
  const noStore = [
    `header Cache-Control "${errorCacheControl}"`,
    "# An error is sent whole, whatever of it the client has.",
    "request_header -If-*",
  ];
  return [
    "request_header -Range",
    `@edge_api_method not method ${methods.join(" ")}`,
    ...block(
      "handle @edge_api_method",
      ...noStore,
      `header Allow "${methods.join(", ")}"`,
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
    ...operations.flatMap((operation) => operation.params.flatMap((param) => paramMap(target, operation, param))),
    ...map(
      "{edge_api_operation}",
      ["any_page", "first", "limit", "bad_limit", "bad_filter", "bad_cursor", "status"],
      operations.map((operation) => [
        operation.name,
        pathOf(operation, ["filter", "limit", "cursor"]),
        pathOf(operation, ["filter"]),
        variable(operation, "limit"),
        ...(["limit", "filter", "cursor"] as const).map((kind) => errorOf(operation, kind) ?? nothing),
        String(operation.params[0]?.error.status ?? notFound.status),
      ]),
      [`${base}/${refused}`, nothing, "", nothing, nothing, nothing, String(notFound.status)],
    ),
    "rewrite {edge_api_any_page}",
    ...sendPage(precompressed),
    "# There is no such page: the cursor is wrong, unless the value of the filter is, unless the limit is.",
    ...noStore,
    "rewrite {edge_api_bad_cursor}",
    "@edge_api_filter not file {edge_api_first}",
    "rewrite @edge_api_filter {edge_api_bad_filter}",
    `@edge_api_limit vars {edge_api_limit} ${refused}`,
    "rewrite @edge_api_limit {edge_api_bad_limit}",
    ...block("file_server", "status {edge_api_status}"),
  ];
}

/** The part of the page's path that a parameter is: empty where it is absent, `refused` where it is not accepted. */
function paramMap(target: string, operation: TableOperation, param: Param): readonly string[] {
  const { kind, name } = param;
  const accepted = (pattern: string, value: string) => [`~${holds(start, name, pattern)}`, value] as const;
  const values: Entries =
    kind === "limit"
      ? limitGroups(param).map(({ pattern, size }) => {
          if (size === defaultLimit) return accepted(pattern, "");
          return size === "same" ? accepted(`(${pattern})`, `/${name}/$1`) : accepted(pattern, `/${name}/${size}`);
        })
      : [accepted(`(${unanchored(param.form)})`, `/${name}/$1`)];
  return map(
    target,
    [`${operation.name}_${kind}`],
    [[`~${repeats(start, name)}`, refused], ...values, [`~${has(start, name)}`, refused]],
  );
}

/** What stands before the first pair of a query in a target. */
const start = "^[^?]*\\?";

const variable = ({ name, params }: TableOperation, kind: Param["kind"]): string =>
  params.some((param) => param.kind === kind) ? `{edge_api_${name}_${kind}}` : "";

const pathOf = (operation: TableOperation, kinds: readonly Param["kind"][]): string =>
  `${operation.path}${kinds.map((kind) => variable(operation, kind)).join("")}.json`;

function errorOf({ params }: TableOperation, kind: Param["kind"]): string | undefined {
  const error = params.find((param) => param.kind === kind)?.error;
  return error && `/${error.file}`;
}

/** The first entry whose key is the source, or whose expression matches it, gives the outputs. */
const map = (
  source: string,
  outputs: readonly string[],
  entries: Entries,
  otherwise: readonly string[] = [""],
): readonly string[] =>
  block(
    `map "${source}" ${outputs.map((output) => `{edge_api_${output}}`).join(" ")}`,
    ...entries.map((entry) => quoted(entry)),
    `default ${quoted(otherwise)}`,
  );

const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(" ");

const block = (head: string, ...lines: readonly string[]): readonly string[] => [
  `${head} {`.trimStart(),
  ...lines.map((line) => `\t${line}`),
  "}",
];

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
