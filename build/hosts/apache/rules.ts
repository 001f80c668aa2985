// Apache: the text that answers requests, for .htaccess and for a virtual host alike.
import { conflictsOf, inPathOrder, type Param, paramsOf } from "../../routing/params.ts";
import { apiFolder, errorFile, itemFolder } from "../../routing/paths.ts";
import { lostPlaces } from "../../routing/resolve.ts";
import type { ErrorAnswer, RoutingTable, TableError, Tables } from "../../routing/table.ts";
import { apiName } from "../api-name.ts";
import {
  byEnding,
  documentKinds,
  itemKeys,
  knownPaths,
  outputPath,
  outputsWithKinds,
  ownPaths,
  ownPathsOutside,
  startOf,
} from "../known-paths.ts";
import { invalidPart, namesOf, pairName, readings, type SharedParam, sharedParams, wordIn } from "../readings.ts";
import { literal, text, variable } from "../syntax.ts";
import { oneOfPaths } from "../view.ts";
import { ofKind, ofOperation, settings } from "./headers.ts";
import { quoted, section } from "./syntax.ts";

/** The .htaccess in the folder above the folder of the pages of an API. */
export const htaccessFile = ({ base }: RoutingTable): string => apiFolder(base).replace(/[^/]*$/, ".htaccess");

/**
 * The text of .htaccess in the folder above the folders of the pages of some APIs. Apache reads and compiles it for each
 * request, so it answers only the most common requests and hands over all others. If that folder is the document root and an
 * API has the front page, the site serves only the APIs.
 */
export function htaccess(tables: Tables): string {
  const only = tables.find(isOnly);
  const others = tables.filter((table) => table !== only).map((table) => ({ table, rules: commonRules(table) }));
  if (only === undefined) return text(...forPathsOfApis(others));
  const rules = commonRules(only);
  if (others.length === 0) return text(...settings(only), ...engine, ...rules);
  return text(...settings(only), ...others.flatMap(settingsOfApi), ...engine, ...others.flatMap(ownRules), ...rules);
}

/** The text of .htaccess in the folder of the errors. */
export const htaccessOfErrors = (table: RoutingTable): string =>
  text(...engine, ...remainingRules(table, documentRoot));

/** Whether the .htaccess of an API is that of a document root that serves only APIs. */
const isOnly = (table: RoutingTable): boolean =>
  htaccessFile(table) === ".htaccess" && table.documents.some(({ path }) => path === "/");

const commonRules = (table: RoutingTable): readonly string[] => [
  ...canonicalRules(table, documentRoot),
  ...(table.lost === undefined ? [] : sendError),
  handOverRule(table),
];

/** The same rules as one text, for a <Directory>, which Apache reads once. */
export const configuration = (table: RoutingTable): string =>
  text(
    `<IfDefine !${apiName(table.base)}_root>`,
    `  Error ${quoted(`Include ${apiName(table.base)}.root.conf before, which names the publish root.`)}`,
    "</IfDefine>",
    "# Include this in the <Directory> of the publish root. Outside, Apache refuses the configuration for this line:",
    "RewriteBase /",
    ...forPathsOfApis([
      { table, rules: [...canonicalRules(table, rootOf(table)), ...remainingRules(table, rootOf(table))] },
    ]),
  );

/**
 * Names the folder of the pages, and leads the paths of the API there. Another API
 * or the rest of the site may lie in another folder. `of` is another API with the same publish root.
 */
export const rootText = (table: RoutingTable, pages: string, of?: RoutingTable): string =>
  [
    `Define ${apiName(table.base)}_root "${of === undefined ? pages : rootOf(of)}"`,
    `AliasMatch "(${ownPaths(table)}.*)" "${rootOf(table)}$1"`,
  ].join("\n");

const rootOf = ({ base }: RoutingTable): string => `\${${apiName(base)}_root}`;

/** The publish root in web space. */
const documentRoot = "%{DOCUMENT_ROOT}";

/** Answers the other paths of a site that serves only APIs: what the others have outside of their bases, and all else. */
export function onlyConfiguration(table: RoutingTable, others: readonly RoutingTable[]): string {
  const outside = others.map((other) => ({ other, paths: `^(?:${ownPathsOutside(other).join("|")})` }));
  return text(
    ...settings(table),
    ...outside.flatMap(({ other, paths }) => section("If", `%{REQUEST_URI} =~ m#${paths}#`, ...settings(other))),
    ...engine,
    ...outside.flatMap(({ other, paths }) => [`RewriteCond %{REQUEST_URI} "${paths}"`, handOverRule(other)]),
    handOverRule(table),
  );
}

/** An API, and the rules for its paths. */
interface RulesOfApi {
  readonly table: RoutingTable;
  readonly rules: readonly string[];
}

const forPathsOfApis = (apis: readonly RulesOfApi[]): readonly string[] => [
  ...apis.flatMap(settingsOfApi),
  ...engine,
  "# Other paths have the rules of the folder above.",
  "RewriteOptions Inherit",
  ...apis.flatMap(ownRules),
];

/** Decoded and without double slashes, so that no other spelling of a path leads to a file of the API. */
const settingsOfApi = ({ table }: RulesOfApi): readonly string[] =>
  section("If", `%{REQUEST_URI} =~ m#${ownPaths(table)}#`, ...settings(table));

/** The rules, which other paths skip. */
const ownRules = ({ table, rules }: RulesOfApi): readonly string[] => [
  `RewriteCond %{REQUEST_URI} "!${ownPaths(table)}"`,
  `RewriteRule ^ - [S=${countRules(rules)}]`,
  ...rules,
];

const countRules = (lines: readonly string[]): number => lines.filter((line) => line.startsWith("RewriteRule")).length;

/** A folder and a page may have the same name. */
const engine: readonly string[] = ["RewriteEngine On", "RewriteOptions AllowNoSlash"];

/** Leads to the folder of the errors, whose rules answer all other requests. */
const handOverRule = ({ notFound }: RoutingTable): string => `RewriteRule ^ /${notFound.file} [L]`;

/** Sends the file of an error, to which Apache redirects a request internally. */
const sendError: readonly string[] = ["RewriteCond %{ENV:REDIRECT_STATUS} ^[45]", "RewriteRule ^ - [END]"];

/** Ends with the answer to a path at which there is nothing, which may be the page for people. */
function endMissing(table: RoutingTable, method: string): readonly string[] {
  const { lost, notFound } = table;
  const end = ({ status, file }: ErrorAnswer, ...flags: readonly string[]) =>
    `RewriteRule ^ - [${[...flags, `E=${apiName(table.base)}_error:${file}`, `R=${status}`, "END"].join(",")}]`;
  const isMethod = `RewriteCond %{THE_REQUEST} "^${method} `;
  const kind = documentKinds(table).findIndex(({ documents }) => documents.some(({ file }) => file === lost?.file));
  return [
    ...lostPlaces(table).flatMap((place) => [
      `${isMethod}${startOf(place)}"`,
      place.answer === lost ? end(lost, `E=${ofKind(table, kind)}:1`) : end(place.answer),
    ]),
    `${isMethod}"`,
    end(notFound),
  ];
}

/** Ends with a status if the request line matches, which starts with its method. */
const end = (status: number, line: string): readonly string[] => [
  `RewriteCond %{THE_REQUEST} "^${line}"`,
  `RewriteRule ^ - [R=${status},END]`,
];

/** Answers every request that the rules before these have not answered. */
const remainingRules = (table: RoutingTable, root: string): readonly string[] => [
  ...sendError,
  ...end(table.methodNotAllowed.status, `(?!(?:${[...table.methods, "OPTIONS"].join("|")}) )`),
  ...knownPaths(table).flatMap((path) => end(204, `OPTIONS ${path}[? ]`)),
  ...endMissing(table, "OPTIONS"),
  ...nonOperationRules(table, root),
  ...queryRules(table, root),
];

/** Sends a file if it exists and the request line matches, whose captures `file` and `mark` may have. */
const send = (root: string, file: string, mark: string, line: string): readonly string[] => [
  `RewriteCond %{THE_REQUEST} "${line}"`,
  `RewriteCond "${root}${file}" -f`,
  `RewriteRule ^ ${file} [END,E=${mark}:1]`,
];

/**
 * Answers a request whose words, in order, are the path of a file: the operation, then names and values in the order of
 * the path. The pairs fill the captures from the last one; an unused capture leaves only a slash.
 */
function canonicalRules(table: RoutingTable, root: string): readonly string[] {
  const { base, methods, operations } = table;
  const start = `^(?:${methods.join("|")}) ${literal(base)}/`;
  const answer = (targets: string, words: string, operation: string) =>
    send(root, `${base}/${words}.json`, ofOperation(table, operation), `${start}(?:${targets}) HTTP/`);
  const single = itemKeys({ operations }).flatMap(({ operations: lists, key }) =>
    answer(`(${namesOf(lists)})/(${key})(?:\\?\\S*)?`, `%1${itemFolder}%2`, "%1"),
  );
  const bare = `(${namesOf(operations)})`;
  // There are nine backreferences: two for each pair, one for the operation with a query and one for it without.
  const pairs = Math.min(3, Math.max(0, ...operations.map((operation) => paramsOf(operation).length)));
  if (pairs === 0) return [...answer(bare, "%1", "%1"), ...single];
  const word = wordIn(operations);
  const pair = `${pairName(operations)}=([a-z0-9_-]+)`;
  let before = "";
  for (let count = 1; count < pairs; count++) before = `(?:${before}${pair}&)?`;
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `%${index + 1}`).join("/");
  const last = `%${2 * pairs + 2}`;
  // The length of a pattern costs time, so this one contains no names: only pages are nested so deeply.
  return [...answer(`(${word})\\?${before}${pair}|${bare}`, `${captures}${last}`, `%1${last}`), ...single];
}

/** Answers a path that is not an operation's: a document, a redirect, or an unknown path. Skipped for an operation. */
function nonOperationRules(table: RoutingTable, root: string): readonly string[] {
  const { base, operations, redirects } = table;
  const answer = (path: string, ending: string, kind: number) =>
    send(root, `%1${ending}`, ofKind(table, kind), `^\\S+ (${path})[? ]`);
  const lines = [
    ...documentKinds(table).flatMap(({ documents }, kind) =>
      [...byEnding(documents)].flatMap(([ending, group]) => answer(oneOfPaths(group), ending, kind)),
    ),
    ...outputsWithKinds(table).flatMap(({ output, kind }) => answer(outputPath(output), "", kind)),
    ...redirects.flatMap(({ path, to }) => [
      `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(path)}[? ]"`,
      `RewriteRule ^ ${to} [R=308,QSD,END]`,
    ]),
    ...endMissing(table, "\\S+"),
  ];
  return [
    `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(base)}/(${namesOf(operations)})[? ]"`,
    `RewriteRule ^ - [S=${countRules(lines)},E=${apiName(base)}_operation:%1,E=${apiName(base)}_page:${base}/%1.json]`,
    ...lines,
  ];
}

/** Parses the whole query and checks it in the order of the contract. */
function queryRules(table: RoutingTable, root: string): readonly string[] {
  const { base, operations } = table;
  const name = apiName(base);
  const operation = `%{ENV:${name}_operation}`;
  const partIn = (param: Pick<Param, "name">) => `%{ENV:${name}_part_${variable(param)}}`;
  const page = (params: readonly Pick<Param, "name">[]) => `${base}/${operation}${params.map(partIn).join("")}.json`;
  const whole = `%{ENV:${name}_page}`;
  const isFor = (of: SharedParam["of"]) => `RewriteCond ${operation} "^(?:${namesOf(of)})$"`;
  const missing = (path: string) => `RewriteCond "${root}${path}" !-f`;
  const fail = ({ status }: TableError, file: string) => `RewriteRule ^ - [E=${name}_error:${file},R=${status},END]`;
  const refuse = (error: TableError, of: SharedParam["of"], condition: string) => [
    isFor(of),
    condition,
    fail(error, errorFile(base, error.body.code, operation)),
  ];
  const shared = sharedParams(operations);
  const limits = shared.filter(({ param }) => param.kind === "limit");
  const cursors = shared.filter(({ param }) => param.kind === "cursor");
  const withParams = operations.filter((candidate) => paramsOf(candidate).length > 0);
  return [
    // A later rule overrides an earlier one, so the readings are reversed.
    ...shared.flatMap(({ param, of }) =>
      readings("^", param, "%1")
        .toReversed()
        .flatMap(([expression, value]) => [
          isFor(of),
          `RewriteCond %{QUERY_STRING} "${expression}"`,
          `RewriteRule ^ - [E=${name}_part_${variable(param)}:${value}]`,
        ]),
    ),
    ...withParams.flatMap((target) => [
      isFor([target]),
      `RewriteRule ^ - [E=${name}_page:${page(inPathOrder(target))}]`,
    ]),
    ...operations.flatMap((target) =>
      conflictsOf(target).flatMap(({ filters, error }) => [
        isFor([target]),
        ...filters.map((filter) => `RewriteCond ${partIn(filter)} .`),
        fail(error, error.file),
      ]),
    ),
    ...limits.flatMap(({ param, of }) => refuse(param.error, of, `RewriteCond ${partIn(param)} =${invalidPart}`)),
    ...operations.flatMap((target) =>
      target.filters.flatMap((filter) => refuse(filter.error, [target], missing(page([filter])))),
    ),
    ...cursors.flatMap(({ param, of }) => refuse(param.error, of, missing(whole))),
    `RewriteRule ^ ${whole} [END,E=${ofOperation(table, operation)}:1]`,
  ];
}
