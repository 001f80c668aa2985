// The text for Apache that answers requests, for .htaccess and for a virtual host alike. Variables that the rules set decide
// which headers an answer with a file has, and the status decides about other answers. Variables cost less than expressions,
// which .htaccess compiles for each request. The syntax: https://httpd.apache.org/docs/2.4/configuring.html#syntax
import { asset } from "../../files/asset.ts";
import type { Param } from "../../routing/params.ts";
import { apiFolder, errorFile, itemFolder } from "../../routing/paths.ts";
import { answerHeaders, documentHeaders } from "../../routing/resolve.ts";
import type { ErrorAnswer, RoutingTable, TableError } from "../../routing/table.ts";
import { invalidPart, namesOf, pairName, readings, type SharedParam, wordIn } from "../readings.ts";
import { filled, literal, quoted, text, variable } from "../syntax.ts";
import { byEnding, type HostView, headingOf, oneOfPaths } from "../view.ts";

/** The .htaccess in the folder above the folder of the pages of an API. */
export const htaccessFile = ({ base }: Pick<HostView, "base">): string =>
  apiFolder(base).replace(/[^/]*$/, ".htaccess");

/**
 * The text of .htaccess in the folder above the folders of the pages of some APIs. Apache reads and compiles it for each
 * request, so it answers only the most common requests and hands over all others. If that folder is the document root and an
 * API has the front page, the site serves only the APIs.
 */
export function htaccess(views: readonly HostView[]): string {
  const only = views.find(isOnly);
  const others = views.filter((view) => view !== only).map((view) => ({ view, rules: commonRules(view) }));
  const heading = `# ${headingOf(views.map(({ table }) => table))}`;
  if (only === undefined) return text(heading, ...forPathsOfApis(others));
  const rules = commonRules(only);
  if (others.length === 0) return text(heading, ...settings(only), ...engine, ...rules);
  return text(
    heading,
    ...settings(only),
    ...others.flatMap(settingsOfApi),
    ...engine,
    ...others.flatMap(ownRules),
    ...rules,
  );
}

/** The text of .htaccess in the folder of the errors. */
export const htaccessOfErrors = (view: HostView): string =>
  text(`# ${headingOf([view.table])}`, ...engine, ...remainingRules(view, documentRoot));

/** Whether the .htaccess of an API lies in a document root that serves only APIs. */
const isOnly = (view: HostView): boolean =>
  htaccessFile(view) === ".htaccess" && view.table.documents.some(({ path }) => path === "/");

const commonRules = (view: HostView): readonly string[] => [
  ...canonicalRules(view, documentRoot),
  ...(view.table.lost === undefined ? [] : sendError),
  handOverRule(view),
];

/** The same rules as one text, for a <Directory>, which Apache reads once. */
export const configuration = (view: HostView): string =>
  text(
    `<IfDefine !${view.name}_root>`,
    `  Error ${quoted(`Include ${view.name}.root.conf before, which names the publish root.`)}`,
    "</IfDefine>",
    "# Include this in the <Directory> of the publish root. Outside, Apache refuses the configuration for this line:",
    "RewriteBase /",
    ...forPathsOfApis([
      { view, rules: [...canonicalRules(view, rootOf(view)), ...remainingRules(view, rootOf(view))] },
    ]),
  );

/**
 * Names the folder of the pages, and leads the paths of the API there. Another API
 * or the rest of the site may lie in another folder. `of` is another API with the same publish root.
 */
export const rootText = (view: HostView, pages: string, of?: HostView): string =>
  [
    `Define ${view.name}_root "${of === undefined ? pages : rootOf(of)}"`,
    `AliasMatch "(${view.own}.*)" "${rootOf(view)}$1"`,
  ].join("\n");

const rootOf = ({ name }: HostView): string => `\${${name}_root}`;

/** The publish root in web space. */
const documentRoot = "%{DOCUMENT_ROOT}";

/** Answers the other paths of a site that serves only APIs: what the others have outside of their bases, and all else. */
export function onlyConfiguration(view: HostView, others: readonly HostView[]): string {
  const outside = others.map((other) => ({ other, paths: `^(?:${other.outside.expressions.join("|")})` }));
  return text(
    ...settings(view),
    ...outside.flatMap(({ other, paths }) => section("If", `%{REQUEST_URI} =~ m#${paths}#`, ...settings(other))),
    ...engine,
    ...outside.flatMap(({ other, paths }) => [`RewriteCond %{REQUEST_URI} "${paths}"`, handOverRule(other)]),
    handOverRule(view),
  );
}

/** An API, and the rules for its paths. */
interface RulesOfApi {
  readonly view: HostView;
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
const settingsOfApi = ({ view }: RulesOfApi): readonly string[] =>
  section("If", `%{REQUEST_URI} =~ m#${view.own}#`, ...settings(view));

/** The rules, which other paths skip. */
const ownRules = ({ view, rules }: RulesOfApi): readonly string[] => [
  `RewriteCond %{REQUEST_URI} "!${view.own}"`,
  `RewriteRule ^ - [S=${countRules(rules)}]`,
  ...rules,
];

const countRules = (lines: readonly string[]): number => lines.filter((line) => line.startsWith("RewriteRule")).length;

/** A folder and a page may have the same name. */
const engine: readonly string[] = ["RewriteEngine On", "RewriteOptions AllowNoSlash"];

/** Leads to the folder of the errors, whose rules answer all other requests. */
const handOverRule = ({ table }: HostView): string => `RewriteRule ^ /${table.notFound.file} [L]`;

/** Sends the file of an error, to which Apache redirects a request internally. */
const sendError: readonly string[] = ["RewriteCond %{ENV:REDIRECT_STATUS} ^[45]", "RewriteRule ^ - [END]"];

/** Ends with the answer to a path at which there is nothing, which may be the page for people. */
function endMissing(view: HostView, method: string): readonly string[] {
  const { lost, notFound } = view.table;
  const end = ({ status, file }: ErrorAnswer, ...flags: readonly string[]) =>
    `RewriteRule ^ - [${[...flags, `E=${view.name}_error:${file}`, `R=${status}`, "END"].join(",")}]`;
  const isMethod = `RewriteCond %{THE_REQUEST} "^${method} `;
  const kind = view.kinds.findIndex(({ documents }) => documents.some(({ file }) => file === lost?.file));
  return [
    ...view.notFoundPlaces.flatMap(({ start, answer }) => [
      `${isMethod}${start}"`,
      answer === lost ? end(lost, `E=${ofKind(view, kind)}:1`) : end(answer),
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
const remainingRules = (view: HostView, root: string): readonly string[] => [
  ...sendError,
  ...end(view.table.methodNotAllowed.status, `(?!(?:${[...view.table.methods, "OPTIONS"].join("|")}) )`),
  ...view.known.flatMap((path) => end(204, `OPTIONS ${path}[? ]`)),
  ...endMissing(view, "OPTIONS"),
  ...nonOperationRules(view, root),
  ...queryRules(view, root),
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
function canonicalRules(view: HostView, root: string): readonly string[] {
  const { table, base, operations } = view;
  const start = `^(?:${table.methods.join("|")}) ${literal(base)}/`;
  const answer = (targets: string, words: string, operation: string) =>
    send(root, `${base}/${words}.json`, ofOperation(view, operation), `${start}(?:${targets}) HTTP/`);
  const single = view.items.flatMap(({ operations: lists, key }) =>
    answer(`(${namesOf(lists)})/(${key})(?:\\?\\S*)?`, `%1${itemFolder}%2`, "%1"),
  );
  const bare = `(${namesOf(operations)})`;
  // There are nine backreferences: two for each pair, one for the operation with a query and one for it without.
  const pairs = Math.min(3, Math.max(0, ...operations.map(({ params }) => params.length)));
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
function nonOperationRules(view: HostView, root: string): readonly string[] {
  const { table, name, base, operations } = view;
  const answer = (captured: string, file: string, kind: number) =>
    send(root, file, ofKind(view, kind), `^\\S+ ${captured}[? ]`);
  const lines = [
    ...view.kinds.flatMap(({ documents }, kind) =>
      [...byEnding(documents)].flatMap(([ending, group]) => answer(`(${oneOfPaths(group)})`, `%1${ending}`, kind)),
    ),
    ...view.outputs.flatMap(({ captured, capturedFile, kind }) =>
      answer(captured, capturedFile.replace("$1", "%1"), kind),
    ),
    ...table.redirects.flatMap(({ path, to }) => [
      `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(path)}[? ]"`,
      `RewriteRule ^ ${to} [R=308,QSD,END]`,
    ]),
    ...endMissing(view, "\\S+"),
  ];
  return [
    `RewriteCond %{THE_REQUEST} "^\\S+ ${literal(base)}/(${namesOf(operations)})[? ]"`,
    `RewriteRule ^ - [S=${countRules(lines)},E=${name}_operation:%1,E=${name}_page:${base}/%1.json]`,
    ...lines,
  ];
}

/** Parses the whole query and checks it in the order of the contract. */
function queryRules(view: HostView, root: string): readonly string[] {
  const { name, base, operations, params } = view;
  const operation = `%{ENV:${name}_operation}`;
  const partIn = (param: Pick<Param, "name">) => `%{ENV:${name}_part_${variable(param)}}`;
  const page = (sent: readonly Pick<Param, "name">[]) => `${base}/${operation}${sent.map(partIn).join("")}.json`;
  const whole = `%{ENV:${name}_page}`;
  const isFor = (of: SharedParam["of"]) => `RewriteCond ${operation} "^(?:${namesOf(of)})$"`;
  const missing = (path: string) => `RewriteCond "${root}${path}" !-f`;
  const fail = ({ status }: TableError, file: string) => `RewriteRule ^ - [E=${name}_error:${file},R=${status},END]`;
  const refuse = (error: TableError, of: SharedParam["of"], condition: string) => [
    isFor(of),
    condition,
    fail(error, errorFile(base, error.body.code, operation)),
  ];
  const limits = params.filter(({ param }) => param.kind === "limit");
  const cursors = params.filter(({ param }) => param.kind === "cursor");
  const withParams = operations.filter((candidate) => candidate.params.length > 0);
  return [
    // A later rule overrides an earlier one, so the readings are reversed.
    ...params.flatMap(({ param, of }) =>
      readings("^", param, "%1")
        .toReversed()
        .flatMap(([expression, value]) => [
          isFor(of),
          `RewriteCond %{QUERY_STRING} "${expression}"`,
          `RewriteRule ^ - [E=${name}_part_${variable(param)}:${value}]`,
        ]),
    ),
    ...withParams.flatMap((target) => [isFor([target]), `RewriteRule ^ - [E=${name}_page:${page(target.pathParams)}]`]),
    ...operations.flatMap((target) =>
      target.conflicts.flatMap(({ filters, error }) => [
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
    `RewriteRule ^ ${whole} [END,E=${ofOperation(view, operation)}:1]`,
  ];
}

/** The lines that apply to all answers of the API. */
const settings = (view: HostView): readonly string[] =>
  filled(asset("hosts/apache/settings.conf"), {
    name: view.name,
    methodNotAllowed: view.table.methodNotAllowed.file,
    type: view.type,
    // Apache reads every ending in the name of a file, as in `items/item/a.gz.json`. These override what the server's
    // configuration says of inner endings.
    innerEndings:
      view.outputs.length > 0 ||
      view.operations.some(({ itemKeyParts, filters }) => itemKeyParts !== undefined || filters.length > 0)
        ? ["SetHandler default-handler", "RemoveEncoding .br .gz .Z .tgz"]
        : [],
    headers: headers(view),
  })
    .trimEnd()
    .split("\n");

/** A later line overrides an earlier one. */
const headers = (view: HostView): readonly string[] => [
  ...set(view.common),
  ...view.operations.flatMap((operation) =>
    set(answerHeaders(operation), `env=${redirected}${ofOperation(view, operation.name)}`),
  ),
  // A document at the path of its file is sent without a redirect if the rules are not in .htaccess.
  ...view.kinds.flatMap((kind, index) =>
    ["", redirected].flatMap((prefix) => set(documentHeaders(kind), `env=${prefix}${ofKind(view, index)}`)),
  ),
  ...set(view.table.preflight, ofStatus(204)),
  ...set({ "Cache-Control": view.table.errorCacheControl }, ofStatus(308, 400, 404, 405)),
  ...set({ Allow: view.table.allow }, ofStatus(405)),
];

/** The variable that the rules set for a page or item of an operation, and for a document. */
const ofOperation = ({ name }: HostView, operation: string): string => `${name}_of_${operation}`;
const ofKind = ({ name }: HostView, kind: number): string => `${name}_kind_${kind}`;

/** Apache redirects a request internally to the file of its answer, and then puts this before the variables' names. */
const redirected = "REDIRECT_";

/** Sets headers of the answers that meet a condition. "always" includes answers that are no success. */
const set = (headers: RoutingTable["headers"], condition = ""): readonly string[] =>
  Object.entries(headers).map(([name, value]) =>
    `Header always set ${name} ${headerValue(value)} ${condition}`.trimEnd(),
  );

const ofStatus = (...statuses: readonly number[]): string =>
  quoted(`expr=%{REQUEST_STATUS} in { ${statuses.map((status) => `'${status}'`).join(", ")} }`);

/**
 * The quoted value of a header that stays as it is. Apache expands formats after %, defined variables after $
 * and control characters after a backslash, and evaluates an expression after expr=. Only an expression can have any
 * text: encoded, without these characters.
 * https://httpd.apache.org/docs/2.4/mod/mod_headers.html#header https://httpd.apache.org/docs/2.4/expr.html#functions
 */
const headerValue = (text: string): string =>
  quoted(/[%$\\]|^"?expr=/.test(text) ? `expr=%{unescape:${text.replaceAll(/[^\w/=, -]/g, encoded)}}` : text);

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

const section = (kind: string, of: string, ...lines: readonly string[]): readonly string[] => [
  `<${kind} ${quoted(of)}>`,
  ...lines.map((line) => `  ${line}`),
  `</${kind}>`,
];
