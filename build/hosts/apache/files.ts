// Apache: the texts of its files, .htaccess and files to include.
import { apiFolder, errorFolder } from "../../routing/paths.ts";
import type { RoutingTable } from "../../routing/table.ts";
import { documentsOutside, pathsOutside } from "../known-paths.ts";
import { literal, text } from "../syntax.ts";
import {
  allowHeader,
  answerHeaders,
  answerHeadersAmongOthers,
  documentHeaders,
  errorHeaders,
  everyHeader,
  filelessHeaders,
  ignoreConditions,
  pageDefaults,
} from "./headers.ts";
import { countRules, isRefused, rules, spelledOut } from "./rules.ts";
import { section } from "./syntax.ts";

/** In the folder above the folder of the pages, in the folder of the pages, and in the folder of the errors. */
export const htaccessFiles = (base: string): readonly string[] =>
  [folderOf(apiFolder(base)), apiFolder(base), errorFolder(base)].map((folder) =>
    folder === "" ? ".htaccess" : `${folder}/.htaccess`,
  );

/** The texts of `htaccessFiles`. */
export const folderTexts = (table: RoutingTable): readonly string[] =>
  [folderAbove, pagesFolder, errorsFolder].map((textOf) => textOf(table));

/**
 * The folder of the pages. Apache reads the file for each request: the length of comments, names and patterns costs
 * time.
 */
const pagesFolder = (table: RoutingTable): string =>
  text(
    // A folder and a page may have the same name.
    "DirectorySlash Off",
    ...pageDefaults(table),
    "RewriteEngine On",
    "RewriteOptions AllowNoSlash",
    ...spelledOut(table, "END"),
    `RewriteRule ^ /${table.notFound.file} [L]`,
  );

/** The folder of the errors. Its rules answer all other requests. */
const errorsFolder = (table: RoutingTable): string =>
  text(
    "# The files in the folders above have no comments, because they are read for each request. The first sets the headers",
    "# of answers, the second finds the pages of the most common queries. All other requests come here.",
    "# A page is always sent whole, even if the client asks for a range or another version.",
    ...ignoreConditions,
    ...everyHeader(table),
    ...errorHeaders(table),
    ...filelessHeaders(table),
    ...section("Files", nameOf(table.methodNotAllowed.file), ...allowHeader(table)),
    ...errorDocuments(table),
    "RewriteEngine On",
    ...rules(table, "END"),
  );

/**
 * The folder above the pages' folder: the headers of the pages and of all documents below it, so that Apache reads them
 * once. If it is the document root and the API has the front page, the site serves nothing but the API.
 */
function folderAbove(table: RoutingTable): string {
  const isOnly = isBelowRoot(table) && table.documents.some(({ path }) => path === "/");
  return text(...answerHeadersAmongOthers(table), ...(isOnly ? nothingElse(table) : []));
}

/** Whether the folder above the pages' folder is the document root, which has one .htaccess for both. */
const isBelowRoot = ({ base }: RoutingTable): boolean => folderOf(apiFolder(base)) === "";

/**
 * For the document root of a site that serves nothing but the API: no other file is served, and no folder is listed.
 */
export const onlyFolder = (table: RoutingTable): string =>
  text(
    "# Copy this to the document root as .htaccess if the site serves nothing but the API.",
    ...(isBelowRoot(table) ? answerHeadersAmongOthers(table) : []),
    ...nothingElse(table),
  );

function nothingElse(table: RoutingTable): readonly string[] {
  const above = folderOf(apiFolder(table.base));
  const outside = documentsOutside(table).filter(({ file }) => folderOf(file) !== above);
  return [
    "DirectorySlash Off",
    ...absent(table),
    // A section for the documents would cost every request more.
    ...(outside.length === 0 ? [] : documentHeaders(table)),
    "RewriteEngine On",
    `RewriteRule ^ /${table.notFound.file} [L]`,
  ];
}

/** Empty for the publish root. */
const folderOf = (file: string): string => file.slice(0, Math.max(0, file.lastIndexOf("/")));

const nameOf = (file: string): string => file.slice(file.lastIndexOf("/") + 1);

/** The same as `onlyFolder`, for a virtual host. */
export const onlyServer = (table: RoutingTable): string =>
  text(
    "# Include this after stillapi.conf if the virtual host serves nothing but the API.",
    ...section("Location", "/", ...absent(table)),
    isRefused(table),
    `RewriteRule "!${within(table)}" - [R=${table.methodNotAllowed.status}]`,
    `RewriteRule "!${within(table)}" - [R=${table.notFound.status}]`,
  );

const absent = ({ notFound, methodNotAllowed }: RoutingTable): readonly string[] =>
  [notFound, methodNotAllowed].map(({ status, file }) => `ErrorDocument ${status} /${file}`);

/** Matches the paths to which the rules of a server apply. */
const within = (table: RoutingTable): string => {
  const outside = pathsOutside(table).map((each) => `${literal(each)}$`);
  return `^(?:${[`${literal(table.base)}(?:/|$)`, ...outside].join("|")})`;
};

/** The rules for a virtual host, which reads them once. */
export function server(table: RoutingTable): string {
  const { base, methodNotAllowed } = table;
  const rest = rules(table, "PT");
  const outside = pathsOutside(table);
  const own = [...answerHeaders(table), ...filelessHeaders(table), ...errorDocuments(table)];
  return text(
    "# Include this in a virtual host whose DocumentRoot is the publish root, and set AllowOverride None for that folder.",
    "# If it is on, TRACE echoes a request outside the API with its cookies.",
    "TraceEnable off",
    ...section("Location", base, ...own),
    ...(outside.length === 0 ? [] : section("LocationMatch", `^(?:${outside.map(literal).join("|")})$`, ...own)),
    ...section("Location", `/${errorFolder(base)}`, ...errorHeaders(table)),
    ...section("Location", `/${methodNotAllowed.file}`, ...allowHeader(table)),
    "RewriteEngine On",
    ...spelledOut(table, "PT"),
    `RewriteRule "!${within(table)}" - [S=${countRules(rest)}]`,
    ...rest,
  );
}

const errorDocuments = (table: RoutingTable): readonly string[] => [
  "ErrorDocument 400 /%{reqenv:stillapi_error}",
  ...absent(table),
];
