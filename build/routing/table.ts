// The routing table: everything that a host needs in order to answer requests from files. It grows with the operations
// and their page sizes, never with the data: a value of a filter or a cursor is valid if it has the right form and its
// file exists. The table is plain JSON and is published with the files.
import * as z from "zod";
import type { ErrorBody } from "../../src/answers/answers.ts";
import { errorBody } from "../../src/answers/schemas.ts";
import type { Api } from "../../src/model/api.ts";
import { type Audience, cacheFor, credentialHeader, everybody, sendsCookies } from "../../src/model/audience.ts";
import { keyFields } from "../../src/model/key.ts";
import type { ListOperation, Operation } from "../../src/model/operation.ts";
import { sortParam } from "../../src/model/order.ts";
import { filledPath } from "../../src/model/output-path.ts";
import type { PageSizes } from "../../src/model/paging.ts";
import { generator, type OutputFile, textFile } from "../files/file.ts";
import { parseJson } from "../values/json.ts";
import type { NonEmpty } from "../values/non-empty.ts";
import { allow, methodNotAllowed, methods, notFound, type ParameterError, parameterErrors } from "./errors.ts";
import { noticeOf } from "./notices.ts";
import { conflictFile, errorFile, notFoundPage, openapiPath, referencePath } from "./paths.ts";

/** An error: its file, and its body for hosts whose rules cannot read files. */
const failure = z.strictObject({ status: z.int(), file: z.string(), body: errorBody });

const limit = z.strictObject({
  /** A limit is answered with the largest of the ascending page sizes that does not exceed it. */
  sizes: z.array(z.int()),
  error: failure,
});

/**
 * A filter, or as the first of them `sort`, whose values are orders: a value of either is a part of a path. Its values
 * have the form of a part of a path, and are known if their file exists. Values are not matched against the form that
 * the declaration gives, because matching it may take very long.
 */
const filter = z.strictObject({
  /** The name in a query. */
  name: z.string(),
  error: failure,
  /** The answer if the filter is sent with filters before it with which it cannot be combined; see `together`. */
  conflict: failure.optional(),
});

const cursor = z.strictObject({ error: failure });

const headers = z.record(z.string(), z.string());

const operation = z.strictObject({
  name: z.string(),
  path: z.string(),
  cacheControl: z.string(),
  limit: limit.optional(),
  /** In the order in which they are checked, and of their parts in the path of a page. */
  filters: z.array(filter),
  cursor: cursor.optional(),
  /** Filters, by name, that a request may send together. Absent: one filter at a time. */
  together: z.array(z.array(z.string())).optional(),
  /** The headers of a deprecated operation's pages and items. They replace those of the table. */
  headers: headers.optional(),
  /** The number of parts of a key, if the single items have paths: the operation's path, followed by a key. */
  itemKeyParts: z.int().optional(),
});

const document = z.strictObject({
  path: z.string(),
  file: z.string(),
  contentType: z.string(),
  cacheControl: z.string(),
  /** Further headers, which only files beside the data have. */
  headers: headers.optional(),
});

/** The size of a build without the pages of earlier builds, and its use of the hosts' limits. */
const usage = z.strictObject({
  files: z.int(),
  /** Of all files but the routing table. */
  bytes: z.int(),
  limits: z.array(z.strictObject({ host: z.string(), what: z.string(), plan: z.string().optional(), used: z.int() })),
});

export const routingTable = z.strictObject({
  generator: z.literal(generator),
  base: z.string(),
  /** Only if all hosts ignore queries: answers are at the paths of their files, below `mount`. */
  addresses: z.literal("files").optional(),
  mount: z.string().optional(),
  /** The methods that are answered with a file. OPTIONS is answered without one, other methods with an error. */
  methods: z.array(z.string()),
  /** The value of `Allow` in the answer to any other method. */
  allow: z.string(),
  /** Further headers of the answer to OPTIONS (Fetch standard, "CORS-preflight fetch"). */
  preflight: headers,
  /** The headers of every answer. */
  headers,
  operations: z.array(operation),
  /** Documents ignore the query. Their Content-Type replaces the one in `headers`. */
  documents: z.array(document),
  /**
   * Files of which there is one for each item of a list, if there are any. `{id}` in a path and in its file stands for a
   * value that has the form of keys.
   */
  outputs: z.array(document).optional(),
  /** Paths that redirect to another path. */
  redirects: z.array(z.strictObject({ path: z.string(), to: z.string() })),
  errorCacheControl: z.string(),
  notFound: failure,
  /** Replaces `notFound` for paths that people are more likely to request than programs. */
  lost: z
    .strictObject({
      /** Paths below the reference. */
      folder: z.string(),
      /** If the front page is that of the API: also paths that are neither this folder's nor below it. */
      outside: z.string().optional(),
      status: z.int(),
      file: z.string(),
      contentType: z.string(),
    })
    .optional(),
  methodNotAllowed: failure,
  /** Only in the file: the SHA-256 of the state of earlier builds (cursors.json) that belongs to these pages. */
  state: z.string().optional(),
  /** Only in the file: the paths of the build in the publish root. A path that ends with a slash stands for all below it. */
  owns: z.array(z.string()).optional(),
  /** Only in the file of the publish root. */
  usage: usage.optional(),
});

/** The file of a build with several APIs is the table of the first one, with those of the others in it. */
export const tablesForm = routingTable.extend({ others: z.array(routingTable).optional() });

/** The path of the table in the publish root. */
export const tableFile = "routing.json";

export type RoutingTable = Readonly<z.infer<typeof routingTable>>;
/** The tables of a build, in the order of its APIs. */
export type Tables = NonEmpty<RoutingTable>;
export type BuildUsage = Readonly<z.infer<typeof usage>>;
export type TableError = Readonly<z.infer<typeof failure>>;
/** A file with the status and the headers of an error. Without `contentType`, it has that of errors. */
export type ErrorAnswer = Pick<TableError, "status" | "file"> & { readonly contentType?: string };
export type TableLimit = z.infer<typeof limit>;
export type TableFilter = z.infer<typeof filter>;
export type TableCursor = z.infer<typeof cursor>;
export type TableOperation = z.infer<typeof operation>;
export type TableDocument = z.infer<typeof document>;

/** The Content-Type of pages and errors. */
export const contentTypeOf = ({ headers }: Pick<RoutingTable, "headers">): string => headers["Content-Type"] ?? "";

/** A path that does not lead out of its folder. */
const isInside = (entry: string): boolean => !/^[/]|\\|[/][/]|(?:^|[/])[.]{1,2}(?:[/]|$)/.test(entry) && entry !== "";

const anyBase = z.string().regex(/^(?:\/[a-z0-9-][a-z0-9.-]*)+$/);

/** The part of the marker by which a build recognises the files of an earlier one. */
const markerForm = z.object({
  generator: z.literal(generator),
  base: anyBase,
  state: z.string(),
  owns: z.array(z.string().refine(isInside)),
  usage: usage.optional().catch(undefined),
  others: z.array(z.object({ base: anyBase, state: z.string() })).default([]),
});

/** Reads the marker of a build; undefined if the text is none. */
export const parseMarker = (text: string): Readonly<z.infer<typeof markerForm>> | undefined =>
  markerForm.safeParse(parseJson(text)).data;

/**
 * The paths that the build with this marker may have written in its folder; undefined if the text is no marker. A path that
 * ends with a slash stands for everything below.
 */
export const ownedBy = (text: string): readonly string[] | undefined => parseMarker(text)?.owns;

/** The bases of the APIs of the build with this marker; none if the text is no marker. */
export function basesIn(text: string): readonly string[] {
  const table = parseMarker(text);
  return table === undefined ? [] : [table.base, ...table.others.map(({ base }) => base)];
}

/**
 * The tables as a file of the publish root, each with the state of its API. By it, the next build recognises the files that
 * this one wrote.
 */
export function markerOf(
  [first, ...others]: NonEmpty<{ readonly table: RoutingTable; readonly state: string }>,
  owns: readonly string[],
  usage?: BuildUsage,
): OutputFile {
  const further = others.map(({ table, state }) => ({ ...table, state }));
  const marker = {
    ...first.table,
    state: first.state,
    owns,
    ...(usage && { usage }),
    ...(further.length > 0 && { others: further }),
  };
  return textFile(tableFile, `${JSON.stringify(marker)}\n`);
}

/**
 * The table of a deployment with the operations `served`, the page sizes of each paged one, its documents, the outputs of
 * which there is a file for each item, the body of its 404, and the headers for its audience.
 */
export function makeTable(
  api: Api,
  served: readonly string[],
  sizesOf: (operation: string) => PageSizes,
  documents: readonly TableDocument[] = [],
  outputs: readonly TableDocument[] = [],
  missing: ErrorBody = notFound(api, served),
  audience: Audience = everybody,
): RoutingTable {
  const { base, operations } = api;
  const links = Object.entries({ "service-desc": openapiPath(base), "service-doc": referencePath(base) })
    .filter(([, to]) => documents.some(({ path }) => path === to))
    // RFC 8631.
    .map(([relation, to]) => `<${to}>; rel="${relation}"`);
  const headers = {
    "Content-Type": "application/json",
    ...corsHeaders(audience),
    "X-Content-Type-Options": "nosniff",
    ...(audience.access && { Vary: credentialHeader(audience.access.scheme) }),
    ...(links.length > 0 && { Link: links.join(", ") }),
  };
  const stored = <Stored extends { readonly cacheControl: string }>(answer: Stored): Stored => ({
    ...answer,
    cacheControl: cacheFor(audience, answer.cacheControl),
  });
  return {
    generator,
    base,
    methods: [...methods],
    allow,
    preflight: preflightHeaders(audience),
    headers,
    operations: operations
      .filter(({ name }) => served.includes(name))
      .map((operation) => stored(tableOperation(api, operation, sizesOf(operation.name), served, headers))),
    documents: documents.map(({ path, file, contentType, cacheControl }) =>
      stored({
        path,
        file,
        contentType,
        cacheControl,
      }),
    ),
    ...(outputs.length > 0 && { outputs: outputs.toSorted(byFixedText).map(stored) }),
    redirects: documents
      .filter(({ path }) => path.startsWith(`${base}/`) && path.endsWith("/"))
      .map(({ path }) => ({ path: path.slice(0, -1), to: path })),
    errorCacheControl: "no-store",
    notFound: failureOf(missing, base),
    ...lostOf(base, documents, missing.status),
    methodNotAllowed: failureOf(methodNotAllowed, base),
  };
}

/** The headers by which scripts of other origins may read an answer. */
function corsHeaders(audience: Audience): RoutingTable["headers"] {
  const { origins } = audience;
  if (origins === "none") return {};
  return {
    "Access-Control-Allow-Origin": origins === "any" ? "*" : origins,
    "Access-Control-Expose-Headers": "ETag, Link, Date, Deprecation, Sunset",
    ...(sendsCookies(audience) && { "Access-Control-Allow-Credentials": "true" }),
  };
}

function preflightHeaders(audience: Audience): RoutingTable["headers"] {
  if (audience.origins === "none") return { Allow: allow };
  return {
    "Access-Control-Allow-Methods": allow,
    // The star does not cover Authorization, and nothing if cookies are sent (Fetch, section 3.2.3).
    "Access-Control-Allow-Headers": sendsCookies(audience) ? "Authorization, If-None-Match" : "*, Authorization",
    "Access-Control-Max-Age": "86400",
  };
}

function lostOf(base: string, documents: readonly TableDocument[], status: number): Pick<RoutingTable, "lost"> {
  const page = documents.find(({ path }) => path === `${base}/${notFoundPage}`);
  if (page === undefined) return {};
  const { file, contentType } = page;
  const lost = { folder: referencePath(base), status, file, contentType };
  const hasFrontPage = documents.some(({ path }) => path === "/");
  return { lost: hasFrontPage ? { ...lost, outside: base.replace(/(?<=.)\/.*/, "") } : lost };
}

/** A path with more fixed text precedes a path that may match the same: `/a/{id}.min.json`, then `/a/{id}.json`. */
const byFixedText = ({ path: one }: TableDocument, { path: other }: TableDocument): number =>
  filledPath(other, () => "").length - filledPath(one, () => "").length;

const failureOf = (body: ErrorBody, base: string, operation?: string): TableError => ({
  status: body.status,
  file: errorFile(base, body.code, operation),
  body,
});

function tableOperation(
  api: Api,
  operation: Operation,
  sizes: PageSizes,
  served: readonly string[],
  headers: RoutingTable["headers"],
): TableOperation {
  const { name, cache: cacheControl } = operation;
  const list = operation.kind === "list" ? operation : undefined;
  const errors = list === undefined ? [] : parameterErrors(api, list, sizes, served);
  const failureIn = ({ error }: ParameterError) => failureOf(error, api.base, name);
  const limit = errors.find(({ kind }) => kind === "limit");
  const cursor = errors.find(({ kind }) => kind === "cursor");
  const operations = api.operations.filter((other) => served.includes(other.name));
  const notice = noticeOf(api, operation, operations, headers);
  const together = list === undefined ? [] : togetherIn(list);
  return {
    name,
    path: `${api.base}/${name}`,
    cacheControl,
    ...(limit && { limit: { sizes: [...sizes], error: failureIn(limit) } }),
    filters: errors.filter(({ kind }) => kind === "filter").map((error) => tableFilter(api.base, name, error)),
    ...(cursor && { cursor: { error: failureIn(cursor) } }),
    ...(together.length > 0 && { together }),
    ...(notice && { headers: notice }),
    ...(list?.item && { itemKeyParts: keyFields(list).length }),
  };
}

/** The filters that may be sent together. An order may be sent with each filter, and with each set of them. */
function togetherIn({ together, filters, orders }: ListOperation): string[][] {
  if (orders.length === 0) return together.map((names) => [...names]);
  const alone = filters.map(({ param }) => param).filter((param) => !together.some((names) => names.includes(param)));
  return [...alone.map((param) => [param]), ...together].map((names) => [sortParam, ...names]);
}

function tableFilter(base: string, operation: string, { error, conflict }: ParameterError): TableFilter {
  const name = error.param ?? "";
  const filter = { name, error: failureOf(error, base, operation) };
  if (conflict === undefined) return filter;
  const file = conflictFile(base, name, operation);
  return { ...filter, conflict: { status: conflict.status, file, body: conflict } };
}
