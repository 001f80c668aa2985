// The files for nginx. The file for http {} has the maps, which classify a request. The locations of the file for server {} send
// the files that the maps name, or an error, with headers whose values are maps too: nginx inherits headers only together, so
// that a location with a header of its own would have to repeat all others. nginx reads no text of more than 4096 bytes, so each
// document has separate entries.
import { ownField } from "../../../src/model/fields.ts";
import { asset } from "../../files/asset.ts";
import type { Param } from "../../routing/params.ts";
import { errorFile, errorFolder, itemFolder } from "../../routing/paths.ts";
import type { RoutingTable, TableOperation } from "../../routing/table.ts";
import { invalidPart, namesOf, pairName } from "../readings.ts";
import { filled, block as indentedBlock, literal, quoted, variable } from "../syntax.ts";
import { type DocumentKind, type HostView, oneOfPaths, targetWith } from "../view.ts";

/** For http {}. */
export function maps(view: HostView): string {
  const { table, name, base, operations, items, documents } = view;
  const part = partVariables(view);
  return filled(asset("hosts/nginx/maps.conf"), {
    name,
    lists: entries([[`~^${literal(base)}/${operationCapture(name, operations)}(?:\\?|$)`, `$${name}_resource`]]),
    refused: `${base}/${invalidPart}`,
    pages: entries([
      canonicalPage(view),
      ...items.map(({ operations: lists, key }): MapEntry => {
        const path = `~^${literal(base)}/${operationCapture(name, lists)}/(${key})(?:\\?|$)`;
        return [path, `${base}/$1${itemFolder}$2.json`];
      }),
    ]),
    methods: table.methods.join("|"),
    items: entries(items.map(({ paths }) => [`~${targetWith(paths)}`, "1"])),
    parts: view.readings.flatMap((read) => map("$request_uri", part(read), read.entries)),
    anyPages: entries(
      operations.map((operation) => [operation.name, page(operation.path, operation.pathParams.map(part))]),
    ),
    filters: filterMaps(view),
    headers: variableHeaders(view).flatMap(({ header, source, values, otherwise = "" }, index) => [
      `# ${header}`,
      ...map(source === "status" ? "$status" : `$${name}_resource`, headerVariable(name, index), values, otherwise),
    ]),
    ...refusals,
    base,
    methodNotAllowed: table.methodNotAllowed.file,
    places: entries([
      ...documents.map(({ target, kind }): MapEntry => [`~${target}`, documentsPlace(base, kind)]),
      ...table.redirects.map(
        (redirect, index): MapEntry => [`~${targetWith(oneOfPaths([redirect]))}`, redirectPlace(base, index)],
      ),
    ]),
    documents: entries(documents.map(({ target, file }) => [`~${target}`, file])),
    notFound: table.notFound.file,
    notFoundPlaces: entries(view.notFoundPlaces.map(({ start, answer }) => [`~^\\S+ ${start}`, `/${answer.file}`])),
  });
}

/**
 * Before the path of a request, these make the addresses to which nginx redirects internally after refusing the request
 * without looking for a location. They are the same for all APIs of a server, so that each answers for its paths.
 */
const refusals = { traced: "/stillapi_traced", refusedPath: "/stillapi_refused" } as const;

/** The locations of a kind of documents, and of a redirect. */
const documentsPlace = (base: string, kind: number): string => `${base}/@documents_${kind + 1}`;
const redirectPlace = (base: string, index: number): string => `${base}/@redirect_${index + 1}`;

/** A header whose value is a map. Without a value, it is not sent. */
interface VariableHeader {
  readonly header: string;
  /** The variable that determines the value: what is sent, or the status. */
  readonly source: "resource" | "status";
  readonly values: readonly MapEntry[];
  readonly otherwise?: string;
  /** Whether nginx's own error pages have it too. */
  readonly always?: true;
}

function variableHeaders(view: HostView): readonly VariableHeader[] {
  const { table, name, operations, kinds, notices } = view;
  const further = new Set(kinds.flatMap(({ headers = {} }) => Object.keys(headers)));
  const ofKinds = (headerOf: (kind: DocumentKind) => string | undefined) =>
    kinds.flatMap((kind, index): readonly MapEntry[] => {
      const value = headerOf(kind);
      return value === undefined ? [] : [[documentsResource(index), verbatim(name, value)]];
    });
  const byStatus = (headers: RoutingTable["headers"], ...statuses: readonly number[]) =>
    Object.entries(headers).map(
      ([header, value]): VariableHeader => ({
        header,
        source: "status",
        values: statuses.map((status) => [String(status), verbatim(name, value)]),
        always: true,
      }),
    );
  return [
    ...notices.map(
      ({ header, values, otherwise }): VariableHeader => ({
        header,
        source: "resource",
        values: values.map(({ operation, value }) => [operation, verbatim(name, value)]),
        otherwise: verbatim(name, otherwise),
        always: true,
      }),
    ),
    ...[...further].map(
      (header): VariableHeader => ({
        header,
        source: "resource",
        values: ofKinds(({ headers }) => ownField(headers, header)),
      }),
    ),
    {
      header: "Cache-Control",
      source: "resource",
      values: [
        ...operations.map(({ name: list, cacheControl }): MapEntry => [list, verbatim(name, cacheControl)]),
        ...ofKinds(({ cacheControl }) => cacheControl),
      ],
    },
    ...byStatus({ "Cache-Control": table.errorCacheControl }, 308, 400, 404, 405),
    ...byStatus({ Allow: table.allow }, 405),
    ...byStatus(table.preflight, 204),
  ];
}

const headerVariable = (name: string, index: number): string => `$${name}_header_${index + 1}`;

/** The value of the variable `resource` when documents are sent. No operation has this name. */
const documentsResource = (kind: number): string => `@documents_${kind + 1}`;

/** The variables of parameters. Numbered: nginx's hash of variables has no room for names, which have up to 32 letters. */
function partVariables({ name, readings }: HostView): (param: Pick<Param, "name">) => string {
  const variables = readings.map((read) => read.name);
  return (param) => `$${name}_part_${variables.indexOf(variable(param)) + 1}`;
}

const page = (path: string, parts: readonly string[]): string => `${path}${parts.join("")}.json`;

const operationCapture = (name: string, operations: readonly TableOperation[]): string =>
  `(?<${name}_resource>${namesOf(operations)})`;

/**
 * A target whose words, in order, are the path of a page: the operation, then names and values in the order of the
 * path. The pairs fill the captures from the last one; an unused capture leaves only a slash. A target without a file
 * at this path may still lead to a page.
 */
function canonicalPage({ name, base, operations }: HostView): MapEntry {
  // nginx has nine captures: two for each pair, and the first for the operation.
  const pairs = Math.min(4, Math.max(...operations.map(({ params }) => params.length)));
  const pair = `${pairName(operations)}=([a-z0-9_-]+)`;
  let query = pairs === 0 ? "" : pair;
  for (let count = 1; count < pairs; count++) query = `(?:${query}&)?${pair}`;
  const captures = Array.from({ length: 2 * pairs + 1 }, (_, index) => `/$${index + 1}`).join("");
  return [
    `~^${literal(base)}/${operationCapture(name, operations)}${query && `(?:\\?${query})?`}$`,
    `${base}${captures}.json`,
  ];
}

/**
 * Two maps for the first filter of each operation, two for the second, and so on: the page that has to exist, and the error
 * if it does not. Then a map of the error if the filters that a request sends cannot be combined.
 */
function filterMaps(view: HostView): readonly string[] {
  const { table, name, operations, filterNumbers } = view;
  const part = partVariables(view);
  const perFilter = filterNumbers.flatMap((number) => {
    const filters = operations.flatMap((operation) => {
      const filter = operation.filters[number - 1];
      return filter === undefined ? [] : [{ operation, filter }];
    });
    const pages = filters.map(
      ({ operation, filter }): MapEntry => [operation.name, page(operation.path, [part(filter)])],
    );
    const errors = filters.map(({ operation, filter }): MapEntry => [operation.name, `/${filter.error.file}`]);
    return [
      ...map(`$${name}_list`, `$${name}_filter_${number}`, pages, `/${table.notFound.file}`),
      ...map(`$${name}_list`, `$${name}_wrong_${number}`, errors),
    ];
  });
  if (filterNumbers.length < 2) return perFilter;
  const all = filterNumbers.map((number) => `$${name}_filter_${number} `).join("");
  return [...perFilter, ...map(`"${all}"`, `$${name}_clash`, view.conflicts)];
}

/** For server {}, which may serve other content too. */
export function server(view: HostView): string {
  const { table, name, base, type } = view;
  return filled(asset("hosts/nginx/server.conf"), {
    name,
    base,
    type,
    headers: addHeaders(view),
    notFound: table.notFound.file,
    methodNotAllowed: table.methodNotAllowed.file,
    errors: chooseError(view),
    documents: view.kinds.flatMap((kind, index) => documentLocations(view, kind, index)),
    redirects: table.redirects.flatMap(({ to }, index) =>
      block(
        `location = ${redirectPlace(base, index)}`,
        `set $${name}_resource "";`,
        "absolute_redirect off;",
        `return 308 ${quoted(verbatim(name, to))};`,
      ),
    ),
    paths: [`= ${base}`, ...outside(view)].flatMap((path) => pathLocation(view, path)),
    tracedPaths: [`^~ ${refusals.traced}${base}`, ...outside(view, refusals.traced)].flatMap((path) =>
      tracedLocation(view, path),
    ),
    notFoundPage: table.lost === undefined ? [] : notFoundLocation(view, table.lost),
    errorFolder: errorFolder(base),
    ...refusals,
  });
}

function addHeaders(view: HostView): readonly string[] {
  const { name, common, notices } = view;
  const fixed = Object.entries(common).filter(([header]) => !notices.some((notice) => notice.header === header));
  return [
    ...fixed.map(([header, value]) => `add_header ${header} ${quoted(verbatim(name, value))} always;`),
    ...variableHeaders(view).map(
      ({ header, always }, index) =>
        `add_header ${header} ${headerVariable(name, index)}${always === true ? " always" : ""};`,
    ),
  ];
}

/** The locations of what the API has outside of its base. Expressions are quoted, because they have braces. */
const outside = ({ outside: { paths, outputs } }: HostView, before = ""): readonly string[] => [
  ...paths.map((path) => `= ${before}${path}`),
  ...outputs.map((output) => `~ ${quoted(`^${before}${output.paths}$`)}`),
];

/** The locations that send documents of a kind. */
function documentLocations({ name, base }: HostView, kind: DocumentKind, index: number): readonly string[] {
  const place = documentsPlace(base, index);
  const sending = [
    `default_type ${quoted(kind.contentType)};`,
    `set $${name}_resource ${quoted(documentsResource(index))};`,
    // An output may have the path of a folder.
    kind.outputs.length > 0 ? `try_files $${name}_document =404;` : `rewrite ^ $${name}_document break;`,
  ];
  if (kind.contentType !== "application/x-ndjson") return block(`location = ${place}`, ...sending);
  return [
    ...block(
      `location = ${place}`,
      "# A download may be resumed. Of an invalid range, the whole file is sent.",
      "max_ranges 1;",
      `error_page 416 = ${place}_whole;`,
      `error_page 404 = ${refusals.refusedPath}${base};`,
      ...sending,
    ),
    ...block(`location = ${place}_whole`, ...sending),
  ];
}

/** The location of a path outside of the folder of the API. */
const pathLocation = ({ name, base }: HostView, path: string): readonly string[] =>
  block(
    `location ${path}`,
    `error_page 405 = ${base}/@method;`,
    "recursive_error_pages on;",
    `if ($${name}_by_method) { return 405; }`,
    `error_page 404 = $${name}_place;`,
    "return 404;",
  );

/** The location of a path after a TRACE, which nginx has refused. */
const tracedLocation = ({ table, base }: HostView, path: string): readonly string[] =>
  block(
    `location ${path}`,
    "internal;",
    `error_page 404 = ${refusals.refusedPath}${base};`,
    "recursive_error_pages on;",
    `rewrite ^ /${table.methodNotAllowed.file} last;`,
  );

/** The location of the page for people. */
const notFoundLocation = (
  { name, base }: HostView,
  { file, contentType }: NonNullable<RoutingTable["lost"]>,
): readonly string[] =>
  block(
    `location = /${file}`,
    "internal;",
    `error_page 404 = ${refusals.refusedPath}${base};`,
    `default_type ${quoted(contentType)};`,
    `set $${name}_resource "";`,
  );

/**
 * Sets the error, from the last check to the first. For `?limit=0`, the map `part` of the limit yields `!`, and no file has
 * this path. nginx goes on to `@other`, then to `@missing`, which sets the file of the error and sends it with 400. Then
 * `resource` is the operation, so that one line serves all of them.
 */
function chooseError(view: HostView): readonly string[] {
  const { name, base, operations, filterNumbers } = view;
  const part = partVariables(view);
  const set = (error: string) => `set $${name}_error ${error};`;
  const errorOf = (param: "limit" | "cursor") => `/${errorFile(base, `invalid_${param}`, `$${name}_resource`)}`;
  const hasLimits = operations.some(({ limit }) => limit !== undefined);
  const hasCursors = operations.some(({ cursor }) => cursor !== undefined);
  return [
    ...(hasCursors ? [set(errorOf("cursor"))] : []),
    ...filterNumbers
      .toReversed()
      .map((n) => `if (!-f $document_root$${name}_filter_${n}) { ${set(`$${name}_wrong_${n}`)} }`),
    ...(hasLimits ? [`if (${part({ name: "limit" })} = "${invalidPart}") { ${set(errorOf("limit"))} }`] : []),
    ...(filterNumbers.length < 2 ? [] : [`if ($${name}_clash) { ${set(`$${name}_clash`)} }`]),
  ];
}

/** For server {} that serves nothing but APIs. */
export const only = ({ name, base }: HostView): string => filled(asset("hosts/nginx/only.conf"), { name, base });

/** Keeps nginx from expanding a text. It has no escape for a dollar sign, so a variable of maps.conf contains one. */
const verbatim = (name: string, text: string): string => text.replaceAll("$", `\${${name}_dollar}`);

type MapEntry = readonly [key: string, value: string];

/** The lines of a map. After a backslash, a key is not a word that nginx reserves, such as default. */
const entries = (list: readonly MapEntry[]): readonly string[] =>
  list.map(([key, value]) => `${quoted(key.replace(/^(?=[a-z])/, "\\"))} ${quoted(value)};`);

/** The first entry whose key equals the source, or whose expression after a tilde matches it, determines the value. */
const map = (source: string, target: string, list: readonly MapEntry[], otherwise = ""): readonly string[] =>
  block(`map ${source} ${target}`, `default ${quoted(otherwise)};`, ...entries(list));

const block = (head: string, ...lines: readonly string[]): readonly string[] => indentedBlock(head, "  ", lines);
