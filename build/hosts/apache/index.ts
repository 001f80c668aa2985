// Apache: .htaccess files for users without access to the server's configuration, and the same rules as a file to
// include for users with access. Apache reads .htaccess again for each request, so the file that every request needs is
// short and answers only the most common queries; the file in the folder of the errors answers the rest. Include the
// file if you can: looking for .htaccess in each folder of a page's path alone costs a quarter of the rate.
//
// Relied on: THE_REQUEST is the request line as sent, QUERY_STRING is not decoded; a backreference to a group that did
// not take part is empty; END keeps a rewritten request from being rewritten again; the rules of a folder replace the
// rules of the folders above it; ErrorDocument keeps the status and accepts an expression (2.4.13); a condition may
// test any text, and its captures set variables; a header's value may be a variable; DOCUMENT_ROOT is the publish root.
// Needs mod_rewrite, mod_headers and AllowOverride FileInfo Indexes, and mod_mime for sidecars.
// https://httpd.apache.org/docs/2.4/mod/mod_rewrite.html https://httpd.apache.org/docs/2.4/rewrite/flags.html
// https://httpd.apache.org/docs/2.4/mod/core.html#errordocument https://httpd.apache.org/docs/2.4/howto/htaccess.html

import { textFile } from "../../file.ts";
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import { encodings, suffixes } from "../../routing/sidecar.ts";
import type { RoutingTable, TableDocument } from "../../routing/table.ts";
import type { HostAdapter, Site } from "../host.ts";
import { literal, pathsOutside } from "../known-paths.ts";
import { publishing, publishScript } from "../publish/script.ts";
import { gaps } from "./gaps.ts";
import {
  addEncodings,
  allowHeader,
  answerHeaders,
  answerHeadersAmongOthers,
  documentHeaders,
  errorHeaders,
  everyHeader,
  filelessHeaders,
  ignoreConditions,
  pageDefaults,
  pageEncodings,
  varyHeader,
} from "./headers.ts";
import { countRules, isRefused, rules, spelledOut } from "./rules.ts";
import { section, text } from "./syntax.ts";

const htaccessFiles = (base: string): readonly string[] =>
  [folderOf(apiFolder(base)), apiFolder(base), errorFolder(base)].map((folder) =>
    folder === "" ? ".htaccess" : `${folder}/.htaccess`,
  );

export const apache: HostAdapter = {
  name: "apache",
  signature: ["server", /^Apache/i],
  publishing: publishing("apache", {
    title: "Apache",
    check: "sudo apachectl configtest",
    reload: "sudo apachectl graceful",
  }),
  owns: htaccessFiles,
  reads: (base) => [".htaccess", ...htaccessFiles(base)],
  files(table, precompressed = false) {
    const texts = [folderAbove, pagesFolder, errorsFolder].map((textOf) => textOf(table, precompressed));
    return htaccessFiles(table.base).map((file, index) => textFile(file, texts[index] ?? ""));
  },
  beside(table, precompressed = false) {
    const configuration = [
      textFile("stillapi.conf", server(table, precompressed)),
      textFile("stillapi.only.conf", onlyServer(table)),
    ];
    const script = publishScript(table, {
      title: "Apache",
      configuration,
      root: { file: "stillapi.root.conf", text: 'DocumentRoot "%s"' },
      check: "apachectl configtest",
      reload: "apachectl graceful",
      owns: htaccessFiles(table.base),
    });
    return [textFile("only.htaccess", onlyFolder(table, precompressed)), ...configuration, ...script];
  },
  loads: ["only.htaccess", "stillapi.conf", "stillapi.only.conf"],
  sidecars: encodings,
  program: {
    command: "apache2",
    install: "sudo apt-get install apache2",
    run: (site) => ({
      files: [textFile("httpd.conf", standalone(site))],
      args: ["-f", `${site.folder}/httpd.conf`, "-DFOREGROUND"],
    }),
  },
  gaps,
};

/** A server that serves nothing but the API. */
const standalone = ({ publishRoot, beside, folder, port }: Site): string =>
  text(
    'ServerRoot "/usr/lib/apache2"',
    ...["mpm_prefork", "authz_core", "dir", "headers", "mime", "rewrite"].map(
      (name) => `LoadModule ${name}_module modules/mod_${name}.so`,
    ),
    "# Each connection that a browser keeps open takes a process.",
    "StartServers 20",
    "MinSpareServers 10",
    "MaxSpareServers 20",
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

/**
 * The folder of the pages. Apache reads the file for each request: the length of comments, names and patterns costs
 * time.
 */
const pagesFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    // A folder and a page may have the same name.
    "DirectorySlash Off",
    ...pageDefaults(table),
    ...(precompressed ? pageEncodings(table) : []),
    "RewriteEngine On",
    "RewriteOptions AllowNoSlash",
    ...spelledOut(table, "END", precompressed),
    `RewriteRule ^ /${table.notFound.file} [L]`,
  );

/** The folder of the errors. Its rules answer all other requests. */
const errorsFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    "# The files in the folders above have no comments, because they are read for each request. The first sets the headers",
    "# of answers, the second finds the pages of the most common queries. All other requests come here.",
    "# A page is always sent whole, even if the client asks for a range or another version.",
    ...ignoreConditions,
    ...everyHeader(table),
    ...(precompressed ? [varyHeader] : []),
    ...errorHeaders(table),
    ...filelessHeaders(table),
    ...section("Files", nameOf(table.methodNotAllowed.file), ...allowHeader(table)),
    ...errorDocuments(table),
    "RewriteEngine On",
    ...rules(table, "END", precompressed),
  );

/**
 * The folder above the pages' folder: the headers of the pages and of all documents below it, so that Apache reads them
 * once. If it is the document root and the API has the front page, the site serves nothing but the API.
 */
function folderAbove(table: RoutingTable, precompressed: boolean): string {
  const isOnly = isBelowRoot(table) && table.documents.some(({ path }) => path === "/");
  return text(...headersBelow(table, precompressed), ...(isOnly ? nothingElse(table, precompressed) : []));
}

/** Whether the folder above the pages' folder is the document root, which has one .htaccess for both. */
const isBelowRoot = ({ base }: RoutingTable): boolean => folderOf(apiFolder(base)) === "";

function headersBelow(table: RoutingTable, precompressed: boolean): readonly string[] {
  const own = table.documents.filter(({ file }) => folderOf(file) === folderOf(apiFolder(table.base)));
  return [...answerHeadersAmongOthers(table, precompressed), ...(precompressed ? encodingsOf(own) : [])];
}

/** The headers of documents in folders that hold other files too. A section would cost every request more. */
const headersOf = (
  documents: readonly TableDocument[],
  table: RoutingTable,
  precompressed: boolean,
): readonly string[] =>
  documents.length === 0
    ? []
    : [...documentHeaders(table, "REDIRECT_", precompressed), ...(precompressed ? encodingsOf(documents) : [])];

const encodingsOf = (documents: readonly TableDocument[]): readonly string[] =>
  documents.flatMap(({ file }) => section("Files", `${nameOf(file)}.*`, ...addEncodings));

/**
 * For the document root of a site that serves nothing but the API: no other file is served, and no folder is listed.
 */
const onlyFolder = (table: RoutingTable, precompressed: boolean): string =>
  text(
    "# Copy this to the document root as .htaccess if the site serves nothing but the API.",
    ...(isBelowRoot(table) ? headersBelow(table, precompressed) : []),
    ...nothingElse(table, precompressed),
  );

const nothingElse = (table: RoutingTable, precompressed: boolean): readonly string[] => [
  "DirectorySlash Off",
  ...absent(table),
  ...headersOf(documentsOutside(table), table, precompressed),
  "RewriteEngine On",
  `RewriteRule ^ /${table.notFound.file} [L]`,
];

/** Documents outside the API's folder and the folder above it. */
function documentsOutside({ base, documents }: RoutingTable): readonly TableDocument[] {
  const folder = apiFolder(base);
  return documents.filter(({ file }) => folderOf(file) !== folderOf(folder) && !file.startsWith(`${folder}/`));
}

/** Empty for the publish root. */
const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf("/")));

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

/** Matches the suffix of a sidecar, or nothing. */
const sidecar = `(?:${Object.values(suffixes).map(literal).join("|")})?`;

/** The same as `onlyFolder`, for a virtual host. */
const onlyServer = (table: RoutingTable): string =>
  text(
    "# Include this after stillapi.conf if the virtual host serves nothing but the API.",
    ...section("Location", "/", ...absent(table)),
    isRefused(table),
    `RewriteRule !${within(table)} - [R=${table.methodNotAllowed.status}]`,
    `RewriteRule !${within(table)} - [R=${table.notFound.status}]`,
  );

const absent = ({ notFound, methodNotAllowed }: RoutingTable): readonly string[] =>
  [notFound, methodNotAllowed].map(({ status, file }) => `ErrorDocument ${status} /${file}`);

/** Matches the paths to which the rules of a server apply. */
const within = (table: RoutingTable): string => {
  const outside = pathsOutside(table).map((each) => `${literal(each)}$`);
  return `^(?:${[`${table.base}(?:/|$)`, ...outside].join("|")})`;
};

/** The rules for a virtual host, which reads them once. */
function server(table: RoutingTable, precompressed: boolean): string {
  const { base, methodNotAllowed } = table;
  const rest = rules(table, "PT", precompressed);
  const outside = pathsOutside(table);
  const own = [
    ...answerHeaders(table),
    ...filelessHeaders(table),
    ...(precompressed ? [...pageEncodings(table), varyHeader] : []),
    ...errorDocuments(table),
  ];
  return text(
    "# Include this in a virtual host whose DocumentRoot is the publish root, and set AllowOverride None for that folder.",
    "# If it is on, TRACE echoes a request outside the API with its cookies.",
    "TraceEnable off",
    ...section("Location", base, ...own),
    ...(outside.length === 0
      ? []
      : section("LocationMatch", `^(?:${outside.map(literal).join("|")})${precompressed ? sidecar : ""}$`, ...own)),
    ...section("Location", `/${errorFolder(base)}`, ...errorHeaders(table)),
    ...section("Location", `/${methodNotAllowed.file}`, ...allowHeader(table)),
    "RewriteEngine On",
    ...spelledOut(table, "PT", precompressed),
    `RewriteRule !${within(table)} - [S=${countRules(rest)}]`,
    ...rest,
  );
}

const errorDocuments = (table: RoutingTable): readonly string[] => [
  "ErrorDocument 400 /%{reqenv:stillapi_error}",
  ...absent(table),
];
