// Apache: .htaccess files for users without access to the server, and the same rules as a file to include for users with
// access. A server reads .htaccess again for each request, so the one that every request needs is short and answers only
// what most clients send; it hands the rest to the one in the folder of the errors. Where the server can be configured,
// the file to include is the better choice: looking for .htaccess in each folder of a page's path alone costs a quarter
// of the rate.
//
// Relied on: THE_REQUEST is the request line as sent, QUERY_STRING is not decoded; a backreference to a group that did
// not take part is empty; END keeps a rewritten request from being rewritten again; rules of a folder replace those of
// the folders above it; ErrorDocument keeps the status and accepts an expression (2.4.13); DOCUMENT_ROOT is the publish
// root. Needs mod_rewrite, mod_headers and AllowOverride FileInfo Indexes, and mod_mime for sidecars.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/howto/htaccess.html

import { textFile } from "../../file.ts";
import { apiFolder, errorFile, errorFolder } from "../../routing/paths.ts";
import { type Encoding, encodings, suffixes } from "../../routing/sidecar.ts";
import type { RoutingTable } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import { filterPages, namesOf, readings, refused, type SharedParam, sharedParams } from "../readings.ts";
import { gaps } from "./gaps.ts";

export const apache: HostAdapter = {
  name: "apache",
  owns: [`${apiFolder}/.htaccess`, `${errorFolder}/.htaccess`],
  reads: [".htaccess", "api/.htaccess", `${apiFolder}/.htaccess`, `${errorFolder}/.htaccess`],
  files: (table, precompressed = false) => [
    textFile(`${apiFolder}/.htaccess`, pagesFolder(table, precompressed)),
    textFile(`${errorFolder}/.htaccess`, errorsFolder(table, precompressed)),
  ],
  beside: (table, precompressed = false) => [
    textFile("only.htaccess", onlyFolder(table)),
    textFile("edge-api.conf", server(table, precompressed)),
    textFile("edge-api.only.conf", onlyServer(table)),
  ],
  sidecars: encodings,
  program: {
    command: "apache2",
    install: "apt-get install apache2",
    run: (site) => ({
      files: [textFile("httpd.conf", standalone(site))],
      args: ["-f", `${site.folder}/httpd.conf`, "-DFOREGROUND"],
    }),
  },
  gaps,
};

/** A server of the API alone, in a folder of its own. */
const standalone = ({ publishRoot, beside, folder, port }: Site): string =>
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
    "# As root, Apache serves as a user who may not be able to reach the publish root. Only root finds the file.",
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
      `Include "${beside}/only.htaccess"`,
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

/** The folder of the errors, whose rules read all other requests. */
const errorsFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    ...errorHeaders(table),
    ...section("Files", table.methodNotAllowed.file.replace(/^.*\//, ""), ...allow(table)),
    ...errorDocuments(table),
    "RewriteEngine On",
    ...rules(table, "END", precompressed),
  );

/** The rest of a site that serves nothing but the API: no other file is answered, and no folder listed. */
const onlyFolder = (table: RoutingTable): string =>
  text(
    "# Copy this to the document root as .htaccess where the site serves nothing but the API.",
    ...absent(table),
    "RewriteEngine On",
    isRefused(table),
    `RewriteRule ^ - [R=${table.methodNotAllowed.status},END]`,
    `RewriteRule ^ - [R=${table.notFound.status},END]`,
  );

/** The same for a virtual host. */
const onlyServer = (table: RoutingTable): string =>
  text(
    "# Include this after edge-api.conf where the virtual host serves nothing but the API.",
    ...section("Location", "/", ...absent(table)),
    isRefused(table),
    `RewriteRule !^${table.base}(?:/|$) - [R=${table.methodNotAllowed.status}]`,
    `RewriteRule !^${table.base}(?:/|$) - [R=${table.notFound.status}]`,
  );

const absent = ({ notFound, methodNotAllowed }: RoutingTable): readonly string[] =>
  [notFound, methodNotAllowed].map(({ status, file }) => `ErrorDocument ${status} /${file}`);

const isRefused = ({ methods }: RoutingTable): string => `RewriteCond %{REQUEST_METHOD} "!^(?:${methods.join("|")})$"`;

/** The same rules for a virtual host, which reads them once. */
function server(table: RoutingTable, precompressed: boolean): string {
  const { base, methodNotAllowed } = table;
  const rest = rules(table, "PT", precompressed);
  const count = rest.filter((line) => line.startsWith("RewriteRule")).length;
  return text(
    "# Include this in a virtual host whose DocumentRoot is the publish root, and set AllowOverride None for that folder.",
    "# Otherwise TRACE answers with the request, its cookies included, outside the API.",
    "TraceEnable off",
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
    "# A page is small: reading it costs less than mapping it into memory.",
    "EnableMMAP Off",
    "# A page is sent whole, whatever part or version of it the client asks for.",
    ...["Range", "If-Match", "If-Unmodified-Since"].map((name) => `RequestHeader unset ${name}`),
    ...Object.entries(others).map(([name, value]) => `Header always set ${name} "${value}"`),
    `Header set Cache-Control "${usual}"`,
    ...operations
      .filter(({ cacheControl }) => cacheControl !== usual)
      .map(({ name, cacheControl }) => `Header set Cache-Control "${cacheControl}" env=${prefix}${mark(name)}`),
  ];
}

/** The first makes servers send Content-Encoding. https://httpd.apache.org/docs/2.4/mod/mod_mime.html#addencoding */
const encodingHeaders: readonly string[] = [
  ...encodings.map((encoding) => `AddEncoding ${encoding} ${suffixes[encoding]}`),
  'Header set Vary "Accept-Encoding"',
];

const errorHeaders = ({ errorCacheControl }: RoutingTable): readonly string[] => [
  `Header set Cache-Control "${errorCacheControl}"`,
];

const allow = ({ methods }: RoutingTable): readonly string[] => [`Header always set Allow "${methods.join(", ")}"`];

const errorDocuments = (table: RoutingTable): readonly string[] => [
  "ErrorDocument 400 /%{reqenv:edge_api_error}",
  ...absent(table),
];

/** The variable that is set where a page of the operation is answered. */
const mark = (operation: string): string => `edge_api_${operation}`;

/** The flag of a last rule: in a folder, or in a server, which then looks for the file. */
type Over = "END" | "PT";

/**
 * Answers a request whose words, in order, are the path of a file: the operation, then names and values in the order of
 * the path. The pairs fill the captures from the last one; unused captures leave only slashes.
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
  const bare = `(${namesOf(operations)})`;
  const paged = operations.filter(({ params }) => params.length > 0);
  if (paged.length === 0) return answer(bare, "%1", "%1");
  // There are nine backreferences: two for each pair, one for the operation with a query and one for it without.
  const pairs = Math.min(3, Math.max(...paged.map(({ params }) => params.length)));
  // In lowercase, because a file system that ignores case finds files under other names.
  const pair = "([a-z_]+)=([a-z0-9_-]+)";
  const others = Array.from({ length: pairs - 1 }).reduce<string>((before) => `(?:${before}${pair}&)?`, "");
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `%${index + 1}`).join("/");
  const last = `%${2 * pairs + 2}`;
  return answer(`(${namesOf(paged)})\\?${others}${pair}|${bare}`, `${captures}${last}`, `%1${last}`);
}

const isThere = (file: string): string => `RewriteCond %{DOCUMENT_ROOT}${file} -f`;

/** `asked` may capture what the page's path is made of, so it comes after the conditions that capture nothing. */
const sendSidecar = (page: string, flags: string, ...asked: readonly string[]): readonly string[] =>
  encodings.flatMap((encoding) => {
    const file = `${page}${suffixes[encoding]}`;
    return [accepts(encoding), ...asked, isThere(file), `RewriteRule ^ ${file} ${flags}`];
  });

/** A weight of zero is a refusal (RFC 9110, section 12.5.3). */
const accepts = (encoding: Encoding): string =>
  `RewriteCond %{HTTP:Accept-Encoding} "(?:^|,)\\s*${encoding}\\s*(?:,|$|;\\s*q=(?:1|0\\.\\d*[1-9]))" [NC]`;

/** Reads the request in full, in the order of the checks. */
function rules(table: RoutingTable, over: Over, precompressed: boolean): readonly string[] {
  const { base, operations, methodNotAllowed, notFound } = table;
  const page = (slots: readonly string[]) =>
    `${base}/${operation}${slots.map((slot) => `%{ENV:${part(slot)}}`).join("")}.json`;
  const missing = (path: string) => `RewriteCond %{DOCUMENT_ROOT}${path} !-f`;
  const whole = "%{ENV:edge_api_page}";
  const flags = `[${over},E=${mark(operation)}:1]`;
  const shared = sharedParams(operations);
  const paged = operations.filter(({ params }) => params.length > 0);
  return [
    "RewriteCond %{ENV:REDIRECT_STATUS} ^[45]",
    "RewriteRule ^ - [END]",
    isRefused(table),
    `RewriteRule ^ - [R=${methodNotAllowed.status},END]`,
    `RewriteCond %{THE_REQUEST} "!^\\S+ ${base}/(?:${namesOf(operations)})[? ]"`,
    `RewriteRule ^ - [R=${notFound.status},END]`,
    `RewriteCond %{THE_REQUEST} "^\\S+ ${base}/(\\w+)"`,
    `RewriteRule ^ - [E=edge_api_operation:%1,E=edge_api_page:${base}/%1.json]`,
    ...shared.flatMap(read),
    ...paged.flatMap((each) => [isFor([each]), `RewriteRule ^ - [E=edge_api_page:${page(each.pathOrder)}]`]),
    ...shared
      .filter(({ param }) => param.kind === "limit")
      .flatMap((limit) => refuse(limit, `RewriteCond %{ENV:${part(limit.param.slot)}} =${refused}`)),
    ...paged.flatMap((each) =>
      filterPages(each).flatMap(({ param, slots }) => refuse({ param, of: [each] }, missing(page(slots)))),
    ),
    ...shared.filter(({ param }) => param.kind === "cursor").flatMap((cursor) => refuse(cursor, missing(whole))),
    ...(precompressed ? sendSidecar(whole, flags) : []),
    `RewriteRule ^ ${whole} ${flags}`,
  ];
}

const operation = "%{ENV:edge_api_operation}";

/** The variable of the part of the page's path that a parameter makes. */
const part = (slot: string): string => `edge_api_part_${slot}`;

const isFor = (operations: SharedParam["of"]): string => `RewriteCond ${operation} "^(?:${namesOf(operations)})$"`;

const refuse = ({ param: { error }, of }: SharedParam, condition: string): readonly string[] => [
  isFor(of),
  condition,
  `RewriteRule ^ - [E=edge_api_error:${errorFile(error.body.code, operation)},R=${error.status},END]`,
];

/** Sets the variable of a parameter. A later rule overrides an earlier one, so the readings come in reverse. */
const read = ({ param, of }: SharedParam): readonly string[] =>
  readings("^", param, "%1")
    .toReversed()
    .flatMap(([expression, value]) => [
      value === refused ? isFor(of) : `RewriteCond %{ENV:${part(param.slot)}} =${refused}`,
      `RewriteCond %{QUERY_STRING} "${expression}"`,
      `RewriteRule ^ - [E=${part(param.slot)}:${value}]`,
    ]);

/** The first of the most frequent values. */
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
