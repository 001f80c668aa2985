// Vercel's routes, which map paths and queries to files.
import { conflictsOf, inPathOrder, mayCombine, type Param, paramsOf } from "../../routing/params.ts";
import { itemFolder } from "../../routing/paths.ts";
import { answerHeaders, bodiless, documentHeaders, lostPlaces, outputsOf } from "../../routing/resolve.ts";
import {
  contentTypeOf,
  type ErrorAnswer,
  type RoutingTable,
  type TableError,
  type TableOperation,
} from "../../routing/table.ts";
import type { Tables } from "../host.ts";
import { documentKinds, itemKeys, knownPaths, noticedHeaders, outputPath, ownPaths, startOf } from "../known-paths.ts";
import { choicesOf } from "../readings.ts";
import { literal, variable } from "../syntax.ts";
import { oneOfPaths } from "../view.ts";

interface Condition {
  readonly type: "query";
  readonly key: string;
  /** A regular expression. It is anchored, because the documentation does not say whether Vercel anchors it. */
  readonly value?: string;
}

interface Route {
  readonly src: string;
  readonly caseSensitive?: true;
  readonly methods?: readonly string[];
  readonly has?: readonly Condition[];
  readonly missing?: readonly Condition[];
  readonly dest?: string;
  readonly check?: true;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly continue?: true;
}

/**
 * Every answer that is not a page comes first, because documents are files of the publish root, which would be served
 * for any method. The routes of pages follow the filesystem, so that a page is served wherever `check` resumes. The
 * last routes answer other paths and other methods.
 */
export function routes(tables: Tables): readonly (Route | { readonly handle: "filesystem" })[] {
  const [site, ...others] = tables;
  return [
    ...tables.flatMap(bodilessRoutes),
    { src: everything, headers: site.headers, continue: true },
    ...others.map((table) => ({
      src: pathsOf(table),
      ...caseSensitively,
      headers: table.headers,
      continue: true as const,
    })),
    ...tables.flatMap(documentRoutes),
    ...otherSpellings(tables),
    { handle: "filesystem" },
    ...tables.flatMap(pageRoutes),
    ...others.flatMap((table) => [...lostRoutes(table), ...unknownOf(table, pathsOf(table))]),
    ...lostRoutes(site),
    ...unknown(site, everything),
  ];
}

/** Preflights and redirects. */
const bodilessRoutes = (table: RoutingTable): readonly Route[] => [
  {
    src: `^(?:${knownPaths(table).join("|")})$`,
    caseSensitive: true,
    methods: ["OPTIONS"],
    status: 204,
    headers: { ...bodiless(table), ...table.preflight },
  },
  ...table.redirects.map(({ path, to }) => ({
    src: `^${literal(path)}$`,
    ...exactly(table),
    status: 308,
    headers: { ...bodiless(table), "Cache-Control": table.errorCacheControl, Location: to },
  })),
];

function documentRoutes(table: RoutingTable): readonly Route[] {
  const { documents } = table;
  if (documents.length === 0) return [];
  const outputs = outputsOf(table);
  return [
    ...documents.map((document) => ({
      src: `^${literal(document.path)}$`,
      ...exactly(table),
      dest: `/${document.file}`,
      headers: documentHeaders(document),
    })),
    { src: `^${oneOfPaths(documents)}$`, caseSensitive: true, ...refusal(table) },
    // If the file does not exist, only the last routes apply to its path.
    ...outputs.map((output) => ({
      src: `^(?<page>${outputPath(output)})$`,
      ...exactly(table),
      dest: "$page",
      check: true as const,
      headers: documentHeaders(output),
    })),
    ...outputs.map((output) => ({ src: `^${outputPath(output)}$`, caseSensitive: true as const, ...refusal(table) })),
  ];
}

/**
 * The filesystem may find a file at another spelling of its path, such as an encoded one, and sends it without the headers
 * of its route. No path of the API needs one.
 */
function otherSpellings([site, ...others]: Tables): readonly Route[] {
  const isServed = (table: RoutingTable) => documentKinds(table).some(({ headers }) => headers !== undefined);
  if (![site, ...others].some(isServed)) return [];
  const spelling = ".*(?:[^A-Za-z0-9._/-]|//|/\\.{1,2}(?:/|$))";
  return [
    ...others.flatMap((table) => [
      ...lostRoutes(table, `(?=${spelling})`),
      ...unknownOf(table, `^(?=${spelling})${pathsOf(table).slice(1)}`),
    ]),
    ...lostRoutes(site, `(?=${spelling})`),
    ...unknown(site, `^${spelling}.*$`),
  ];
}

/** Pages and their errors, and single items. */
const pageRoutes = (table: RoutingTable): readonly Route[] => [
  ...table.operations.flatMap((operation) => routesOf(table, operation)),
  // If the item does not exist, only the last routes apply to the path of its file.
  ...itemKeys(table).flatMap(({ operations, key }) =>
    operations.map((operation) => ({
      src: `^${literal(operation.path)}/(?<key>${key})$`,
      ...exactly(table),
      dest: `${operation.path}${itemFolder}$key.json`,
      check: true as const,
      headers: answerHeaders(operation),
    })),
  ),
];

/** For paths below the base of an API that is not the first. */
const unknownOf = (table: RoutingTable, src: string): readonly Route[] =>
  unknown(table, src).map((route) => ({ ...route, ...caseSensitively }));

/** Matches the paths of an API. Vercel adds an end to an expression that has none. */
const pathsOf = (table: RoutingTable): string => `${ownPaths(table)}.*$`;

const caseSensitively = { caseSensitive: true } as const;

const exactly = ({ methods }: RoutingTable) => ({ caseSensitive: true, methods }) as const;

/** The answer with an error. A route that has led to no file has set its headers, so this one resets them. */
function failure(
  table: RoutingTable,
  { status, file, contentType = contentTypeOf(table) }: ErrorAnswer,
): Pick<Route, "dest" | "status" | "headers"> {
  const restored = Object.fromEntries(noticedHeaders(table).filter(([, otherwise]) => otherwise !== ""));
  const headers = { "Content-Type": contentType, "Cache-Control": table.errorCacheControl, ...restored };
  return { dest: `/${file}`, status, headers };
}

/** The answer to a method that the API does not have. */
function refusal(table: RoutingTable): Pick<Route, "dest" | "status" | "headers"> {
  const { headers, ...answer } = failure(table, table.methodNotAllowed);
  return { ...answer, headers: { ...headers, Allow: table.allow } };
}

/** The answers to paths that the API does not have. */
const unknown = (table: RoutingTable, src: string): readonly Route[] => [
  { src, methods: [...table.methods, "OPTIONS"], ...failure(table, table.notFound) },
  { src, ...refusal(table) },
];

/** The answers to some paths at which there is nothing. `condition` is an expression that the path meets, too. */
const lostRoutes = (table: RoutingTable, condition = ""): readonly Route[] =>
  lostPlaces(table).map((place) => ({
    src: `^${condition}${startOf(place)}.*$`,
    ...caseSensitively,
    methods: [...table.methods, "OPTIONS"],
    ...failure(table, place.answer),
  }));

const everything = "^/.*$";

/** The routes of an operation's errors and pages. */
function routesOf(table: RoutingTable, operation: TableOperation): readonly Route[] {
  const { path } = operation;
  const params = paramsOf(operation);
  const src = `^${literal(path)}$`;
  const fail = (error: TableError) => failure(table, error);
  const routes = [
    ...conflictsOf(operation).map(({ filters, error }) => ({
      src,
      has: filters.map((filter) => paramCondition(filter)),
      ...fail(error),
    })),
    ...params.map((param) => {
      const patterns = choicesOf(param).map(({ pattern }) => pattern);
      return {
        src,
        has: [paramCondition(param)],
        missing: [paramCondition(param, `(?:${patterns.join("|")})`)],
        ...fail(param.error),
      };
    }),
    ...waysToAsk(operation).map(({ has, missing, page }) => ({
      src,
      ...(has.length > 0 && { has }),
      ...(missing.length > 0 && { missing }),
      dest: `${page}.json`,
      check: true as const,
      headers: answerHeaders(operation),
    })),
    ...params
      .filter(({ kind }) => kind !== "limit")
      .map((param) => ({ src: missingPage(operation, param), ...fail(param.error) })),
  ];
  return routes.map((route) => ({ ...route, ...exactly(table) }));
}

/** A request has the parameter, with a value that the pattern matches if there is one. */
const paramCondition = ({ name }: Pick<Param, "name">, pattern?: string): Condition => ({
  type: "query",
  key: name,
  ...(pattern !== undefined && { value: `^${pattern}$` }),
});

interface Asked {
  readonly has: readonly Condition[];
  readonly missing: readonly Condition[];
  readonly sent: readonly Param[];
  /** The path of the page, in which `$` and a variable stand for a value. */
  readonly page: string;
}

/** All combinations of a choice of each parameter, or none, with filters that can be combined. No request matches two. */
function waysToAsk(operation: TableOperation): readonly Asked[] {
  let ways: readonly Asked[] = [{ has: [], missing: [], sent: [], page: operation.path }];
  for (const param of inPathOrder(operation)) {
    const value = variable(param);
    ways = ways.flatMap((way) => [
      ...choicesOf(param).map(({ pattern, part }) => ({
        ...way,
        has: [...way.has, paramCondition(param, `(?<${value}>${pattern})`)],
        sent: [...way.sent, param],
        page: way.page + part(`$${value}`),
      })),
      { ...way, missing: [...way.missing, paramCondition(param)] },
    ]);
    ways = ways.filter(({ sent }) =>
      mayCombine(
        operation,
        sent.filter(({ kind }) => kind === "filter"),
      ),
    );
  }
  return ways;
}

/** Matches the path of a page without a file, whose last parameter is this one. Limits are always known. */
function missingPage(operation: TableOperation, param: Param): string {
  const params = paramsOf(operation).map(({ name }) => name);
  const later = params.slice(params.indexOf(param.name) + 1);
  const parts = inPathOrder(operation).map(({ name }) => {
    const part = `/${name}/[^/]+`;
    if (name === param.name) return part;
    return later.includes(name) ? "" : `(?:${part})?`;
  });
  return `^${literal(operation.path)}${parts.join("")}\\.json$`;
}
