// Apache: .htaccess files for those who have no access to the server, and the same rules as a file to include for
// those who have. A server reads .htaccess again for each request, so the one that every request needs is short and
// answers only what most clients send; it hands the rest to the one in the folder of the errors. Where the server may be
// configured the file to include is the better choice: only to look for .htaccess in each folder of a page's path takes a
// quarter of the rate.
//
// Relied on: THE_REQUEST is the request line as it was sent, QUERY_STRING is not decoded; a backreference of a group
// that took no part is empty; END keeps a rewritten request from being rewritten again; rules of a folder replace
// those of the folders above it; ErrorDocument keeps the status and may hold an expression (2.4.13); DOCUMENT_ROOT is
// the publish root. Needs mod_rewrite, mod_headers and AllowOverride FileInfo Indexes, and for sidecars mod_mime.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/howto/htaccess.html

import { defaultLimit } from "../../../src/paging.ts";
import { textFile } from "../../file.ts";
import { apiFolder, errorFile } from "../../routing/paths.ts";
import { type Encoding, suffixes } from "../../routing/sidecar.ts";
import type { Param, RoutingTable } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import { has, holds, limitGroups, repeats, unanchored } from "../pattern.ts";

const errorFolder = errorFile("").replace(/\/[^/]*$/, "");

/** In the order in which they are looked for. */
const sidecars: readonly Encoding[] = ["br", "gzip"];

export const apache: HostAdapter = {
  name: "apache",
  owns: [`${apiFolder}/.htaccess`, `${errorFolder}/.htaccess`],
  files: (table, precompressed = false) => [
    textFile(`${apiFolder}/.htaccess`, pagesFolder(table, precompressed)),
    textFile(`${errorFolder}/.htaccess`, errorsFolder(table, precompressed)),
  ],
  beside: (table, precompressed = false) => [textFile("edge-api.conf", server(table, precompressed))],
  sidecars,
  program: {
    command: "apache2",
    install: "apt-get install apache2",
    run: (site) => ({
      files: [textFile("httpd.conf", standalone(site))],
      args: ["-f", `${site.folder}/httpd.conf`, "-DFOREGROUND"],
    }),
  },
  gaps: [
    {
      requests: "paths with %2F or %00, that are not validly encoded, or that lead above the root",
      happens: "404 or 400 with Apache's own page",
      reason: "Apache refuses such a path before it looks for the folder, and so for its .htaccess",
      covers: ({ path }) => /%(?:2f|00|(?![0-9a-f]{2}))/i.test(path) || leadsAbove(path),
    },
  ],
};

/** Whether there is a step up from the root. Apache decodes dots, and takes several slashes for one. */
function leadsAbove(path: string): boolean {
  let depth = 0;
  return path
    .replace(/%2e/gi, ".")
    .split("/")
    .filter((step) => step !== "" && step !== ".")
    .some((step) => {
      depth += step === ".." ? -1 : 1;
      return depth < 0;
    });
}

/** A server of the API alone, in a folder of its own. */
const standalone = ({ publishRoot, folder, port }: Site): string =>
  text(
    'ServerRoot "/usr/lib/apache2"',
    ...["mpm_prefork", "authz_core", "dir", "headers", "mime", "rewrite"].map(
      (name) => `LoadModule ${name}_module modules/mod_${name}.so`,
    ),
    "ServerName localhost",
    `Listen 127.0.0.1:${port}`,
    `DefaultRuntimeDir "${folder}"`,
    `PidFile "${folder}/httpd.pid"`,
    `ErrorLog "${folder}/error.log"`,
    "LogLevel crit",
    "TypesConfig /dev/null",
    "# Root's Apache serves as a user who may not find the way to the publish root. Only root finds the file.",
    'User "#65534"',
    'Group "#65534"',
    `Define top "${publishRoot}"`,
    ...section("IfFile", onlyForRoot, `ChrootDir "${publishRoot}"`, "Define top /"),
    `DocumentRoot "\${top}"`,
    ...section(
      "Directory",
      `\${top}`,
      "AllowOverride FileInfo Indexes",
      "Require all granted",
      "# Outside the API there is nothing.",
      `ErrorDocument 404 /${errorFile("not_found")}`,
      `ErrorDocument 405 /${errorFile("method_not_allowed")}`,
      "RewriteEngine On",
      "RewriteCond %{REQUEST_METHOD} !^(?:GET|HEAD)$",
      "RewriteRule ^ - [R=405,END]",
      "RewriteRule ^ - [R=404,END]",
    ),
  );

const onlyForRoot = "/root/.profile";

/** The folder of the pages. */
const pagesFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    "# A folder and a page may have the same name.",
    "DirectorySlash Off",
    ...headers(table, "REDIRECT_"),
    ...(precompressed ? encodingHeaders : []),
    "RewriteEngine On",
    "RewriteOptions AllowNoSlash",
    ...spelledOut(table, "END", precompressed),
    `RewriteRule ^ /${table.notFound.file} [L]`,
  );

/** The folder of the errors, where the rest is looked into. */
const errorsFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    ...errorHeaders(table),
    ...section("Files", table.methodNotAllowed.file.replace(/^.*\//, ""), ...allow(table)),
    ...errorDocuments(table),
    "RewriteEngine On",
    ...rules(table, "END", precompressed),
  );

/** The same for a virtual host, which reads it once. */
function server(table: RoutingTable, precompressed: boolean): string {
  const { base, methodNotAllowed } = table;
  const rest = rules(table, "PT", precompressed);
  const count = rest.filter((line) => line.startsWith("RewriteRule")).length;
  return text(
    "# Include this in a virtual host whose DocumentRoot is the publish root, and set AllowOverride None for that folder.",
    ...section(
      "Location",
      base,
      ...headers(table, ""),
      ...(precompressed ? encodingHeaders : []),
      ...errorDocuments(table),
    ),
    ...section("Location", `/${errorFolder}`, ...errorHeaders(table)),
    ...section("Location", `/${methodNotAllowed.file}`, ...allow(table)),
    "RewriteEngine On",
    ...spelledOut(table, "PT", precompressed),
    `RewriteRule !^${base}(?:/|$) - [S=${count}]`,
    ...rest,
  );
}

function headers({ headers, operations }: RoutingTable, prefix: string): readonly string[] {
  const { "Content-Type": type = "application/json", ...others } = headers;
  const usual = mostFrequent(operations.map(({ cacheControl }) => cacheControl));
  return [
    `ForceType ${type}`,
    "# A page is small: to read it costs less than to map it into memory.",
    "EnableMMAP Off",
    "RequestHeader unset Range",
    ...Object.entries(others).map(([name, value]) => `Header always set ${name} "${value}"`),
    `Header set Cache-Control "${usual}"`,
    ...operations
      .filter(({ cacheControl }) => cacheControl !== usual)
      .map(({ name, cacheControl }) => `Header set Cache-Control "${cacheControl}" env=${prefix}${mark(name)}`),
  ];
}

/** The first makes servers send Content-Encoding. https://httpd.apache.org/docs/2.4/mod/mod_mime.html#addencoding */
const encodingHeaders: readonly string[] = [
  ...sidecars.map((encoding) => `AddEncoding ${encoding} ${suffixes[encoding]}`),
  'Header set Vary "Accept-Encoding"',
];

const errorHeaders = ({ errorCacheControl }: RoutingTable): readonly string[] => [
  `Header set Cache-Control "${errorCacheControl}"`,
];

const allow = ({ methods }: RoutingTable): readonly string[] => [`Header always set Allow "${methods.join(", ")}"`];

const errorDocuments = ({ notFound, methodNotAllowed }: RoutingTable): readonly string[] => [
  "ErrorDocument 400 /%{reqenv:edge_api_error}",
  `ErrorDocument ${notFound.status} /${notFound.file}`,
  `ErrorDocument ${methodNotAllowed.status} /${methodNotAllowed.file}`,
];

/** The variable that is set where a page of the operation is answered. */
const mark = (operation: string): string => `edge_api_${operation}`;

/** How a rule is the last one: in a folder, and in a server, which then looks for the file. */
type Over = "END" | "PT";

/**
 * Answers a request whose words in a row are the path of a file: the operation, then names and values in the order of
 * the path. The pairs fill the captures from the last one, and those before it leave no more than slashes in a row.
 */
function spelledOut(
  { base, methods, operations }: RoutingTable,
  over: Over,
  precompressed: boolean,
): readonly string[] {
  const answer = (targets: string, words: string, operation: string) => {
    const asked = `RewriteCond %{THE_REQUEST} "^(?:${methods.join("|")}) ${base}/(?:${targets}) HTTP/"`;
    const page = `${base}/${words}.json`;
    const flags = `[${over},E=${mark(operation)}:1]`;
    return [
      ...(precompressed ? sendSidecar(page, flags, asked) : []),
      asked,
      isThere(page),
      `RewriteRule ^ ${page} ${flags}`,
    ];
  };
  const bare = `(${names(operations)})`;
  const paged = operations.filter(({ params }) => params.length > 0);
  if (paged.length === 0) return answer(bare, "%1", "%1");
  // There are nine backreferences: two for each pair, one for the operation with a query and one for it without.
  const pairs = Math.min(3, Math.max(...paged.map(({ params }) => params.length)));
  // In lowercase, for a file system that ignores case finds files under other names.
  const pair = "([a-z_]+)=([a-z0-9_-]+)";
  const others = Array.from({ length: pairs - 1 }).reduce<string>((before) => `(?:${before}${pair}&)?`, "");
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `%${index + 1}`).join("/");
  const last = `%${2 * pairs + 2}`;
  return answer(`(${names(paged)})\\?${others}${pair}|${bare}`, `${captures}${last}`, `%1${last}`);
}

const isThere = (file: string): string => `RewriteCond %{DOCUMENT_ROOT}${file} -f`;

/** `asked`, which may capture what the page's path is made of, stands behind what does not capture. */
const sendSidecar = (page: string, flags: string, ...asked: readonly string[]): readonly string[] =>
  sidecars.flatMap((encoding) => {
    const file = `${page}${suffixes[encoding]}`;
    return [accepts(encoding), ...asked, isThere(file), `RewriteRule ^ ${file} ${flags}`];
  });

/** A weight of zero is a refusal (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding): string =>
  `RewriteCond %{HTTP:Accept-Encoding} "(?:^|,)\\s*${encoding}\\s*(?:,|$|;\\s*q=(?:1|0\\.\\d*[1-9]))" [NC]`;

/** Reads the request in full, in the order of the checks; the file of an error goes its way. */
function rules(
  { base, methods, operations, methodNotAllowed, notFound }: RoutingTable,
  over: Over,
  precompressed: boolean,
): readonly string[] {
  const operation = "%{ENV:edge_api_operation}";
  const page = (...kinds: readonly Param["kind"][]) =>
    `${base}/${operation}${kinds.map((kind) => `%{ENV:${variable(kind)}}`).join("")}.json`;
  const missing = (path: string) => `RewriteCond %{DOCUMENT_ROOT}${path} !-f`;
  const whole = page("filter", "limit", "cursor");
  const flags = `[${over},E=${mark(operation)}:1]`;
  const groups = sameParams(operations);
  const refusals = (kind: Param["kind"], ...conditions: readonly string[]) =>
    groups
      .filter(({ param }) => param.kind === kind)
      .flatMap(({ param: { error }, of }) => [
        `RewriteCond ${operation} "^(?:${names(of)})$"`,
        ...conditions,
        `RewriteRule ^ - [E=edge_api_error:${errorFile(error.body.code, operation)},R=${error.status},END]`,
      ]);
  return [
    "RewriteCond %{ENV:REDIRECT_STATUS} ^[45]",
    "RewriteRule ^ - [END]",
    `RewriteCond %{REQUEST_METHOD} "!^(?:${methods.join("|")})$"`,
    `RewriteRule ^ - [R=${methodNotAllowed.status},END]`,
    `RewriteCond %{THE_REQUEST} "!^\\S+ ${base}/(?:${names(operations)})[? ]"`,
    `RewriteRule ^ - [R=${notFound.status},END]`,
    `RewriteCond %{THE_REQUEST} "^\\S+ ${base}/(\\w+)"`,
    "RewriteRule ^ - [E=edge_api_operation:%1]",
    ...groups.flatMap(({ param, of }) => read(param, `RewriteCond ${operation} "^(?:${names(of)})$"`)),
    ...refusals("limit", `RewriteCond %{ENV:${variable("limit")}} =${refused}`),
    ...refusals("filter", missing(page("filter"))),
    ...refusals("cursor", missing(whole)),
    ...(precompressed ? sendSidecar(whole, flags) : []),
    `RewriteRule ^ ${whole} ${flags}`,
  ];
}

/** What stands for a value that is not accepted: no file has it in its name. */
const refused = "!";

const variable = (kind: Param["kind"]): string => `edge_api_${kind}`;

type TableOperation = RoutingTable["operations"][number];

const names = (operations: readonly TableOperation[]): string => operations.map(({ name }) => name).join("|");

/** The parameters there are, each once with the operations that share it. */
function sameParams(
  operations: readonly TableOperation[],
): readonly { readonly param: Param; readonly of: readonly TableOperation[] }[] {
  const groups = new Map<string, { param: Param; of: TableOperation[] }>();
  for (const operation of operations) {
    for (const param of operation.params) {
      const key = JSON.stringify({ ...param, error: param.error.body.code });
      const group = groups.get(key) ?? { param, of: [] };
      groups.set(key, group);
      group.of.push(operation);
    }
  }
  return [...groups.values()];
}

/** Puts the part of the page's path that a parameter is into its variable, for the operations that have it. */
function read(param: Param, ofItsOperations: string): readonly string[] {
  const { kind, name } = param;
  const query = (expression: string) => `RewriteCond %{QUERY_STRING} "${expression}"`;
  const put = (value: string) => `RewriteRule ^ - [E=${variable(kind)}:${value}]`;
  const accepted = (pattern: string, value: string) => [
    `RewriteCond %{ENV:${variable(kind)}} =${refused}`,
    query(holds("^", name, pattern)),
    put(value),
  ];
  const values =
    kind === "limit"
      ? limitGroups(param).map(({ pattern, size }) => {
          if (size === defaultLimit) return accepted(pattern, "");
          return size === "same" ? accepted(`(${pattern})`, `/${name}/%1`) : accepted(pattern, `/${name}/${size}`);
        })
      : [accepted(`(${unanchored(param.form)})`, `/${name}/%1`)];
  return [
    ...[ofItsOperations, query(has("^", name)), put(refused)],
    ...values.flat(),
    ...[ofItsOperations, query(repeats("^", name)), put(refused)],
  ];
}

/** The one that most are; of several the first. */
function mostFrequent(values: readonly string[]): string {
  const count = (value: string) => values.filter((each) => each === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0] ?? "");
}

const section = (kind: string, of: string, ...lines: readonly string[]): readonly string[] => [
  `<${kind} "${of}">`,
  ...lines.map((line) => `  ${line}`),
  `</${kind}>`,
];

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
